/* SPDX-License-Identifier: MIT */
/* pytorch_model.bin: the tensors of a state dict that torch.save() wrote, as a zip (torch 1.6 and
 * newer) or as a stream of pickles (before). The pickle is read as a passive tree; nothing in it is
 * run. Tensors lie where they are in the mapped file and may share bytes; those that are no
 * contiguous piece of their storage (transposed, sliced) are copied. They are ordered as in the
 * dict. */
#pragma once

#include "engine/checkpoint/tensor-set.h"

G_BEGIN_DECLS

/* The dict may lie under "state_dict" or "model". What is no tensor in it is left out. */
EngTensorSet *eng_torch_file_open       (const char  *path,
                                         GError     **error);
/* Bytes in memory, for tests and fuzzing; what names them in messages. */
EngTensorSet *eng_torch_file_open_bytes (GBytes      *bytes,
                                         const char  *what,
                                         GError     **error);

G_END_DECLS
