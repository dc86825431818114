/* SPDX-License-Identifier: MIT */
/* BART (Lewis et al. 2019): post-norm encoder and decoder over one vocabulary, learned positions of
 * which the first two rows of the table are none. */
#include "engine/families/two-stacks/bart-parts.h"

ENG_BART_DEFINE_PARTS (ENG_BART_TABLES);

const EngFamily eng_family_bart = {
  .model_type = "bart",
  .title = "BART",
  .year = 2019,
  .checkpoints = "facebook/bart-base, facebook/bart-large-cnn",
  .class_prefix = "Bart",
  .signature = "encoder.layernorm_embedding.weight",

  .defaults = {
    .hidden_size = 1024,
    .embedding = ENG_BART_LEARNED,
    .stacks[ENG_KIND_ENCODER] = ENG_BART_POST_NORM_STACK (50265),
    .stacks[ENG_KIND_DECODER] = ENG_BART_POST_NORM_DECODER (50265),
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 1,
    .end_id = 2,
    .decoder_start_id = 2,
  },
  .read = eng_bart_read_learned,
  ENG_BART_FAMILY (eng_bart_heads),
};
