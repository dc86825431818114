/* SPDX-License-Identifier: MIT */
/* Points at a part of the window: a ring around it and a card beside it, over everything else. Only
 * the card takes what is clicked. It lies in an overlay over all of the window. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_GUIDE (ui_guide_get_type ())
G_DECLARE_FINAL_TYPE (UiGuide, ui_guide, UI, GUIDE, GtkWidget)

/* The card is the property "card", set once. */

/* What it points at; NULL = nothing, then the card stands in the middle. Borrowed, may go. */
void ui_guide_point_at (UiGuide   *self,
                        GtkWidget *target);

G_END_DECLS
