/* SPDX-License-Identifier: MIT */
#include "ui/table-row.h"

struct _UiTableRow {
  GObject parent_instance;

  int     index;
};

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiTableRow, ui_table_row, G_TYPE_OBJECT)

static void
ui_table_row_class_init (UiTableRowClass *klass)
{
  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
}

static void
ui_table_row_init (UiTableRow *self)
{
}

UiTableRow *
ui_table_row_new (int index)
{
  UiTableRow *self = g_object_new (UI_TYPE_TABLE_ROW, NULL);

  self->index = index;
  return self;
}

int
ui_table_row_get_index (UiTableRow *self)
{
  g_return_val_if_fail (UI_IS_TABLE_ROW (self), 0);

  return self->index;
}

void
ui_table_row_changed (UiTableRow *self)
{
  g_return_if_fail (UI_IS_TABLE_ROW (self));

  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}
