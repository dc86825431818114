/* SPDX-License-Identifier: MIT */
/* Texts that widgets draw by themselves. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the desktop enlarges text by: 1 = as designed. */
double       ui_drawn_text_get_scale  (GtkWidget   *widget);
/* A layout in the widget's font whose digits are of one width. (transfer full) */
PangoLayout *ui_drawn_text_new_layout (GtkWidget   *widget,
                                       const char  *text,
                                       gboolean     is_bold);
/* Draws it in the middle of a line of that height, whose upper edge is at 0. */
void         ui_drawn_text_append     (GtkSnapshot *snapshot,
                                       PangoLayout *layout,
                                       double       x,
                                       double       height,
                                       GdkRGBA      color);

G_END_DECLS
