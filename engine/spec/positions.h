/* SPDX-License-Identifier: MIT */
/* Where tokens stand: rows of the position table, rotary angles, the bias by distance. */
#pragma once

#include "engine/spec/spec.h"

G_BEGIN_DECLS

/* positions [n]: of the tokens ids [n], the first of the sequence first. */
void  eng_positions_fill          (const EngSpec *spec,
                                   const gint32  *ids,
                                   int            n,
                                   gint32        *positions);

/* A position table that is computed: sines in the first half of a row's columns, cosines in the
 * second, of the angle row · frequency (Vaswani et al. 2017, section 3.5). */
typedef enum {
  ENG_SINUSOID_NONE,
  ENG_SINUSOID_OPEN,  /* 10000^(-2c/columns); an odd number of columns has one more sine */
  ENG_SINUSOID_SINGLE, /* the same in float32, step by step: visible from some hundred rows on */
  ENG_SINUSOID_CLOSED /* 10000^(-c/(half - 1)), so that the last of a half is 1/10000; the last of an
                       * odd number of columns is 0 */
} EngSinusoid;

/* table [n_rows, n_columns]; the rows before first_row, which belong to no token of a text, are 0.
 * A closed one has at least 4 columns. */
void  eng_positions_fill_sinusoid (EngSinusoid    sinusoid,
                                   int            first_row,
                                   int            n_rows,
                                   int            n_columns,
                                   float         *table);

/* frequencies [size/2]: angle = position · frequency, for a text of n_tokens. given: those of
 * the file, NULL where base and scaling say them. */
void  eng_rotary_fill_frequencies (const EngRotary        *rotary,
                                   const EngRotaryFactors *factors,
                                   const float            *given,
                                   int                     n_tokens,
                                   float                  *frequencies);
/* turns [n, size]: per row the cosines of size/2 angles, then their sines. factors are the stack's.
 * n_tokens: length of the whole text, which some scalings depend on. Frequencies and angles are
 * float32 as in the reference: at long texts that is visible. frequencies [size/2] are those of the
 * file, NULL where base and scaling say them. */
void  eng_rotary_fill             (const EngRotary        *rotary,
                                   const EngRotaryFactors *factors,
                                   const float            *frequencies,
                                   const gint32           *positions,
                                   int                     n,
                                   int                     n_tokens,
                                   float                  *turns);
/* rows [n, n_heads · head_size] in place, stride floats apart. */
void  eng_rotary_turn             (const EngRotary *rotary,
                                   const float     *turns,
                                   int              n,
                                   int              n_heads,
                                   int              head_size,
                                   gsize            stride,
                                   float           *rows);

/* Rows of the table of distances, in its order, that a text of n tokens has use for; *first (out)
 * the first of them. */
int   eng_relative_positions_count_rows (const EngRelativePositions *positions,
                                         int                         n,
                                         int                        *first);
/* rows [2 n - 1]: of the distances query - key from 1 - n to n - 1, counted from the first of the
 * above. */
void  eng_relative_positions_fill       (const EngRelativePositions *positions,
                                         int                         n,
                                         gint32                     *rows);

/* Bucket of the distance key - query. two_sided: keys to the right have buckets of their own, else
 * they all share the first. */
int   eng_relative_bias_get_bucket (const EngRelativeBias *bias,
                                    int                    distance,
                                    gboolean               two_sided);
/* out [n_heads, n - first, n] from table [n_buckets, n_heads], for the queries [first, n). */
void  eng_relative_bias_fill       (const EngRelativeBias *bias,
                                    const float           *table,
                                    int                    n_heads,
                                    gboolean               two_sided,
                                    int                    first,
                                    int                    n,
                                    float                 *out);

G_END_DECLS
