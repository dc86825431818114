/* SPDX-License-Identifier: MIT */
/* What one looks at, with a column at either side. Where the window is too narrow for a column it
 * folds away; asked for it then lies over the centre until something else is clicked or Escape is
 * pressed in it. In the place of the one at the start, where it is not, a strip stands, unless the
 * window is very narrow. A column is as wide as it was dragged, else by the window. Widths at which
 * a column folds count in pixels at 100 % text. Main thread.
 *
 * Signal: "changed" when a column comes, goes, folds or was dragged. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define UI_TYPE_COLUMNS (ui_columns_get_type ())
G_DECLARE_FINAL_TYPE (UiColumns, ui_columns, UI, COLUMNS, GtkWidget)

typedef enum { UI_COLUMN_START, UI_COLUMN_END } UiColumn;

/* The children are the properties "start", "strip", "centre" and "end", set once. A strip that is
 * invisible takes no room. */

/* A person's choice, for as long as the column has room, or has none. */
void     ui_columns_reveal      (UiColumns *self,
                                 UiColumn   column,
                                 gboolean   is_revealed);
gboolean ui_columns_is_revealed (UiColumns *self,
                                 UiColumn   column);
/* Whether there is no room for it now. */
gboolean ui_columns_is_folded   (UiColumns *self,
                                 UiColumn   column);
/* Closes what lies over the centre. FALSE = nothing does. */
gboolean ui_columns_close_over (UiColumns *self);
/* All columns are folded, however much room there is. */
void     ui_columns_set_bare    (UiColumns *self,
                                 gboolean   is_bare);
/* It does not fold while the centre has the least room that it can live with; where the centre comes to
 * need more, and not because the window was made narrower, it stays in sight and lies over it. */
void     ui_columns_keep        (UiColumns *self,
                                 UiColumn   column,
                                 gboolean   is_kept);
void     ui_columns_set_width   (UiColumns *self,
                                 UiColumn   column,
                                 int        width);
int      ui_columns_get_width   (UiColumns *self,
                                 UiColumn   column);

G_END_DECLS
