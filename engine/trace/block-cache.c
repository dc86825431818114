/* SPDX-License-Identifier: MIT */
#include "engine/trace/block-cache.h"

#define MAX_BYTES ((gsize) 256 << 20)

struct _EngBlock {
  EngKind  kind;
  int      layer;
  gsize    n_bytes;
  float   *weights;

  gatomicrefcount ref_count;
};

struct _EngBlockCache {
  GMutex lock;
  GQueue blocks; /* the latest first */
};

static EngBlock *
block_ref (EngBlock *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

static EngBlock *
compute_block (const EngTrace *trace,
               EngKind         kind,
               int             layer)
{
  const EngBlockTrace *block = &trace->blocks[kind];
  gsize n = (gsize) block->n_heads * (gsize) block->n_queries * (gsize) block->n_keys;
  float *weights = g_try_new (float, n);
  EngInterventions edits = eng_trace_get_interventions (trace, kind);
  EngBlock *self;

  if (!weights)
    return NULL;

  self = g_new0 (EngBlock, 1);
  self->kind = kind;
  self->layer = layer;
  self->n_bytes = n * sizeof (float);
  self->weights = weights;
  g_atomic_ref_count_init (&self->ref_count);
  eng_attention_weights (block, layer, &edits, 0, block->n_heads, weights);

  return self;
}

/* Makes the block the latest. Needs the lock. */
static EngBlock *
find_block (EngBlockCache *self,
            EngKind        kind,
            int            layer)
{
  for (GList *link = self->blocks.head; link; link = link->next) {
    EngBlock *block = link->data;

    if (block->kind != kind || block->layer != layer)
      continue;
    g_queue_unlink (&self->blocks, link);
    g_queue_push_head_link (&self->blocks, link);

    return block;
  }

  return NULL;
}

/* Needs the lock. */
static void
add_block (EngBlockCache *self,
           EngBlock      *block)
{
  gsize total = 0;

  g_queue_push_head (&self->blocks, block_ref (block));
  for (GList *link = self->blocks.head; link; link = link->next)
    total += ((EngBlock *) link->data)->n_bytes;
  while (total > MAX_BYTES && self->blocks.length > 1) {
    EngBlock *oldest = g_queue_pop_tail (&self->blocks);

    total -= oldest->n_bytes;
    eng_block_unref (oldest);
  }
}

EngBlockCache *
eng_block_cache_new (void)
{
  EngBlockCache *self = g_new0 (EngBlockCache, 1);

  g_mutex_init (&self->lock);
  g_queue_init (&self->blocks);

  return self;
}

void
eng_block_cache_free (EngBlockCache *self)
{
  g_queue_clear_full (&self->blocks, (GDestroyNotify) eng_block_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
eng_block_cache_clear (EngBlockCache *self)
{
  g_mutex_lock (&self->lock);
  g_queue_clear_full (&self->blocks, (GDestroyNotify) eng_block_unref);
  g_mutex_unlock (&self->lock);
}

EngBlock *
eng_block_cache_dup (EngBlockCache  *self,
                     const EngTrace *trace,
                     EngKind         kind,
                     int             layer)
{
  EngBlock *block, *other;

  g_mutex_lock (&self->lock);
  block = find_block (self, kind, layer);
  if (block)
    block_ref (block);
  g_mutex_unlock (&self->lock);
  if (block)
    return block;

  /* Not under the lock: who asks for a layer that is kept does not wait for one that is computed.
   * */
  block = compute_block (trace, kind, layer);
  if (!block)
    return NULL;

  g_mutex_lock (&self->lock);
  other = find_block (self, kind, layer);
  if (other) {
    eng_block_unref (block);
    block = block_ref (other);
  } else
    add_block (self, block);
  g_mutex_unlock (&self->lock);

  return block;
}

const float *
eng_block_get_weights (const EngBlock *self)
{
  return self->weights;
}

void
eng_block_unref (EngBlock *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->weights);
  g_free (self);
}
