/* SPDX-License-Identifier: MIT */
/* A row of widgets that goes on in a further line where the width does not suffice, as words do.
 * A line takes as many children as their least widths allow; those that do not expand have their
 * natural widths where all of these fit, else the last of them give way first, and those that expand
 * share what is left. Children are added by a .ui file or gtk_widget_set_parent(). Property: spacing, between the children of a line. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_WRAP_BOX (ui_wrap_box_get_type ())
G_DECLARE_FINAL_TYPE (UiWrapBox, ui_wrap_box, UI, WRAP_BOX, GtkWidget)

G_END_DECLS
