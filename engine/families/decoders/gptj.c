/* SPDX-License-Identifier: MIT */
/* GPT-J (Wang and Komatsuzaki 2021): decoder whose sub-layers stand side by side behind one norm,
 * with rotary positions of features beside each other in a part of each head, no biases of the
 * attention, and an output of words with one. */
#include "engine/families/config-spec.h"
#include "engine/families/head-parts.h"

#define WORDS "wte.weight"
#define OUTPUT_WORDS "lm_head"

static const EngPart parts[] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" }),
  ENG_NORM (Stack, "ln_f", final_norm),
};

static const EngPart layer_parts[] = {
  ENG_NORM (Layer, "ln_1", self.norm),
  ENG_NORM (Layer, "ln_1", feed_forward_norm),
  ENG_LINEAR (Layer, "attn.q_proj", self.query, HEADS, HIDDEN, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "attn.k_proj", self.key, HEADS, HIDDEN, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "attn.v_proj", self.value, HEADS, HIDDEN, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "attn.out_proj", self.output, HIDDEN, HEADS, ENG_BIAS_NONE),
  ENG_LINEAR (Layer, "mlp.fc_in", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "mlp.fc_out", down, HIDDEN, INTERMEDIATE),
};

static const EngPart next_word[] = {
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, .tied_to = { WORDS }),
};

static const EngHeadParts heads[] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_family_predicts_words,
    .classes = { "ForCausalLM" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  ENG_SCORE_HEAD (),
  ENG_ANSWER_HEAD,
};

/* A null would have the reference turn each head by angles for all of them. */
static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngRotary *rotary = &config->spec.stacks[ENG_KIND_DECODER].sorts[0].self.rotary;
  const cJSON *item = eng_json_find (json, "rotary_dim");
  gint64 size = 64;

  if (item && cJSON_IsNull (item)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s: rotary_dim is null, expected how many features of a head are turned", what);
    return FALSE;
  }
  if (!eng_json_get_int (json, "rotary_dim", 1, 1 << 16, what, &size, error))
    return FALSE;
  rotary->size = (int) size;

  return TRUE;
}

const EngFamily eng_family_gptj = {
  .model_type = "gptj",
  .title = "GPT-J",
  .year = 2021,
  .checkpoints = "EleutherAI/gpt-j-6b",
  .class_prefix = "GPTJ",
  .tensor_prefix = "transformer.",
  .signature = "h.0.mlp.fc_in.weight",

  .defaults = {
    .hidden_size = 4096,
    .embedding = { .positions = ENG_POSITIONS_NONE, .n_positions = 2048 },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 28,
      .vocab_size = 50400,
      .sorts[0] = {
        .self = { .n_heads = 16, .causal = TRUE, .rotary = { .adjacent = TRUE, .base = 10000 } },
        .feed_forward.activation = ENG_ACTIVATION_GELU_TANH,
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
        .parallel = TRUE,
      },
      .final_norm = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = -1,
    .end_id = 50256,
    .decoder_start_id = -1,
  },
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "h.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
