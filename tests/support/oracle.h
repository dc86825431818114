/* SPDX-License-Identifier: MIT */
/* The second opinion: a transformer written again from the description of the spec (engine/spec.h)
 * and of the edits (engine/edit.h), in double precision, with plain loops and libm, sharing no code
 * with the engine's forward. Slow on purpose. */
#pragma once

#include "engine/edit.h"
#include "engine/spec.h"

typedef struct {
  double *attention;               /* [layers, heads, n, n] */
  double *queries;                 /* [layers, n, heads * head size] */
  double *keys;                    /* the same */
  double *values;                  /* the same */
  double *value_output_norms;      /* [layers, heads, n] */
  double *hidden_states;           /* [layers + 1, n, hidden size] */
  double *logits[ENG_N_TASKS];     /* [1 or n, classes] of every head that there is */
  double  largest_pre_activation;  /* of the feed-forwards */
  double  mean_row_maximum;        /* of the attention */
} Oracle;

Oracle *oracle_run  (const EngSpec    *spec,
                     const EngWeights *weights,
                     const EngTokens  *tokens,
                     const EngEdit    *edits,
                     int               n_edits);
void    oracle_free (Oracle           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Oracle, oracle_free)
