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

G_END_DECLS
