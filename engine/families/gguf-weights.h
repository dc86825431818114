/* SPDX-License-Identifier: MIT */
/* The tensors of a GGUF file under the hub's names, as they lie in the file. For engine/families/
 * alone. */
#pragma once

#include "engine/checkpoint/gguf.h"

G_BEGIN_DECLS

/* Of those that the architecture has; refuses types that are not readable. */
EngTensorSet *eng_gguf_name_tensors (const EngGguf  *file,
                                     GError        **error);

G_END_DECLS
