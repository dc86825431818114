/* SPDX-License-Identifier: MIT */
/* Tables of llama.c that families with the same names of tensors read too. */
#pragma once

#include "engine/families/family.h"

G_BEGIN_DECLS

#define ENG_LLAMA_N_PARTS 2
#define ENG_LLAMA_N_HEADS 4

extern const EngPart eng_llama_parts[ENG_LLAMA_N_PARTS];
extern const EngHeadParts eng_llama_heads[ENG_LLAMA_N_HEADS];

/* Rotary positions over the whole of a head. */
gboolean eng_llama_read_rotary (const cJSON  *json,
                                const char   *what,
                                EngConfig    *config,
                                GError      **error);

G_END_DECLS
