/* SPDX-License-Identifier: MIT */
/* SmolLM3 (Bakouch et al. 2025): Llama's layers, some of which have no positions: they do not turn
 * queries and keys (Yang et al. 2025, "Rope to Nope and Back Again"). */
#include "engine/families/config-spec.h"
#include "engine/families/decoders/llama.h"

/* A sort of layers without rotary positions stands so far behind the same sort with. */
#define UNTURNED 2

static const EngPart layer_parts[] = {
  ENG_LLAMA_LAYER_PARTS (ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_FEED_FORWARD),
};

/* no_rope_layers, for each layer 1 where it turns queries and keys and 0 where it does not; else
 * every layer turns but those with a number, from 1 on, that no_rope_layer_interval divides. */
static gboolean
read_turned (const cJSON  *json,
             const char   *what,
             int           n_layers,
             gboolean     *turned,
             GError      **error)
{
  const cJSON *list = eng_json_find (json, "no_rope_layers");
  const cJSON *item;
  gint64 interval = 4;
  int layer = 0;

  if (!eng_json_get_int (json, "no_rope_layer_interval", 1, G_MAXINT32, what, &interval, error))
    return FALSE;
  for (int i = 0; i < n_layers; i++)
    turned[i] = (i + 1) % interval != 0;
  if (!list || cJSON_IsNull (list))
    return TRUE;

  cJSON_ArrayForEach (item, list) {
    if (layer == n_layers || !cJSON_IsNumber (item))
      break;
    turned[layer++] = item->valuedouble != 0;
  }
  if (cJSON_IsArray (list) && layer == n_layers)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: no_rope_layers is no list of %d numbers, one a layer", what, n_layers);
  return FALSE;
}

/* Where the config does not list the layers that have a window, those have it that turn nothing. */
static gboolean
read_layers (const cJSON   *json,
             const char    *what,
             EngStackSpec  *stack,
             GError       **error)
{
  gboolean turned[ENG_MAX_LAYERS];
  gboolean has_window = FALSE;
  int window = 0;

  if (!read_turned (json, what, stack->n_layers, turned, error) ||
      !eng_json_get_boolean (json, "use_sliding_window", what, &has_window, error) ||
      !eng_config_read_window (json, what, &window, error))
    return FALSE;

  for (int layer = 0; layer < stack->n_layers && has_window && window > 0; layer++)
    stack->sort_of_layer[layer] = turned[layer] ? 0 : ENG_SORT_WINDOWED;
  if (!eng_config_read_layer_types (json, what, window, stack, error))
    return FALSE;

  for (int sort = 0; sort < UNTURNED; sort++) {
    stack->sorts[sort + UNTURNED] = stack->sorts[sort];
    stack->sorts[sort + UNTURNED].self.rotary.size = 0;
  }
  for (int layer = 0; layer < stack->n_layers; layer++)
    if (!turned[layer])
      stack->sort_of_layer[layer] += UNTURNED;

  return TRUE;
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  return eng_llama_read_biases (json, what, config, error) &&
         eng_llama_read_rotary (json, what, config, error) &&
         read_layers (json, what, &config->spec.stacks[ENG_KIND_DECODER], error);
}

const EngFamily eng_family_smollm3 = {
  .model_type = "smollm3",
  .title = "SmolLM3",
  .year = 2025,
  .checkpoints = "HuggingFaceTB/SmolLM3-3B",
  .class_prefix = "SmolLM3",
  .tensor_prefix = "model.",
  .other_prefix = "transformer.",
  .signature = NULL, /* others have the same names */

  .defaults = ENG_LLAMA_DEFAULTS (2048, 36, 128256, 32768, 1e-6f, 128004, 128001,
                                  ENG_LLAMA_LAYER (16, 4, 11008, 2000000, SILU, PRE)),
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = ENG_LLAMA_N_HEADS,
};
