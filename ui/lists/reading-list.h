/* SPDX-License-Identifier: MIT */
/* A heading and the strongest few readings of a token below it, as bars stacked by head. The rows
 * are one Tab stop, arrows move among them; which one is aimed at is drawn, by no widget more.
 *
 * Signals: "aimed" () when another row may be under the pointer or the keyboard's cursor; "clicked"
 * (int row, gboolean extend) by pointer or space; "opened" (int row) by Return. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

#define UI_TYPE_READING_LIST (ui_reading_list_get_type ())
G_DECLARE_FINAL_TYPE (UiReadingList, ui_reading_list, UI, READING_LIST, GtkWidget)

/* heading: "reads"; begins the sentence of each row. */
GtkWidget *ui_reading_list_new (const char      *heading);

/* readings: array of UiReading of the weights, strongest first. tokens: those that the readings
 * name. full: the value of a whole bar. has_pair: tokens of a pair stand with the letter of their
 * sentence, not with their index. */
void       ui_reading_list_set (UiReadingList   *self,
                                GArray          *readings,
                                const UiWeights *weights,
                                const EngTokens *tokens,
                                double           full,
                                gboolean         has_pair,
                                UiTheme          theme);
/* The same for links: rows of a list of its own, each of a query and a key. */
GtkWidget *ui_reading_list_new_links (const char   *heading);
/* links: array of UiLinkReading, strongest first. */
void       ui_reading_list_set_links (UiReadingList   *self,
                                      GArray          *links,
                                      const UiWeights *weights,
                                      const EngTokens *queries,
                                      const EngTokens *keys,
                                      double           full,
                                      gboolean         has_pair,
                                      UiTheme          theme);
/* The row that is pointed at, else the keyboard's while the list has the focus; -1 = none. */
int        ui_reading_list_get_aim (UiReadingList  *self);
gboolean   ui_reading_list_is_pointed_at (UiReadingList *self);
/* Its token, as readings count it, of a link the key, and the head that has most of it. FALSE =
 * there is no such row. */
gboolean   ui_reading_list_get_row (UiReadingList  *self,
                                    int             row,
                                    int            *token,
                                    int            *head);
/* Of a row of links that there is. */
int        ui_reading_list_get_query (UiReadingList *self,
                                      int            row);
/* The row at a point of the list; -1 = none. */
int        ui_reading_list_find_row (UiReadingList *self,
                                     double         x,
                                     double         y);
/* Of a row that there is. Borrowed. */
GtkWidget *ui_reading_list_get_row_widget (UiReadingList *self,
                                           int            row);

G_END_DECLS
