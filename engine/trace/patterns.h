/* SPDX-License-Identifier: MIT */
/* Patterns that a head may follow, as scores in [0, 1] with their evidence.
 *
 * A score is a mean over the rows that count for the pattern. A row counts where it is no padding
 * and sees a target of the pattern and something else: without a choice there is no pattern. Where
 * no row counts the score is NAN. a_ij is the weight of row i on column j.
 *
 *   previous     a_i,i-1; delimiters of the template count as any token
 *   next         a_i,i+1
 *   two-back     a_i,i-2
 *   two-on       a_i,i+2
 *   same-token   a_i,i
 *   same-word    Σ_j a_ij over the j of the other sentence that are spelt as i, but for case and
 *                spaces; typed tokens with a letter or digit alone, what was typed for an unknown
 *                token instead of it
 *   same-word-anywhere  Σ_j a_ij over the j of either sentence that are spelt as i, i itself among
 *                them, in rows that see two of these or more
 *   first        a_i,0
 *   separator    Σ_j a_ij over template tokens but the first token, and over "[SEP]" and "</s>" of
 *                a file that marks none
 *   punctuation  Σ_j a_ij over typed tokens that are punctuation or symbols alone
 *   own-sentence Σ_j a_ij over the keys of the sentence of i; template tokens by their segments
 *   aa ab ba bb  Σ_j a_ij over the keys of one sentence, in the rows of one sentence: ab = rows of
 *                A, columns of B
 *   broad        entropy of the row in bits / log2 of the number of keys that it sees
 *
 * previous to same-token, same-word-anywhere and own-sentence need a stack that reads itself. What
 * a row sees is what the mask says; without one all, unless every weight of a stack on a later
 * token is exactly 0: then no token sees a later one. A row of a file that sums to more than 1 may
 * count for more than 1; a score ends at 1. Any thread.
 *
 * What was tried and is no pattern, because it says nothing of a head (strength and agreement as
 * below): the first typed token of a sentence, 0.13 at most in bert-base-uncased and roberta-base
 * on a pair, and the first token itself in gpt2; the same word of one's own sentence without the
 * word itself, 0.17 at most there; rare words, as those that stand once in a text, where 18 % agree
 * in headlight-mini and 13 % in MiniLM: in a text without repetition all words are rare. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* The most specific first. The first ENG_N_LABELS are what a head may be called; the others are
 * scores that own-sentence sums up. */
typedef enum {
  ENG_PATTERN_PREVIOUS,
  ENG_PATTERN_NEXT,
  ENG_PATTERN_TWO_BACK,
  ENG_PATTERN_TWO_ON,
  ENG_PATTERN_SAME_TOKEN,
  ENG_PATTERN_SAME_WORD_OTHER,
  ENG_PATTERN_SAME_WORD_ANYWHERE,
  ENG_PATTERN_FIRST,
  ENG_PATTERN_SEPARATOR,
  ENG_PATTERN_PUNCTUATION,
  ENG_PATTERN_OWN_SENTENCE,
  ENG_PATTERN_BLOCK_AB,
  ENG_PATTERN_BLOCK_BA,
  ENG_PATTERN_BROAD,
  ENG_PATTERN_BLOCK_AA,
  ENG_PATTERN_BLOCK_BB
} EngPattern;
#define ENG_N_PATTERNS 16
#define ENG_N_LABELS 14
#define ENG_PATTERN_MIN_ROWS 3

typedef struct {
  int   n_rows; /* rows that count */
  int   n_hits; /* of these, rows whose strongest key is a target; for broad, rows above ½ */
  /* The strongest link from a row that counts to a target, of the same word anywhere rather one of
   * two tokens than of one with itself, if it is half as strong; for broad, the broadest row and its
   * strongest key. -1 and 0 where no row counts. */
  int   query;
  int   key;
  float weight;
} EngPatternEvidence;

/* The words of a pattern, in one place (pattern-words.c). Files and command lines know the name. */
const char         *eng_pattern_get_name        (EngPattern          pattern); /* "next" */
gboolean            eng_pattern_from_name       (const char         *name,
                                                 EngPattern         *pattern);
/* What is read, in plain words: "the word after". */
const char         *eng_pattern_get_title       (EngPattern          pattern);
/* The same where there is little room: "prev.", "A→B". */
const char         *eng_pattern_get_short       (EngPattern          pattern);
/* What a head of the pattern does, the middle of a sentence: "each word reads the one after". */
const char         *eng_pattern_get_clause      (EngPattern          pattern);
/* The same as the evidence has it, "most words read the one after" where that is the strongest key of
 * less than four rows of five; and behind the name of a head: "lets each word read the one after".
 * (transfer full) */
char               *eng_pattern_dup_clause      (EngPattern          pattern,
                                                 const EngPatternEvidence *evidence);
char               *eng_pattern_dup_deed        (EngPattern          pattern,
                                                 const EngPatternEvidence *evidence);
/* One of its targets, of which evidence is given: "the token after". NULL for broad. */
const char         *eng_pattern_get_target      (EngPattern          pattern);

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
 * the part of the way from chance to 1 that the score has gone; without a chance it has none. The
 * specific outranks the broad: a token's place or spelling (previous to same-word-anywhere), then
 * the columns where heads rest (first, separator, punctuation), then sentences, then broad. Of each
 * rank the strongest that reaches its threshold is taken. same-word-anywhere contains same-token
 * and same-word: it is taken for them from 1.25 times their strength on, and never below.
 *
 * The threshold is 0.25, from eight texts in the 72 heads of headlight-mini and the 72 of
 * MiniLM-L6. A head that the first two ranks name on one text has the same name on another in 70 %
 * and 85 % of the cases, where the other has rows for it, much as at 0.4 (72 %, 80 %); but 30 % and
 * 80 % of the heads have such a name, instead of 21 % and 56 %. At 0.2 the cases are 65 % and 85 %.
 * Previous agrees in 89 % and 81 %, own-sentence in 86 % and 52 %; ab and ba have 0.6, for at 0.25
 * they agree in 27 % and 11 % in headlight-mini. With columns and sentences in one rank MiniLM
 * would agree in 77 %; with 1.5 for 1.25 headlight-mini in 68 %.
 *
 * That places stand before columns is from table 1 of Clark et al. (2019): of its heads of bert-
 * base-uncased that are best for a relation of neighbours, six are previous or next here, each as
 * the offset of its relation says, and in one rank with the columns two of these are separator and
 * first. None of the table is two-back or two-on, for what it finds at a distance is grammar. */
EngPattern          eng_patterns_choose         (const float        *scores,
                                                 const float        *chances);

G_END_DECLS
