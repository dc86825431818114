/* SPDX-License-Identifier: MIT */
#include "engine/attention/attention.h"

typedef struct {
  float  *weights;
  guint8 *mask;
} Derived;

static void
derived_free (gpointer data)
{
  Derived *self = data;

  g_free (self->weights);
  g_free (self->mask);
  g_free (self);
}

EngAttention *
eng_attention_new (int     n_heads,
                   int     n_queries,
                   int     n_keys,
                   float  *weights,
                   guint8 *mask)
{
  Derived *owner = g_new (Derived, 1);

  *owner = (Derived) { weights, mask };

  return eng_attention_new_view (n_heads, n_queries, n_keys, weights, mask, owner, derived_free);
}

EngAttention *
eng_attention_new_view (int             n_heads,
                        int             n_queries,
                        int             n_keys,
                        const float    *weights,
                        const guint8   *mask,
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
