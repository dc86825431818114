/* SPDX-License-Identifier: MIT */
/* Qwen3 (Yang et al. 2025): Llama's layers, queries and keys normed head by head, windows as
 * Qwen2's. */
#include "engine/families/decoders/llama.h"

static const EngPart layer_parts[] = {
  ENG_LLAMA_LAYER_PARTS (ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_ATTENTION, ENG_BIAS_NONE),
  ENG_QK_NORM ("self_attn.q_norm", self.query_norm, HEAD),
  ENG_QK_NORM ("self_attn.k_norm", self.key_norm, HEAD),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngAttentionSpec *heads = &config->spec.stacks[ENG_KIND_DECODER].sorts[0].self;

  return eng_json_get_boolean (json, "attention_bias", what, &heads->has_bias, error) &&
         eng_llama_read_rotary (json, what, config, error) &&
         eng_llama_read_windows (json, what, config, error);
}

const EngFamily eng_family_qwen3 = {
  .model_type = "qwen3",
  .title = "Qwen3",
  .year = 2025,
  .checkpoints = "Qwen/Qwen3-0.6B",
  .class_prefix = "Qwen3",
  .tensor_prefix = "model.",
  .other_prefix = "transformer.",
  .signature = NULL, /* a config must say which windows there are */

  .defaults = ENG_LLAMA_DEFAULTS (4096, 32, 151936, 32768, 1e-6f, -1, -1,
                                  ENG_LLAMA_LAYER (32, 32, 22016, 10000, SILU, PRE,
                                                   .head_size = 128,
                                                   .qk_norm = ENG_QK_NORM_HEAD)),
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = ENG_LLAMA_N_HEADS,
};
