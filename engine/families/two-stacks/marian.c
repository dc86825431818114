/* SPDX-License-Identifier: MIT */
/* Marian (Junczys-Dowmunt et al. 2018), the translation models of OPUS-MT: BART's layers, sines for
 * positions, and a vocabulary for each language where the two do not share one. */
#include "engine/base/json.h"
#include "engine/families/two-stacks/bart-parts.h"

static gboolean
shares_words (const EngSpec      *spec,
              const EngLayerSpec *layer)
{
  return !spec->embedding.separate_words;
}

static gboolean
separates_words (const EngSpec      *spec,
                 const EngLayerSpec *layer)
{
  return spec->embedding.separate_words;
}

/* Files seldom hold the position table: it is computed then. */
#define STACK_PARTS(stack, words, other_words, own_tied) \
  ENG_SHARED_WORDS_PART (words, other_words, .applies = shares_words), \
  ENG_TABLE (words, word, VOCABULARY, HIDDEN, .tied_to = { own_tied }, .applies = separates_words), \
  ENG_TABLE (stack ".embed_positions.weight", position, POSITIONS, HIDDEN, .optional = TRUE)

static const EngPart encoder_parts[] = {
  STACK_PARTS ("encoder", ENG_ENCODER_WORDS, ENG_DECODER_WORDS, NULL),
};

static const EngPart decoder_parts[] = {
  STACK_PARTS ("decoder", ENG_DECODER_WORDS, ENG_ENCODER_WORDS, ENG_OUTPUT_WORDS ".weight"),
};

static const EngPart language_model[] = {
  ENG_SHARED_OUTPUT_PART (ENG_LOGITS_BIAS, .applies = shares_words),
  ENG_LINEAR (Head, ENG_OUTPUT_WORDS, output, VOCABULARY, HIDDEN, ENG_LOGITS_BIAS,
              .tied_to = { ENG_DECODER_WORDS }, .applies = separates_words),
};

static const EngHeadParts heads[] = {
  { ENG_TASK_LANGUAGE_MODEL, .classes = { "ForCausalLM", "MTModel", "Model" },
    .input = ENG_HEAD_TOKENS, .parts = language_model, .n_parts = G_N_ELEMENTS (language_model) },
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngStackSpec *stacks = config->spec.stacks;
  gboolean shared = TRUE;

  if (!eng_json_get_boolean (json, "share_encoder_decoder_embeddings", what, &shared, error))
    return FALSE;

  config->spec.embedding.separate_words = !shared;
  if (shared)
    stacks[ENG_KIND_DECODER].vocab_size = stacks[ENG_KIND_ENCODER].vocab_size;

  return eng_bart_read_common (json, what, config, error);
}

const EngFamily eng_family_marian = {
  .model_type = "marian",
  .title = "Marian",
  .year = 2018,
  .checkpoints = "Helsinki-NLP/opus-mt-en-de",
  .class_prefix = "Marian",

  .defaults = {
    .hidden_size = 1024,
    .embedding = ENG_BART_SINES,
    .stacks[ENG_KIND_ENCODER] = ENG_BART_POST_NORM_STACK (58101),
    .stacks[ENG_KIND_DECODER] = ENG_BART_POST_NORM_DECODER (58101),
    .norm = { ENG_NORM_LAYER, 1e-5f },
    .pad_id = 58100,
    .end_id = 0,
    .decoder_start_id = 58100,
  },
  .sinusoid = ENG_SINUSOID_OPEN,
  .read = read_config,
  ENG_BART_FAMILY (heads),
};
