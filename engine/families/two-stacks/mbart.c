/* SPDX-License-Identifier: MIT */
/* mBART (Liu et al. 2020; of 50 languages Tang et al. 2020): BART with norms before its parts and
 * one more behind the last layer. The decoder starts with what ends its text, the language or the
 * end. */
#include "engine/families/two-stacks/bart-parts.h"

#define STACK_PARTS(stack, words, other_words) \
  ENG_BART_TABLES (stack, words, other_words), \
  ENG_NORM (Stack, stack ".layer_norm", final_norm)

ENG_BART_DEFINE_PARTS (STACK_PARTS);

const EngFamily eng_family_mbart = {
  .model_type = "mbart",
  .title = "mBART",
  .year = 2020,
  .checkpoints = "facebook/mbart-large-50-many-to-many-mmt",
  .class_prefix = "MBart",

  .defaults = {
    .hidden_size = 1024,
    .embedding = ENG_BART_LEARNED,
    .stacks[ENG_KIND_ENCODER] = ENG_BART_PRE_NORM_STACK (50265, GELU),
    .stacks[ENG_KIND_DECODER] = ENG_BART_PRE_NORM_DECODER (50265, GELU),
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 1,
    .end_id = 2,
    .decoder_start_id = 0, /* the token at the begin, where a config names no other */
    .starts_with_last = TRUE,
  },
  .read = eng_bart_read_learned,
  ENG_BART_FAMILY (eng_bart_heads),
};
