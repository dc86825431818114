/* SPDX-License-Identifier: MIT */
/* Gemma (Gemma Team 2024): Llama's layers over embeddings that are multiplied with √D; files hold
 * the weights of norms less 1. Gemma 2 has norms on both sides of its sub-layers, a window in every
 * other layer, and soft caps of scores and logits. Gemma 3 has norms of queries and keys instead of a
 * cap of scores, and other rotary positions where there is a window than elsewhere; EmbeddingGemma
 * (Vera et al. 2025) is the same as an encoder. */
#include "engine/families/config-spec.h"
#include "engine/families/decoders/llama.h"

#include <math.h>
#include <string.h>

static const EngPart parts[] = {
  ENG_LLAMA_WORDS_PART,
  ENG_NORM (Stack, "norm", final_norm, .bias = ENG_BIAS_NONE, .one_less = TRUE),
};

#define LAYER_NORM(name, member)                                                              \
  ENG_NORM (Layer, name, member, .bias = ENG_BIAS_NONE, .one_less = TRUE)
#define PRODUCTS                                                                              \
  ENG_LLAMA_PRODUCT_PARTS (ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_ATTENTION, ENG_BIAS_NONE)

static const EngPart layer_parts[] = {
  LAYER_NORM ("input_layernorm", self.norm),
  LAYER_NORM ("post_attention_layernorm", feed_forward_norm),
  PRODUCTS,
};

#define NORMS_ON_BOTH_SIDES                                                                   \
  LAYER_NORM ("input_layernorm", self.norm),                                                  \
  LAYER_NORM ("post_attention_layernorm", self.output_norm),                                  \
  LAYER_NORM ("pre_feedforward_layernorm", feed_forward_norm),                                \
  LAYER_NORM ("post_feedforward_layernorm", feed_forward_output_norm)

static const EngPart gemma2_layer_parts[] = { NORMS_ON_BOTH_SIDES, PRODUCTS };

static const EngPart gemma3_layer_parts[] = {
  NORMS_ON_BOTH_SIDES,
  ENG_QK_NORM ("self_attn.q_norm", self.query_norm, HEAD, .one_less = TRUE),
  ENG_QK_NORM ("self_attn.k_norm", self.key_norm, HEAD, .one_less = TRUE),
  PRODUCTS,
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

/* What all have in common. */
static gboolean
read_basics (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;
  EngAttentionSpec *heads = &spec->stacks[ENG_KIND_DECODER].sorts[0].self;

  spec->embedding.scale = sqrt (spec->hidden_size);

  return eng_json_get_boolean (json, "attention_bias", what, &heads->has_bias, error) &&
         eng_llama_read_rotary (json, what, config, error);
}

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngLayerSpec *layer = &config->spec.stacks[ENG_KIND_DECODER].sorts[0];

  return read_basics (json, what, config, error) &&
         read_activation (json, what, &layer->feed_forward, error);
}

/* hidden_activation is what counts; hidden_act stands beside it in some files. */
static gboolean
read_hidden_activation (const cJSON         *json,
                        const char          *what,
                        EngFeedForwardSpec  *feed_forward,
                        GError             **error)
{
  const char *name = "gelu_pytorch_tanh";

  return eng_json_get_string (json, "hidden_activation", what, &name, error) &&
         eng_config_find_activation (name, "hidden_activation", what, &feed_forward->activation,
                                     error);
}

/* null is none, nothing is what *cap is. */
static gboolean
read_cap (const cJSON  *json,
          const char   *key,
          const char   *what,
          double       *cap,
          GError      **error)
{
  const cJSON *item = eng_json_find (json, key);

  if (!item)
    return TRUE;
  if (cJSON_IsNull (item)) {
    *cap = 0;
    return TRUE;
  }
  return eng_config_read_factor (json, key, what, cap, error);
}

/* Of the second and third. */
static gboolean
read_later (const cJSON  *json,
            const char   *what,
            EngConfig    *config,
            int          *window,
            GError      **error)
{
  EngLayerSpec *layer = &config->spec.stacks[ENG_KIND_DECODER].sorts[0];
  double scalar = 256;

  *window = 4096;
  if (!read_basics (json, what, config, error) ||
      !read_hidden_activation (json, what, &layer->feed_forward, error) ||
      !read_cap (json, "final_logit_softcapping", what, &config->logits_soft_cap, error) ||
      !eng_config_read_factor (json, "query_pre_attn_scalar", what, &scalar, error) ||
      !eng_config_read_window (json, what, window, error))
    return FALSE;
  layer->self.scale = 1 / sqrt (scalar);

  return TRUE;
}

static gboolean
read_gemma2_config (const cJSON  *json,
                    const char   *what,
                    EngConfig    *config,
                    GError      **error)
{
  EngStackSpec *stack = &config->spec.stacks[ENG_KIND_DECODER];
  EngAttentionSpec *heads = &stack->sorts[0].self;
  int window;

  heads->soft_cap = 50;
  config->logits_soft_cap = 30;
  if (!read_later (json, what, config, &window, error) ||
      !read_cap (json, "attn_logit_softcapping", what, &heads->soft_cap, error))
    return FALSE;
  for (int i = 0; i < stack->n_layers; i += 2)
    stack->sort_of_layer[i] = ENG_SORT_WINDOWED;

  return eng_config_read_layer_types (json, what, window, stack, error);
}

/* Every sixth layer sees the whole text, unless the config says another number or lists them. */
static gboolean
read_pattern (const cJSON   *json,
              const char    *what,
              int            window,
              EngStackSpec  *stack,
              GError       **error)
{
  gint64 pattern = 6;

  if (!eng_json_get_int (json, "sliding_window_pattern", 1, G_MAXINT32, what, &pattern, error))
    return FALSE;
  for (int i = 0; i < stack->n_layers; i++)
    stack->sort_of_layer[i] = (i + 1) % pattern != 0 ? ENG_SORT_WINDOWED : 0;

  return eng_config_read_layer_types (json, what, window, stack, error);
}

/* The stack becomes an encoder: no query waits for the keys behind it. */
static void
read_both_ways (EngSpec *spec)
{
  EngStackSpec *encoder = &spec->stacks[ENG_KIND_ENCODER];
  EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];

  *encoder = *decoder;
  *decoder = (EngStackSpec) { 0 };
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++)
    encoder->sorts[sort].self.causal = FALSE;
}

static gboolean
read_gemma3_config (const cJSON  *json,
                    const char   *what,
                    EngConfig    *config,
                    GError      **error)
{
  EngStackSpec *stack = &config->spec.stacks[ENG_KIND_DECODER];
  EngAttentionSpec *heads = &stack->sorts[0].self;
  EngRotary local = { .size = heads->head_size, .base = 10000 };
  int n = config->spec.embedding.n_positions;
  gboolean both_ways = FALSE;
  int window;

  if (!eng_json_get_boolean (json, "use_bidirectional_attention", what, &both_ways, error) ||
      !read_later (json, what, config, &window, error) ||
      !eng_config_read_factor (json, "rope_local_base_freq", what, &local.base, error) ||
      !eng_config_read_layer_rotary (json, "full_attention", what, n, &heads->rotary,
                                     &stack->rotary_factors, error) ||
      !eng_config_read_layer_rotary (json, "sliding_attention", what, n, &local,
                                     &stack->rotary_factors, error) ||
      /* A window to both sides is as wide as the file says with the query in its middle. */
      !read_pattern (json, what, both_ways && window > 0 ? window / 2 + 1 : window, stack, error))
    return FALSE;
  stack->sorts[ENG_SORT_WINDOWED].self.rotary = local;
  if (both_ways)
    read_both_ways (&config->spec);

  return TRUE;
}

const EngFamily eng_family_gemma = {
  .model_type = "gemma",
  .title = "Gemma",
  .year = 2024,
  .checkpoints = "google/gemma-2b",
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

const EngFamily eng_family_gemma2 = {
  .model_type = "gemma2",
  .title = "Gemma 2",
  .year = 2024,
  .checkpoints = "google/gemma-2-2b",
  .class_prefix = "Gemma2",
  .tensor_prefix = "model.",
  .signature = NULL,

  .defaults = ENG_LLAMA_DEFAULTS (2304, 26, 256000, 8192, 1e-6f, 0, 1,
                                  ENG_LLAMA_LAYER (8, 4, 9216, 10000, GELU_TANH, BOTH,
                                                   .head_size = 256)),
  .tied = TRUE,
  .read = read_gemma2_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    parts, G_N_ELEMENTS (parts),
    gemma2_layer_parts, G_N_ELEMENTS (gemma2_layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = 3,
};

const EngFamily eng_family_gemma3 = {
  .model_type = "gemma3_text",
  .title = "Gemma 3",
  .year = 2025,
  .checkpoints = "google/gemma-3-270m, google/embeddinggemma-300m",
  .class_prefix = "Gemma3",
  .tensor_prefix = "model.",
  .signature = NULL,

  .defaults = ENG_LLAMA_DEFAULTS (2304, 26, 262208, 131072, 1e-6f, 0, 1,
                                  ENG_LLAMA_LAYER (8, 4, 9216, 1000000, GELU_TANH, BOTH,
                                                   .head_size = 256,
                                                   .qk_norm = ENG_QK_NORM_HEAD)),
  .tied = TRUE,
  .read = read_gemma3_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    parts, G_N_ELEMENTS (parts),
    gemma3_layer_parts, G_N_ELEMENTS (gemma3_layer_parts),
  },
  .heads = eng_llama_heads,
  .n_heads = 2, /* of the language model and of texts */
};
