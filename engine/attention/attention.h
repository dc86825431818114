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
   * as long as the block */
  const guint8 *mask;

  gatomicrefcount ref_count;  /* private */
  gpointer        owner;      /* private: what keeps weights and mask alive */
  GDestroyNotify  free_owner; /* private */
} EngAttention;

/* A block that was derived from others. weights [n_heads, n_queries, n_keys] and mask (nullable)
 * are taken; g_free() frees them. */
EngAttention *eng_attention_new      (int             n_heads,
                                      int             n_queries,
                                      int             n_keys,
                                      float          *weights,
                                      guint8         *mask);
/* Numbers that owner keeps alive, which is given to free_owner with the last reference. */
EngAttention *eng_attention_new_view (int             n_heads,
                                      int             n_queries,
                                      int             n_keys,
                                      const float    *weights,
                                      const guint8   *mask,
                                      gpointer        owner,
                                      GDestroyNotify  free_owner);
EngAttention *eng_attention_ref      (EngAttention   *self);
void          eng_attention_unref    (EngAttention   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngAttention, eng_attention_unref)

G_END_DECLS
