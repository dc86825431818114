/* SPDX-License-Identifier: MIT */
/* A training's hold on its folder: one at a time, of this process or of another. It ends with the
 * process, however that ends; a file that it left behind holds nothing. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

#define APP_TRAINING_LOCK_FILE "training.lock"

typedef struct _AppTrainingLock AppTrainingLock;

/* Fails where another training holds the folder, with its process where that is known. Of a file
 * system that knows no locks nothing is held, and it does not fail. */
AppTrainingLock *app_training_lock_take    (const char       *folder,
                                            GError          **error);
void             app_training_lock_release (AppTrainingLock  *self);
/* Whether a training holds the folder now. */
gboolean         app_training_lock_is_held (const char       *folder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppTrainingLock, app_training_lock_release)

G_END_DECLS
