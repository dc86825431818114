/* SPDX-License-Identifier: MIT */
/* safetensors files: a checked reader over a mapped file and a writer. The reader never reads the
 * data part; it checks every size before it is used. Tensors are ordered by offset. */
#pragma once

#include "engine/checkpoint/tensor-set.h"

G_BEGIN_DECLS

/* One file. */
EngTensorSet *eng_safetensors_open       (const char             *path,
                                          GError                **error);
/* Bytes in memory, for tests and fuzzing; what names them in messages. */
EngTensorSet *eng_safetensors_open_bytes (GBytes                 *bytes,
                                          const char             *what,
                                          GError                **error);

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
gboolean      eng_safetensors_write      (const char             *path,
                                          GHashTable             *metadata,
                                          const EngTensorSource  *tensors,
                                          int                     n_tensors,
                                          GError                **error);
/* Says between the tensors how much is written, 0 to 1; FALSE stops the writing with
 * ENG_ERROR_CANCELLED. In the thread that writes. */
typedef gboolean (*EngWriteFunc) (double   fraction,
                                  gpointer data);
gboolean      eng_safetensors_write_watched (const char          *path,
                                          GHashTable             *metadata,
                                          const EngTensorSource  *tensors,
                                          int                     n_tensors,
                                          EngWriteFunc            func,
                                          gpointer                data,
                                          GError                **error);

G_END_DECLS
