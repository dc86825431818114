/* SPDX-License-Identifier: MIT */
/* Mistral (Jiang et al. 2023): Llama's layers without biases; every layer looks back no further than
 * a window, if there is one. */
#include "engine/families/config-spec.h"
#include "engine/families/decoders/llama.h"

static const EngPart layer_parts[] = {
  ENG_LLAMA_LAYER_PARTS (ENG_BIAS_NONE, ENG_BIAS_NONE, ENG_BIAS_NONE),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngAttentionSpec *heads = &config->spec.stacks[ENG_KIND_DECODER].sorts[0].self;

  heads->window = 4096;

  return eng_llama_read_rotary (json, what, config, error) &&
         eng_config_read_window (json, what, &heads->window, error);
}

const EngFamily eng_family_mistral = {
  .model_type = "mistral",
  .title = "Mistral",
  .year = 2023,
  .checkpoints = "mistralai/Mistral-7B-v0.1",
  .class_prefix = "Mistral",
  .tensor_prefix = "model.",
  .other_prefix = "transformer.",
  .signature = NULL, /* others have the same names */

  .defaults = ENG_LLAMA_DEFAULTS (4096, 32, 32000, 131072, 1e-6f, -1, 2,
                                  ENG_LLAMA_LAYER (32, 8, 14336, 10000, SILU, PRE)),
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = ENG_LLAMA_N_HEADS,
};
