/* SPDX-License-Identifier: MIT */
/* BART (Lewis et al. 2019): post-norm encoder and decoder over one vocabulary, learned positions of
 * which the first two rows of the table are none. */
#include "engine/families/two-stacks/bart-parts.h"
#include "engine/families/head-parts.h"

static const EngPart encoder_parts[] = {
  ENG_BART_TABLES ("encoder", ENG_ENCODER_WORDS, ENG_DECODER_WORDS),
};

static const EngPart decoder_parts[] = {
  ENG_BART_TABLES ("decoder", ENG_DECODER_WORDS, ENG_ENCODER_WORDS),
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

const EngFamily eng_family_bart = {
  .model_type = "bart",
  .class_prefix = "Bart",
  .tensor_prefix = "model.",
  .signature = "encoder.layernorm_embedding.weight",

  .defaults = {
    .hidden_size = 1024,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 1024,
      .position_offset = ENG_BART_POSITION_OFFSET,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 50265,
      .sorts[0] = ENG_POST_NORM_LAYER (16, 4096),
    },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 12,
      .vocab_size = 50265,
      .sorts[0] = ENG_POST_NORM_LAYER (16, 4096, .self.causal = TRUE, .cross.n_heads = 16),
    },
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 1,
    .end_id = 2,
    .decoder_start_id = 2,
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
