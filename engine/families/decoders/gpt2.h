/* SPDX-License-Identifier: MIT */
/* Tables of gpt2.c that families with the same names of tensors read too. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_GPT2_N_PARTS 3
#define ENG_GPT2_N_LAYER_PARTS 8
#define ENG_GPT2_N_HEADS 4

extern const EngPart eng_gpt2_parts[ENG_GPT2_N_PARTS];
extern const EngPart eng_gpt2_layer_parts[ENG_GPT2_N_LAYER_PARTS];
extern const EngHeadParts eng_gpt2_heads[ENG_GPT2_N_HEADS];

G_END_DECLS
