/* SPDX-License-Identifier: MIT */
/* The tensors of a layer as BART (Lewis et al. 2019) names them, which every family that grew out
 * of fairseq's translation models shares. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_BART_N_ENCODER_LAYER_PARTS 8
#define ENG_BART_N_DECODER_LAYER_PARTS 13

extern const EngPart eng_bart_encoder_layer_parts[ENG_BART_N_ENCODER_LAYER_PARTS];
extern const EngPart eng_bart_decoder_layer_parts[ENG_BART_N_DECODER_LAYER_PARTS];

/* Rows of a learned position table before the first token's. */
#define ENG_BART_POSITION_OFFSET 2

/* What the first layer of a stack reads where positions are learned. The header of heads' parts is
 * needed. */
#define ENG_BART_TABLES(stack, words, other_words)                                          \
  ENG_SHARED_WORDS_PART (words, other_words),                                               \
  ENG_TABLE (stack ".embed_positions.weight", position, POSITIONS, HIDDEN),                 \
  ENG_NORM (Stack, stack ".layernorm_embedding", embedding_norm)

/* A stack where the config does not say, with norms before its parts and behind the last layer;
 * then what else there is. which: an activation, without ENG_ACTIVATION_. */
#define ENG_BART_PRE_NORM_STACK(words, which, ...)                                          \
  {                                                                                         \
    .n_layers = 12,                                                                         \
    .vocab_size = words,                                                                    \
    .sorts[0] = {                                                                           \
      .self.n_heads = 16,                                                                   \
      .feed_forward = { .intermediate_size = 4096, .activation = ENG_ACTIVATION_##which },  \
      .attention_norm = ENG_NORM_PRE,                                                       \
      .feed_forward_norm = ENG_NORM_PRE,                                                    \
    },                                                                                      \
    .final_norm = TRUE,                                                                     \
    __VA_ARGS__                                                                             \
  }
/* The same of a decoder. */
#define ENG_BART_PRE_NORM_DECODER(words, which)                                             \
  ENG_BART_PRE_NORM_STACK (words, which, .sorts[0].self.causal = TRUE,                      \
                           .sorts[0].cross.n_heads = 16)

/* scale_embedding: a token's vector is multiplied by √D, which the defaults have where it is the
 * default. A decoder alone (ForCausalLM) loses the encoder; refuses other halves of a model, which
 * have the names of a whole one. */
gboolean eng_bart_read_common (const cJSON  *json,
                               const char   *what,
                               EngConfig    *config,
                               GError      **error);

G_END_DECLS
