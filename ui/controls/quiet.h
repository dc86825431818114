/* SPDX-License-Identifier: MIT */
/* Setters for what is set again with every change of the window: they do nothing where nothing has
 * changed. GTK's own make the label of a menu button anew, and with it the layout of its row, and
 * ask for a tooltip once more. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ui_quiet_set_label   (GtkMenuButton *button,
                           const char    *label);
/* text: nullable. */
void ui_quiet_set_tooltip (GtkWidget     *widget,
                           const char    *text);

/* The child, invisible until then, is laid out from its first time on: GTK measures what a revealer
 * hides, too. */
void ui_quiet_reveal      (GtkRevealer   *revealer,
                           gboolean       is_revealed);

G_END_DECLS
