/* SPDX-License-Identifier: MIT */
/* What DeBERTa and its second version share: the embedding, the heads and most keys. */
#pragma once

#include "engine/families/encoders/bert.h"

G_BEGIN_DECLS

#define ENG_DEBERTA_TABLE "encoder.rel_embeddings.weight"

/* The embedding and the table of distances, parts of a stack. */
#define ENG_DEBERTA_STACK_PARTS                                                             \
  ENG_TABLE (ENG_BERT_WORDS, word, VOCABULARY, EMBEDDING,                                   \
             .tied_to = { "cls.predictions.decoder.weight" }),                              \
  ENG_TABLE ("embeddings.position_embeddings.weight", position, POSITIONS, EMBEDDING,       \
             .applies = eng_deberta_has_positions),                                         \
  ENG_TABLE ("embeddings.token_type_embeddings.weight", type, TYPES, EMBEDDING,             \
             .applies = eng_deberta_has_types),                                             \
  ENG_LINEAR (Stack, "embeddings.embed_proj", projection, HIDDEN, EMBEDDING, ENG_BIAS_NONE, \
              .applies = eng_deberta_is_projected),                                         \
  ENG_NORM (Stack, "embeddings.LayerNorm", embedding_norm),                                 \
  ENG_TABLE (ENG_DEBERTA_TABLE, relative_positions, DISTANCES, HIDDEN,                      \
             .applies = eng_deberta_is_relative)

/* What follows queries, keys and values in a layer. */
#define ENG_DEBERTA_LAYER_PARTS                                                             \
  ENG_LINEAR (Layer, "attention.output.dense", self.output, HIDDEN, HEADS),                 \
  ENG_NORM (Layer, "attention.output.LayerNorm", self.norm),                                \
  ENG_LINEAR (Layer, "intermediate.dense", up, INTERMEDIATE, HIDDEN),                       \
  ENG_LINEAR (Layer, "output.dense", down, HIDDEN, INTERMEDIATE),                           \
  ENG_NORM (Layer, "output.LayerNorm", feed_forward_norm)

#define ENG_DEBERTA_N_HEADS 5

/* The defaults but for sizes: hidden, layers, vocabulary, heads and feed-forward. */
#define ENG_DEBERTA_DEFAULTS(hidden, layers, vocabulary, heads, intermediate)               \
  {                                                                                         \
    .hidden_size = hidden,                                                                  \
    .embedding = {                                                                          \
      .positions = ENG_POSITIONS_TABLE,                                                     \
      .n_positions = 512,                                                                   \
      .has_norm = TRUE,                                                                     \
      .projects_first = TRUE,                                                               \
      .hides_padding = TRUE,                                                                \
    },                                                                                      \
    .stacks[ENG_KIND_ENCODER] = {                                                           \
      .n_layers = layers,                                                                   \
      .vocab_size = vocabulary,                                                             \
      .sorts[0] = ENG_POST_NORM_LAYER (heads, intermediate),                                \
    },                                                                                      \
    .norm = { ENG_NORM_LAYER, 1e-7f },                                                      \
    .end_id = -1,                                                                           \
    .decoder_start_id = -1,                                                                 \
  }

/* What both have in common behind their names and defaults. */
#define ENG_DEBERTA_FAMILY(stack_parts, own_layer_parts)                                    \
  .tensor_prefix = "deberta.",                                                              \
  .tied = TRUE,                                                                             \
  .stacks[ENG_KIND_ENCODER] = {                                                             \
    "encoder.layer.",                                                                       \
    stack_parts, G_N_ELEMENTS (stack_parts),                                                \
    own_layer_parts, G_N_ELEMENTS (own_layer_parts),                                        \
  },                                                                                        \
  .pooler = &eng_bert_pooler,                                                               \
  .heads = eng_deberta_heads,                                                               \
  .n_heads = ENG_DEBERTA_N_HEADS

extern const EngHeadParts eng_deberta_heads[ENG_DEBERTA_N_HEADS];

/* For EngPart.applies. */
gboolean eng_deberta_has_positions   (const EngSpec      *spec,
                                      const EngLayerSpec *layer);
gboolean eng_deberta_has_types       (const EngSpec      *spec,
                                      const EngLayerSpec *layer);
gboolean eng_deberta_is_projected    (const EngSpec      *spec,
                                      const EngLayerSpec *layer);
gboolean eng_deberta_is_relative     (const EngSpec      *spec,
                                      const EngLayerSpec *layer);
gboolean eng_deberta_makes_positions_keys    (const EngSpec      *spec,
                                              const EngLayerSpec *layer);
gboolean eng_deberta_makes_positions_queries (const EngSpec      *spec,
                                              const EngLayerSpec *layer);

/* The keys of both. span of the relative positions is max_relative_positions, and *n_listed (out)
 * how many terms pos_att_type lists; which there are is said even where relative_attention is false
 * and span 0. */
gboolean eng_deberta_read_config     (const cJSON        *json,
                                      const char         *what,
                                      EngConfig          *config,
                                      int                *n_listed,
                                      GError            **error);
/* Scores are divided by √(head size · (1 + n)). */
void     eng_deberta_set_scale       (EngSpec            *spec,
                                      int                 n);
/* Whether a list of names, parted by "|", has this one. */
gboolean eng_deberta_lists           (const char         *names,
                                      const char         *name);

G_END_DECLS
