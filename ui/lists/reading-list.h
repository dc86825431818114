/* SPDX-License-Identifier: MIT */
/* A heading and the strongest few readings of a token below it, as bars stacked by head; rows as of
 * every UiRowList. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"
#include "ui/view/row-list.h"

G_BEGIN_DECLS

#define UI_TYPE_READING_LIST (ui_reading_list_get_type ())
G_DECLARE_FINAL_TYPE (UiReadingList, ui_reading_list, UI, READING_LIST, UiRowList)

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
/* The token of a row, as readings count it, of a link the key, and the head that has most of it.
 * FALSE = there is no such row. */
gboolean   ui_reading_list_get_row (UiReadingList  *self,
                                    int             row,
                                    int            *token,
                                    int            *head);
/* Of a row of links that there is. */
int        ui_reading_list_get_query (UiReadingList *self,
                                      int            row);

G_END_DECLS
