/* SPDX-License-Identifier: MIT */
/* The check line: recomputes one cell of the attention from the trace's q, k, scale, bias and mask,
 * in double precision and sharing no code with the forward, and compares it with the weight that
 * the trace holds. Formula: softmax over visible keys of cap (scale · q·k) + bias, where the bias may
 * be the sum of two terms of positions and a key that is read n times counts n times; with what the
 * trace's edits make of scale, scores and row. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef enum {
  ENG_CHECK_AGREES,     /* within 1e-5 or one unit of the stored type */
  ENG_CHECK_DIFFERS,
  ENG_CHECK_IMPOSSIBLE  /* no queries and keys in the trace */
} EngCheckResult;

typedef struct {
  double product;    /* q·k */
  double score;      /* cap (scale · q·k) + bias, divided by the temperature of an edit */
  /* Terms of the bias, divided alike; 0 where it has no such term */
  double content_position, position_content;
  double recomputed; /* weight from the formula */
  double stored;     /* weight that the trace holds */
  double tolerance;  /* 1e-5, or what one unit of the stored type makes of it */
  gboolean masked;
} EngCheck;

EngCheckResult eng_check_cell (EngTrace *trace,
                               EngKind   kind,
                               int       layer,
                               int       head,
                               int       query,
                               int       key,
                               EngCheck *check);

/* The key of a row whose weight is furthest from what q and k give, with its check; -1 where all
 * agree, or nothing can be checked. *n_wrong (out): how many differ. */
int            eng_check_row (EngTrace *trace,
                              EngKind   kind,
                              int       layer,
                              int       head,
                              int       query,
                              int      *n_wrong,
                              EngCheck *check);

/* What the trace's edits leave of a row of weights [n_keys], each of one reading, in place;
 * readings [n_keys]: of each key, 0 = it is hidden. */
void           eng_check_edit_row (const EngTrace *trace,
                                   EngKind         kind,
                                   int             layer,
                                   int             head,
                                   int             query,
                                   int            *readings,
                                   int             n_keys,
                                   double         *weights);

/* What the head's q·k is multiplied with: the model's scale, or that of an edit; temperature (out): by
 * what edits divide its scores, 1 = none does. */
double         eng_check_get_scale (const EngTrace *trace,
                                    EngKind         kind,
                                    int             layer,
                                    int             head,
                                    double         *temperature);

G_END_DECLS
