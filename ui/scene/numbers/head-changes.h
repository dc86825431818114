/* SPDX-License-Identifier: MIT */
/* How much each head of a model changed from one run to another. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  int    layer;
  int    head;
  double moved; /* part of its attention that went elsewhere, 0..1 */
} UiHeadChange;

/* Moved is half the sum of the absolute differences of a row of weights, averaged over the rows that
 * both texts have (alignment.h); a column that one text alone has is 0 in the other. Weights,
 * whatever a picture measures.
 * (transfer full) Of UiHeadChange, the one that moved most first; layers that one run has not yet
 * are left out. NULL where the runs have not the same numbers of layers and heads or no token in
 * common, and when cancelled (nullable, polled). Any thread. */
GArray *ui_head_changes_new (EngTrace   *first,
                             EngTrace   *second,
                             EngKind     kind,
                             const gint *cancel);

G_END_DECLS
