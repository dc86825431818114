/* SPDX-License-Identifier: MIT */
/* What the heads of a map read: each pattern that heads follow, with the head that follows it best,
 * and the heads that a person looks for. Pure. */
#pragma once

#include "ui/document/document.h"
#include "ui/scene/base/head-tiles.h"

G_BEGIN_DECLS

typedef struct {
  EngPattern pattern;   /* that it is labelled with */
  int        n_heads;
  UiCell     best;
  float      score;     /* of the best one */
  gboolean   is_shared; /* by so many that no single one stands for it */
} UiHeadGroup;

/* groups: [ENG_N_LABELS], in the order of the patterns; how many there are. Layers that are not
 * made yet do not count. */
int      ui_head_groups_find (const UiHeadTiles *tiles,
                              UiHeadGroup       *groups);

/* A head that was found, and how well it fits. */
typedef struct {
  UiCell     cell;
  EngPattern pattern; /* that it was found by, else its label */
  double     score;
} UiFoundHead;

/* The heads that a text of the search names, best first: a pattern by the beginning of any word of
 * its name, a head "3.11", "layer 3" or "3", "head 11" or, with the marks of a map (UiHeadMarks, [n_layers, n_heads]),
 * "edited". (transfer full) of UiFoundHead; NULL where the text is no such name: it may be words of
 * the sentences. */
GArray  *ui_head_groups_search (const UiHeadTiles *tiles,
                                const char        *text,
                                const guint8      *marks);

/* What such a text was taken for, or why it found nothing: "Heads of layer 3", "There is no layer 9:
 * the last is 5". (transfer full); NULL where it is no such name. */
char    *ui_head_groups_describe (const UiHeadTiles *tiles,
                                  const char        *text,
                                  int                n_found);

G_END_DECLS
