/* SPDX-License-Identifier: MIT */
/* Granite (Granite Team, IBM 2024): Llama's layers with four numbers of a maximal update
 * parametrisation, which multiply embeddings, scores, what sub-layers add, and logits. */
#include "engine/families/config-spec.h"
#include "engine/families/decoders/llama.h"

static const EngPart layer_parts[] = {
  ENG_LLAMA_LAYER_PARTS (ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_FEED_FORWARD),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngLayerSpec *layer = &spec->stacks[ENG_KIND_DECODER].sorts[0];
  double divisor = 1;

  spec->embedding.scale = layer->self.scale = layer->residual_scale = 1;
  if (!eng_config_read_factor (json, "embedding_multiplier", what, &spec->embedding.scale,
                               error) ||
      !eng_config_read_factor (json, "attention_multiplier", what, &layer->self.scale, error) ||
      !eng_config_read_factor (json, "residual_multiplier", what, &layer->residual_scale, error) ||
      !eng_config_read_factor (json, "logits_scaling", what, &divisor, error))
    return FALSE;
  config->logits_scale = 1 / divisor;

  return eng_llama_read_biases (json, what, config, error) &&
         eng_llama_read_rotary (json, what, config, error);
}

const EngFamily eng_family_granite = {
  .model_type = "granite",
  .title = "Granite",
  .year = 2024,
  .checkpoints = "ibm-granite/granite-3.0-2b-instruct",
  .class_prefix = "Granite",
  .tensor_prefix = "model.",
  .signature = NULL, /* others have the same names */

  .defaults = ENG_LLAMA_DEFAULTS (4096, 32, 32000, 2048, 1e-6f, -1, 2,
                                  ENG_LLAMA_LAYER (32, 0, 11008, 10000, SILU, PRE)),
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    eng_llama_parts, ENG_LLAMA_N_PARTS,
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = 1, /* the language model's */
};
