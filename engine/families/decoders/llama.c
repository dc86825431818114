/* SPDX-License-Identifier: MIT */
/* Llama (Touvron et al. 2023; Grattafiori et al. 2024): pre-norm decoder with RMS norms, rotary
 * positions, a gated feed-forward and, from the second on, several query heads to a key head. */
#include "engine/families/decoders/llama.h"

#include "engine/families/config-spec.h"
#include "engine/families/head-parts.h"

const EngPart eng_llama_parts[ENG_LLAMA_N_PARTS] = {
  ENG_LLAMA_WORDS_PART,
  ENG_NORM (Stack, "norm", final_norm, .bias = ENG_BIAS_NONE),
};

static const EngPart layer_parts[] = {
  ENG_LLAMA_LAYER_PARTS (ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_ATTENTION, ENG_BIAS_OF_FEED_FORWARD),
};

static const EngPart next_word[] = {
  ENG_LINEAR (Head, ENG_LLAMA_OUTPUT_WORDS, output, VOCABULARY, HIDDEN, ENG_BIAS_NONE,
              .tied_to = { ENG_LLAMA_WORDS }),
};

static const EngPart token_classifier[] = {
  ENG_LINEAR (Head, "score", output, LABELS, HIDDEN),
};

/* One tensor name serves two heads; that of texts has no bias. */
static gboolean
classifies_tokens (const EngConfig *config,
                   GHashTable      *names)
{
  return g_hash_table_contains (names, "score.bias");
}

static gboolean
classifies_texts (const EngConfig *config,
                  GHashTable      *names)
{
  return !classifies_tokens (config, names);
}

const EngHeadParts eng_llama_heads[ENG_LLAMA_N_HEADS] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_family_predicts_words,
    .classes = { "ForCausalLM" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  ENG_SCORE_HEAD (.applies = classifies_texts),
  { ENG_TASK_ENTITIES, "score.weight", classifies_tokens,
    .classes = { "ForTokenClassification" }, .input = ENG_HEAD_TOKENS,
    .parts = token_classifier, .n_parts = G_N_ELEMENTS (token_classifier) },
  ENG_ANSWER_HEAD,
};

gboolean
eng_llama_read_rotary (const cJSON  *json,
                       const char   *what,
                       EngConfig    *config,
                       GError      **error)
{
  EngStackSpec *stack = &config->spec.stacks[ENG_KIND_DECODER];
  EngAttentionSpec *heads = &stack->sorts[0].self;

  if (heads->rotary.size == 0)
    heads->rotary.size = heads->head_size;

  return eng_config_read_rotary (json, what, config->spec.embedding.n_positions, &heads->rotary,
                                 &stack->rotary_factors, error);
}

gboolean
eng_llama_read_biases (const cJSON  *json,
                       const char   *what,
                       EngConfig    *config,
                       GError      **error)
{
  EngLayerSpec *layer = &config->spec.stacks[ENG_KIND_DECODER].sorts[0];

  return eng_json_get_boolean (json, "attention_bias", what, &layer->self.has_bias, error) &&
         eng_json_get_boolean (json, "mlp_bias", what, &layer->feed_forward.has_bias, error);
}

gboolean
eng_llama_read_windows (const cJSON  *json,
                        const char   *what,
                        EngConfig    *config,
                        GError      **error)
{
  EngStackSpec *stack = &config->spec.stacks[ENG_KIND_DECODER];
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
  return eng_llama_read_biases (json, what, config, error) &&
         eng_llama_read_rotary (json, what, config, error);
}

const EngFamily eng_family_llama = {
  .model_type = "llama",
  .title = "Llama",
  .year = 2023,
  .checkpoints = "HuggingFaceTB/SmolLM2-135M, meta-llama/Llama-3.2-1B",
  .class_prefix = "Llama",
  .tensor_prefix = "model.",
  .other_prefix = "transformer.",
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
  .n_heads = ENG_LLAMA_N_HEADS,
};
