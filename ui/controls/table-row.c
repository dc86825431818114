/* SPDX-License-Identifier: MIT */
#include "ui/controls/table-row.h"

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

gboolean
ui_table_rows_step (GListStore *rows,
                    guint       n,
                    guint       most)
{
  const guint before = g_list_model_get_n_items (G_LIST_MODEL (rows));
  const guint after = n > before ? before + MIN (n - before, most)
                                 : before - MIN (before - n, most);
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = before; i < after; i++)
    g_ptr_array_add (added, ui_table_row_new ((int) i));
  if (after != before)
    g_list_store_splice (rows, MIN (before, after), before - MIN (before, after), added->pdata,
                         added->len);
  return after != n;
}
