/* SPDX-License-Identifier: MIT */
/* OLMo 2 (Team OLMo 2024): Llama's layers with norms on what sub-layers give instead of on what they
 * read, and of the queries and keys of all heads together. */
#include "engine/families/decoders/llama.h"

static const EngPart layer_parts[] = {
  ENG_LLAMA_PRODUCT_PARTS (ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_ATTENTION, ENG_BIAS_NONE),
  ENG_QK_NORM ("self_attn.q_norm", self.query_norm, HEADS),
  ENG_QK_NORM ("self_attn.k_norm", self.key_norm, KV_HEADS),
  ENG_NORM (Layer, "post_attention_layernorm", self.norm, .bias = ENG_BIAS_NONE),
  ENG_NORM (Layer, "post_feedforward_layernorm", feed_forward_norm, .bias = ENG_BIAS_NONE),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngAttentionSpec *heads = &config->spec.stacks[ENG_KIND_DECODER].sorts[0].self;

  return eng_json_get_boolean (json, "attention_bias", what, &heads->has_bias, error) &&
         eng_llama_read_rotary (json, what, config, error);
}

const EngFamily eng_family_olmo2 = {
  .model_type = "olmo2",
  .title = "OLMo 2",
  .year = 2024,
  .checkpoints = "allenai/OLMo-2-0425-1B",
  .class_prefix = "Olmo2",
  .tensor_prefix = "model.",
  .signature = NULL, /* others have the same names */

  .defaults = ENG_LLAMA_DEFAULTS (4096, 32, 50304, 2048, 1e-5f, 1, 50279,
                                  ENG_LLAMA_LAYER (32, 0, 11008, 10000, SILU, MIXED,
                                                   .qk_norm = ENG_QK_NORM_ALL)),
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = 2, /* of the language model and of texts */
};
