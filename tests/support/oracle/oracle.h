/* SPDX-License-Identifier: MIT */
/* The second opinion: a transformer written again from the description of the spec
 * (engine/spec/spec.h) and of the edits (engine/edits/edit.h), in double precision, with plain
 * loops and libm, sharing no code with the engine's forward. Slow on purpose. */
#pragma once

#include "engine/edits/edit.h"
#include "engine/spec/spec.h"
#include "engine/tokenizer/base/tokens.h"

/* What one kind of attention read and computed: n queries, m keys. */
typedef struct {
  int     n_layers;            /* 0 = there is no such attention */
  int     n_heads;
  int     n_kv_heads;
  int     head_size;
  int     n_queries;
  int     n_keys;
  double *attention;           /* [layers, heads, n, m] */
  double *queries;             /* [layers, n, heads * head size] */
  double *keys;                /* [layers, m, key heads * head size] */
  double *values;              /* the same */
  double *value_output_norms;  /* [layers, heads, m] */
  double *hidden_states;       /* [layers + 1, n, hidden size]; NULL of what is crossed */
} OracleBlock;

typedef struct {
  OracleBlock  blocks[ENG_N_KINDS];
  double      *logits[ENG_N_TASKS];     /* [rows, classes] of every head that there is */
  int          n_rows[ENG_N_TASKS];     /* 1, or every token of the last stack */
  double       largest_pre_activation;  /* of the feed-forwards */
  double       mean_row_maximum;        /* of the attention */
} Oracle;

/* decoder_tokens: of two stacks, else NULL. Edits act on the stack that reads tokens. */
Oracle *oracle_run  (const EngSpec    *spec,
                     const EngWeights *weights,
                     const EngTokens  *tokens,
                     const EngTokens  *decoder_tokens,
                     const EngEdit    *edits,
                     int               n_edits);
/* Every layer, and whatever reads the last of them, by itself: from states that somebody else had,
 * given [stacks] of [layers + 1, n, hidden size] with 0 = what enters the first layer. NULL = from
 * those that it computed. */
Oracle *oracle_run_layers (const EngSpec    *spec,
                           const EngWeights *weights,
                           const EngTokens  *tokens,
                           const EngTokens  *decoder_tokens,
                           const EngEdit    *edits,
                           int               n_edits,
                           double *const    *given);
void    oracle_free (Oracle           *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Oracle, oracle_free)
