/* SPDX-License-Identifier: MIT */
/* A box in a GtkScrolledWindow that draws only those of its children that are in sight: GTK 4.8
 * draws all of them in each frame, which a long list of small parts makes slow. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_SIGHT_BOX (ui_sight_box_get_type ())
G_DECLARE_FINAL_TYPE (UiSightBox, ui_sight_box, UI, SIGHT_BOX, GtkBox)

G_END_DECLS
