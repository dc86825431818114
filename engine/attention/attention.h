/* SPDX-License-Identifier: MIT */
/* The attention of one layer as numbers, whoever made them. Reference-counted, never changed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* [n_heads, n_queries, n_keys], masked entries exactly 0. */
typedef struct {
  int           n_heads;
  int           n_queries;
  int           n_keys;
  const float  *weights;
  /* [n_queries, n_keys], n = read n times, of which weights has one; NULL = each is read once; lives
   * as long as the block. Where heads see different keys: what one of them sees. */
  const guint8 *mask;
  /* [n_heads, n_queries, n_keys]; NULL = all heads see the same */
  const guint8 *head_masks;

  gatomicrefcount ref_count;  /* private */
  gpointer        owner;      /* private: what keeps weights and mask alive */
  GDestroyNotify  free_owner; /* private */
} EngAttention;

/* A block that was derived from others. weights [n_heads, n_queries, n_keys] and masks (nullable)
 * are taken; g_free() frees them. */
EngAttention *eng_attention_new      (int             n_heads,
                                      int             n_queries,
                                      int             n_keys,
                                      float          *weights,
                                      guint8         *mask,
                                      guint8         *head_masks);
/* Numbers that owner keeps alive, which is given to free_owner with the last reference. */
EngAttention *eng_attention_new_view (int             n_heads,
                                      int             n_queries,
                                      int             n_keys,
                                      const float    *weights,
                                      const guint8   *mask,
                                      const guint8   *head_masks,
                                      gpointer        owner,
                                      GDestroyNotify  free_owner);
EngAttention *eng_attention_ref      (EngAttention   *self);
void          eng_attention_unref    (EngAttention   *self);
/* (transfer full) The same block, whose mask is what one of some heads sees. */
EngAttention *eng_attention_dup_seen (EngAttention   *self,
                                      const int      *heads,
                                      int             n_heads);
/* Fills seen [n_cells] with what one of n_heads masks of so many cells lets see. */
void          eng_masks_unite        (const guint8   *head_masks,
                                      gsize           n_cells,
                                      const int      *heads,
                                      int             n_heads,
                                      guint8         *seen);

/* What a row of a head sees, [n_keys]; NULL = all, once. */
static inline const guint8 *
eng_attention_get_mask (const EngAttention *self,
                        int                 head,
                        int                 query)
{
  gsize n_cells = (gsize) self->n_queries * (gsize) self->n_keys;
  const guint8 *mask = self->head_masks ? self->head_masks + (gsize) head * n_cells : self->mask;

  return mask ? mask + (gsize) query * (gsize) self->n_keys : NULL;
}

/* What the weights of a row of a head sum to, each as often as its key is read; FALSE where the row
 * sees no key and has nothing to share out. */
gboolean eng_attention_sum_row (const EngAttention *self,
                                int                 head,
                                int                 query,
                                double             *sum);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngAttention, eng_attention_unref)

G_END_DECLS
