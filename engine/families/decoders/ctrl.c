/* SPDX-License-Identifier: MIT */
/* CTRL (Keskar et al. 2019): pre-norm decoder over embeddings that are multiplied with √D and
 * sinusoids that no file holds. */
#include "engine/families/family.h"
#include "engine/families/head-parts.h"

#include <math.h>

/* What layer_norm_epsilon says is for the norm behind the last layer alone. */
#define LAYER_EPS 1e-6f

#define WORDS "w.weight"
#define OUTPUT_WORDS "lm_head"

static const EngPart parts[] = {
  ENG_TABLE (WORDS, word, VOCABULARY, HIDDEN, .tied_to = { OUTPUT_WORDS ".weight" }),
  ENG_NORM (Stack, "layernorm", final_norm),
};

static const EngPart layer_parts[] = {
  ENG_NORM (Layer, "layernorm1", self.norm),
  ENG_LINEAR (Layer, "multi_head_attention.Wq", self.query, HEADS, HIDDEN),
  ENG_LINEAR (Layer, "multi_head_attention.Wk", self.key, HEADS, HIDDEN),
  ENG_LINEAR (Layer, "multi_head_attention.Wv", self.value, HEADS, HIDDEN),
  ENG_LINEAR (Layer, "multi_head_attention.dense", self.output, HIDDEN, HEADS),
  ENG_NORM (Layer, "layernorm2", feed_forward_norm),
  ENG_LINEAR (Layer, "ffn.0", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "ffn.2", down, HIDDEN, INTERMEDIATE),
};

static const EngPart next_word[] = {
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, .tied_to = { WORDS }),
};

static const EngPart text_classifier[] = {
  ENG_LINEAR (Head, "classifier", output, LABELS, HIDDEN, ENG_BIAS_NONE),
};

static const EngHeadParts heads[] = {
  { ENG_TASK_LANGUAGE_MODEL, NULL, eng_family_predicts_words,
    .classes = { "LMHeadModel" }, .input = ENG_HEAD_TOKENS,
    .parts = next_word, .n_parts = G_N_ELEMENTS (next_word) },
  { ENG_TASK_TEXT_CLASSIFICATION, "classifier.weight",
    .classes = { "ForSequenceClassification" }, .input = ENG_HEAD_LAST,
    .parts = text_classifier, .n_parts = G_N_ELEMENTS (text_classifier) },
};

static gboolean
read_config (const cJSON  *json,
             const char   *what,
             EngConfig    *config,
             GError      **error)
{
  EngSpec *spec = &config->spec;

  spec->embedding.scale = sqrt (spec->hidden_size);
  spec->stacks[ENG_KIND_DECODER].sorts[0].norm.eps = LAYER_EPS;

  return TRUE;
}

const EngFamily eng_family_ctrl = {
  .model_type = "ctrl",
  .title = "CTRL",
  .year = 2019,
  .checkpoints = "Salesforce/ctrl",
  .class_prefix = "CTRL",
  .tensor_prefix = "transformer.",
  .signature = "h.0.multi_head_attention.Wq.weight",

  .defaults = {
    .hidden_size = 1280,
    .embedding = { .positions = ENG_POSITIONS_TABLE, .n_positions = 256 },
    .stacks[ENG_KIND_DECODER] = {
      .n_layers = 48,
      .vocab_size = 246534,
      .sorts[0] = {
        .self = { .n_heads = 16, .causal = TRUE },
        .feed_forward = { .intermediate_size = 8192, .activation = ENG_ACTIVATION_RELU },
        .attention_norm = ENG_NORM_PRE,
        .feed_forward_norm = ENG_NORM_PRE,
      },
      .final_norm = TRUE,
    },
    .norm = { ENG_NORM_LAYER, 1e-6f },
    .pad_id = -1,
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,
  .sinusoid = ENG_SINUSOID_SINGLE,
  .read = read_config,

  .stacks[ENG_KIND_DECODER] = {
    "h.",
    parts, G_N_ELEMENTS (parts),
    layer_parts, G_N_ELEMENTS (layer_parts),
  },
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
