/* SPDX-License-Identifier: MIT */
/* ModernBERT (Warner et al. 2024): an encoder with rotary positions, gated feed-forwards and norms
 * before the sub-layers, of which the first reads the embedding's own norm. Some layers have a window
 * to both sides and other rotary positions than those that see the whole text. */
#include "engine/families/config-spec.h"
#include "engine/families/family.h"

#include <string.h>

#define WORDS "embeddings.tok_embeddings.weight"
/* The sort of the first layer, whose attention has no norm of its own. */
#define SORT_FIRST 2

#define OF_QKV(n)                                                                             \
  ENG_BIAS_OF_ATTENTION, .n_slices = 3,                                                       \
  .slices = { ENG_SIZE_HEADS, ENG_SIZE_HEADS, ENG_SIZE_HEADS }, .slice = n
#define OF_GATE_AND_UP(n)                                                                     \
  ENG_BIAS_OF_FEED_FORWARD, .n_slices = 2,                                                    \
  .slices = { ENG_SIZE_INTERMEDIATE, ENG_SIZE_INTERMEDIATE }, .slice = n

static gboolean
has_attention_norm (const EngSpec      *spec,
                    const EngLayerSpec *layer)
{
  return layer->attention_norm == ENG_NORM_PRE;
}

static const EngPart parts[] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN, .tied_to = { "decoder.weight" }),
  ENG_NORM (Stack, "embeddings.norm", embedding_norm, .bias = ENG_BIAS_OF_NORM),
  ENG_NORM (Stack, "final_norm", final_norm, .bias = ENG_BIAS_OF_NORM),
};

static const EngPart layer_parts[] = {
  ENG_NORM (Layer, "attn_norm", self.norm, .bias = ENG_BIAS_OF_NORM,
            .applies = has_attention_norm),
  ENG_LINEAR (Layer, "attn.Wqkv", self.query, HEADS, HIDDEN, OF_QKV (0)),
  ENG_LINEAR (Layer, "attn.Wqkv", self.key, HEADS, HIDDEN, OF_QKV (1)),
  ENG_LINEAR (Layer, "attn.Wqkv", self.value, HEADS, HIDDEN, OF_QKV (2)),
  ENG_LINEAR (Layer, "attn.Wo", self.output, HIDDEN, HEADS, ENG_BIAS_OF_ATTENTION),
  ENG_NORM (Layer, "mlp_norm", feed_forward_norm, .bias = ENG_BIAS_OF_NORM),
  ENG_LINEAR (Layer, "mlp.Wi", gate, INTERMEDIATE, HIDDEN, OF_GATE_AND_UP (0)),
  ENG_LINEAR (Layer, "mlp.Wi", up, INTERMEDIATE, HIDDEN, OF_GATE_AND_UP (1)),
  ENG_LINEAR (Layer, "mlp.Wo", down, HIDDEN, INTERMEDIATE, ENG_BIAS_OF_FEED_FORWARD),
};

#define TRANSFORM_PARTS                                                                       \
  ENG_LINEAR (Head, "head.dense", transform, HIDDEN, HIDDEN, ENG_BIAS_IF_THERE),              \
  ENG_NORM (Head, "head.norm", norm, .bias = ENG_BIAS_OF_NORM)

static const EngPart words[] = {
  TRANSFORM_PARTS,
  ENG_LINEAR (Head, "decoder", output, VOCABULARY, HIDDEN, ENG_BIAS_IF_THERE,
              .tied_to = { WORDS }),
};

static const EngPart labels[] = {
  TRANSFORM_PARTS,
  ENG_LINEAR (Head, "classifier", output, LABELS, HIDDEN),
};

static const EngPart edges[] = {
  TRANSFORM_PARTS,
  ENG_LINEAR (Head, "classifier", output, TWO, HIDDEN),
};

/* Of the layers of a type; key has the base in the first files, rope_parameters in newer ones. */
static gboolean
read_rotary (const cJSON   *json,
             const char    *type,
             const char    *key,
             double         base,
             const char    *what,
             int            n_positions,
             EngStackSpec  *stack,
             EngRotary     *rotary,
             GError       **error)
{
  *rotary = (EngRotary) { .size = stack->sorts[0].self.head_size, .base = base };
  if (!eng_config_read_rotary (json, what, n_positions, rotary, &stack->rotary_factors, error))
    return FALSE;
  rotary->base = base;

  return eng_config_read_factor (json, key, what, &rotary->base, error) &&
         eng_config_read_layer_rotary (json, type, what, n_positions, rotary,
                                       &stack->rotary_factors, error);
}

static gboolean
read_layers (const cJSON   *json,
             const char    *what,
             int            n_positions,
             EngStackSpec  *stack,
             GError       **error)
{
  gint64 width = 128, interval = 3;
  EngRotary local;

  if (!read_rotary (json, "full_attention", "global_rope_theta", 160000, what, n_positions, stack,
                    &stack->sorts[0].self.rotary, error) ||
      !read_rotary (json, "sliding_attention", "local_rope_theta", 10000, what, n_positions, stack,
                    &local, error) ||
      !eng_json_get_int (json, "local_attention", 1, G_MAXINT32, what, &width, error) ||
      !eng_json_get_int (json, "global_attn_every_n_layers", 1, G_MAXINT32, what, &interval,
                         error))
    return FALSE;
  for (int i = 0; i < stack->n_layers; i++)
    stack->sort_of_layer[i] = i % interval != 0 ? ENG_SORT_WINDOWED : 0;
  /* As wide as it says with the query in its middle. */
  if (!eng_config_read_layer_types (json, what, (int) (width / 2) + 1, stack, error))
    return FALSE;
  stack->sorts[ENG_SORT_WINDOWED].self.rotary = local;

  stack->sorts[SORT_FIRST] = stack->sorts[stack->sort_of_layer[0]];
  stack->sorts[SORT_FIRST].attention_norm = ENG_NORM_NONE;
  stack->sort_of_layer[0] = SORT_FIRST;

  return TRUE;
}

static gboolean
read_biases (const cJSON  *json,
             const char   *what,
             EngSpec      *spec,
             GError      **error)
{
  EngLayerSpec *layer = &spec->stacks[ENG_KIND_ENCODER].sorts[0];

  if (!eng_json_get_boolean (json, "attention_bias", what, &layer->self.has_bias, error) ||
      !eng_json_get_boolean (json, "mlp_bias", what, &layer->feed_forward.has_bias, error) ||
      !eng_json_get_boolean (json, "norm_bias", what, &spec->norm.has_bias, error))
    return FALSE;
  eng_config_spread_norm (spec);

  return TRUE;
}

static gboolean
read_activation (const cJSON    *json,
                 const char     *key,
                 const char     *what,
                 EngActivation  *activation,
                 GError        **error)
{
  const char *name = "gelu";

  return eng_json_get_string (json, key, what, &name, error) &&
         eng_config_find_activation (name, key, what, activation, error);
}

static gboolean
read_pooling (const cJSON   *json,
              const char    *what,
              EngHeadInput  *input,
              GError       **error)
{
  const char *name = "cls";

  if (!eng_json_get_string (json, "classifier_pooling", what, &name, error))
    return FALSE;
  *input = strcmp (name, "mean") == 0 ? ENG_HEAD_MEAN : ENG_HEAD_FIRST;
  if (*input == ENG_HEAD_MEAN || strcmp (name, "cls") == 0)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: classifier_pooling is \"%s\", expected \"cls\" or \"mean\"", what, name);
  return FALSE;
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngStackSpec *stack = &spec->stacks[ENG_KIND_ENCODER];

  return read_biases (json, what, spec, error) &&
         read_activation (json, "hidden_activation", what,
                          &stack->sorts[0].feed_forward.activation, error) &&
         read_activation (json, "classifier_activation", what, &config->head_activation, error) &&
         read_pooling (json, what, &config->head_input, error) &&
         read_layers (json, what, spec->embedding.n_positions, stack, error);
}

/* One tensor serves three heads; without a class it is that of texts. */
static gboolean
classifies_texts (const EngConfig *config,
                  GHashTable      *names)
{
  return eng_config_is_class (config, "ForSequenceClassification") ||
         (!config->architecture &&
          !eng_family_chooses (config, g_hash_table_lookup (names, "classifier.weight")));
}

static gboolean
classifies_tokens (const EngConfig *config,
                   GHashTable      *names)
{
  return eng_config_is_class (config, "ForTokenClassification");
}

static gboolean
answers (const EngConfig *config,
         GHashTable      *names)
{
  return eng_config_is_class (config, "ForQuestionAnswering");
}

static gboolean
fills_gaps (const EngConfig *config,
            GHashTable      *names)
{
  return !g_hash_table_contains (names, "classifier.weight");
}

#define HEAD(task, marker, applies, class, input, parts)                                      \
  { task, marker, applies, .classes = { class }, input, TRUE, TRUE, ENG_ACTIVATION_OF_HEADS,  \
    parts, G_N_ELEMENTS (parts) }

static const EngHeadParts heads[] = {
  HEAD (ENG_TASK_FILL_MASK, "head.dense.weight", fills_gaps, "ForMaskedLM", ENG_HEAD_TOKENS,
        words),
  HEAD (ENG_TASK_TEXT_CLASSIFICATION, "classifier.weight", classifies_texts,
        "ForSequenceClassification", ENG_INPUT_OF_CONFIG, labels),
  HEAD (ENG_TASK_ENTITIES, "classifier.weight", classifies_tokens, "ForTokenClassification",
        ENG_HEAD_TOKENS, labels),
  HEAD (ENG_TASK_QUESTION_ANSWERING, "classifier.weight", answers, "ForQuestionAnswering",
        ENG_HEAD_TOKENS, edges),
};

const EngFamily eng_family_modernbert = {
  .model_type = "modernbert",
  .title = "ModernBERT",
  .year = 2024,
  .checkpoints = "answerdotai/ModernBERT-base",
  .class_prefix = "ModernBert",
  .tensor_prefix = "model.",
  .signature = WORDS,

  .defaults = {
    .hidden_size = 768,
    .embedding = {
      .n_positions = 8192,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 22,
      .vocab_size = 50368,
      .sorts[0] = {
        .self.n_heads = 12,
        .feed_forward = {
          .intermediate_size = 1152,
          .activation = ENG_ACTIVATION_GELU,
          .gated = TRUE,
        },
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
      },
      .final_norm = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 50283,
    .end_id = 50282,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .never_decodes = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "layers.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
