/* SPDX-License-Identifier: MIT */
/* ESM-1b (Rives et al. 2021) and ESM-2 (Lin et al. 2023), which read proteins: BERT's layers with
 * their norms before the sub-layers; mask tokens without a vector; ESM-2 with rotary positions. */
#include "engine/families/encoders/bert.h"
#include "engine/families/config-spec.h"
#include "engine/families/head-parts.h"

#include <string.h>

#define FREQUENCIES "attention.self.rotary_embeddings.inv_freq"
/* 80 % of the 15 % of tokens that were to be said in training were mask tokens. */
#define MASK_DROPOUT (0.15 * 0.8)

static gboolean
has_positions (const EngSpec      *spec,
               const EngLayerSpec *layer)
{
  return spec->embedding.positions != ENG_POSITIONS_NONE;
}

static gboolean
has_rotary (const EngSpec      *spec,
            const EngLayerSpec *layer)
{
  return layer->self.rotary.size > 0;
}

static gboolean
has_first_norm (const EngSpec      *spec,
                const EngLayerSpec *layer)
{
  return spec->embedding.has_norm;
}

/* The first layer's frequencies are those of all, as files of different age name them; some were
 * rounded to half precision before they were stored, so that the base does not say them. */
static const EngPart parts[] = {
  ENG_TABLE (ENG_BERT_WORDS, word, VOCABULARY, HIDDEN, .tied_to = { "lm_head.decoder.weight" }),
  ENG_TABLE ("embeddings.position_embeddings.weight", position, POSITIONS, HIDDEN,
             .applies = has_positions),
  ENG_NORM (Stack, "embeddings.layer_norm", embedding_norm, .applies = has_first_norm),
  ENG_NORM (Stack, "encoder.emb_layer_norm_after", final_norm),
  { ENG_PART_VECTOR, "rotary_embeddings.inv_freq", G_STRUCT_OFFSET (EngStackWeights, frequencies),
    ENG_SIZE_FREQUENCIES, .optional = TRUE, .applies = has_rotary,
    .aliases = { "encoder.layer.0." FREQUENCIES, "encoder.layer.*." FREQUENCIES } },
};

static const EngPart layer_parts[] = {
  ENG_NORM (Layer, "attention.LayerNorm", self.norm),
  ENG_LINEAR (Layer, "attention.self.query", self.query, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.self.key", self.key, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.self.value", self.value, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.output.dense", self.output, HIDDEN, HIDDEN),
  ENG_NORM (Layer, "LayerNorm", feed_forward_norm),
  ENG_LINEAR (Layer, "intermediate.dense", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "output.dense", down, HIDDEN, INTERMEDIATE),
};

static gboolean
read_positions (const cJSON   *json,
                const char    *what,
                EngSpec       *spec,
                EngLayerSpec  *layer,
                GError       **error)
{
  const char *kind = "absolute";

  if (!eng_json_get_string (json, "position_embedding_type", what, &kind, error))
    return FALSE;
  if (strcmp (kind, "absolute") == 0) {
    spec->embedding.position_offset = spec->pad_id + 1;
    return TRUE;
  }
  if (strcmp (kind, "rotary") != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: position_embedding_type is \"%s\", expected \"absolute\" or \"rotary\"",
                 what, kind);
    return FALSE;
  }

  spec->embedding.positions = ENG_POSITIONS_NONE;
  layer->self.rotary = (EngRotary) { .size = layer->self.head_size, .base = 10000 };

  return eng_config_read_rotary (json, what, spec->embedding.n_positions, &layer->self.rotary,
                                 &spec->stacks[ENG_KIND_ENCODER].rotary_factors, error);
}

static gboolean
read_mask (const cJSON       *json,
           const char        *what,
           EngEmbeddingSpec  *embedding,
           GError           **error)
{
  gboolean dropout = FALSE;

  if (!eng_json_get_boolean (json, "token_dropout", what, &dropout, error) ||
      !eng_config_read_id (json, "mask_token_id", what, &embedding->mask_id, error))
    return FALSE;
  if (dropout && embedding->mask_id < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: mask_token_id is not stated, expected it beside token_dropout", what);
    return FALSE;
  }
  embedding->mask_dropout = dropout ? MASK_DROPOUT : 0;

  return TRUE;
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngStackSpec *stack = &spec->stacks[eng_spec_get_first_kind (spec)];
  gboolean folds = FALSE;

  if (!eng_json_get_boolean (json, "is_folding_model", what, &folds, error) ||
      !eng_json_get_boolean (json, "emb_layer_norm_before", what, &spec->embedding.has_norm,
                             error) ||
      !read_mask (json, what, &spec->embedding, error) ||
      !read_positions (json, what, spec, &stack->sorts[0], error))
    return FALSE;
  if (folds) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: is_folding_model is true, which is another model and not supported", what);
    return FALSE;
  }
  /* Whatever hidden_act says. */
  stack->sorts[0].feed_forward.activation = ENG_ACTIVATION_GELU;

  return TRUE;
}

static const EngHeadParts heads[] = {
  ENG_NORMED_WORDS_HEAD (ENG_TASK_FILL_MASK, BOTH_WAYS),
  ENG_FIRST_CLASSIFIER_HEAD (ENG_ACTIVATION_TANH),
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_tokens),
};

const EngFamily eng_family_esm = {
  .model_type = "esm",
  .title = "ESM",
  .year = 2021,
  .checkpoints = "facebook/esm2_t6_8M_UR50D",
  .class_prefix = "Esm",
  .tensor_prefix = "esm.",
  .signature = "encoder.emb_layer_norm_after.weight",

  .defaults = {
    .hidden_size = 768,
    .embedding = {
      .positions = ENG_POSITIONS_SKIP_PADDING,
      .n_positions = 1026,
      .mask_id = -1,
      .hides_padding = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 33,
      .sorts[0] = {
        .self.n_heads = 12,
        .feed_forward.intermediate_size = 3072,
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
      },
      .final_norm = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-12f },
    .pad_id = 1,
    .end_id = 2,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .chooses_positions = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.layer.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .pooler = &eng_bert_pooler,
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
