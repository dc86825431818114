/* SPDX-License-Identifier: MIT */
/* Which file of a folder holds the weights; where a folder is named, it may also be a GGUF file.
 * For engine/ alone. */
#pragma once

#include "engine/checkpoint/tensor-set.h"

G_BEGIN_DECLS

/* The GGUF file (engine/checkpoint/gguf.h), else model.safetensors of the folder, else its index,
 * else pytorch_model.bin, else its index. Names what was looked for when there is none. */
EngTensorSet *eng_weights_open_file (const char  *folder,
                                     GError     **error);

/* TRUE when there is a file that eng_weights_open_file() would open. */
gboolean      eng_weights_exist     (const char  *folder);

G_END_DECLS
