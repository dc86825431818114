/* SPDX-License-Identifier: MIT */
/* BERT (Devlin et al. 2018) and every checkpoint of its shape: post-norm encoder, learned
 * positions, token types. Decoder use (is_decoder) adds the causal mask and nothing else. */
#include "engine/families/bert.h"

#include "engine/families/head-parts.h"

#define WORDS "embeddings.word_embeddings.weight"
#define OUTPUT_WORDS "cls.predictions.decoder"

const EngPart eng_bert_parts[ENG_BERT_N_PARTS] = {
  { ENG_PART_TABLE, WORDS, G_STRUCT_OFFSET (EngStackWeights, word),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN,
    .tied_to = { OUTPUT_WORDS ".weight", "lm_head.decoder.weight" } },
  { ENG_PART_TABLE, "embeddings.position_embeddings.weight",
    G_STRUCT_OFFSET (EngStackWeights, position), ENG_SIZE_POSITIONS, ENG_SIZE_HIDDEN },
  { ENG_PART_TABLE, "embeddings.token_type_embeddings.weight",
    G_STRUCT_OFFSET (EngStackWeights, type), ENG_SIZE_TYPES, ENG_SIZE_HIDDEN },
  { ENG_PART_NORM, "embeddings.LayerNorm", G_STRUCT_OFFSET (EngStackWeights, embedding_norm),
    ENG_SIZE_HIDDEN },
};

const EngPart eng_bert_layer_parts[ENG_BERT_N_LAYER_PARTS] = {
  { ENG_PART_LINEAR, "attention.self.query", G_STRUCT_OFFSET (EngLayerWeights, self.query),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "attention.self.key", G_STRUCT_OFFSET (EngLayerWeights, self.key),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "attention.self.value", G_STRUCT_OFFSET (EngLayerWeights, self.value),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "attention.output.dense", G_STRUCT_OFFSET (EngLayerWeights, self.output),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_NORM, "attention.output.LayerNorm", G_STRUCT_OFFSET (EngLayerWeights, self.norm),
    ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "intermediate.dense", G_STRUCT_OFFSET (EngLayerWeights, up),
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "output.dense", G_STRUCT_OFFSET (EngLayerWeights, down),
    ENG_SIZE_HIDDEN, ENG_SIZE_INTERMEDIATE },
  { ENG_PART_NORM, "output.LayerNorm", G_STRUCT_OFFSET (EngLayerWeights, feed_forward_norm),
    ENG_SIZE_HIDDEN },
};

const EngPart eng_bert_pooler = {
  ENG_PART_LINEAR, "pooler.dense", G_STRUCT_OFFSET (EngWeights, pooler),
  ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN
};

static const EngPart words[] = {
  { ENG_PART_LINEAR, "cls.predictions.transform.dense", G_STRUCT_OFFSET (EngHeadWeights, transform),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_NORM, "cls.predictions.transform.LayerNorm", G_STRUCT_OFFSET (EngHeadWeights, norm),
    ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, OUTPUT_WORDS, G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, .tied_to = { WORDS },
    .bias_name = "cls.predictions.bias" },
};

static const EngPart next_sentence[] = {
  { ENG_PART_LINEAR, "cls.seq_relationship", G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_TWO, ENG_SIZE_HIDDEN },
};

/* One tensor name serves three heads: the class that was saved tells them apart. Without one, a
 * file without a pooler can only hold a classifier of tokens. */
static gboolean
classifies_tokens (const EngConfig *config,
                   GHashTable      *names)
{
  if (config->architecture)
    return eng_config_is_class (config, "ForTokenClassification");

  return !g_hash_table_contains (names, "pooler.dense.weight");
}

static gboolean
classifies_texts (const EngConfig *config,
                  GHashTable      *names)
{
  return !eng_family_chooses (config, g_hash_table_lookup (names, "classifier.weight")) &&
         !classifies_tokens (config, names);
}

static const EngHeadParts heads[] = {
  { ENG_TASK_FILL_MASK, "cls.predictions.transform.dense.weight",
    .reading = ENG_READING_BOTH_WAYS,
    .classes = { "ForMaskedLM", "ForPreTraining", "LMHeadModel" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  { ENG_TASK_LANGUAGE_MODEL, "cls.predictions.transform.dense.weight",
    .reading = ENG_READING_FORWARDS,
    .classes = { "ForMaskedLM", "ForPreTraining", "LMHeadModel" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  { ENG_TASK_NEXT_SENTENCE, "cls.seq_relationship.weight",
    .classes = { "ForNextSentencePrediction", "ForPreTraining" }, .input = ENG_HEAD_POOLED,
    .parts = next_sentence, .n_parts = G_N_ELEMENTS (next_sentence) },
  { ENG_TASK_TEXT_CLASSIFICATION, "classifier.weight", classifies_texts,
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_POOLED,
    .parts = &eng_classifier_part, .n_parts = 1 },
  { ENG_TASK_ENTITIES, "classifier.weight", classifies_tokens,
    .classes = { "ForTokenClassification" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_classifier_part, .n_parts = 1 },
  { ENG_TASK_QUESTION_ANSWERING, "qa_outputs.weight",
    .classes = { "ForQuestionAnswering" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_answer_part, .n_parts = 1 },
};

const EngFamily eng_family_bert = {
  .model_type = "bert",
  .class_prefix = "Bert",
  .tensor_prefix = "bert.",
  .signature = "encoder.layer.0.attention.self.query.weight",

  .defaults = {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .n_heads = 12,
      .intermediate_size = 3072,
      .vocab_size = 30522,
    },
    .hidden_size = 768,
    .positions = ENG_POSITIONS_TABLE,
    .n_positions = 512,
    .n_types = 2,
    .norm_kind = ENG_NORM_LAYER,
    .attention_norm = ENG_NORM_POST,
    .feed_forward_norm = ENG_NORM_POST,
    .norm_eps = 1e-12f,
    .embedding_norm = TRUE,
    .activation = ENG_ACTIVATION_GELU,
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.layer.",
    eng_bert_parts, ENG_BERT_N_PARTS,
    eng_bert_layer_parts, ENG_BERT_N_LAYER_PARTS,
  },
  .pooler = &eng_bert_pooler,
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
