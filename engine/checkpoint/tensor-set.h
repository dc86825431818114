/* SPDX-License-Identifier: MIT */
/* The named tensors of one file, or of the shards of one checkpoint, as views into the mapped
 * bytes. Which format they came from is forgotten here: engine/checkpoint/safetensors.h and
 * engine/checkpoint/torch-file.h make sets, the weights and the trace read them. Immutable once it
 * was opened, reference-counted, to be read from any thread. */
#pragma once

#include "engine/checkpoint/tensor.h"

G_BEGIN_DECLS

typedef struct _EngTensorSet EngTensorSet;

EngTensorSet    *eng_tensor_set_ref           (EngTensorSet        *self);
void             eng_tensor_set_unref         (EngTensorSet        *self);

int              eng_tensor_set_get_n_tensors (const EngTensorSet  *self);
/* in the order of the file: by offset, or as the file lists them */
const EngTensor *eng_tensor_set_get_tensor    (const EngTensorSet  *self,
                                               int                  index);
/* NULL when absent */
const EngTensor *eng_tensor_set_find          (const EngTensorSet  *self,
                                               const char          *name);
/* The one that eng_tensor_tells_more() than all others, the first of several; NULL when there is
 * none. */
const EngTensor *eng_tensor_set_find_telling  (const EngTensorSet  *self);
/* NULL when absent */
const char      *eng_tensor_set_get_metadata  (const EngTensorSet  *self,
                                               const char          *key);
const char      *eng_tensor_set_get_path      (const EngTensorSet  *self);
gint64           eng_tensor_set_get_n_bytes   (const EngTensorSet  *self); /* of all files */
/* eng_file_map_check() of all files that the tensors lie in. */
gboolean         eng_tensor_set_check_files   (const EngTensorSet  *self,
                                               GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTensorSet, eng_tensor_set_unref)

G_END_DECLS
