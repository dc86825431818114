/* SPDX-License-Identifier: MIT */
/* Qwen2 (Yang et al. 2024): Llama's layers with biases of query, key and value, and layers that
 * look back no further than a window. */
#include "engine/families/config-spec.h"
#include "engine/families/llama.h"

static const EngPart layer_parts[] = {
  ENG_LLAMA_LAYER_PARTS (ENG_BIAS_NEEDED, ENG_BIAS_NONE, ENG_BIAS_NONE),
};

/* Layers from max_window_layers on have the window, unless layer_types says layer by layer. */
static gboolean
read_windows (const cJSON   *json,
              const char    *what,
              EngStackSpec  *stack,
              GError       **error)
{
  gboolean has_window = FALSE;
  gint64 first = 28;
  int window = 4096;

  if (!eng_json_get_boolean (json, "use_sliding_window", what, &has_window, error) ||
      !eng_config_read_window (json, what, &window, error) ||
      !eng_json_get_int (json, "max_window_layers", 0, G_MAXINT32, what, &first, error))
    return FALSE;

  if (!has_window)
    window = 0;
  for (gint64 layer = first; layer < stack->n_layers && window > 0; layer++)
    stack->sort_of_layer[layer] = ENG_SORT_WINDOWED;

  return eng_config_read_layer_types (json, what, window, stack, error);
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  return eng_llama_read_rotary (json, what, config, error) &&
         read_windows (json, what, &config->spec.stacks[ENG_KIND_DECODER], error);
}

const EngFamily eng_family_qwen2 = {
  .model_type = "qwen2",
  .class_prefix = "Qwen2",
  .tensor_prefix = "model.",
  .other_prefix = "transformer.",
  .signature = NULL, /* others have the same names */

  .defaults = ENG_LLAMA_DEFAULTS (4096, 32, 151936, 32768, 1e-6f, -1, -1,
                                  ENG_LLAMA_LAYER (32, 0, 22016, 10000, SILU, PRE)),
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = ENG_LLAMA_N_HEADS,
};
