/* SPDX-License-Identifier: MIT */
/* What differs between the two sides of a comparison, in the inspector: a title that says what makes
 * the difference, the links that changed most, the heads that changed most. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/changed-heads.h"
#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_SIDES_PANEL (ui_sides_panel_get_type ())
G_DECLARE_FINAL_TYPE (UiSidesPanel, ui_sides_panel, UI, SIDES_PANEL, GtkWidget)

GtkWidget *ui_sides_panel_new       (void);

/* scene: nullable; hidden for what has not two sides beside each other. */
void       ui_sides_panel_set_scene (UiSidesPanel   *self,
                                     UiScene        *scene,
                                     UiTheme         theme);
/* A reference is taken; NULL = not known, or not yet. */
void       ui_sides_panel_set_heads (UiSidesPanel   *self,
                                     UiChangedHeads *heads);

/* Its lists, for who follows their rows: UiChangedLinkList, UiChangedHeadList. Borrowed. */
GtkWidget *ui_sides_panel_get_links (UiSidesPanel   *self);
GtkWidget *ui_sides_panel_get_heads (UiSidesPanel   *self);

G_END_DECLS
