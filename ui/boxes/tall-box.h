/* SPDX-License-Identifier: MIT */
/* A box that is scrolled up and down and not sideways: it has a height for a width alone. Asked
 * for one without a width, as GTK 4.8 asks what lies in a GtkScrolledWindow before it uses
 * nothing of the answer, labels that wrap would try a dozen widths each. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_TALL_BOX (ui_tall_box_get_type ())
G_DECLARE_FINAL_TYPE (UiTallBox, ui_tall_box, UI, TALL_BOX, GtkWidget)

/* child is sunk. */
GtkWidget *ui_tall_box_new (GtkWidget *child);

G_END_DECLS
