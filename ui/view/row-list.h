/* SPDX-License-Identifier: MIT */
/* What lists of the inspector have in common whose rows stand for something in the picture. The rows
 * are one Tab stop, arrows move among them; which one is aimed at is drawn, by no widget more. A
 * subclass puts its widgets into itself, below each other, and says which of them are rows.
 *
 * Signals: "aimed" () when another row may be under the pointer or the keyboard's cursor; "clicked"
 * (int row, gboolean extend) by pointer or space; "opened" (int row) by Return. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_ROW_LIST (ui_row_list_get_type ())
G_DECLARE_DERIVABLE_TYPE (UiRowList, ui_row_list, UI, ROW_LIST, GtkWidget)

struct _UiRowListClass {
  GtkWidgetClass parent_class;
};

/* For subclasses. A widget inside of the list, in the order of the rows. */
void       ui_row_list_add        (UiRowList *self,
                                   GtkWidget *row);
/* How many of the rows are in use: the others are hidden. */
void       ui_row_list_use        (UiRowList *self,
                                   int        n,
                                   UiTheme    theme);
int        ui_row_list_get_n      (UiRowList *self);

/* The row that is pointed at, else the keyboard's while the list has the focus; -1 = none. */
int        ui_row_list_get_aim    (UiRowList *self);
gboolean   ui_row_list_is_pointed_at (UiRowList *self);
/* What is under the pointer, and what comes there, is not pointed at until it moves. */
void       ui_row_list_let_go_of_pointer (UiRowList *self);
/* The row at a point of the list; -1 = none. */
int        ui_row_list_find_row   (UiRowList *self,
                                   double     x,
                                   double     y);
/* Of a row that there is. Borrowed. */
GtkWidget *ui_row_list_get_row_widget (UiRowList *self,
                                       int        row);

G_END_DECLS
