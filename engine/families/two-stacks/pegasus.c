/* SPDX-License-Identifier: MIT */
/* Pegasus (Zhang et al. 2020), which summarises: BART's layers with norms before their parts and
 * behind the last layer, and sines for positions. */
#include "engine/families/two-stacks/bart-parts.h"

/* A position table that is in the file counts. */
#define STACK_PARTS(stack, words, other_words) \
  ENG_SHARED_WORDS_PART (words, other_words), \
  ENG_TABLE (stack ".embed_positions.weight", position, POSITIONS, HIDDEN, .optional = TRUE), \
  ENG_NORM (Stack, stack ".layer_norm", final_norm)

ENG_BART_DEFINE_PARTS (STACK_PARTS);

static const EngHeadParts heads[] = { ENG_WRITING_HEAD (eng_bart_language_model) };

const EngFamily eng_family_pegasus = {
  .model_type = "pegasus",
  .title = "Pegasus",
  .year = 2020,
  .checkpoints = "google/pegasus-xsum",
  .class_prefix = "Pegasus",

  .defaults = {
    .hidden_size = 1024,
    .embedding = ENG_BART_SINES,
    .stacks[ENG_KIND_ENCODER] = ENG_BART_PRE_NORM_STACK (50265, GELU),
    .stacks[ENG_KIND_DECODER] = ENG_BART_PRE_NORM_DECODER (50265, GELU),
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 0,
    .end_id = 1,
    .decoder_start_id = 0,
  },
  .sinusoid = ENG_SINUSOID_OPEN,
  .read = eng_bart_read_common,
  ENG_BART_FAMILY (heads),
};
