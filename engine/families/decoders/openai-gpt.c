/* SPDX-License-Identifier: MIT */
/* The first GPT (Radford et al. 2018): GPT-2's layers with norms behind their sub-layers, and none
 * behind the last layer. */
#include "engine/families/decoders/gpt2.h"
#include "engine/families/head-parts.h"

#define WORDS "tokens_embed.weight"
#define OUTPUT_WORDS "lm_head"

static const EngPart parts[] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" }),
  ENG_TABLE ("positions_embed.weight", position, POSITIONS, HIDDEN),
};

static const EngPart next_word[] = {
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, ENG_BIAS_NONE, .tied_to = { WORDS }),
};

static const EngHeadParts heads[] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_family_predicts_words,
    .classes = { "LMHeadModel", "DoubleHeadsModel" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  ENG_SCORE_HEAD (),
};

/* What these files call "gelu" is its approximation. */
static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngActivation *activation =
    &config->spec.stacks[ENG_KIND_DECODER].sorts[0].feed_forward.activation;

  if (*activation == ENG_ACTIVATION_GELU)
    *activation = ENG_ACTIVATION_GELU_TANH;

  return TRUE;
}

const EngFamily eng_family_openai_gpt = {
  .model_type = "openai-gpt",
  .title = "GPT",
  .year = 2018,
  .checkpoints = "openai-gpt",
  .class_prefix = "OpenAIGPT",
  .tensor_prefix = "transformer.",
  .signature = WORDS,

  .defaults = {
    .hidden_size = 768,
    .embedding = { .positions = ENG_POSITIONS_TABLE, .n_positions = 512 },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 12,
      .vocab_size = 40478,
      .sorts[0] = {
        .self = { .n_heads = 12, .causal = TRUE },
        .feed_forward.activation = ENG_ACTIVATION_GELU_TANH,
        .attention_norm = ENG_NORM_POST,
        .feed_forward_norm = ENG_NORM_POST,
      },
    },
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = -1,
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "h.",
    parts, G_N_ELEMENTS (parts),
    eng_gpt2_layer_parts, ENG_GPT2_N_LAYER_PARTS,
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
