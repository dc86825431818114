/* SPDX-License-Identifier: MIT */
/* What each edit (engine/edit.h) does to numbers; nothing else in the forward knows the kinds of
 * edits. For a list that has nothing to say at a place every function leaves its numbers untouched,
 * bit by bit. */
#pragma once

#include "engine/edit.h"

G_BEGIN_DECLS

/* Whether a token is knocked out: any query, its own too, then finds it masked. mask [n_queries,
 * n_keys]. */
gboolean eng_interventions_hide_tokens  (const EngEdit *edits,
                                         int            n_edits,
                                         int            n_queries,
                                         int            n_keys,
                                         guint8        *mask);

/* Uniform rows first, then cut edges in the order of the list, on rows [first_query, last_query) of
 * one head's weights: weights [last_query - first_query, n_keys], mask [n_queries, n_keys] as in
 * the trace, NULL = all visible. A row that is left without weight stays 0. */
void     eng_interventions_edit_weights (const EngEdit *edits,
                                         int            n_edits,
                                         int            layer,
                                         int            head,
                                         int            first_query,
                                         int            last_query,
                                         int            n_keys,
                                         const guint8  *mask,
                                         float         *weights);

/* What the head's α · V is multiplied with; 1 without an edit. */
float    eng_interventions_get_factor   (const EngEdit *edits,
                                         int            n_edits,
                                         int            layer,
                                         int            head);

/* Whether the sub-layer of a layer adds nothing; type is one of the two ENG_EDIT_SKIP_…. */
gboolean eng_interventions_skip         (const EngEdit *edits,
                                         int            n_edits,
                                         EngEditType    type,
                                         int            layer);

G_END_DECLS
