/* SPDX-License-Identifier: MIT */
/* What each edit (engine/edits/edit.h) does to numbers; nothing else in the forward knows the types
 * of edits. For a list that has nothing to say at a place every function leaves its numbers
 * untouched, bit by bit. */
#pragma once

#include "engine/edits/edit.h"

G_BEGIN_DECLS

/* Edits as the rows of one block of attention see them. Tokens that an edit names and that the
 * block does not have (a text that is being written has fewer than it will) are passed over. */
typedef struct {
  const EngEdit *edits;
  int            n_edits;
  EngKind        kind;        /* of the block */
  EngKind        first;       /* of the stack that reads A, where edits act that name no kind */
  int            first_query; /* the token that row 0 is */
} EngInterventions;

/* Whether a token is knocked out: any query, its own too, then finds it masked. mask [n_queries,
 * n_keys] or NULL. */
gboolean eng_interventions_hide_tokens  (const EngInterventions *self,
                                         int                     n_queries,
                                         int                     n_keys,
                                         guint8                 *mask);

/* Whether cuts bring rows of the head back to 1, so that a mask hides their links. */
gboolean eng_interventions_cut_mask     (const EngInterventions *self,
                                         int                     layer,
                                         int                     head);
/* Hides from rows [first_row, last_row) of the head what a cut takes out before a row is brought
 * back to 1, by it or by a later one. mask [last_row - first_row, n_keys]. */
void     eng_interventions_hide_links   (const EngInterventions *self,
                                         int                     layer,
                                         int                     head,
                                         int                     first_row,
                                         int                     last_row,
                                         int                     n_keys,
                                         guint8                 *mask);

/* Uniform rows first, then cuts, on rows [first_row, last_row) of one head's weights: weights and
 * mask (nullable, all visible), with links hidden as above, [last_row - first_row, n_keys]. A row
 * that is left without weight stays 0. */
void     eng_interventions_edit_weights (const EngInterventions *self,
                                         int                     layer,
                                         int                     head,
                                         int                     first_row,
                                         int                     last_row,
                                         int                     n_keys,
                                         const guint8           *mask,
                                         float                  *weights);

/* What the head's q·k is multiplied with, which is scale without an edit, and what scores are then
 * divided by. */
double   eng_interventions_get_scale       (const EngInterventions *self,
                                            int                     layer,
                                            int                     head,
                                            double                  scale);
double   eng_interventions_get_temperature (const EngInterventions *self,
                                            int                     layer,
                                            int                     head);
/* Whether the head sees other keys than its layer. */
gboolean eng_interventions_get_mask        (const EngInterventions *self,
                                            int                     layer,
                                            int                     head,
                                            EngHeadMask            *mask);
/* Whether any head of the layer does. */
gboolean eng_interventions_mask_heads      (const EngInterventions *self,
                                            int                     layer);
gboolean eng_interventions_drop_projections (const EngInterventions *self,
                                             int                     layer,
                                             int                     head);
/* Dimensions of a head's vector [head_size] that are zeroed. */
void     eng_interventions_zero_dimensions (const EngInterventions *self,
                                            int                     layer,
                                            int                     head,
                                            float                  *vector);
gboolean eng_interventions_drop_positions  (const EngInterventions *self,
                                            int                     layer);
gboolean eng_interventions_drop_segments   (const EngInterventions *self);

/* What the head's α · V is multiplied with; 1 without an edit. */
float    eng_interventions_get_factor   (const EngInterventions *self,
                                         int                     layer,
                                         int                     head);

/* Whether the sub-layer of a layer adds nothing; type is one of the two ENG_EDIT_SKIP_…. */
gboolean eng_interventions_skip         (const EngInterventions *self,
                                         EngEditType             type,
                                         int                     layer);

G_END_DECLS
