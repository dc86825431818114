/* SPDX-License-Identifier: MIT */
/* GPT-Neo (Black et al. 2021): GPT-2's data flow with matrices as they are multiplied, scores that
 * are not scaled, and a window in every other layer. */
#include "engine/families/config-spec.h"
#include "engine/families/decoders/gpt2.h"

#include <string.h>

static const EngPart layer_parts[] = {
  ENG_NORM (Layer, "ln_1", self.norm),
  ENG_LINEAR (Layer, "attn.attention.q_proj", self.query, HEADS, HIDDEN, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "attn.attention.k_proj", self.key, HEADS, HIDDEN, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "attn.attention.v_proj", self.value, HEADS, HIDDEN, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "attn.attention.out_proj", self.output, HIDDEN, HEADS),
  ENG_NORM (Layer, "ln_2", feed_forward_norm),
  ENG_LINEAR (Layer, "mlp.c_fc", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "mlp.c_proj", down, HIDDEN, INTERMEDIATE),
};

/* key says where the type stands, for the refusal; a layer behind the last is refused when all are
 * counted. */
static gboolean
set_type (const cJSON   *item,
          int            layer,
          const char    *key,
          const char    *what,
          EngStackSpec  *stack,
          GError       **error)
{
  const char *type = cJSON_IsString (item) ? item->valuestring : "";
  gboolean windowed = strcmp (type, "local") == 0;

  if (!windowed && strcmp (type, "global") != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: %s has \"%s\" for layer %d, expected \"global\" or \"local\"", what, key,
                 type, layer);
    return FALSE;
  }
  if (layer < stack->n_layers)
    stack->sort_of_layer[layer] = windowed ? ENG_SORT_WINDOWED : 0;

  return TRUE;
}

/* Sets the types of a list's layers, again and again if need be; *layer (in, out) is the next. */
static gboolean
set_types (const cJSON   *types,
           int            n_times,
           const char    *key,
           const char    *what,
           EngStackSpec  *stack,
           int           *layer,
           GError       **error)
{
  const cJSON *item;

  if (!cJSON_IsArray (types) || !types->child)
    n_times = 0;
  for (int time = 0; time < n_times && *layer <= stack->n_layers; time++)
    cJSON_ArrayForEach (item, types)
      if (!set_type (item, (*layer)++, key, what, stack, error))
        return FALSE;

  return TRUE;
}

/* [[["global", "local"], 12]]: these two, twelve times. */
static gboolean
read_types (const cJSON   *json,
            const char    *what,
            EngStackSpec  *stack,
            int           *layer,
            GError       **error)
{
  const char *key = "attention_types";
  const cJSON *list = eng_json_find (json, key);
  const cJSON *entry;

  cJSON_ArrayForEach (entry, list) {
    const cJSON *types = cJSON_GetArrayItem (entry, 0), *count = cJSON_GetArrayItem (entry, 1);
    double n_times = cJSON_IsNumber (count) ? count->valuedouble : 0;

    if (!set_types (types, n_times >= 1 ? (int) MIN (n_times, ENG_MAX_LAYERS) : 0, key, what,
                    stack, layer, error))
      return FALSE;
  }

  return TRUE;
}

static gboolean
read_layers (const cJSON   *json,
             const char    *what,
             EngStackSpec  *stack,
             GError       **error)
{
  const char *key = "attention_layers";
  const cJSON *layers = eng_json_find (json, key);
  int n = 0;

  if (cJSON_IsArray (layers)) {
    if (!set_types (layers, 1, key, what, stack, &n, error))
      return FALSE;
  } else if (eng_json_find (json, "attention_types")) {
    key = "attention_types";
    if (!read_types (json, what, stack, &n, error))
      return FALSE;
  } else {
    for (; n < stack->n_layers; n++)
      stack->sort_of_layer[n] = n % 2 ? ENG_SORT_WINDOWED : 0;
  }
  if (n == stack->n_layers)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: %s has types for %s%d layers, expected the %d of num_layers", what, key,
               n > stack->n_layers ? "at least " : "", n, stack->n_layers);
  return FALSE;
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngStackSpec *stack = &config->spec.stacks[ENG_KIND_DECODER];
  gint64 window = 256;

  if (!eng_json_get_int (json, "window_size", 1, G_MAXINT32, what, &window, error))
    return FALSE;
  stack->sorts[ENG_SORT_WINDOWED] = stack->sorts[0];
  stack->sorts[ENG_SORT_WINDOWED].self.window = (int) window;

  return read_layers (json, what, stack, error);
}

const EngFamily eng_family_gpt_neo = {
  .model_type = "gpt_neo",
  .title = "GPT-Neo",
  .year = 2021,
  .checkpoints = "EleutherAI/gpt-neo-125m",
  .class_prefix = "GPTNeo",
  .tensor_prefix = "transformer.",
  .signature = "h.0.attn.attention.q_proj.weight",

  .defaults = {
    .hidden_size = 2048,
    .embedding = { .positions = ENG_POSITIONS_TABLE, .n_positions = 2048 },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 24,
      .vocab_size = 50257,
      .sorts[0] = {
        .self = { .n_heads = 16, .causal = TRUE, .scale = 1 },
        .feed_forward.activation = ENG_ACTIVATION_GELU_TANH,
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
      },
      .final_norm = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = -1,
    .end_id = 50256,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "h.",
    eng_gpt2_parts, ENG_GPT2_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_gpt2_heads,
  .n_heads = ENG_GPT2_N_HEADS,
};
