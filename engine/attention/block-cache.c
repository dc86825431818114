/* SPDX-License-Identifier: MIT */
#include "engine/attention/block-cache.h"

#include "engine/attention/attention-heads.h"

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
compute_block (const EngBlockTrace    *block,
               const EngInterventions *edits,
               int                     layer)
{
  gsize n = (gsize) block->n_heads * (gsize) block->n_queries * (gsize) block->n_keys;
  float *weights = g_try_new (float, n);
  EngBlock *self;

  if (!weights)
    return NULL;

  self = g_new0 (EngBlock, 1);
  self->kind = edits->kind;
  self->layer = layer;
  self->n_bytes = n * sizeof (float);
  self->weights = weights;
  g_atomic_ref_count_init (&self->ref_count);
  eng_attention_weights (block, layer, edits, 0, block->n_heads, weights);

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
eng_block_cache_dup (EngBlockCache          *self,
                     const EngBlockTrace    *block,
                     const EngInterventions *edits,
                     int                     layer)
{
  EngBlock *kept, *other;

  g_mutex_lock (&self->lock);
  kept = find_block (self, edits->kind, layer);
  if (kept)
    block_ref (kept);
  g_mutex_unlock (&self->lock);
  if (kept)
    return kept;

  /* Not under the lock: who asks for a layer that is kept does not wait for one that is computed.
   * */
  kept = compute_block (block, edits, layer);
  if (!kept)
    return NULL;

  g_mutex_lock (&self->lock);
  other = find_block (self, edits->kind, layer);
  if (other) {
    eng_block_unref (kept);
    kept = block_ref (other);
  } else
    add_block (self, kept);
  g_mutex_unlock (&self->lock);

  return kept;
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
