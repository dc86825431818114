/* SPDX-License-Identifier: MIT */
/* Attention under a measure. α is what the trace holds, edits included; head h, row i, column j:
 *   weight       α_hij
 *   value norm   α_hij ‖v_hj‖       (Kobayashi et al., 2020, without the output projection)
 *   output norm  α_hij ‖v_hj W_O‖   (the same with it): the length of what j adds to i
 *   rollout      R_l = Â_l R_{l-1},  Â_l = ½ mean_h α_h + ½ I,  R before layer 0 = I
 *                (Abnar & Zuidema, "Quantifying Attention Flow in Transformers", 2020): how much
 *                of what row i holds after layer l came from token j below layer 0. One head
 *                [1, n, n], all heads together. A row that sees nothing in a layer keeps half of
 *                itself there, as the formula says; rows that sum to 1 in every layer do so here.
 *
 * An edit that scales a head or skips a sub-layer changes no weight of its layer, and so no
 * measure. Norms are lengths in the model's own units and no shares: their rows sum to whatever
 * they sum to. Every function may be called by any thread. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef enum {
  ENG_MEASURE_WEIGHT,
  ENG_MEASURE_VALUE_NORM,
  ENG_MEASURE_OUTPUT_NORM,
  ENG_MEASURE_ROLLOUT
} EngMeasure;
#define ENG_N_MEASURES 4

/* Whether eng_measures_dup_block() would have the numbers. Cheap: computes nothing. */
gboolean      eng_measures_has             (EngTrace    *trace,
                                            EngKind      kind,
                                            int          layer,
                                            EngMeasure   measure);

/* (transfer full) The block of a layer; its mask is the layer's; in a rollout a cell is visible
 * too where something came through from below. Rollouts are kept with the trace, all layers up
 * to the one that was asked for, up to 64 MiB. cancel (nullable) is polled while a rollout is
 * computed: ENG_ERROR_CANCELLED. Else one sentence says which measure lacks what. */
EngAttention *eng_measures_dup_block       (EngTrace    *trace,
                                            EngKind      kind,
                                            int          layer,
                                            EngMeasure   measure,
                                            const gint  *cancel,
                                            GError     **error);

/* What a head hands to the output projection for one query: Σ α v over the keys, in double
 * precision (transfer full) [values->cols]. values are those of that head. It leaves out an edit
 * that scales the head, which acts behind it and which a file does not tell apart from others. */
double       *eng_measures_dup_head_output (const EngAttention *attention,
                                            const EngMatrix    *values,
                                            int                 head,
                                            int                 query);

G_END_DECLS
