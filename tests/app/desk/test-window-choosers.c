/* SPDX-License-Identifier: MIT */
/* Dialogs that ask for a file, in the real window: a path is taken, none is, the window goes
 * first. */
#include "tests/support/temporary.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

#define REST_MS 500
#define N_FOLDERS 600
#define FIRST_MS 10 /* until the bar has read some of them, not all */

static GtkWidget *
get_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (GTK_IS_FILE_CHOOSER_DIALOG (window) && gtk_widget_get_mapped (window))
      return window;
  }
  return NULL;
}

/* A person takes this long. GTK 4.18 fails where another folder is set before the bar of the first
 * one is there, and nothing tells when it is. */
static void
rest (void)
{
  let_pass (REST_MS);
}

static GtkWidget *
open_dialog (Fixture    *fixture,
             const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), action, NULL);
  wait_until (get_dialog () != NULL);
  g_assert_true (gtk_window_get_modal (GTK_WINDOW (get_dialog ())));
  g_assert_true (gtk_window_get_transient_for (GTK_WINDOW (get_dialog ()))
                 == GTK_WINDOW (fixture->window));
  rest ();

  return get_dialog ();
}

static gboolean
has_folder (GtkWidget *dialog)
{
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (dialog));

  return folder != NULL;
}

static gboolean
is_in (GtkWidget *dialog,
       GFile     *place)
{
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (dialog));

  return folder != NULL && g_file_equal (folder, place);
}

/* With the folder that it begins in: it would go back to that. */
static GtkWidget *
open_save_dialog (Fixture *fixture)
{
  GtkWidget *dialog = open_dialog (fixture, "win.save-as");

  wait_until (has_folder (dialog));
  return dialog;
}

static void
press (GtkWidget *dialog,
       int        response)
{
  GtkWidget *button = gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), response);

  wait_until (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, "clicked");
}

static gboolean
has_chosen (GtkWidget *dialog,
            GFile     *file)
{
  g_autoptr (GFile) chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  return chosen != NULL && g_file_equal (chosen, file);
}

static void
test_saved (Fixture *fixture)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "mine.headlight", NULL);
  g_autoptr (GFile) place = g_file_new_for_path (folder);
  g_autoptr (GFile) file = g_file_get_child (place, "mine");
  g_autofree char *name = NULL;
  GtkWidget *dialog = open_save_dialog (fixture);

  name = gtk_file_chooser_get_current_name (GTK_FILE_CHOOSER (dialog));
  g_assert_cmpstr (name, ==, "attention.headlight");
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), place, NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "mine");
  wait_until (has_chosen (dialog, file));
  press (dialog, GTK_RESPONSE_ACCEPT);
  wait_until (g_file_test (path, G_FILE_TEST_EXISTS) && !window_is_saving (fixture->window));
  g_assert_null (get_dialog ());

  temporary_free (folder);
}

static void
test_opened (Fixture *fixture)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "mine.headlight", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GListModel) filters = NULL;
  guint n_opened = window_get_n_opened (fixture->window);
  GtkWidget *dialog = open_dialog (fixture, "win.open");

  filters = gtk_file_chooser_get_filters (GTK_FILE_CHOOSER (dialog));
  g_assert_cmpuint (g_list_model_get_n_items (filters), ==, 2);
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  gtk_file_chooser_set_file (GTK_FILE_CHOOSER (dialog), file, NULL);
  wait_until (has_chosen (dialog, file));
  press (dialog, GTK_RESPONSE_ACCEPT);
  wait_until (window_get_n_opened (fixture->window) > n_opened);

  temporary_free (folder);
}

static void
test_cancelled (Fixture *fixture)
{
  GtkWidget *dialog = open_save_dialog (fixture);

  press (dialog, GTK_RESPONSE_CANCEL);
  wait_until (get_dialog () == NULL);
  g_assert_false (window_is_saving (fixture->window));
}

/* The menu that asks for a folder does not lie over the dialog. */
static void
test_menu_closes (Fixture *fixture)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (fixture->window, "model_button"));
  GtkWidget *popover, *item;
  int index = 0;

  gtk_menu_button_popup (button);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  wait_until (gtk_widget_get_mapped (popover));
  do
    item = driver_find (popover, GTK_TYPE_BUTTON, index++);
  while (g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (item)),
                    "win.open-model") != 0);
  g_signal_emit_by_name (item, "clicked");
  g_assert_false (gtk_widget_get_visible (popover));
  wait_until (get_dialog () != NULL);
  rest ();
  press (get_dialog (), GTK_RESPONSE_CANCEL);
  wait_until (get_dialog () == NULL);
}

static void
test_window_gone (Fixture *fixture)
{
  open_save_dialog (fixture);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  wait_until (get_dialog () == NULL);
}

static char *
make_deep_folder (const char *top)
{
  GString *path = g_string_new (top);

  for (int i = 0; i < N_FOLDERS; i++)
    g_string_append (path, "/in");
  g_assert_cmpint (g_mkdir_with_parents (path->str, 0700), ==, 0);
  return g_string_free (path, FALSE);
}

/* While the bar above the files, of a folder so deep, is being read. */
static void
test_closed_early (Fixture *fixture)
{
  char *top = temporary_new ();
  g_autofree char *path = make_deep_folder (top);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  GtkWidget *dialog = open_save_dialog (fixture);

  g_object_add_weak_pointer (G_OBJECT (dialog), (gpointer *) &dialog);
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  wait_until (is_in (dialog, folder));
  let_pass (FIRST_MS);
  press (dialog, GTK_RESPONSE_CANCEL);
  g_assert_null (get_dialog ());
  wait_until (dialog == NULL);

  temporary_free (top);
}

#define ADD(name, body) g_test_add_data_func ("/choosers/" name, body, run_test)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  ADD ("cancelled", test_cancelled);
  ADD ("menu-closes", test_menu_closes);
  ADD ("window-gone", test_window_gone);
  /* Last: GTK goes back to the folder of these. */
  ADD ("opened", test_opened);
  ADD ("saved", test_saved);
  ADD ("closed-early", test_closed_early);

  return g_test_run ();
}
