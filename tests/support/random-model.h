/* SPDX-License-Identifier: MIT */
/* Models with random weights for any spec, without files. Weights are scaled so that attention rows
 * have a clear maximum and the feed-forward's inputs to the activation reach beyond ±3: with the
 * usual small weights an exact and a tanh GELU, or a wrong scale, could not be told apart. */
#pragma once

#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"

/* Every number in [-1, 1) comes from this, the same on every machine. state is any number to begin
 * with. */
float      test_random_uniform    (guint32       *state);
int        test_random_range      (guint32       *state,
                                   int            first,
                                   int            last); /* both inclusive */

/* A whole random architecture: encoder, decoder or both, odd sizes, every kind of positions, norm
 * placement, norm, activation and head. Texts of up to 70 tokens fit. */
void       test_random_spec       (EngSpec       *spec,
                                   guint32       *state);

/* What only a model without a decoder may have: of every other, positions apart from content, a
 * convolution. Part of the above. */
void       test_draw_whole_text_parts (EngSpec   *spec,
                                       guint32   *state);

/* *weights (nullable out) is borrowed from the model; what its pointers lead to may be changed
 * between runs. */
EngModel  *test_random_model_new  (const EngSpec *spec,
                                   guint32        seed,
                                   EngWeights   **weights);

/* BERT-base's sizes: 12 layers, 12 heads of 64, 768, 3,072; one row per id in a small
 * vocabulary. */
void       test_bert_base_spec    (EngSpec       *spec);

/* In every layer of both stacks. */
void       test_set_rotary        (EngSpec         *spec,
                                   const EngRotary *rotary);

/* Of the stack that a text is given to. */
EngTokens *test_random_tokens_new (const EngSpec *spec,
                                   int            n,
                                   guint32        seed);
EngTokens *test_random_stack_tokens_new (const EngSpec *spec,
                                         EngKind        kind,
                                         int            n,
                                         guint32        seed);
/* Makes padding of a token. */
void       test_set_padding       (const EngSpec *spec,
                                   EngTokens     *tokens,
                                   int            token);

/* A pass with all heads at all positions in a session of its own; it must not fail. decoder_tokens
 * NULL for one stack. */
EngTrace  *test_run_stacks        (EngModel      *model,
                                   EngTokens     *tokens,
                                   EngTokens     *decoder_tokens,
                                   const EngEdit *edits,
                                   int            n_edits);

static inline EngTrace *
test_run (EngModel      *model,
          EngTokens     *tokens,
          const EngEdit *edits,
          int            n_edits)
{
  return test_run_stacks (model, tokens, NULL, edits, n_edits);
}
