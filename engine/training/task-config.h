/* SPDX-License-Identifier: MIT */
/* The config of a checkpoint for another task than it was saved for: the class of its family that
 * has the head, and the names of the labels. */
#pragma once

#include "engine/base/error.h"
#include "engine/base/kinds.h"

G_BEGIN_DECLS

/* (transfer full) The text of a config.json of a checkpoint's. what names that in messages. Where
 * its class has the head already it stays. labels (nullable, ended by NULL) take the place of the
 * names that it has, unless these are the same in another order. Refuses a family that has no such
 * head. */
char *eng_task_config_make (const char         *config,
                            const char         *what,
                            EngTask             task,
                            const char *const  *labels,
                            GError            **error);

G_END_DECLS
