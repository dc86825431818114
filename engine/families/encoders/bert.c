/* SPDX-License-Identifier: MIT */
/* BERT (Devlin et al. 2018) and every checkpoint of its shape: post-norm encoder, learned
 * positions, token types. Decoder use (is_decoder) adds the causal mask and nothing else. */
#include "engine/families/encoders/bert.h"

#include "engine/families/head-parts.h"

#define OUTPUT_WORDS "cls.predictions.decoder"

const EngPart eng_bert_parts[ENG_BERT_N_PARTS] = {
  ENG_BERT_EMBEDDING (OUTPUT_WORDS ".weight", "lm_head.decoder.weight"),
};

const EngPart eng_bert_layer_parts[ENG_BERT_N_LAYER_PARTS] = {
  ENG_LINEAR (Layer, "attention.self.query", self.query, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.self.key", self.key, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.self.value", self.value, HIDDEN, HIDDEN),
  ENG_LINEAR (Layer, "attention.output.dense", self.output, HIDDEN, HIDDEN),
  ENG_NORM (Layer, "attention.output.LayerNorm", self.norm),
  ENG_LINEAR (Layer, "intermediate.dense", up, INTERMEDIATE, HIDDEN),
  ENG_LINEAR (Layer, "output.dense", down, HIDDEN, INTERMEDIATE),
  ENG_NORM (Layer, "output.LayerNorm", feed_forward_norm),
};

const EngPart eng_bert_pooler = {
  ENG_PART_LINEAR, "pooler.dense", G_STRUCT_OFFSET (EngWeights, pooler),
  ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN
};

static const EngPart words[] = {
  ENG_LINEAR (Head, "cls.predictions.transform.dense", transform, HIDDEN, HIDDEN),
  ENG_NORM (Head, "cls.predictions.transform.LayerNorm", norm),
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, .tied_to = { ENG_BERT_WORDS },
              .bias_name = "cls.predictions.bias"),
};

static const EngPart next_sentence[] = {
  ENG_LINEAR (Head, "cls.seq_relationship", output, TWO, HIDDEN),
};

static const EngHeadParts heads[] = {
  { ENG_TASK_FILL_MASK, "cls.predictions.transform.dense.weight",
    .reading = ENG_READING_BOTH_WAYS,
    .classes = { "ForMaskedLM", "ForPreTraining", "LMHeadModel" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  { ENG_TASK_LANGUAGE_MODEL, "cls.predictions.transform.dense.weight",
    .reading = ENG_READING_FORWARDS,
    .classes = { "ForMaskedLM", "ForPreTraining", "LMHeadModel" }, .input = ENG_HEAD_TOKENS,
    .has_transform = TRUE, .has_norm = TRUE, .activation = ENG_ACTIVATION_OF_CONFIG,
    .parts = words, .n_parts = G_N_ELEMENTS (words) },
  { ENG_TASK_NEXT_SENTENCE, "cls.seq_relationship.weight",
    .classes = { "ForNextSentencePrediction", "ForPreTraining" }, .input = ENG_HEAD_POOLED,
    .parts = next_sentence, .n_parts = G_N_ELEMENTS (next_sentence) },
  ENG_POOLED_CLASSIFIER_HEAD,
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_unpooled),
  ENG_ANSWER_HEAD,
};

const EngFamily eng_family_bert = {
  .model_type = "bert",
  .class_prefix = "Bert",
  .tensor_prefix = "bert.",
  .signature = "encoder.layer.0.attention.self.query.weight",

  .defaults = {
    .hidden_size = 768,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE,
      .n_positions = 512,
      .n_types = 2,
      .has_norm = TRUE,
    },
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 12,
      .vocab_size = 30522,
      .sorts[0] = ENG_POST_NORM_LAYER (12, 3072),
    },
    .norm = { ENG_NORM_LAYER, 1e-12f },
    .end_id = -1,
    .decoder_start_id = -1,
  },
  .tied = TRUE,

  .stacks[ENG_KIND_ENCODER] = {
    "encoder.layer.",
    eng_bert_parts, ENG_BERT_N_PARTS,
    eng_bert_layer_parts, ENG_BERT_N_LAYER_PARTS,
  },
  .pooler = &eng_bert_pooler,
  .heads = heads,
  .n_heads = G_N_ELEMENTS (heads),
};
