/* SPDX-License-Identifier: MIT */
/* GPT-NeoX and Pythia (Black et al. 2022; Biderman et al. 2023): decoder whose sub-layers stand side
 * by side, each behind a norm of its own, with rotary positions in a part of each head; query, key
 * and value lie in one matrix, head by head. */
#include "engine/families/config-spec.h"
#include "engine/families/decoders/llama.h"
#include "engine/families/head-parts.h"

#define WORDS "embed_in.weight"
#define OUTPUT_WORDS "embed_out"
#define NEWER_OUTPUT_WORDS "lm_head.weight"

static const EngPart parts[] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN,
             .tied_to = { OUTPUT_WORDS ".weight", NEWER_OUTPUT_WORDS }),
  ENG_NORM (Stack, "final_layer_norm", final_norm),
};

#define THIRD(n)                                                                              \
  ENG_BIAS_OF_ATTENTION, .n_slices = 3,                                                       \
  .slices = { ENG_SIZE_HEADS, ENG_SIZE_HEADS, ENG_SIZE_HEADS }, .slice = n, .by_head = TRUE

static const EngPart layer_parts[] = {
  ENG_NORM (Layer, "input_layernorm", self.norm),
  ENG_LINEAR (Layer, "attention.query_key_value", self.query, HEADS, HIDDEN, THIRD (0)),
  ENG_LINEAR (Layer, "attention.query_key_value", self.key, HEADS, HIDDEN, THIRD (1)),
  ENG_LINEAR (Layer, "attention.query_key_value", self.value, HEADS, HIDDEN, THIRD (2)),
  ENG_LINEAR (Layer, "attention.dense", self.output, HIDDEN, HEADS, ENG_BIAS_OF_ATTENTION),
  ENG_NORM (Layer, "post_attention_layernorm", feed_forward_norm),
  ENG_LINEAR (Layer, "mlp.dense_h_to_4h", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "mlp.dense_4h_to_h", down, HIDDEN, INTERMEDIATE),
};

static const EngPart next_word[] = {
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, ENG_BIAS_NONE,
              .aliases = { NEWER_OUTPUT_WORDS }, .tied_to = { WORDS }),
};

static gboolean
predicts_words (const EngConfig *config,
                GHashTable      *names)
{
  return g_hash_table_contains (names, OUTPUT_WORDS ".weight") ||
         eng_family_predicts_words (config, names);
}

static const EngHeadParts heads[] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, predicts_words,
    .classes = { "ForCausalLM" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  ENG_SCORE_HEAD (),
  ENG_ENTITIES_HEAD (),
  ENG_ANSWER_HEAD,
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngLayerSpec *layer = &config->spec.stacks[ENG_KIND_DECODER].sorts[0];

  return eng_json_get_boolean (json, "attention_bias", what, &layer->self.has_bias, error) &&
         eng_json_get_boolean (json, "use_parallel_residual", what, &layer->parallel, error) &&
         eng_config_read_factor (json, "rotary_emb_base", what, &layer->self.rotary.base, error) &&
         eng_config_read_partial_rotary (json, "rotary_pct", what, 0.25, &layer->self, error) &&
         eng_llama_read_rotary (json, what, config, error);
}

const EngFamily eng_family_gpt_neox = {
  .model_type = "gpt_neox",
  .title = "GPT-NeoX",
  .year = 2022,
  .checkpoints = "EleutherAI/pythia-70m",
  .class_prefix = "GPTNeoX",
  .tensor_prefix = "gpt_neox.",
  .signature = WORDS,

  .defaults = {
    .hidden_size = 6144,
    .embedding = { .positions = ENG_POSITIONS_NONE, .n_positions = 2048 },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 44,
      .vocab_size = 50432,
      .sorts[0] = {
        .self = { .n_heads = 64, .causal = TRUE, .has_bias = TRUE, .rotary.base = 10000 },
        .feed_forward = { .intermediate_size = 24576, .activation = ENG_ACTIVATION_GELU },
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
        .parallel = TRUE,
      },
      .final_norm = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = -1,
    .end_id = 2,
    .decoder_start_id = -1,
  },
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "layers.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
