/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/pattern-glyph.h"

/* Tokens of the ideal text: as many in A as in B, the last of each a separator. */
#define N_TOKENS 8
#define HALF (N_TOKENS / 2)

#define FULL 255
#define FLAT 45 /* all of a row: spread evenly */
#define BLOCK 140 /* half of a row */

static guint8
get_alpha (EngPattern pattern,
           int        query,
           int        key)
{
  const gboolean is_query_b = query >= HALF, is_key_b = key >= HALF;

  switch (pattern) {
  case ENG_PATTERN_PREVIOUS:
    return key == query - 1 ? FULL : 0;
  case ENG_PATTERN_NEXT:
    return key == query + 1 ? FULL : 0;
  case ENG_PATTERN_TWO_BACK:
    return key == query - 2 ? FULL : 0;
  case ENG_PATTERN_TWO_ON:
    return key == query + 2 ? FULL : 0;
  case ENG_PATTERN_SAME_TOKEN:
    return key == query ? FULL : 0;
  case ENG_PATTERN_SAME_WORD_ANYWHERE:
    return (key - query) % HALF == 0 ? FULL : 0;
  case ENG_PATTERN_SAME_WORD_OTHER:
    return (key + HALF) % N_TOKENS == query ? FULL : 0;
  case ENG_PATTERN_FIRST:
    return key == 0 ? FULL : 0;
  case ENG_PATTERN_SEPARATOR:
    return key % HALF == HALF - 1 ? FULL : 0;
  case ENG_PATTERN_PUNCTUATION:
    return key == N_TOKENS - 3 ? FULL : 0;
  case ENG_PATTERN_OWN_SENTENCE:
    return is_query_b == is_key_b ? BLOCK : 0;
  case ENG_PATTERN_BLOCK_AA:
    return !is_query_b && !is_key_b ? BLOCK : 0;
  case ENG_PATTERN_BLOCK_AB:
    return !is_query_b && is_key_b ? BLOCK : 0;
  case ENG_PATTERN_BLOCK_BA:
    return is_query_b && !is_key_b ? BLOCK : 0;
  case ENG_PATTERN_BLOCK_BB:
    return is_query_b && is_key_b ? BLOCK : 0;
  case ENG_PATTERN_BROAD:
  default:
    return FLAT;
  }
}

void
ui_pattern_glyph_paint (EngPattern  pattern,
                        int         size,
                        guint8     *alphas)
{
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      alphas[row * size + column] =
        get_alpha (pattern, row * N_TOKENS / size, column * N_TOKENS / size);
}
