/* SPDX-License-Identifier: MIT */
/* Texts that widgets draw by themselves. Main thread. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

/* What the desktop enlarges text by: 1 = as designed. */
double       ui_drawn_text_get_scale  (GtkWidget   *widget);
/* A layout in the widget's font whose digits are of one width. (transfer full) */
PangoLayout *ui_drawn_text_new_layout (GtkWidget   *widget,
                                       const char  *text,
                                       gboolean     is_bold);
/* Bytes of the number at the end of a name, with the blank before it: what tells a token from others
 * of its spelling, and is not cut. 0 = there is none. */
gsize        ui_drawn_text_get_number_length (const char *name);
/* The name of a token, of one line, with a small letter in its colour behind it (0 = none). n_kept:
 * the bytes of letter and number, for ui_layout_shorten(). (transfer full) */
PangoLayout *ui_drawn_text_new_token  (GtkWidget   *widget,
                                       const char  *name,
                                       char         letter,
                                       UiColor      color,
                                       gsize       *n_kept);
/* Draws it in the middle of a line of that height, whose upper edge is at 0. */
void         ui_drawn_text_append     (GtkSnapshot *snapshot,
                                       PangoLayout *layout,
                                       double       x,
                                       double       height,
                                       GdkRGBA      color);

G_END_DECLS
