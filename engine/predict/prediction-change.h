/* SPDX-License-Identifier: MIT */
/* What an edit does to a prediction: two rows of logits over the same classes, before and after.
 * Pure functions in double precision. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How logits become probabilities. */
typedef enum {
  ENG_CHANGE_ONE_OF_ALL, /* softmax: the classes share 1 */
  ENG_CHANGE_EACH        /* sigmoid: every class is true or not */
} EngChangeScores;

/* A class that is among the best k before or after. */
typedef struct {
  int    id;
  double before;      /* probability */
  double after;
  int    rank_before; /* 0 = the best; of equal ones the lower id */
  int    rank_after;
} EngPredictionMove;

/* probabilities [n_classes] of logits [n_classes]. */
void    eng_prediction_change_probabilities (const float       *logits,
                                             int                n_classes,
                                             EngChangeScores    scores,
                                             double            *probabilities);

/* Of one class, without the others' memory. */
double  eng_prediction_change_get_probability (const float     *logits,
                                               int              n_classes,
                                               EngChangeScores  scores,
                                               int              id);

/* KL (before ‖ after) = Σ p log₂ (p / q) in bits, straight from the logits, so that it stays finite
 * where q would be 0 as a float. Where every class is true or not, the sum of the divergences of
 * the classes. Never below 0. */
double  eng_prediction_change_divergence    (const float       *before,
                                             const float       *after,
                                             int                n_classes,
                                             EngChangeScores    scores);

/* The first of the largest. */
int     eng_prediction_change_find_best     (const float       *logits,
                                             int                n_classes);

/* (transfer full) The classes that are among the best k before or after, by rank before: array of
 * EngPredictionMove, at least MIN (k, n_classes) and at most twice as many. */
GArray *eng_prediction_change_list_moves    (const float       *before,
                                             const float       *after,
                                             int                n_classes,
                                             EngChangeScores    scores,
                                             int                k);

G_END_DECLS
