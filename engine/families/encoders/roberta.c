/* SPDX-License-Identifier: MIT */
/* RoBERTa (Liu et al. 2019) and XLM-RoBERTa (Conneau et al. 2019): BERT's layers; positions start
 * behind the padding's row and do not count padding; heads of their own. The two differ in their
 * vocabulary alone. */
#include "engine/families/encoders/bert.h"
#include "engine/families/head-parts.h"

#define PAD_ID 1

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  config->spec.embedding.position_offset = config->spec.pad_id + 1;

  return TRUE;
}

static const EngHeadParts heads[] = {
  ENG_NORMED_WORDS_HEAD (ENG_TASK_FILL_MASK, BOTH_WAYS),
  ENG_NORMED_WORDS_HEAD (ENG_TASK_LANGUAGE_MODEL, FORWARDS),
  ENG_FIRST_CLASSIFIER_HEAD (ENG_ACTIVATION_TANH),
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_tokens),
  ENG_ANSWER_HEAD,
};

/* What the two families have in common. */
#define SHARED                                                \
  .tied = TRUE,                                               \
  .tensor_prefix = "roberta.",                                \
  .read = read_config,                                        \
  .stacks[ENG_KIND_ENCODER] = {                               \
    "encoder.layer.",                                         \
    eng_bert_parts, ENG_BERT_N_PARTS,                         \
    eng_bert_layer_parts, ENG_BERT_N_LAYER_PARTS,             \
  },                                                          \
  .pooler = &eng_bert_pooler,                                 \
  .heads = heads,                                             \
  .n_heads = G_N_ELEMENTS (heads)

#define DEFAULTS(words)                                       \
  {                                                           \
    .hidden_size = 768,                                       \
    .embedding = {                                            \
      .positions = ENG_POSITIONS_SKIP_PADDING,                \
      .n_positions = 512,                                     \
      .position_offset = PAD_ID + 1,                          \
      .n_types = 2,                                           \
      .has_norm = TRUE,                                       \
    },                                                        \
    .stacks[ENG_KIND_ENCODER] = {                             \
      .n_layers = 12,                                         \
      .vocab_size = words,                                    \
      .sorts[0] = ENG_POST_NORM_LAYER (12, 3072),             \
    },                                                        \
    .norm = { ENG_NORM_LAYER, 1e-12f },                       \
    .pad_id = PAD_ID,                                         \
    .end_id = 2,                                              \
    .decoder_start_id = -1,                                   \
  }

const EngFamily eng_family_roberta = {
  .model_type = "roberta",
  .title = "RoBERTa",
  .year = 2019,
  .checkpoints = "roberta-base",
  .class_prefix = "Roberta",
  .signature = "encoder.layer.0.attention.self.query.weight",
  .defaults = DEFAULTS (50265),
  SHARED
};

const EngFamily eng_family_xlm_roberta = {
  .model_type = "xlm-roberta",
  .title = "XLM-RoBERTa",
  .year = 2019,
  .checkpoints = "xlm-roberta-base",
  .class_prefix = "XLMRoberta",
  .signature = NULL,
  .defaults = DEFAULTS (30522),
  SHARED
};
