/* SPDX-License-Identifier: MIT */
/* Export and what is said about it, in the real window. */
#include "tests/support/window/window-test.h"

#include "ui/dialogs/export-dialog.h"

/* The first open window of that type, or NULL. */
static GtkWidget *
find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (G_TYPE_CHECK_INSTANCE_TYPE (window, type))
      return window;
  }
  return NULL;
}

static GtkWidget *
find_format_row (GtkWidget *dialog)
{
  GtkWidget *row;

  for (int i = 0; (row = driver_find (dialog, ADW_TYPE_COMBO_ROW, i)) != NULL; i++)
    if (g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), "Format"))
      return row;
  g_assert_not_reached ();
}

static void
click_button (GtkWidget  *dialog,
              const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (dialog, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0) {
      g_signal_emit_by_name (button, "clicked");
      return;
    }
  g_assert_not_reached ();
}

/* Who exports five heads as PDF says so once. What is chosen is kept when the dialog for files
 * opens, which is not opened here: what GTK loads for it leaks. */
static void
test_last_format (AppWindow *window)
{
  GtkWidget *row;

  activate (window, "win.export");
  row = find_format_row (find_window (UI_TYPE_EXPORT_DIALOG));
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, UI_EXPORT_SVG);
  click_button (find_window (UI_TYPE_EXPORT_DIALOG), "_Cancel");

  window_set_export_format (window, UI_EXPORT_PDF);
  activate (window, "win.export");
  row = find_format_row (find_window (UI_TYPE_EXPORT_DIALOG));
  g_assert_cmpuint (adw_combo_row_get_selected (ADW_COMBO_ROW (row)), ==, UI_EXPORT_PDF);
  click_button (find_window (UI_TYPE_EXPORT_DIALOG), "_Cancel");
}

static AdwToast *
add_toast (AppWindow  *window,
           const char *title,
           const char *button)
{
  AdwToast *toast = adw_toast_new (title);

  /* It would stay for ever. */
  adw_toast_set_timeout (toast, 0);
  adw_toast_set_button_label (toast, button);
  window_add_toast (window, g_object_ref (toast));
  return toast;
}

/* What is said later does not wait for what was said before, unless that can be answered. */
static void
test_toasts_make_room (AppWindow *window)
{
  g_autoptr (AdwToast) first = add_toast (window, "First", NULL);
  g_autoptr (AdwToast) second = add_toast (window, "Second", NULL);
  g_autoptr (AdwToast) answered = add_toast (window, "Answered", "_Undo");
  g_autoptr (AdwToast) last = add_toast (window, "Last", NULL);

  g_assert_true (window_get_toast (window) == first);
  wait_until (window_get_toast (window) == second);
  wait_until (window_get_toast (window) == answered);
  g_assert_false (window_will_show_next_toast (window));
  adw_toast_dismiss (answered);
  wait_until (window_get_toast (window) == last);
}

/* The picture gets another size with each frame while a toast moves. GTK warns, which ends a test,
 * of what it has forgotten to lay out. */
static void
test_toast_beside_moving_inspector (AppWindow *window)
{
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 680);
  activate (window, "win.view::model");
  for (guint i = 0; i < 12; i++) {
    activate (window, "win.inspector");
    let_pass (20 * (i % 4));
    window_toast (window, "said");
    let_pass (60 * (i % 4));
  }
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/window-export/last-format", (gconstpointer) test_last_format, run_test);
  g_test_add_data_func ("/window-export/toasts-make-room", (gconstpointer) test_toasts_make_room,
                        run_test);
  g_test_add_data_func ("/window-export/toast-beside-moving-inspector",
                        (gconstpointer) test_toast_beside_moving_inspector, run_test);
  return g_test_run ();
}
