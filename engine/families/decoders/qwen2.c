/* SPDX-License-Identifier: MIT */
/* Qwen2 (Yang et al. 2024): Llama's layers with biases of query, key and value, and layers that
 * look back no further than a window. */
#include "engine/families/decoders/llama.h"

static const EngPart layer_parts[] = {
  ENG_LLAMA_LAYER_PARTS (ENG_BIAS_NEEDED, ENG_BIAS_NONE, ENG_BIAS_NONE),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  return eng_llama_read_rotary (json, what, config, error) &&
         eng_llama_read_windows (json, what, config, error);
}

const EngFamily eng_family_qwen2 = {
  .model_type = "qwen2",
  .title = "Qwen2",
  .year = 2024,
  .checkpoints = "Qwen/Qwen2.5-0.5B",
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
