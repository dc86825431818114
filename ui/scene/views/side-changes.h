/* SPDX-License-Identifier: MIT */
/* What differs between the two sides of a comparison, in the numbers of both; of what is pointed at
 * means over the heads that each side shows, or for a link its own head. Any thread. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef struct {
  char    *name;     /* "cat 2": the other end of the link */
  double   values[2];
  gboolean is_there[2]; /* whether the side has both tokens */
} UiSideChange;

/* (transfer full) Of a cell or link: that one; of a token: what it reads, or for a key who reads
 * it, the largest changes first. What one side alone has comes last. NULL for a scene that has
 * not two sides, and where nothing is pointed at. */
GArray *ui_side_changes_new   (UiScene      *scene,
                               const UiItem *item);
/* (transfer full) "“the” (1) reads, on both sides" */
char   *ui_side_changes_title (UiScene      *scene,
                               const UiItem *item);

/* The links that changed most in two sides beside each other, the largest change first; their tokens
 * are rows of each side. Borrowed, of UiLinkChange (numbers/changes.h); NULL for other scenes. */
const GArray *ui_side_changes_get_links (UiScene *scene);
/* (transfer full) Of such a scene, what makes the difference: "What the 2 edits change". */
char   *ui_side_changes_headline (UiScene *scene);

G_END_DECLS
