/* SPDX-License-Identifier: MIT */
/* A line of widgets at the end of its room, as many of the first as fit; it asks for the width of
 * two, if nobody says else, can do with none, and its height is theirs. Children are added by
 * gtk_widget_set_parent().
 *
 * Signal: fitted (): how many are shown is another number than before; not while sizes are given
 * out. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_FIT_BOX (ui_fit_box_get_type ())
G_DECLARE_FINAL_TYPE (UiFitBox, ui_fit_box, UI, FIT_BOX, GtkWidget)

/* Of how many children it asks for the width. */
void ui_fit_box_set_n_wanted (UiFitBox *self,
                              int       n_wanted);
/* How many of the visible children are shown. */
int  ui_fit_box_get_n_shown  (UiFitBox *self);

G_END_DECLS
