/* SPDX-License-Identifier: MIT */
/* The tensors of a layer as BART (Lewis et al. 2019) names them, which every family that grew out
 * of fairseq's translation models shares. */
#pragma once

#include "engine/families/head-parts.h"

G_BEGIN_DECLS

#define ENG_BART_N_ENCODER_LAYER_PARTS 8
#define ENG_BART_N_DECODER_LAYER_PARTS 13

extern const EngPart eng_bart_encoder_layer_parts[ENG_BART_N_ENCODER_LAYER_PARTS];
extern const EngPart eng_bart_decoder_layer_parts[ENG_BART_N_DECODER_LAYER_PARTS];

#define ENG_BART_N_HEADS 3

/* The bias of the output of words. */
#define ENG_LOGITS_BIAS                                                                     \
  .bias = ENG_BIAS_IF_THERE, .bias_name = "final_logits_bias", .bias_is_row = TRUE

/* The output that is the shared words, with the bias of most files. */
extern const EngPart eng_bart_language_model[1];
/* A classifier, answers, and that language model. */
extern const EngHeadParts eng_bart_heads[ENG_BART_N_HEADS];

/* Rows of a learned position table before the first token's. */
#define ENG_BART_POSITION_OFFSET 2

/* The embedding where the config does not say: sines for positions, which files seldom hold, or a
 * learned table and a norm. */
#define ENG_BART_SINES { .positions = ENG_POSITIONS_TABLE, .n_positions = 1024 }
#define ENG_BART_LEARNED                                                                    \
  {                                                                                         \
    .positions = ENG_POSITIONS_TABLE,                                                       \
    .n_positions = 1024,                                                                    \
    .position_offset = ENG_BART_POSITION_OFFSET,                                            \
    .has_norm = TRUE,                                                                       \
  }

/* The lists of parts that a family's stacks have beside their layers, as the two that
 * ENG_BART_FAMILY names; list: a macro of the stack's name, its words and the other's. */
#define ENG_BART_DEFINE_PARTS(list)                                                         \
  static const EngPart encoder_parts[] = {                                                  \
    list ("encoder", ENG_ENCODER_WORDS, ENG_DECODER_WORDS),                                 \
  };                                                                                        \
  static const EngPart decoder_parts[] = {                                                  \
    list ("decoder", ENG_DECODER_WORDS, ENG_ENCODER_WORDS),                                 \
  }

/* What these families have in common behind their names and defaults. */
#define ENG_BART_FAMILY(head_parts)                                                         \
  .tensor_prefix = "model.",                                                                \
  .tied = TRUE,                                                                             \
  .stacks[ENG_KIND_ENCODER] = {                                                             \
    "encoder.layers.",                                                                      \
    encoder_parts, G_N_ELEMENTS (encoder_parts),                                            \
    eng_bart_encoder_layer_parts, ENG_BART_N_ENCODER_LAYER_PARTS,                           \
  },                                                                                        \
  .stacks[ENG_KIND_DECODER] = {                                                             \
    "decoder.layers.",                                                                      \
    decoder_parts, G_N_ELEMENTS (decoder_parts),                                            \
    eng_bart_decoder_layer_parts, ENG_BART_N_DECODER_LAYER_PARTS,                           \
  },                                                                                        \
  .heads = head_parts,                                                                      \
  .n_heads = G_N_ELEMENTS (head_parts)

/* What the first layer of a stack reads where positions are learned. */
#define ENG_BART_TABLES(stack, words, other_words)                                          \
  ENG_SHARED_WORDS_PART (words, other_words),                                               \
  ENG_TABLE (stack ".embed_positions.weight", position, POSITIONS, HIDDEN),                 \
  ENG_NORM (Stack, stack ".layernorm_embedding", embedding_norm)

/* A stack where the config does not say, with norms behind its parts; then what else a layer has. */
#define ENG_BART_POST_NORM_STACK(words, ...)                                                \
  {                                                                                         \
    .n_layers = 12,                                                                         \
    .vocab_size = words,                                                                    \
    .sorts[0] = ENG_POST_NORM_LAYER (16, 4096, __VA_ARGS__),                                \
  }
#define ENG_BART_POST_NORM_DECODER(words)                                                   \
  ENG_BART_POST_NORM_STACK (words, .self.causal = TRUE, .cross.n_heads = 16)

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
gboolean eng_bart_read_common  (const cJSON  *json,
                                const char   *what,
                                EngConfig    *config,
                                GError      **error);
/* The same of a model with learned positions. */
gboolean eng_bart_read_learned (const cJSON  *json,
                                const char   *what,
                                EngConfig    *config,
                                GError      **error);

G_END_DECLS
