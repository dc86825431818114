/* SPDX-License-Identifier: MIT */
/* A decoder whose logits after a token are a row of a table, to the last bit: each token's
 * vector is 1 at its own place, the one layer adds nothing, and the head is the table. */
#pragma once

#include "engine/transformer/model-private.h"

typedef struct {
  EngWeights      weights;
  EngLayerWeights layer;
  float          *zeros;  /* [n, n] */
  float          *ones;   /* [n, n] 1 on the diagonal */
  float          *table;  /* [n, n] column = the token before */
} BigramWeights;

static inline void
bigram_weights_free (gpointer data)
{
  BigramWeights *self = data;

  g_free (self->zeros);
  g_free (self->ones);
  g_free (self->table);
  g_free (self);
}

/* table [n, n]: row = the token before. */
static inline EngModel *
bigram_model_new (const float *table,
                  int          n)
{
  BigramWeights *self = g_new0 (BigramWeights, 1);
  EngStackWeights *stack = &self->weights.stacks[ENG_KIND_DECODER];
  EngSpec spec = {
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 1,
      .vocab_size = n,
      .sorts[0] = {
        .self = { .n_heads = 1, .n_kv_heads = 1, .head_size = n, .scale = 1, .causal = TRUE },
        .feed_forward = { .intermediate_size = n, .activation = ENG_ACTIVATION_RELU },
        .norm.eps = 1e-5f,
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
      },
    },
    .hidden_size = n,
    .pad_id = -1, .end_id = -1, .decoder_start_id = -1,
    .heads[ENG_TASK_LANGUAGE_MODEL] = {
      .present = TRUE, .input = ENG_HEAD_TOKENS, .n_classes = n,
    },
  };
  EngLinear nothing;

  self->zeros = g_new0 (float, n * n);
  self->ones = g_new0 (float, n * n);
  self->table = g_new0 (float, n * n);
  for (int i = 0; i < n; i++) {
    self->ones[i * n + i] = 1;
    for (int j = 0; j < n; j++)
      self->table[j * n + i] = table[i * n + j];
  }

  nothing = (EngLinear) { .weight = self->zeros, .out = n, .in = n };
  self->layer.self = (EngAttentionWeights) {
    .query = nothing, .key = nothing, .value = nothing, .output = nothing,
    .norm = { self->ones, self->zeros },
  };
  self->layer.up = self->layer.down = nothing;
  self->layer.feed_forward_norm = (EngNorm) { self->ones, self->zeros };
  stack->word = self->ones;
  stack->layers = &self->layer;
  self->weights.heads[ENG_TASK_LANGUAGE_MODEL].output =
    (EngLinear) { .weight = self->table, .out = n, .in = n };

  return eng_model_new_from_weights (&spec, &self->weights, bigram_weights_free, self);
}
