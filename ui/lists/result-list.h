/* SPDX-License-Identifier: MIT */
/* What a search found, best first: a head or a line a row, with a bar, a number and a second line
 * of text. Only the rows in sight have widgets, so that a list may be long.
 *
 * Signal: opened (guint index): a click on a row, or Return; the row is the selected one then. */
#pragma once

#include <gtk/gtk.h>

#include "ui/document/document.h"

G_BEGIN_DECLS

#define UI_TYPE_RESULT_LIST (ui_result_list_get_type ())
G_DECLARE_FINAL_TYPE (UiResultList, ui_result_list, UI, RESULT_LIST, GtkWidget)

typedef struct {
  char   *name;     /* "2.9" */
  char   *number;   /* at the end; NULL = no bar and no number */
  char   *note;     /* second line; NULL = none */
  char   *sentence; /* of the tooltip and a screen reader */
  double  part;     /* of the bar, 0..1 */
  int     head;     /* whose colour the bar has; -1 = that of an aggregate */
} UiResult;

GtkWidget *ui_result_list_new         (const char   *label); /* accessible */
/* (transfer full) Of UiResult; empty. */
GArray    *ui_result_list_new_array   (void);
/* Takes results over; none is selected. */
void       ui_result_list_take        (UiResultList *self,
                                       GArray       *results);
/* Selects a row without opening it and brings it into sight. */
void       ui_result_list_select      (UiResultList *self,
                                       guint         index);
void       ui_result_list_set_theme   (UiResultList *self,
                                       UiTheme       theme);

G_END_DECLS
