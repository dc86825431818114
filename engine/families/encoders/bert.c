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
  ENG_BERT_LAYER_PARTS (ENG_BIAS_NEEDED),
};

const EngPart eng_bert_pooler = {
  ENG_PART_LINEAR, "pooler.dense", G_STRUCT_OFFSET (EngWeights, pooler),
  ENG_SIZE_HIDDEN, ENG_SIZE_HIDDEN
};

const EngPart eng_bert_words_parts[3] = {
  ENG_LINEAR (Head, "cls.predictions.transform.dense", transform, HIDDEN, HIDDEN),
  ENG_NORM (Head, "cls.predictions.transform.LayerNorm", norm),
  ENG_LINEAR (Head, OUTPUT_WORDS, output, VOCABULARY, HIDDEN, .tied_to = { ENG_BERT_WORDS },
              .bias_name = "cls.predictions.bias"),
};

const EngPart eng_bert_next_sentence_part =
  ENG_LINEAR (Head, "cls.seq_relationship", output, TWO, HIDDEN);

static const EngHeadParts heads[] = {
  ENG_BERT_WORDS_HEAD (ENG_TASK_FILL_MASK, BOTH_WAYS),
  ENG_BERT_WORDS_HEAD (ENG_TASK_LANGUAGE_MODEL, FORWARDS),
  ENG_BERT_NEXT_SENTENCE_HEAD,
  ENG_POOLED_CLASSIFIER_HEAD,
  ENG_ENTITIES_HEAD (.applies = eng_head_classifies_unpooled),
  ENG_ANSWER_HEAD,
};

const EngFamily eng_family_bert = {
  .model_type = "bert",
  .title = "BERT",
  .year = 2018,
  .checkpoints = "bert-base-uncased, sentence-transformers/all-MiniLM-L6-v2",
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
