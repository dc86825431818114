/* SPDX-License-Identifier: MIT */
/* mBART (Liu et al. 2020; of 50 languages Tang et al. 2020): BART with norms before its parts and
 * one more behind the last layer. The decoder starts with what ends its text, the language or the
 * end. */
#include "engine/families/two-stacks/bart-parts.h"
#include "engine/families/head-parts.h"

#define STACK_PARTS(stack, words, other_words) \
  ENG_BART_TABLES (stack, words, other_words), \
  ENG_NORM (Stack, stack ".layer_norm", final_norm)

static const EngPart encoder_parts[] = {
  STACK_PARTS ("encoder", ENG_ENCODER_WORDS, ENG_DECODER_WORDS),
};

static const EngPart decoder_parts[] = {
  STACK_PARTS ("decoder", ENG_DECODER_WORDS, ENG_ENCODER_WORDS),
};

static const EngPart language_model[] = {
  ENG_SHARED_OUTPUT_PART (.bias = ENG_BIAS_IF_THERE, .bias_name = "final_logits_bias"),
};

static const EngHeadParts heads[] = {
  ENG_END_CLASSIFIER_HEAD,
  ENG_ANSWER_HEAD,
  ENG_WRITING_HEAD (language_model),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  config->spec.embedding.n_positions += ENG_BART_POSITION_OFFSET;

  return eng_bart_read_common (json, what, config, error);
}

const EngFamily eng_family_mbart = {
  .model_type = "mbart",
  .class_prefix = "MBart",
  .tensor_prefix = "model.",

  .defaults = {
    .hidden_size = 1024,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 1024,
      .position_offset = ENG_BART_POSITION_OFFSET,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = ENG_BART_PRE_NORM_STACK (50265, GELU),
    .stacks[ENG_KIND_DECODER] = ENG_BART_PRE_NORM_DECODER (50265, GELU),
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 1,
    .end_id = 2,
    .decoder_start_id = 0, /* the token at the begin, where a config names no other */
    .starts_with_last = TRUE,
  },
  .tied = TRUE,
  .read = read_config,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.layers.",
    encoder_parts, G_N_ELEMENTS (encoder_parts),
    eng_bart_encoder_layer_parts, ENG_BART_N_ENCODER_LAYER_PARTS,
  },
  .stacks[ENG_KIND_DECODER] = {
    "decoder.layers.",
    decoder_parts, G_N_ELEMENTS (decoder_parts),
    eng_bart_decoder_layer_parts, ENG_BART_N_DECODER_LAYER_PARTS,
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
