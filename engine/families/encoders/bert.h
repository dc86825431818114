/* SPDX-License-Identifier: MIT */
/* Tables of bert.c that families with the same names of tensors read too. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_BERT_N_PARTS 4
#define ENG_BERT_N_LAYER_PARTS 8

#define ENG_BERT_WORDS "embeddings.word_embeddings.weight"

/* The embedding; what follows are the tensors of heads that the words are tied to. */
#define ENG_BERT_EMBEDDING(...)                                                             \
  ENG_TABLE (ENG_BERT_WORDS, word, VOCABULARY, EMBEDDING, .tied_to = { __VA_ARGS__ }),      \
  ENG_TABLE ("embeddings.position_embeddings.weight", position, POSITIONS, EMBEDDING),      \
  ENG_TABLE ("embeddings.token_type_embeddings.weight", type, TYPES, EMBEDDING),            \
  ENG_NORM_OF (Stack, "embeddings.LayerNorm", embedding_norm, EMBEDDING)

extern const EngPart eng_bert_parts[ENG_BERT_N_PARTS];
extern const EngPart eng_bert_layer_parts[ENG_BERT_N_LAYER_PARTS];
extern const EngPart eng_bert_pooler;
extern const EngPart eng_bert_words_parts[3];
extern const EngPart eng_bert_next_sentence_part;

/* A layer whose queries, keys and values have such biases. */
#define ENG_BERT_LAYER_PARTS(bias)                                                          \
  ENG_LINEAR (Layer, "attention.self.query", self.query, HIDDEN, HIDDEN, bias),             \
  ENG_LINEAR (Layer, "attention.self.key", self.key, HIDDEN, HIDDEN, bias),                 \
  ENG_LINEAR (Layer, "attention.self.value", self.value, HIDDEN, HIDDEN, bias),             \
  ENG_LINEAR (Layer, "attention.output.dense", self.output, HIDDEN, HIDDEN),                \
  ENG_NORM (Layer, "attention.output.LayerNorm", self.norm),                                \
  ENG_LINEAR (Layer, "intermediate.dense", up, INTERMEDIATE, HIDDEN),                       \
  ENG_LINEAR (Layer, "output.dense", down, HIDDEN, INTERMEDIATE),                           \
  ENG_NORM (Layer, "output.LayerNorm", feed_forward_norm)

/* which: of EngReading, without ENG_READING_ */
#define ENG_BERT_WORDS_HEAD(task, which)                                                    \
  { task, "cls.predictions.transform.dense.weight", .reading = ENG_READING_##which,         \
    .classes = { "ForMaskedLM", "ForPreTraining", "LMHeadModel", "ForCausalLM" },           \
    .input = ENG_HEAD_TOKENS, .has_transform = TRUE, .has_norm = TRUE,                      \
    .activation = ENG_ACTIVATION_OF_CONFIG, .parts = eng_bert_words_parts,                  \
    .n_parts = G_N_ELEMENTS (eng_bert_words_parts) }
#define ENG_BERT_NEXT_SENTENCE_HEAD                                                         \
  { ENG_TASK_NEXT_SENTENCE, "cls.seq_relationship.weight",                                  \
    .classes = { "ForNextSentencePrediction", "ForPreTraining" }, .input = ENG_HEAD_POOLED, \
    .parts = &eng_bert_next_sentence_part, .n_parts = 1 }

G_END_DECLS
