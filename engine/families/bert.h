/* SPDX-License-Identifier: MIT */
/* Tables of bert.c that families with the same names of tensors read too. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_BERT_N_PARTS 4
#define ENG_BERT_N_LAYER_PARTS 8

extern const EngPart eng_bert_parts[ENG_BERT_N_PARTS];
extern const EngPart eng_bert_layer_parts[ENG_BERT_N_LAYER_PARTS];
extern const EngPart eng_bert_pooler;

G_END_DECLS
