/* SPDX-License-Identifier: MIT */
/* What differs between the two sides of a comparison. A side is compared with its partners: rows and
 * columns that are the same tokens (alignment.h), heads of the same number. Pure; any thread. */
#pragma once

#include "ui/scene/numbers/weights.h"

G_BEGIN_DECLS

/* Part of the full scale: a link that changed by less is drawn in grey. */
#define UI_SMALL_CHANGE 0.10

/* Rows and columns of one side as those of the other; -1 = the other has it not. */
typedef struct {
  int *queries;
  int *keys;
} UiPartners;

/* (transfer full) [tokens of the first text] the same token of the second, -1 = there is none;
 * swapped: of the second text those of the first. */
int     *ui_partners_find           (const EngTokens *first,
                                     const EngTokens *second,
                                     gboolean         swapped);
/* Of the first side; swapped: of the second one. Clear with ui_partners_clear(). */
void     ui_partners_init           (UiPartners      *self,
                                     const UiWeights *first,
                                     const UiWeights *second,
                                     gboolean         swapped);
void     ui_partners_clear          (UiPartners      *self);

/* Whether both show the same heads in the same units, so that links have partners. */
gboolean ui_changes_are_comparable  (const UiWeights *first,
                                     const UiWeights *second);
/* The change that is no longer small, in units of the measure; the same for both sides. */
double   ui_changes_get_small       (const UiWeights *first,
                                     const UiWeights *second);
/* (transfer full) [heads that are shown, rows, columns] of own: 1 = a link that changed by less than
 * that. */
GBytes  *ui_changes_mark_small      (const UiWeights  *own,
                                     const UiWeights  *other,
                                     const UiPartners *partners);

/* As many as a list beside the picture has room for. */
#define UI_N_CHANGED_LINKS 6

/* One link on both sides, This and Other. */
typedef struct {
  int    heads[2];
  int    queries[2]; /* rows of the side */
  int    keys[2];
  double values[2];
} UiLinkChange;

/* (transfer full) The links that changed most, the largest change first, at most n; the i-th head
 * that is shown beside the i-th, a mean beside a mean. Of UiLinkChange; empty where not as many heads are shown. */
GArray  *ui_changes_list_links      (const UiWeights  *first,
                                     const UiWeights  *second,
                                     int               n);

G_END_DECLS
