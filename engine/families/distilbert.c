/* SPDX-License-Identifier: MIT */
/* DistilBERT (Sanh et al. 2019): BERT's layers under other names, without token types and without
 * a pooler. */
#include "engine/families/family.h"
#include "engine/families/head-parts.h"

#define WORDS "embeddings.word_embeddings.weight"
#define OUTPUT_WORDS "vocab_projector"
#define NORM_EPS 1e-12f

static const EngPart parts[] = {
  { ENG_PART_TABLE, WORDS, G_STRUCT_OFFSET (EngStackWeights, word),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" } },
  { ENG_PART_TABLE, "embeddings.position_embeddings.weight",
    G_STRUCT_OFFSET (EngStackWeights, position), ENG_SIZE_POSITIONS, ENG_SIZE_HIDDEN },
  { ENG_PART_NORM, "embeddings.LayerNorm", G_STRUCT_OFFSET (EngStackWeights, embedding_norm),
    ENG_SIZE_HIDDEN },
};

static const EngPart layer_parts[] = {
  { ENG_PART_LINEAR, "attention.q_lin", G_STRUCT_OFFSET (EngLayerWeights, self.query),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "attention.k_lin", G_STRUCT_OFFSET (EngLayerWeights, self.key),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "attention.v_lin", G_STRUCT_OFFSET (EngLayerWeights, self.value),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "attention.out_lin", G_STRUCT_OFFSET (EngLayerWeights, self.output),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_NORM, "sa_layer_norm", G_STRUCT_OFFSET (EngLayerWeights, self.norm),
    ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "ffn.lin1", G_STRUCT_OFFSET (EngLayerWeights, up),
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "ffn.lin2", G_STRUCT_OFFSET (EngLayerWeights, down),
    ENG_SIZE_HIDDEN, ENG_SIZE_INTERMEDIATE },
  { ENG_PART_NORM, "output_layer_norm", G_STRUCT_OFFSET (EngLayerWeights, feed_forward_norm),
    ENG_SIZE_HIDDEN },
};

static const EngPart masked_word[] = {
  { ENG_PART_LINEAR, "vocab_transform", G_STRUCT_OFFSET (EngHeadWeights, transform),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_NORM, "vocab_layer_norm", G_STRUCT_OFFSET (EngHeadWeights, norm),
    ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, OUTPUT_WORDS, G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, .tied_to = { WORDS } },
};

static const EngPart text_classifier[] = {
  { ENG_PART_LINEAR, "pre_classifier", G_STRUCT_OFFSET (EngHeadWeights, transform),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "classifier", G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_LABELS, ENG_SIZE_HIDDEN },
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
  config->spec.norm_eps = NORM_EPS;

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
  { ENG_TASK_ENTITIES, "classifier.weight", classifies_tokens,
    .classes = { "ForTokenClassification" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_classifier_part, .n_parts = 1 },
  { ENG_TASK_QUESTION_ANSWERING, "qa_outputs.weight",
    .classes = { "ForQuestionAnswering" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_answer_part, .n_parts = 1 },
};

const EngFamily eng_family_distilbert = {
  .model_type = "distilbert",
  .class_prefix = "DistilBert",
  .tensor_prefix = "distilbert.",
  .signature = "transformer.layer.0.attention.q_lin.weight",

  .defaults = {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 6,
      .n_heads = 12,
      .intermediate_size = 3072,
      .vocab_size = 30522,
    },
    .hidden_size = 768,
    .positions = ENG_POSITIONS_TABLE,
    .n_positions = 512,
    .norm_kind = ENG_NORM_LAYER,
    .attention_norm = ENG_NORM_POST,
    .feed_forward_norm = ENG_NORM_POST,
    .norm_eps = NORM_EPS,
    .embedding_norm = TRUE,
    .activation = ENG_ACTIVATION_GELU,
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "transformer.layer.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
