/* SPDX-License-Identifier: MIT */
/* Rewriting a text as the tokenizers library does: the new characters in order, each with how it
 * stands to the old ones. The library finds origins by counting along these numbers, and so do we,
 * also where the count runs out of step with the characters. */
#pragma once

#include "engine/tokenizer/base/normalized.h"

G_BEGIN_DECLS

typedef struct {
  gunichar c;
  /* 0 = stands for the next old character; -k = for that one, and swallows k more behind it;
   * above 0 = was added, and shares the origin of the old character before */
  int      change;
} EngChange;

/* changes: of EngChange, in order. */
void eng_normalized_rewrite (EngNormalized *text,
                             const GArray  *changes);

G_END_DECLS
