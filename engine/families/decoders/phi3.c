/* SPDX-License-Identifier: MIT */
/* Phi-3 (Abdin et al. 2024): Llama's layers without biases; query, key and value lie in one matrix,
 * gate and up in another, and every layer has the window, if there is one. */
#include "engine/families/config-spec.h"
#include "engine/families/decoders/llama.h"

#define OF_QKV(n)                                                                             \
  ENG_BIAS_NONE, .n_slices = 3,                                                               \
  .slices = { ENG_SIZE_HEADS, ENG_SIZE_KV_HEADS, ENG_SIZE_KV_HEADS }, .slice = n
#define OF_GATE_AND_UP(n)                                                                     \
  ENG_BIAS_NONE, .n_slices = 2,                                                               \
  .slices = { ENG_SIZE_INTERMEDIATE, ENG_SIZE_INTERMEDIATE }, .slice = n

static const EngPart layer_parts[] = {
  ENG_LLAMA_NORM_PARTS,
  ENG_LINEAR (Layer, "self_attn.qkv_proj", self.query, HEADS, HIDDEN, OF_QKV (0)),
  ENG_LINEAR (Layer, "self_attn.qkv_proj", self.key, KV_HEADS, HIDDEN, OF_QKV (1)),
  ENG_LINEAR (Layer, "self_attn.qkv_proj", self.value, KV_HEADS, HIDDEN, OF_QKV (2)),
  ENG_LINEAR (Layer, "self_attn.o_proj", self.output, HIDDEN, HEADS, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "mlp.gate_up_proj", gate, INTERMEDIATE, HIDDEN, OF_GATE_AND_UP (0)),
  ENG_LINEAR (Layer, "mlp.gate_up_proj", up, INTERMEDIATE, HIDDEN, OF_GATE_AND_UP (1)),
  ENG_LINEAR (Layer, "mlp.down_proj", down, HIDDEN, INTERMEDIATE, ENG_BIAS_NONE),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngAttentionSpec *heads = &config->spec.stacks[ENG_KIND_DECODER].sorts[0].self;

  heads->rotary.long_anew = TRUE;
  return eng_config_read_partial_rotary (json, "partial_rotary_factor", what, 1, heads, error) &&
         eng_llama_read_rotary (json, what, config, error) &&
         eng_config_read_window (json, what, &heads->window, error);
}

const EngFamily eng_family_phi3 = {
  .model_type = "phi3",
  .title = "Phi-3",
  .year = 2024,
  .checkpoints = "microsoft/Phi-3-mini-4k-instruct",
  .class_prefix = "Phi3",
  .tensor_prefix = "model.",
  .signature = NULL, /* others have the same names */

  .defaults = ENG_LLAMA_DEFAULTS (3072, 32, 32064, 4096, 1e-5f, 32000, 32000,
                                  ENG_LLAMA_LAYER (32, 0, 8192, 10000, SILU, PRE,
                                                   .rotary.original_positions = 4096)),
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = 3, /* of the language model, of texts and of tokens */
};
