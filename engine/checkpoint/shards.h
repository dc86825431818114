/* SPDX-License-Identifier: MIT */
/* A checkpoint in several files: NAME.index.json says which file beside it holds a tensor. */
#pragma once

#include "engine/checkpoint/tensor-set.h"

G_BEGIN_DECLS

/* How one shard is read: eng_safetensors_open() or eng_torch_file_open(). */
typedef EngTensorSet *(*EngOpenShard) (const char  *path,
                                       GError     **error);

/* The tensors of the index's weight_map as one set. What a shard holds beside them is left out. */
EngTensorSet *eng_shards_open (const char    *index_path,
                               EngOpenShard   open_shard,
                               GError       **error);

G_END_DECLS
