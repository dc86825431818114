/* SPDX-License-Identifier: MIT */
/* safetensors files: a checked reader over a mapped file (or over the shards that an index names)
 * and a writer. The reader never reads the data part; it checks every size before it is used. */
#pragma once

#include "engine/tensor.h"

G_BEGIN_DECLS

typedef struct _EngSafetensors EngSafetensors;

/* One file. */
EngSafetensors  *eng_safetensors_open          (const char            *path,
                                                GError               **error);
/* model.safetensors.index.json: every shard that the map names, as one set of tensors. */
EngSafetensors  *eng_safetensors_open_index    (const char            *path,
                                                GError               **error);
/* Bytes in memory, for tests and fuzzing; what names them in messages. */
EngSafetensors  *eng_safetensors_open_bytes    (GBytes                *bytes,
                                                const char            *what,
                                                GError               **error);
EngSafetensors  *eng_safetensors_ref           (EngSafetensors        *self);
void             eng_safetensors_unref         (EngSafetensors        *self);

int              eng_safetensors_get_n_tensors (const EngSafetensors  *self);
/* ordered by offset */
const EngTensor *eng_safetensors_get_tensor    (const EngSafetensors  *self,
                                                int                    index);
/* NULL when absent */
const EngTensor *eng_safetensors_find          (const EngSafetensors  *self,
                                                const char            *name);
/* NULL when absent */
const char      *eng_safetensors_get_metadata  (const EngSafetensors  *self,
                                                const char            *key);
const char      *eng_safetensors_get_path      (const EngSafetensors  *self);
gint64           eng_safetensors_get_n_bytes   (const EngSafetensors  *self);  /* of all files */

typedef struct {
  const char  *name;
  EngType      type;
  int          rank;
  gint64       shape[ENG_MAX_RANK];
  /* C order, or NULL: then fill is called while writing, so that it need not all be in memory */
  const void  *data;
  void       (*fill)   (void *out, gsize n_bytes, gpointer user_data);
  gpointer     user_data;
} EngTensorSource;

/* metadata: key → value, both char*. Tensors are written in the order given. Writes "PATH.part"
 * style beside the target, then renames; on an error nothing is left and an older file is
 * untouched. */
gboolean         eng_safetensors_write         (const char            *path,
                                                GHashTable            *metadata,
                                                const EngTensorSource *tensors,
                                                int                    n_tensors,
                                                GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngSafetensors, eng_safetensors_unref)

G_END_DECLS
