/* SPDX-License-Identifier: MIT */
/* Attention that a trace computed on demand, kept while memory allows: up to 256 MiB a trace, the
 * block that was asked for longest ago leaves first, the latest stays even if it is larger. Every
 * thread may ask at any time; who holds a block keeps it alive after it has left. */
#pragma once

#include "engine/trace/trace-private.h"

G_BEGIN_DECLS

typedef struct _EngBlock EngBlock; /* weights of a layer, [n_heads, n_queries, n_keys] */
typedef struct _EngBlockCache EngBlockCache;

EngBlockCache *eng_block_cache_new   (void);
void           eng_block_cache_free  (EngBlockCache  *self);
/* Keeps nothing any more. */
void           eng_block_cache_clear (EngBlockCache  *self);

/* (transfer full) The layer must be ready. NULL when memory does not hold it. */
EngBlock      *eng_block_cache_dup   (EngBlockCache  *self,
                                      const EngTrace *trace,
                                      EngKind         kind,
                                      int             layer);

const float   *eng_block_get_weights (const EngBlock *self);
void           eng_block_unref       (EngBlock       *self);

G_END_DECLS
