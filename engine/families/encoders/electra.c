/* SPDX-License-Identifier: MIT */
/* ELECTRA (Clark et al. 2020): BERT's layers behind an embedding of a width of its own. Two models
 * are of this family: a discriminator, whose head says of every token whether it was replaced, and
 * the small generator of the replacements, whose head fills gaps. */
#include "engine/families/encoders/bert.h"
#include "engine/families/head-parts.h"

#define OUTPUT_WORDS "generator_lm_head"

static gboolean
is_projected (const EngSpec      *spec,
              const EngLayerSpec *layer)
{
  return spec->embedding.size > 0;
}

static const EngPart parts[] = {
  ENG_BERT_EMBEDDING (OUTPUT_WORDS ".weight"),
  ENG_LINEAR (Stack, "embeddings_project", projection, HIDDEN, EMBEDDING, .applies = is_projected),
};

static const EngPart words[] = {
  ENG_LINEAR (Head, "generator_predictions.dense", transform, EMBEDDING, HIDDEN),
  ENG_NORM_OF (Head, "generator_predictions.LayerNorm", norm, EMBEDDING),
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, EMBEDDING, .tied_to = { ENG_BERT_WORDS }),
};

static const EngPart replaced_tokens[] = {
  ENG_LINEAR (Head, "discriminator_predictions.dense", transform, HIDDEN, HIDDEN),
  ENG_LINEAR (Head, "discriminator_predictions.dense_prediction", output, ONE, HIDDEN),
};

/* Tables that are as wide as the layers are not projected. */
static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;

  if (spec->embedding.size == spec->hidden_size)
    spec->embedding.size = 0;

  return TRUE;
}

static const EngHeadParts heads[] = {
  { ENG_TASK_FILL_MASK, "generator_predictions.dense.weight", .reading = ENG_READING_BOTH_WAYS,
    .classes = { "ForMaskedLM", "ForCausalLM" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_GELU,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  { ENG_TASK_LANGUAGE_MODEL, "generator_predictions.dense.weight",
    .reading = ENG_READING_FORWARDS,
    .classes = { "ForMaskedLM", "ForCausalLM" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_GELU,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  { ENG_TASK_REPLACED_TOKENS, "discriminator_predictions.dense.weight",
    .classes = { "ForPreTraining" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = replaced_tokens, .n_parts = G_N_ELEMENTS (replaced_tokens) },
  ENG_FIRST_CLASSIFIER_HEAD (ENG_ACTIVATION_GELU),
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_tokens),
  ENG_ANSWER_HEAD,
};

const EngFamily eng_family_electra = {
  .model_type = "electra",
  .title = "ELECTRA",
  .year = 2020,
  .checkpoints = "google/electra-small-discriminator",
  .class_prefix = "Electra",
  .tensor_prefix = "electra.",
  .signature = "encoder.layer.0.attention.self.query.weight",

  .defaults = {
    .hidden_size = 256,
    .embedding = {
      .size = 128,
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 512,
      .n_types = 2,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 30522,
      .sorts[0] = ENG_POST_NORM_LAYER (4, 1024),
    },
    .norm = { ENG_NORM_LAYER, 1e-12f },
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.layer.",
    parts, G_N_ELEMENTS (parts),
    eng_bert_layer_parts, ENG_BERT_N_LAYER_PARTS,
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
