/* SPDX-License-Identifier: MIT */
/* DistilBERT (Sanh et al. 2019): BERT's layers under other names, without token types and without
 * a pooler. */
#include "engine/families/config-spec.h"
#include "engine/families/family.h"
#include "engine/families/head-parts.h"

#define WORDS "embeddings.word_embeddings.weight"
#define OUTPUT_WORDS "vocab_projector"
#define NORM_EPS 1e-12f

static const EngPart parts[] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" }),
  ENG_TABLE ("embeddings.position_embeddings.weight", position, POSITIONS, HIDDEN),
  ENG_NORM (Stack, "embeddings.LayerNorm", embedding_norm),
};

static const EngPart layer_parts[] = {
  ENG_LINEAR (Layer, "attention.q_lin", self.query, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.k_lin", self.key, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.v_lin", self.value, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.out_lin", self.output, HIDDEN, HIDDEN),
  ENG_NORM (Layer, "sa_layer_norm", self.norm),
  ENG_LINEAR (Layer, "ffn.lin1", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "ffn.lin2", down, HIDDEN, INTERMEDIATE),
  ENG_NORM (Layer, "output_layer_norm", feed_forward_norm),
};

static const EngPart masked_word[] = {
  ENG_LINEAR (Head, "vocab_transform", transform, HIDDEN, HIDDEN),
  ENG_NORM (Head, "vocab_layer_norm", norm),
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, .tied_to = { WORDS }),
};

static const EngPart text_classifier[] = {
  ENG_LINEAR (Head, "pre_classifier", transform, HIDDEN, HIDDEN),
  ENG_LINEAR (Head, "classifier", output, LABELS, HIDDEN),
};

static gboolean
classifies_texts (const EngConfig *config,
                  GHashTable      *names)
{
  return !eng_family_chooses (config, g_hash_table_lookup (names, "classifier.weight"));
}

static gboolean
classifies_tokens (const EngConfig *config,
                   GHashTable      *names)
{
  return !g_hash_table_contains (names, "pre_classifier.weight");
}

/* The norms' epsilon is no matter of the config. */
static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  config->spec.norm.eps = NORM_EPS;
  eng_config_spread_norm (&config->spec);

  return TRUE;
}

static const EngHeadParts heads[] = {
  { ENG_TASK_FILL_MASK, "vocab_transform.weight",
    .classes = { "ForMaskedLM" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = masked_word, .n_parts = G_N_ELEMENTS (masked_word) },
  { ENG_TASK_TEXT_CLASSIFICATION, "pre_classifier.weight", classifies_texts,
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_FIRST,
    .has_transform = TRUE, .activation = ENG_ACTIVATION_RELU,
    .parts = text_classifier, .n_parts = G_N_ELEMENTS (text_classifier) },
  ENG_ENTITIES_HEAD (.applies = classifies_tokens),
  ENG_ANSWER_HEAD,
};

const EngFamily eng_family_distilbert = {
  .model_type = "distilbert",
  .title = "DistilBERT",
  .year = 2019,
  .checkpoints = "distilbert-base-uncased",
  .class_prefix = "DistilBert",
  .tensor_prefix = "distilbert.",
  .signature = "transformer.layer.0.attention.q_lin.weight",

  .defaults = {
    .hidden_size = 768,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 512,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 6,
      .vocab_size = 30522,
      .sorts[0] = ENG_POST_NORM_LAYER (12, 3072),
    },
    .norm = { ENG_NORM_LAYER, NORM_EPS },
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .never_decodes = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "transformer.layer.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
