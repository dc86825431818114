/* SPDX-License-Identifier: MIT */
/* T5 (Raffel et al. 2020), versions 1.0 and 1.1 with what grew out of it (Flan): pre-norm by root
 * mean square, no bias in any projection, scores that are not divided by √d, positions as a bias by
 * distance. Files of the encoder alone (T5EncoderModel) are models of one stack. */
#include "engine/families/family.h"
#include "engine/families/head-parts.h"

#include "engine/checkpoint/config-spec.h"

#include <math.h>
#include <string.h>

#define SHARED_WORDS "shared.weight"
#define ENCODER_WORDS "encoder.embed_tokens.weight"
#define DECODER_WORDS "decoder.embed_tokens.weight"
#define OUTPUT_WORDS "lm_head"
#define CLASSIFIER "classification_head"
#define TOKEN_CLASSIFIER "classifier"
#define ANSWER "qa_outputs"

#define LINEAR(name, member, rows, cols) \
  { ENG_PART_LINEAR, name, G_STRUCT_OFFSET (EngLayerWeights, member), rows, cols, ENG_BIAS_NONE }
#define NORM(name, holder, member) \
  { ENG_PART_NORM, name, G_STRUCT_OFFSET (holder, member), ENG_SIZE_HIDDEN, .bias = ENG_BIAS_NONE }

#define STACK_PARTS(stack, words, other_words) \
  { ENG_PART_TABLE, words, G_STRUCT_OFFSET (EngStackWeights, word), \
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, .aliases = { SHARED_WORDS, other_words }, \
    .tied_to = { OUTPUT_WORDS ".weight" } }, \
  { ENG_PART_TABLE, stack ".block.0.layer.0.SelfAttention.relative_attention_bias.weight", \
    G_STRUCT_OFFSET (EngStackWeights, relative_bias), ENG_SIZE_BUCKETS, ENG_SIZE_N_HEADS }, \
  NORM (stack ".final_layer_norm", EngStackWeights, final_norm)

#define ATTENTION_PARTS(layer, name, member) \
  LINEAR (layer name ".q", member.query, ENG_SIZE_HEADS, ENG_SIZE_HIDDEN), \
  LINEAR (layer name ".k", member.key, ENG_SIZE_HEADS, ENG_SIZE_HIDDEN), \
  LINEAR (layer name ".v", member.value, ENG_SIZE_HEADS, ENG_SIZE_HIDDEN), \
  LINEAR (layer name ".o", member.output, ENG_SIZE_HIDDEN, ENG_SIZE_HEADS), \
  NORM (layer "layer_norm", EngLayerWeights, member.norm)

#define UP(layer, name, member, is_there) \
  { ENG_PART_LINEAR, layer "DenseReluDense." name, G_STRUCT_OFFSET (EngLayerWeights, member), \
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN, ENG_BIAS_NONE, .applies = is_there }

#define FEED_FORWARD_PARTS(layer) \
  UP (layer, "wi", up, is_plain), \
  UP (layer, "wi_0", gate, is_gated), \
  UP (layer, "wi_1", up, is_gated), \
  LINEAR (layer "DenseReluDense.wo", down, ENG_SIZE_HIDDEN, ENG_SIZE_INTERMEDIATE), \
  NORM (layer "layer_norm", EngLayerWeights, feed_forward_norm)

static gboolean
is_gated (const EngSpec *spec)
{
  return spec->gated;
}

static gboolean
is_plain (const EngSpec *spec)
{
  return !spec->gated;
}

static const EngPart encoder_parts[] = {
  STACK_PARTS ("encoder", ENCODER_WORDS, DECODER_WORDS),
};

static const EngPart decoder_parts[] = {
  STACK_PARTS ("decoder", DECODER_WORDS, ENCODER_WORDS),
};

static const EngPart encoder_layer_parts[] = {
  ATTENTION_PARTS ("layer.0.", "SelfAttention", self),
  FEED_FORWARD_PARTS ("layer.1."),
};

static const EngPart decoder_layer_parts[] = {
  ATTENTION_PARTS ("layer.0.", "SelfAttention", self),
  ATTENTION_PARTS ("layer.1.", "EncDecAttention", cross),
  FEED_FORWARD_PARTS ("layer.2."),
};

static const EngPart language_model[] = {
  { ENG_PART_LINEAR, OUTPUT_WORDS, G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_VOCABULARY, ENG_SIZE_HIDDEN, ENG_BIAS_NONE,
    .tied_to = { SHARED_WORDS, DECODER_WORDS, ENCODER_WORDS } },
};

static const EngPart classifier[] = {
  { ENG_PART_LINEAR, CLASSIFIER ".dense", G_STRUCT_OFFSET (EngHeadWeights, transform),
    ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, CLASSIFIER ".out_proj", G_STRUCT_OFFSET (EngHeadWeights, output),
    ENG_SIZE_LABELS, ENG_SIZE_HIDDEN },
};

/* A file without another head is a language model, even where the base model alone was saved. */
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
  { ENG_TASK_ENTITIES, TOKEN_CLASSIFIER ".weight",
    .classes = { "ForTokenClassification" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_classifier_part, .n_parts = 1 },
  { ENG_TASK_QUESTION_ANSWERING, ANSWER ".weight",
    .classes = { "ForQuestionAnswering" }, .input = ENG_HEAD_TOKENS,
    .parts = &eng_answer_part, .n_parts = 1 },
  { ENG_TASK_LANGUAGE_MODEL, NULL, writes_text, .classes = { "ForConditionalGeneration", "Model" },
    .input = ENG_HEAD_TOKENS, .parts = language_model, .n_parts = G_N_ELEMENTS (language_model) },
};

/* "relu", or "gated-gelu", in which the gate's gelu is the tanh form and nowhere else. */
static gboolean
read_feed_forward (const cJSON  *json,
                   const char   *what,
                   EngSpec      *spec,
                   GError      **error)
{
  static const char key[] = "feed_forward_proj";
  static const char gated[] = "gated-";
  const char *name = "relu";

  if (!eng_json_get_string (json, key, what, &name, error))
    return FALSE;
  if (strcmp (name, "gated-gelu") == 0)
    name = "gated-gelu_new";
  spec->gated = g_str_has_prefix (name, gated);

  return eng_config_find_activation (spec->gated ? name + strlen (gated) : name, key, what,
                                     &spec->activation, error);
}

/* Version 1.0 has one table at both ends, whose logits it scales down; files say so by
 * tie_word_embeddings, or, newer ones, by scale_decoder_outputs. A head that is not in the file is
 * the word embedding in either version. */
static gboolean
read_head (const cJSON  *json,
           const char   *what,
           EngConfig    *config,
           GError      **error)
{
  gboolean scaled = config->tied;

  if (!eng_json_get_boolean (json, "scale_decoder_outputs", what, &scaled, error))
    return FALSE;
  config->logits_scale = scaled ? 1 / sqrt (config->spec.hidden_size) : 0;
  config->tied = TRUE;

  return TRUE;
}

/* Classes that have the encoder alone. */
static gboolean
is_encoder (const EngConfig *config)
{
  return eng_config_is_class (config, "EncoderModel") ||
         eng_config_is_class (config, "ForTokenClassification");
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  gboolean two_stacks = TRUE;

  if (!read_feed_forward (json, what, &config->spec, error) ||
      !read_head (json, what, config, error) ||
      !eng_json_get_boolean (json, "is_encoder_decoder", what, &two_stacks, error))
    return FALSE;
  if (!two_stacks || is_encoder (config))
    config->spec.stacks[ENG_KIND_DECODER] = (EngStackSpec) { 0 };

  return TRUE;
}

const EngFamily eng_family_t5 = {
  .model_type = "t5",
  .class_prefix = "T5",
  .tensor_prefix = "transformer.",
  .signature = "encoder.block.0.layer.0.SelfAttention.q.weight",

  .defaults = {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 6,
      .n_heads = 8,
      .head_size = 64,
      .intermediate_size = 2048,
      .vocab_size = 32128,
      .scale = 1,
    },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 6,
      .n_heads = 8,
      .head_size = 64,
      .intermediate_size = 2048,
      .vocab_size = 32128,
      .scale = 1,
      .causal = TRUE,
      .cross_attention = TRUE,
    },
    .hidden_size = 512,
    .n_positions = 512,
    .relative_bias = { .n_buckets = 32, .max_distance = 128 },
    .norm_kind = ENG_NORM_RMS,
    .attention_norm = ENG_NORM_PRE,
    .feed_forward_norm = ENG_NORM_PRE,
    .norm_eps = 1e-6f,
    .final_norm = TRUE,
    .activation = ENG_ACTIVATION_RELU,
    .pad_id = 0,
    .end_id = 1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.block.",
    encoder_parts, G_N_ELEMENTS (encoder_parts),
    encoder_layer_parts, G_N_ELEMENTS (encoder_layer_parts),
  },
  .stacks[ENG_KIND_DECODER] = {
    "decoder.block.",
    decoder_parts, G_N_ELEMENTS (decoder_parts),
    decoder_layer_parts, G_N_ELEMENTS (decoder_layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
