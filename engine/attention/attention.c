/* SPDX-License-Identifier: MIT */
#include "engine/attention/attention.h"

#include <string.h>

typedef struct {
  float  *weights;
  guint8 *mask;
  guint8 *head_masks;
} Derived;

/* A block whose mask is another. */
typedef struct {
  EngAttention *block;
  guint8       *mask;
} Seen;

static void
derived_free (gpointer data)
{
  Derived *self = data;

  g_free (self->weights);
  g_free (self->mask);
  g_free (self->head_masks);
  g_free (self);
}

static void
seen_free (gpointer data)
{
  Seen *self = data;

  eng_attention_unref (self->block);
  g_free (self->mask);
  g_free (self);
}

EngAttention *
eng_attention_new (int     n_heads,
                   int     n_queries,
                   int     n_keys,
                   float  *weights,
                   guint8 *mask,
                   guint8 *head_masks)
{
  Derived *owner = g_new (Derived, 1);

  *owner = (Derived) { weights, mask, head_masks };

  return eng_attention_new_view (n_heads, n_queries, n_keys, weights, mask, head_masks, owner,
                                 derived_free);
}

EngAttention *
eng_attention_new_view (int             n_heads,
                        int             n_queries,
                        int             n_keys,
                        const float    *weights,
                        const guint8   *mask,
                        const guint8   *head_masks,
                        gpointer        owner,
                        GDestroyNotify  free_owner)
{
  EngAttention *self = g_new (EngAttention, 1);

  *self = (EngAttention) {
    .n_heads = n_heads,
    .n_queries = n_queries,
    .n_keys = n_keys,
    .weights = weights,
    .mask = mask,
    .head_masks = head_masks,
    .owner = owner,
    .free_owner = free_owner,
  };
  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

EngAttention *
eng_attention_ref (EngAttention *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
eng_attention_unref (EngAttention *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  self->free_owner (self->owner);
  g_free (self);
}

EngAttention *
eng_attention_dup_seen (EngAttention *self,
                        const int    *heads,
                        int           n_heads)
{
  gsize n_cells = (gsize) self->n_queries * (gsize) self->n_keys;
  Seen *owner;

  if (!self->head_masks)
    return eng_attention_ref (self);
  owner = g_new (Seen, 1);
  *owner = (Seen) { eng_attention_ref (self), g_malloc (n_cells) };
  eng_masks_unite (self->head_masks, n_cells, heads, n_heads, owner->mask);

  return eng_attention_new_view (self->n_heads, self->n_queries, self->n_keys, self->weights,
                                 owner->mask, self->head_masks, owner, seen_free);
}

void
eng_masks_unite (const guint8 *head_masks,
                 gsize         n_cells,
                 const int    *heads,
                 int           n_heads,
                 guint8       *seen)
{
  memset (seen, 0, n_cells);
  for (int i = 0; i < n_heads; i++) {
    const guint8 *mask = head_masks + (gsize) heads[i] * n_cells;

    for (gsize cell = 0; cell < n_cells; cell++)
      seen[cell] = MAX (seen[cell], mask[cell]);
  }
}

gboolean
eng_attention_sum_row (const EngAttention *self,
                       int                 head,
                       int                 query,
                       double             *sum)
{
  const guint8 *visible = eng_attention_get_mask (self, head, query);
  const gsize row = (gsize) head * (gsize) self->n_queries + (gsize) query;
  const float *weights = self->weights + row * (gsize) self->n_keys;
  int n_readings = 0;

  *sum = 0;
  for (int key = 0; key < self->n_keys; key++) {
    const int n = visible ? visible[key] : 1;

    *sum += (double) weights[key] * MAX (n, 1);
    n_readings += n;
  }

  return n_readings > 0;
}
