/* SPDX-License-Identifier: MIT */
/* What a GGUF file says of itself, as the hub's config.json would say it. For engine/families/
 * alone. */
#pragma once

#include "engine/base/json.h"
#include "engine/checkpoint/gguf.h"

G_BEGIN_DECLS

/* (transfer full) The keys that families read; NULL with an error. */
cJSON *eng_gguf_make_config (const EngGguf  *file,
                             GError        **error);

/* The same of the file at path. */
cJSON *eng_gguf_read_config (const char     *path,
                             GError        **error);

G_END_DECLS
