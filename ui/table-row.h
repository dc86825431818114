/* SPDX-License-Identifier: MIT */
/* A row of the table twin: which token it is about. Its texts are written by the table; a row whose
 * numbers have changed emits changed (). */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define UI_TYPE_TABLE_ROW (ui_table_row_get_type ())
G_DECLARE_FINAL_TYPE (UiTableRow, ui_table_row, UI, TABLE_ROW, GObject)

UiTableRow *ui_table_row_new       (int         index);
int         ui_table_row_get_index (UiTableRow *self);
void        ui_table_row_changed   (UiTableRow *self);

G_END_DECLS
