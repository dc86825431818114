/* SPDX-License-Identifier: MIT */
/* What the mask of a layer hides: for the hatching of every view, and in words. A weight of 0 is
 * not a mask: only what the trace says to be hidden is called so. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* Whether the query does not see the key, in none of the heads that are shown, or in one of them. */
gboolean ui_mask_hides         (const EngAttention *attention,
                                int                 query,
                                int                 key);
gboolean ui_mask_hides_in      (const EngAttention *attention,
                                int                 head,
                                int                 query,
                                int                 key);
/* Marks the keys that none of some queries sees (n_queries 0: no query at all), or the queries that
 * see none of some keys. (transfer full) [keys] or [queries] of 0 and 1, NULL where none is. */
guint8  *ui_mask_mark_keys     (const EngAttention *attention,
                                const int          *queries,
                                int                 n_queries);
guint8  *ui_mask_mark_queries  (const EngAttention *attention,
                                const int          *keys,
                                int                 n_keys);
/* How many keys a query does not see, in none of the heads. */
int      ui_mask_count_hidden  (const EngAttention *attention,
                                int                 query);
/* Whether a query sees more keys than one, so that its weights say something. */
gboolean ui_mask_leaves_choice (const EngAttention *attention,
                                int                 query);
/* "each token sees itself and what stands before it; 3 tokens are hidden from all".
 * (transfer full) NULL where nothing is hidden. */
char    *ui_mask_describe      (const EngAttention *attention);
/* Whether no token reads a later one, in any head, though nothing is said to be hidden: what a file
 * from elsewhere leaves of a causal mask. */
gboolean ui_mask_is_missing    (const EngAttention *attention);

G_END_DECLS
