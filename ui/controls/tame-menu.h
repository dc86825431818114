/* SPDX-License-Identifier: MIT */
/* What menus of buttons need beyond what GTK 4.8 does. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on the menus of all menu buttons from root on are never higher than 480 pixels, the first
 * Down after a click shows the first row instead of passing it by, and the buttons have no tooltip
 * while the menu is open, nor when it closes below the pointer. Once or more often. */
void ui_tame_menus (GtkWidget *root);

G_END_DECLS
