/* SPDX-License-Identifier: MIT */
/* T5 (Raffel et al. 2020), versions 1.0 and 1.1 with what grew out of it (Flan): pre-norm by root
 * mean square, no bias in any projection, scores that are not divided by √d, positions as a bias by
 * distance. Files of the encoder alone (T5EncoderModel) are models of one stack. */
#include "engine/families/config-spec.h"
#include "engine/families/family.h"
#include "engine/families/head-parts.h"

#include <math.h>
#include <string.h>

#define LINEAR(name, member, rows, cols) \
  ENG_LINEAR (Layer, name, member, rows, cols, ENG_BIAS_NONE)
#define NORM(holder, name, member) ENG_NORM (holder, name, member, .bias = ENG_BIAS_NONE)

#define STACK_PARTS(stack, words, other_words) \
  ENG_SHARED_WORDS_PART (words, other_words), \
  ENG_TABLE (stack ".block.0.layer.0.SelfAttention.relative_attention_bias.weight", relative_bias, \
             BUCKETS, N_HEADS), \
  NORM (Stack, stack ".final_layer_norm", final_norm)

#define ATTENTION_PARTS(layer, name, member) \
  LINEAR (layer name ".q", member.query, HEADS, HIDDEN), \
  LINEAR (layer name ".k", member.key, HEADS, HIDDEN), \
  LINEAR (layer name ".v", member.value, HEADS, HIDDEN), \
  LINEAR (layer name ".o", member.output, HIDDEN, HEADS), \
  NORM (Layer, layer "layer_norm", member.norm)

#define UP(layer, name, member, is_there) \
  ENG_LINEAR (Layer, layer "DenseReluDense." name, member, INTERMEDIATE, HIDDEN, ENG_BIAS_NONE, \
              .applies = is_there)

#define FEED_FORWARD_PARTS(layer) \
  UP (layer, "wi", up, is_plain), \
  UP (layer, "wi_0", gate, is_gated), \
  UP (layer, "wi_1", up, is_gated), \
  LINEAR (layer "DenseReluDense.wo", down, HIDDEN, INTERMEDIATE), \
  NORM (Layer, layer "layer_norm", feed_forward_norm)

static gboolean
is_gated (const EngSpec      *spec,
          const EngLayerSpec *layer)
{
  return layer->feed_forward.gated;
}

static gboolean
is_plain (const EngSpec      *spec,
          const EngLayerSpec *layer)
{
  return !layer->feed_forward.gated;
}

static const EngPart encoder_parts[] = {
  STACK_PARTS ("encoder", ENG_ENCODER_WORDS, ENG_DECODER_WORDS),
};

static const EngPart decoder_parts[] = {
  STACK_PARTS ("decoder", ENG_DECODER_WORDS, ENG_ENCODER_WORDS),
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
  ENG_SHARED_OUTPUT_PART (.bias = ENG_BIAS_NONE),
};

static const EngHeadParts heads[] = {
  ENG_END_CLASSIFIER_HEAD,
  ENG_ENTITIES_HEAD (),
  ENG_ANSWER_HEAD,
  ENG_WRITING_HEAD (language_model),
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
  EngActivation activation;
  gboolean has_gate = FALSE;

  if (!eng_json_get_string (json, key, what, &name, error))
    return FALSE;
  if (strcmp (name, "gated-gelu") == 0)
    name = "gated-gelu_new";
  if (g_str_has_prefix (name, gated)) {
    name += strlen (gated);
    has_gate = TRUE;
  }
  if (!eng_config_find_activation (name, key, what, &activation, error))
    return FALSE;

  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    spec->stacks[kind].sorts[0].feed_forward.activation = activation;
    spec->stacks[kind].sorts[0].feed_forward.gated = has_gate;
  }

  return TRUE;
}

static gboolean
read_bias (const cJSON   *json,
           const char    *what,
           EngStackSpec  *stack,
           GError       **error)
{
  gint64 n_buckets = stack->relative_bias.n_buckets;
  gint64 max_distance = stack->relative_bias.max_distance;

  if (!eng_json_get_int (json, "relative_attention_num_buckets", 1, 65536, what, &n_buckets,
                         error) ||
      !eng_json_get_int (json, "relative_attention_max_distance", 1, 1 << 24, what, &max_distance,
                         error))
    return FALSE;
  stack->relative_bias = (EngRelativeBias) { (int) n_buckets, (int) max_distance };

  return TRUE;
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

  if (!read_bias (json, what, &config->spec.stacks[ENG_KIND_ENCODER], error) ||
      !read_bias (json, what, &config->spec.stacks[ENG_KIND_DECODER], error) ||
      !read_feed_forward (json, what, &config->spec, error) ||
      !read_head (json, what, config, error) ||
      !eng_json_get_boolean (json, "is_encoder_decoder", what, &two_stacks, error))
    return FALSE;
  if (!two_stacks || is_encoder (config))
    config->spec.stacks[ENG_KIND_DECODER] = (EngStackSpec) { 0 };

  return TRUE;
}

#define STACK(...)                                                                          \
  {                                                                                         \
    .n_layers = 6,                                                                          \
    .vocab_size = 32128,                                                                    \
    .sorts[0] = {                                                                           \
      .self = { .n_heads = 8, .head_size = 64, .scale = 1 },                                \
      .feed_forward = { .intermediate_size = 2048, .activation = ENG_ACTIVATION_RELU },     \
      .attention_norm = ENG_NORM_PRE,                                                       \
      .feed_forward_norm = ENG_NORM_PRE,                                                    \
    },                                                                                      \
    .relative_bias = { .n_buckets = 32, .max_distance = 128 },                              \
    .final_norm = TRUE,                                                                     \
    __VA_ARGS__                                                                             \
  }

const EngFamily eng_family_t5 = {
  .model_type = "t5",
  .title = "T5",
  .year = 2020,
  .checkpoints = "t5-small, google/flan-t5-small",
  .class_prefix = "T5",
  .tensor_prefix = "transformer.",
  .signature = "encoder.block.0.layer.0.SelfAttention.q.weight",

  .defaults = {
    .hidden_size = 512,
    .embedding.n_positions = 512,
    .stacks[ENG_KIND_ENCODER] = STACK (),
    .stacks[ENG_KIND_DECODER] = STACK (.sorts[0].self.causal = TRUE, .sorts[0].cross.n_heads = 8),
    .norm = { ENG_NORM_RMS, 1e-6f },
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
