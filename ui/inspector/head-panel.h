/* SPDX-License-Identifier: MIT */
/* What the model view says of one head, for the inspector: its map in large, or its links, what to
 * do next with it, the pattern that it follows with the evidence, how clearly it follows which, and
 * its strongest links.
 *
 * Signal: "clicked" (UiItem *item, gboolean extend) at a token or link of the head, in the picture
 * of its links or in the list of the strongest. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_HEAD_PANEL (ui_head_panel_get_type ())
G_DECLARE_FINAL_TYPE (UiHeadPanel, ui_head_panel, UI, HEAD_PANEL, GtkWidget)

GtkWidget *ui_head_panel_new (void);

/* A scene of the model view. item: the head that is pointed at; of another type or of a layer that
 * is not there: the head that the document marks, else none. */
void       ui_head_panel_set (UiHeadPanel  *self,
                              UiScene      *scene,
                              const UiItem *item,
                              UiTheme       theme);
/* Links in place of the map; FALSE at first. */
void       ui_head_panel_set_open (UiHeadPanel *self,
                                   gboolean     is_open);

G_END_DECLS
