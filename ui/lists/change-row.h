/* SPDX-License-Identifier: MIT */
/* A class of a prediction before and after an edit, as one line: name, probability before and
 * after, the signed change as a bar around zero and as a number, and how its rank moved. Drawn by
 * one widget of a fixed request, so that new numbers cost a redraw and no layout. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

#define UI_TYPE_CHANGE_ROW (ui_change_row_get_type ())
G_DECLARE_FINAL_TYPE (UiChangeRow, ui_change_row, UI, CHANGE_ROW, GtkWidget)

typedef struct {
  const char *name;
  const char *before;
  const char *after;
  const char *change;
  const char *move;     /* "▲2", "" */
  gboolean    after_first; /* the columns are after, before, change */
  const char *sentence; /* what a screen reader says and the tooltip shows */
  double      value;    /* of the bar */
  double      full;     /* value of a whole half of it, above 0 */
  UiColor     color;
} UiChangeRowTexts;

GtkWidget  *ui_change_row_new      (void);
void        ui_change_row_set      (UiChangeRow            *self,
                                    const UiChangeRowTexts *texts);
/* As it is drawn, cut in its middle where it has no room: for tests. Borrowed until it is set or
 * laid out. */
const char *ui_change_row_get_name (UiChangeRow            *self);

G_END_DECLS
