/* SPDX-License-Identifier: MIT */
/* How the readers of file formats fill a set of tensors, before anyone else sees it. */
#pragma once

#include "engine/checkpoint/tensor-set.h"

G_BEGIN_DECLS

/* More in one file, or a longer name, is no checkpoint. */
#define ENG_MAX_TENSORS 100000
#define ENG_MAX_TENSOR_NAME_BYTES 1024

/* An empty set; path is what messages name it by. */
EngTensorSet *eng_tensor_set_new          (const char       *path);

/* Tensors may point into the bytes of a file, or into (transfer full) memory for g_free(), for as
 * long as the set lives. */
void          eng_tensor_set_keep_file    (EngTensorSet     *self,
                                           GBytes           *file);
void          eng_tensor_set_keep_memory  (EngTensorSet     *self,
                                           gpointer          memory,
                                           gsize             n_bytes);
/* Keeps another set's bytes, which then count among this one's. */
void          eng_tensor_set_keep_set     (EngTensorSet     *self,
                                           EngTensorSet     *other);

/* Copies the struct and its name. FALSE when there is a tensor of that name already. */
gboolean      eng_tensor_set_add          (EngTensorSet     *self,
                                           const EngTensor  *tensor);
void          eng_tensor_set_add_metadata (EngTensorSet     *self,
                                           const char       *key,
                                           const char       *value);

/* Always FALSE, with an ENG_ERROR_FORMAT whose message is behind the set's path. */
gboolean      eng_tensor_set_refuse       (const EngTensorSet  *self,
                                           GError             **error,
                                           const char          *format,
                                           ...) G_GNUC_PRINTF (3, 4);

G_END_DECLS
