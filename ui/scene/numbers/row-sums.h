/* SPDX-License-Identifier: MIT */
/* What the rows that are drawn sum to. Weights of a model sum to 1; those of a file from elsewhere,
 * and of an edit that cuts an edge, sum to whatever they do, which a legend states. Any thread. */
#pragma once

#include "ui/scene/numbers/weights.h"

G_BEGIN_DECLS

/* Beyond it from 1, a row does not sum to 1. */
#define UI_ROW_SUM_TOLERANCE 1e-3

typedef struct {
  double   least; /* more than most = no row was seen */
  double   most;
  gboolean is_part; /* some keys are read several times, of which weights have one reading */
} UiRowSums;

void     ui_row_sums_init    (UiRowSums       *self);
/* Takes in the rows of the heads that are shown, whole ones, filter or not; but for those that the
 * filter takes out and those that see nothing. Of norms, rollouts, the largest of several heads or
 * layers, and rows that were brought back to 1 there is nothing to say. */
void     ui_row_sums_add     (UiRowSums       *self,
                              const UiWeights *weights);
gboolean ui_row_sums_are_one (const UiRowSums *self);

G_END_DECLS
