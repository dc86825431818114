/* SPDX-License-Identifier: MIT */
/* Patterns that a head may follow, as scores in [0, 1] with their evidence.
 *
 * A score is a mean over the rows that count for the pattern. A row counts where it is no padding
 * and sees a target of the pattern and something else: without a choice there is no pattern. Where
 * no row counts the score is NAN. a_ij is the weight of row i on column j.
 *
 *   previous     a_i,i-1; delimiters of the template count as any token
 *   next         a_i,i+1
 *   same-token   a_i,i
 *   same-word    Σ_j a_ij over the j of the other sentence that are spelt as i, but for case and
 *                spaces; typed tokens with a letter or digit alone
 *   first        a_i,0
 *   separator    Σ_j a_ij over template tokens but the first token, and over "[SEP]" and "</s>" of
 *                a file that marks none
 *   punctuation  Σ_j a_ij over typed tokens that are punctuation or symbols alone
 *   broad        entropy of the row in bits / log2 of the number of keys that it sees
 *   aa ab ba bb  Σ_j a_ij over the keys of one sentence, in the rows of one sentence: ab = rows of
 *                A, columns of B; template tokens by their segments
 *
 * previous, next and same-token need a stack that reads itself. What a row sees is what the mask
 * says; without one all, unless every weight of a stack on a later token is exactly 0: then no
 * token sees a later one. A row of a file that sums to more than 1 may count for more than 1; a
 * score ends at 1. Any thread. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef enum {
  ENG_PATTERN_PREVIOUS,
  ENG_PATTERN_NEXT,
  ENG_PATTERN_SAME_TOKEN,
  ENG_PATTERN_SAME_WORD_OTHER,
  ENG_PATTERN_FIRST,
  ENG_PATTERN_SEPARATOR,
  ENG_PATTERN_PUNCTUATION,
  ENG_PATTERN_BROAD,
  ENG_PATTERN_BLOCK_AA,
  ENG_PATTERN_BLOCK_AB,
  ENG_PATTERN_BLOCK_BA,
  ENG_PATTERN_BLOCK_BB
} EngPattern;
#define ENG_N_PATTERNS 12
#define ENG_PATTERN_MIN_ROWS 3

typedef struct {
  int   n_rows; /* rows that count */
  int   n_hits; /* of these, rows whose strongest key is a target; for broad, rows above ½ */
  /* The strongest link from a row that counts to a target; for broad, the broadest row and its
   * strongest key. -1 and 0 where no row counts. */
  int   query;
  int   key;
  float weight;
} EngPatternEvidence;

const char         *eng_pattern_get_name        (EngPattern          pattern); /* "next" */
const char         *eng_pattern_get_title       (EngPattern          pattern); /* "next token" */
gboolean            eng_pattern_from_name       (const char         *name,
                                                 EngPattern         *pattern);

/* scores: [n_heads, ENG_N_PATTERNS]. */
void                eng_patterns_measure        (const EngAttention *attention,
                                                 const EngTokens    *queries,
                                                 const EngTokens    *keys,
                                                 float              *scores);

/* The score that a head would have that reads all it sees evenly: the same for every head of the
 * block. chances: [ENG_N_PATTERNS], NAN where fewer than ENG_PATTERN_MIN_ROWS rows count: these may
 * follow a pattern by accident, and do not make the label of a head. */
void                eng_patterns_find_chances   (const EngAttention *attention,
                                                 const EngTokens    *queries,
                                                 const EngTokens    *keys,
                                                 float              *chances);

EngPatternEvidence  eng_patterns_find_evidence  (const EngAttention *attention,
                                                 const EngTokens    *queries,
                                                 const EngTokens    *keys,
                                                 int                 head,
                                                 EngPattern          pattern);

/* The label of a head, from its scores and the chances of its block. The strength of a pattern is
 * the part of the way from chance to 1 that the score has gone; without a chance it has none. Of
 * the patterns before broad whose strength reaches their threshold (same-word 0.3, the others 0.4)
 * the strongest is taken; where there is none, of the four blocks (0.6); where there is none
 * either, broad. */
EngPattern          eng_patterns_choose         (const float        *scores,
                                                 const float        *chances);

G_END_DECLS
