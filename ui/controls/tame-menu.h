/* SPDX-License-Identifier: MIT */
/* What menus of buttons need beyond what GTK 4.8 does. Main thread. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on the menus of all menu buttons from root on are as high as the window has room for beside
 * the button or, where that is less, 480 pixels, and scroll then; the first Down after a click shows
 * the first row instead of passing it by, and the buttons have no tooltip while the menu is open, nor
 * when it closes below the pointer. Once or more often. */
void        ui_tame_menus    (GtkWidget     *root);
/* The button's menu, whose rows are made when it opens: a start that makes hundreds of them is
 * slower. Instead of gtk_menu_button_set_menu_model(); until it has opened the button has no
 * popover. */
void        ui_set_late_menu (GtkMenuButton *button,
                              GMenuModel    *menu);
/* The one that it has or will have; NULL = none. Borrowed. */
GMenuModel *ui_get_late_menu (GtkMenuButton *button);

/* (transfer full) The label of an item that says text: an underscore in it is no mnemonic. */
char       *ui_menu_label    (const char    *text);

G_END_DECLS
