/* SPDX-License-Identifier: MIT */
/* BART (Lewis et al. 2019): post-norm encoder and decoder over one vocabulary, learned positions of
 * which the first two rows of the table are none. */
#include "engine/families/bart-parts.h"

#include "engine/families/head-parts.h"

#define SHARED_WORDS "shared.weight"
#define ENCODER_WORDS "encoder.embed_tokens.weight"
#define DECODER_WORDS "decoder.embed_tokens.weight"
#define OUTPUT_WORDS "lm_head"
#define CLASSIFIER "classification_head"
#define ANSWER "qa_outputs"

/* Rows of the position table before the first token's. */
#define POSITION_OFFSET 2

#define STACK_PARTS(stack, words, other_words) \
  { ENG_PART_TABLE, words, G_STRUCT_OFFSET (EngStackWeights, word), \
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, .aliases = { SHARED_WORDS, other_words }, \
    .tied_to = { OUTPUT_WORDS ".weight" } }, \
  { ENG_PART_TABLE, stack ".embed_positions.weight", G_STRUCT_OFFSET (EngStackWeights, position), \
    ENG_SIZE_POSITIONS, ENG_SIZE_HIDDEN }, \
  { ENG_PART_NORM, stack ".layernorm_embedding", \
    G_STRUCT_OFFSET (EngStackWeights, embedding_norm), ENG_SIZE_HIDDEN }

static const EngPart encoder_parts[] = {
  STACK_PARTS ("encoder", ENCODER_WORDS, DECODER_WORDS),
};

static const EngPart decoder_parts[] = {
  STACK_PARTS ("decoder", DECODER_WORDS, ENCODER_WORDS),
};

static const EngPart language_model[] = {
  { ENG_PART_LINEAR, OUTPUT_WORDS, G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, ENG_BIAS_IF_THERE,
    .tied_to = { SHARED_WORDS, DECODER_WORDS, ENCODER_WORDS }, .bias_name = "final_logits_bias" },
};

static const EngPart classifier[] = {
  { ENG_PART_LINEAR, CLASSIFIER ".dense", G_STRUCT_OFFSET (EngHeadWeights, transform),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, CLASSIFIER ".out_proj", G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_LABELS, ENG_SIZE_HIDDEN },
};

/* A file without another head is a language model, even where the base model alone was saved: its
 * head is the word embedding. */
static gboolean
writes_text (const EngConfig *config,
             GHashTable      *names)
{
  return !g_hash_table_contains (names, CLASSIFIER ".dense.weight") &&
         !g_hash_table_contains (names, ANSWER ".weight");
}

static const EngHeadParts heads[] = {
  { ENG_TASK_TEXT_CLASSIFICATION, CLASSIFIER ".dense.weight",
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_END,
    .has_transform = TRUE, .activation = ENG_ACTIVATION_TANH,
    .parts = classifier, .n_parts = G_N_ELEMENTS (classifier) },
  { ENG_TASK_QUESTION_ANSWERING, ANSWER ".weight",
    .classes = { "ForQuestionAnswering" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_answer_part, .n_parts = 1 },
  { ENG_TASK_LANGUAGE_MODEL, NULL, writes_text,
    .classes = { "ForConditionalGeneration", "Model" }, .input = ENG_HEAD_TOKENS,
    .parts = language_model, .n_parts = G_N_ELEMENTS (language_model) },
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  config->spec.n_positions += POSITION_OFFSET;

  return eng_bart_read_common (json, what, config, error);
}

const EngFamily eng_family_bart = {
  .model_type = "bart",
  .class_prefix = "Bart",
  .tensor_prefix = "model.",
  .signature = "encoder.layernorm_embedding.weight",

  .defaults = {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .n_heads = 16,
      .intermediate_size = 4096,
      .vocab_size = 50265,
    },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 12,
      .n_heads = 16,
      .intermediate_size = 4096,
      .vocab_size = 50265,
      .causal = TRUE,
      .cross_attention = TRUE,
    },
    .hidden_size = 1024,
    .positions = ENG_POSITIONS_TABLE,
    .n_positions = 1024,
    .position_offset = POSITION_OFFSET,
    .norm_kind = ENG_NORM_LAYER,
    .attention_norm = ENG_NORM_POST,
    .feed_forward_norm = ENG_NORM_POST,
    .norm_eps = 1e-5f,
    .embedding_norm = TRUE,
    .activation = ENG_ACTIVATION_GELU,
    .pad_id = 1,
    .end_id = 2,
    .decoder_start_id = 2,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.layers.",
    encoder_parts, G_N_ELEMENTS (encoder_parts),
    eng_bart_encoder_layer_parts, ENG_BART_N_ENCODER_LAYER_PARTS,
  },
  .stacks[ENG_KIND_DECODER] = {
    "decoder.layers.",
    decoder_parts, G_N_ELEMENTS (decoder_parts),
    eng_bart_decoder_layer_parts, ENG_BART_N_DECODER_LAYER_PARTS,
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
