/* SPDX-License-Identifier: MIT */
/* A row of a list or table: the number of what it is about. Its texts are written by the list; a
 * row whose numbers have changed emits changed (). */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define UI_TYPE_TABLE_ROW (ui_table_row_get_type ())
G_DECLARE_FINAL_TYPE (UiTableRow, ui_table_row, UI, TABLE_ROW, GObject)

UiTableRow *ui_table_row_new       (int         index);
int         ui_table_row_get_index (UiTableRow *self);
void        ui_table_row_changed   (UiTableRow *self);

/* Brings a store whose rows are numbered from 0 nearer to n rows: at most that many come at its end
 * or go there. To make and to drop a row takes GTK milliseconds, so the others are left for when
 * there is nothing else to do. Returns whether there are such. */
gboolean    ui_table_rows_step     (GListStore *rows,
                                    guint       n,
                                    guint       most);

G_END_DECLS
