/* SPDX-License-Identifier: MIT */
/* The dialog that asks what a model shall learn, driven. */
#pragma once

#include "tests/support/window/widget-driver.h"
#include "ui/dialogs/train-dialog.h"

static inline GtkWidget *
find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (G_OBJECT_TYPE (window) == type)
      return window;
  }

  return NULL;
}

/* NULL = it is not open. */
static inline GtkWidget *
find_dialog (void)
{
  return find_window (UI_TYPE_TRAIN_DIALOG);
}

static inline void
press (GtkWidget  *dialog,
       const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (dialog, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0) {
      g_assert_true (gtk_widget_get_sensitive (button));
      g_signal_emit_by_name (button, "clicked");
      return;
    }
  g_assert_not_reached ();
}

static inline void
choose (int preset)
{
  GtkWidget *row = driver_find (find_dialog (), ADW_TYPE_COMBO_ROW, 0);

  adw_combo_row_set_selected (ADW_COMBO_ROW (row), (guint) preset);
}
