/* SPDX-License-Identifier: MIT */
/* Gemma (Gemma Team 2024): Llama's layers over embeddings that are multiplied with √D; files hold
 * the weights of norms less 1. */
#include "engine/families/llama.h"

#include <math.h>
#include <string.h>

static const EngPart parts[] = {
  ENG_LLAMA_WORDS_PART,
  ENG_NORM (Stack, "norm", final_norm, .bias = ENG_BIAS_NONE, .one_less = TRUE),
};

static const EngPart layer_parts[] = {
  ENG_NORM (Layer, "input_layernorm", self.norm, .bias = ENG_BIAS_NONE, .one_less = TRUE),
  ENG_NORM (Layer, "post_attention_layernorm", feed_forward_norm, .bias = ENG_BIAS_NONE,
            .one_less = TRUE),
  ENG_LLAMA_PRODUCT_PARTS (ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_ATTENTION, ENG_BIAS_NONE),
};

/* The first files say "gelu" and were trained with its approximation. */
static gboolean
read_activation (const cJSON         *json,
                 const char          *what,
                 EngFeedForwardSpec  *feed_forward,
                 GError             **error)
{
  const char *name = NULL;

  if (!eng_json_get_string (json, "hidden_act", what, &name, error))
    return FALSE;
  if (name && strcmp (name, "gelu") == 0)
    feed_forward->activation = ENG_ACTIVATION_GELU_TANH;

  return TRUE;
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngLayerSpec *layer = &spec->stacks[ENG_KIND_DECODER].sorts[0];

  spec->embedding.scale = sqrt (spec->hidden_size);

  return eng_json_get_boolean (json, "attention_bias", what, &layer->self.has_bias, error) &&
         read_activation (json, what, &layer->feed_forward, error) &&
         eng_llama_read_rotary (json, what, config, error);
}

const EngFamily eng_family_gemma = {
  .model_type = "gemma",
  .class_prefix = "Gemma",
  .tensor_prefix = "model.",
  .signature = NULL, /* others have the same names */

  .defaults = ENG_LLAMA_DEFAULTS (3072, 28, 256000, 8192, 1e-6f, 0, 1,
                                  ENG_LLAMA_LAYER (16, 16, 24576, 10000, GELU_TANH, PRE,
                                                   .head_size = 256)),
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = 3, /* of the language model, of texts and of tokens */
};
