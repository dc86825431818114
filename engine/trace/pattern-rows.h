/* SPDX-License-Identifier: MIT */
/* Which rows of a block count for which pattern, which keys are the targets there (the same for
 * every head), and the scores that follow. For engine/trace/patterns.c and head-facts.c alone. */
#pragma once

#include "engine/trace/patterns.h"

G_BEGIN_DECLS

/* A key is of one class, whose bits say what it is; a pattern of whole sentences or kinds of token
 * has the same classes as targets in every row of a sentence, so that a row is summed up once for
 * all of them. */
enum {
  ENG_KEY_FIRST = 1,
  ENG_KEY_SEPARATOR = 2,
  ENG_KEY_PUNCTUATION = 4,
  ENG_KEY_OF_B = 8
};
#define ENG_N_KEY_CLASSES 16

typedef struct {
  gboolean backwards;    /* no token sees a later one, though there is no mask that says so */
  guint8  *padding;      /* [n_queries] 1 = counts for nothing; NULL = none */
  guint8  *of_b;         /* [n_queries] 1 = a row of B */
  guint8  *key_classes;  /* [n_keys] */
  /* In the rows of A and of B: bit 1 << class for the classes that are targets; 0 for a pattern
   * that has none there or is not made of classes. */
  guint16  classes[2][ENG_N_PATTERNS];
  guint16 *counts;       /* [n_queries] bit 1 << EngPattern: the row counts */
  double  *widest;       /* [n_queries] log2 of the number of keys that the row sees */
  int     *alike_starts; /* [n_queries + 1] into alikes */
  int     *alikes;       /* keys of both sentences that are spelt as the query */
  int      n_rows[ENG_N_PATTERNS];
  float    chances[ENG_N_PATTERNS]; /* as eng_patterns_find_chances() says */
} EngPatternRows;

void     eng_pattern_rows_init      (EngPatternRows     *self,
                                     const EngAttention *attention,
                                     const EngTokens    *queries,
                                     const EngTokens    *keys);
void     eng_pattern_rows_clear     (EngPatternRows     *self);

/* scores: [n_heads, ENG_N_PATTERNS]; entropies (nullable): [n_heads], bits, mean over the rows that
 * are no padding. */
void     eng_pattern_rows_measure   (const EngPatternRows *self,
                                     const EngAttention   *attention,
                                     float                *scores,
                                     float                *entropies);

/* Of a row that counts. */
gboolean eng_pattern_rows_is_target (const EngPatternRows *self,
                                     EngPattern            pattern,
                                     int                   query,
                                     int                   key);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngPatternRows, eng_pattern_rows_clear)

G_END_DECLS
