/* SPDX-License-Identifier: MIT */
/* What differs between the two sides of a comparison, in the numbers of both; of what is pointed at
 * means over the heads that each side shows, or for a link its own head. Any thread. */
#pragma once

#include "ui/scene/base/scene.h"
#include "ui/scene/numbers/changes.h"

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

/* The scenes of the two sides, beside each other or subtracted; borrowed. FALSE for other scenes. */
gboolean ui_side_changes_get_sides (UiScene *scene,
                                    UiScene *sides[2]);
/* The links that changed most from one side to the other, the largest change first; their tokens are
 * rows of each side. Borrowed, of UiLinkChange; NULL for other scenes and for sides of two kinds. */
const GArray *ui_side_changes_get_links (UiScene *scene);
/* Such a link as an item of the scene: on the first side, or in the difference. */
UiItem  ui_side_changes_find_link (UiScene            *scene,
                                   const UiLinkChange *link);
/* (transfer full) Of such a scene, what makes the difference: "What the 2 edits change". */
char   *ui_side_changes_headline (UiScene *scene);
/* Of such a scene, why no link of it changed. */
const char *ui_side_changes_explain_none (UiScene *scene);

G_END_DECLS
