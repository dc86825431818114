/* SPDX-License-Identifier: MIT */
/* GPT-2 (Radford et al. 2019): pre-norm decoder, learned positions; matrices are stored [in, out],
 * query, key and value in one. */
#include "engine/families/decoders/gpt2.h"

#include "engine/families/head-parts.h"

#define WORDS "wte.weight"
#define OUTPUT_WORDS "lm_head"

const EngPart eng_gpt2_parts[ENG_GPT2_N_PARTS] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" }),
  ENG_TABLE ("wpe.weight", position, POSITIONS, HIDDEN),
  ENG_NORM (Stack, "ln_f", final_norm),
};

#define THIRD(n)                                                                              \
  .n_slices = 3, .slices = { ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN }, .slice = n

const EngPart eng_gpt2_layer_parts[ENG_GPT2_N_LAYER_PARTS] = {
  ENG_NORM (Layer, "ln_1", self.norm),
  ENG_LINEAR (Layer, "attn.c_attn", self.query, HIDDEN, HIDDEN, .transposed = TRUE, THIRD (0)),
  ENG_LINEAR (Layer, "attn.c_attn", self.key, HIDDEN, HIDDEN, .transposed = TRUE, THIRD (1)),
  ENG_LINEAR (Layer, "attn.c_attn", self.value, HIDDEN, HIDDEN, .transposed = TRUE, THIRD (2)),
  ENG_LINEAR (Layer, "attn.c_proj", self.output, HIDDEN, HIDDEN, .transposed = TRUE),
  ENG_NORM (Layer, "ln_2", feed_forward_norm),
  ENG_LINEAR (Layer, "mlp.c_fc", up, INTERMEDIATE, HIDDEN, .transposed = TRUE),
  ENG_LINEAR (Layer, "mlp.c_proj", down, HIDDEN, INTERMEDIATE, .transposed = TRUE),
};

static const EngPart next_word[] = {
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, ENG_BIAS_NONE, .tied_to = { WORDS }),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngAttentionSpec *heads = &config->spec.stacks[ENG_KIND_DECODER].sorts[0].self;
  gboolean scaled = TRUE;

  if (!eng_json_get_boolean (json, "scale_attn_weights", what, &scaled, error) ||
      !eng_json_get_boolean (json, "scale_attn_by_inverse_layer_idx", what,
                             &heads->scale_by_layer, error))
    return FALSE;
  if (!scaled)
    heads->scale = 1;

  return TRUE;
}

const EngHeadParts eng_gpt2_heads[ENG_GPT2_N_HEADS] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_family_predicts_words,
    .classes = { "LMHeadModel", "DoubleHeadsModel", "ForCausalLM" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  ENG_SCORE_HEAD (),
  ENG_ENTITIES_HEAD (),
  ENG_ANSWER_HEAD,
};

const EngFamily eng_family_gpt2 = {
  .model_type = "gpt2",
  .title = "GPT-2",
  .year = 2019,
  .checkpoints = "gpt2, distilgpt2",
  .class_prefix = "GPT2",
  .tensor_prefix = "transformer.",
  .signature = NULL, /* the first GPT has the same names */

  .defaults = {
    .hidden_size = 768,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 1024,
    },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 12,
      .vocab_size = 50257,
      .sorts[0] = {
        .self = { .n_heads = 12, .causal = TRUE },
        .feed_forward = { .activation = ENG_ACTIVATION_GELU_TANH },
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
      },
      .final_norm = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = -1,
    .end_id = 50256,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "h.",
    eng_gpt2_parts, ENG_GPT2_N_PARTS,
    eng_gpt2_layer_parts, ENG_GPT2_N_LAYER_PARTS,
  },
  .heads = eng_gpt2_heads,
  .n_heads = ENG_GPT2_N_HEADS,
};
