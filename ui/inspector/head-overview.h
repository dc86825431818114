/* SPDX-License-Identifier: MIT */
/* What is drawn, beside a picture of tokens in which nothing is chosen: of one head its map, its
 * name, what it reads and the evidence for it; of several a row each, which shows it alone. Changes
 * nothing.
 *
 * Signal: "head-chosen" (int layer, int head). */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_OVERVIEW (ui_head_overview_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadOverview, ui_head_overview, UI, HEAD_OVERVIEW, GtkWidget)

GtkWidget *ui_head_overview_new (void);

/* Whether it has a row for each head of the scene: of one layer, or of several beside each other. */
gboolean   ui_head_overview_has_rows (const UiScene *scene);
/* The head of the row at a point of it, or with x < 0 of the row that has the focus; *row is
 * borrowed. FALSE = there is none. */
gboolean   ui_head_overview_find_row (UiHeadOverview  *self,
                                      double           x,
                                      double           y,
                                      UiItem          *item,
                                      GtkWidget      **row);
/* scene: nullable. It hides itself unless it is shown, and is made once for a scene and a theme. */
void       ui_head_overview_set (UiHeadOverview *self,
                                 UiScene        *scene,
                                 gboolean        is_shown,
                                 UiTheme         theme);

G_END_DECLS
