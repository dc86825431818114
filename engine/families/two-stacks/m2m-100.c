/* SPDX-License-Identifier: MIT */
/* M2M-100 (Fan et al. 2020) and NLLB-200 (Costa-jussà et al. 2022), translators between any two of
 * their languages: BART's layers with norms before their parts and behind the last one, and sines
 * for positions, which pass over padding. */
#include "engine/families/two-stacks/bart-parts.h"

/* Files may hold the position table; it is computed all the same, as transformers does. */
#define STACK_PARTS(stack, words, other_words) \
  ENG_SHARED_WORDS_PART (words, other_words), \
  ENG_NORM (Stack, stack ".layer_norm", final_norm)

ENG_BART_DEFINE_PARTS (STACK_PARTS);

static const EngPart language_model[] = {
  ENG_SHARED_OUTPUT_PART (.bias = ENG_BIAS_NONE),
};

static const EngHeadParts heads[] = {
  ENG_WRITING_HEAD (language_model),
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngEmbeddingSpec *embedding = &config->spec.embedding;

  /* The frequencies of a closed sinusoid are from 1 to 1/10000. */
  if (config->spec.hidden_size < 4) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: d_model is %d, expected at least 4 for positions of two frequencies", what,
                 config->spec.hidden_size);
    return FALSE;
  }
  /* Padding has a row, the first token the one behind it. */
  embedding->position_offset = config->spec.pad_id + 1;
  embedding->n_positions += embedding->position_offset;

  return eng_bart_read_common (json, what, config, error);
}

const EngFamily eng_family_m2m_100 = {
  .model_type = "m2m_100",
  .title = "M2M-100, NLLB",
  .year = 2020,
  .checkpoints = "facebook/m2m100_418M, facebook/nllb-200-distilled-600M",
  .class_prefix = "M2M100",

  .defaults = {
    .hidden_size = 1024,
    .embedding = {
      .positions = ENG_POSITIONS_SKIP_PADDING,
      .n_positions = 1024,
      .scale = 32, /* √1024 */
    },
    .stacks[ENG_KIND_ENCODER] = ENG_BART_PRE_NORM_STACK (128112, RELU),
    .stacks[ENG_KIND_DECODER] = ENG_BART_PRE_NORM_DECODER (128112, RELU),
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 1,
    .end_id = 2,
    .decoder_start_id = 2,
  },
  .sinusoid = ENG_SINUSOID_CLOSED,
  .read = read_config,
  ENG_BART_FAMILY (heads),
};
