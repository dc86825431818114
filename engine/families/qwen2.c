/* SPDX-License-Identifier: MIT */
/* Qwen2 (Yang et al. 2024): Llama's layers with biases of query, key and value, and layers that
 * look back no further than a window. */
#include "engine/families/llama.h"

#include "engine/checkpoint/config-spec.h"

static const EngPart layer_parts[] = {
  { ENG_PART_NORM, "input_layernorm", G_STRUCT_OFFSET (EngLayerWeights, self.norm),
    ENG_SIZE_HIDDEN, .bias = ENG_BIAS_NONE },
  { ENG_PART_LINEAR, "self_attn.q_proj", G_STRUCT_OFFSET (EngLayerWeights, self.query),
    ENG_SIZE_HEADS, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "self_attn.k_proj", G_STRUCT_OFFSET (EngLayerWeights, self.key),
    ENG_SIZE_KV_HEADS, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "self_attn.v_proj", G_STRUCT_OFFSET (EngLayerWeights, self.value),
    ENG_SIZE_KV_HEADS, ENG_SIZE_HIDDEN },
  { ENG_PART_LINEAR, "self_attn.o_proj", G_STRUCT_OFFSET (EngLayerWeights, self.output),
    ENG_SIZE_HIDDEN, ENG_SIZE_HEADS, ENG_BIAS_NONE },
  { ENG_PART_NORM, "post_attention_layernorm", G_STRUCT_OFFSET (EngLayerWeights, feed_forward_norm),
    ENG_SIZE_HIDDEN, .bias = ENG_BIAS_NONE },
  { ENG_PART_LINEAR, "mlp.gate_proj", G_STRUCT_OFFSET (EngLayerWeights, gate),
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN, ENG_BIAS_NONE },
  { ENG_PART_LINEAR, "mlp.up_proj", G_STRUCT_OFFSET (EngLayerWeights, up),
    ENG_SIZE_INTERMEDIATE, ENG_SIZE_HIDDEN, ENG_BIAS_NONE },
  { ENG_PART_LINEAR, "mlp.down_proj", G_STRUCT_OFFSET (EngLayerWeights, down),
    ENG_SIZE_HIDDEN, ENG_SIZE_INTERMEDIATE, ENG_BIAS_NONE },
};

/* Layers from max_window_layers on have the window, unless layer_types says layer by layer. */
static gboolean
read_window (const cJSON   *json,
             const char    *what,
             EngStackSpec  *stack,
             GError       **error)
{
  const cJSON *item = eng_json_find (json, "sliding_window");
  gboolean has_window = FALSE;
  gint64 window = 4096, first = 28;

  if (!eng_json_get_boolean (json, "use_sliding_window", what, &has_window, error) ||
      !eng_json_get_int (json, "sliding_window", 1, G_MAXINT32, what, &window, error) ||
      !eng_json_get_int (json, "max_window_layers", 0, G_MAXINT32, what, &first, error))
    return FALSE;

  if (has_window && !(item && cJSON_IsNull (item))) {
    stack->window = (int) window;
    for (int layer = (int) first; layer < stack->n_layers; layer++)
      eng_stack_spec_set_windowed (stack, layer, TRUE);
  }

  return eng_config_read_layer_types (json, what, stack, error);
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  return eng_llama_read_rotary (json, what, config, error) &&
         read_window (json, what, &config->spec.stacks[ENG_KIND_DECODER], error);
}

const EngFamily eng_family_qwen2 = {
  .model_type = "qwen2",
  .class_prefix = "Qwen2",
  .tensor_prefix = "model.",
  .other_prefix = "transformer.",
  .signature = NULL, /* others have the same names */

  .defaults = {
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 32,
      .n_heads = 32,
      .intermediate_size = 22016,
      .vocab_size = 151936,
      .causal = TRUE,
    },
    .hidden_size = 4096,
    .positions = ENG_POSITIONS_NONE,
    .n_positions = 32768,
    .rotary.base = 10000,
    .norm_kind = ENG_NORM_RMS,
    .attention_norm = ENG_NORM_PRE,
    .feed_forward_norm = ENG_NORM_PRE,
    .norm_eps = 1e-6f,
    .final_norm = TRUE,
    .activation = ENG_ACTIVATION_SILU,
    .gated = TRUE,
    .pad_id = -1,
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = ENG_LLAMA_N_HEADS,
};
