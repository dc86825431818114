/* SPDX-License-Identifier: MIT */
/* A menu of what can be done to what is pointed at: right click, a long press of a finger, and for
 * the keyboard the Menu key and Shift+F10. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The menu for the place (x, y) of widget, or with x < 0 for where its keyboard focus or cursor is;
 * then *at says where that is. (transfer full) NULL = none. */
typedef GMenuModel *(*UiContextMenuFunc) (GtkWidget    *widget,
                                          double        x,
                                          double        y,
                                          GdkRectangle *at,
                                          gpointer      data);

void        ui_context_menu_attach (GtkWidget         *widget,
                                    UiContextMenuFunc  func,
                                    gpointer           data);
/* Takes model over. at: in coordinates of widget. One menu a window is open at a time. */
void        ui_context_menu_show   (GtkWidget          *widget,
                                    GMenuModel         *model,
                                    const GdkRectangle *at);

G_END_DECLS
