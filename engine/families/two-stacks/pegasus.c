/* SPDX-License-Identifier: MIT */
/* Pegasus (Zhang et al. 2020), which summarises: BART's layers with norms before their parts and
 * behind the last layer, and sines for positions. */
#include "engine/families/two-stacks/bart-parts.h"
#include "engine/families/head-parts.h"

/* A position table that is in the file counts. */
#define STACK_PARTS(stack, words, other_words) \
  ENG_SHARED_WORDS_PART (words, other_words), \
  ENG_TABLE (stack ".embed_positions.weight", position, POSITIONS, HIDDEN, .optional = TRUE), \
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
  ENG_WRITING_HEAD (language_model),
};

const EngFamily eng_family_pegasus = {
  .model_type = "pegasus",
  .class_prefix = "Pegasus",
  .tensor_prefix = "model.",

  .defaults = {
    .hidden_size = 1024,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 1024,
    },
    .stacks[ENG_KIND_ENCODER] = ENG_BART_PRE_NORM_STACK (50265, GELU),
    .stacks[ENG_KIND_DECODER] = ENG_BART_PRE_NORM_DECODER (50265, GELU),
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 0,
    .end_id = 1,
    .decoder_start_id = 0,
  },
  .tied = TRUE,
  .sinusoid = ENG_SINUSOID_OPEN,
  .read = eng_bart_read_common,

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
