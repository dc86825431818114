/* SPDX-License-Identifier: MIT */
/* Attention that was computed on demand, kept while memory allows: up to 256 MiB, the block that
 * was asked for longest ago leaves first, the latest stays even if it is larger. Every thread may
 * ask at any time; who holds a block keeps it alive after it has left. For engine/ alone. */
#pragma once

#include "engine/attention/block-trace.h"
#include "engine/edits/interventions.h"

G_BEGIN_DECLS

typedef struct _EngBlock EngBlock; /* weights of a layer, [n_heads, n_queries, n_keys] */
typedef struct _EngBlockCache EngBlockCache;

EngBlockCache *eng_block_cache_new   (void);
void           eng_block_cache_free  (EngBlockCache  *self);
/* Keeps nothing any more. */
void           eng_block_cache_clear (EngBlockCache  *self);

/* (transfer full) The weights of a layer of block, which must be ready, under the edits, whose kind
 * is the block's. NULL when memory does not hold them. */
EngBlock      *eng_block_cache_dup   (EngBlockCache          *self,
                                      const EngBlockTrace    *block,
                                      const EngInterventions *edits,
                                      int                     layer);

const float   *eng_block_get_weights (const EngBlock *self);
void           eng_block_unref       (EngBlock       *self);

G_END_DECLS
