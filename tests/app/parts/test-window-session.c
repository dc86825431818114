/* SPDX-License-Identifier: MIT */
/* Documents in files, in the real window: saved, opened again, found after the program was
 * ended. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include "app/shell/application.h"
#include "app/store/paths.h"
#include "app/study/autosave.h"
#include "tests/support/temporary.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"
#include "tests/support/window/window-access.h"
#include "ui/scene/export/export.h"

typedef struct {
  AppWindow *window;
  char      *folder;
} Fixture;

static gboolean
is_idle (AppWindow *window)
{
  return window_is_idle (window) && !window_is_saving (window);
}

static void
run_body (GApplication *application,
          gpointer      data)
{
  void (*body) (Fixture *) = data;
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  Fixture fixture = { APP_WINDOW (window), temporary_new () };

  wait_until (is_idle (fixture.window));
  body (&fixture);
  if (gtk_application_get_windows (GTK_APPLICATION (application)) != NULL)
    gtk_window_destroy (window);
  temporary_free (fixture.folder);
}

static void
run_application (AppApplication *application,
                 gconstpointer   body)
{
  g_signal_connect_after (application, "activate", G_CALLBACK (run_body), (gpointer) body);
  g_assert_cmpint (g_application_run (G_APPLICATION (application), 0, NULL), ==, 0);
  g_assert_finalize_object (application);
}

static void
run_test (gconstpointer body)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  run_application (app_application_new (document), body);
}

static void
activate (Fixture    *fixture,
          const char *detailed_name)
{
  g_autoptr (GVariant) target = NULL;
  g_autofree char *name = NULL;

  g_assert_true (g_action_parse_detailed_name (detailed_name, &name, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->window), name, target));
  wait_until (is_idle (fixture->window));
}

static const char *
get_label (Fixture *fixture)
{
  return window_get_label (fixture->window, "session_label");
}

static const UiDocument *
get_document (Fixture *fixture)
{
  return app_window_get_document (fixture->window);
}

/* Saves where a person would have said in the dialog. */
static char *
save_new (Fixture    *fixture,
          const char *name)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  app_session_file_write (path, get_document (fixture), NULL, NULL, &error);
  g_assert_no_error (error);

  return path;
}

static void
open_file (Fixture    *fixture,
           const char *path)
{
  guint serial = window_get_n_opened (fixture->window);

  app_window_open_file (fixture->window, path);
  wait_until (window_get_n_opened (fixture->window) > serial && is_idle (fixture->window));
}

static void
test_open_and_save (Fixture *fixture)
{
  g_autofree char *path = NULL;
  g_autoptr (UiDocument) saved = NULL;
  g_autoptr (UiSession) again = NULL;
  g_autoptr (GError) error = NULL;

  activate (fixture, "win.next-layer");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), ==, "Headlight");
  path = save_new (fixture, "paper.headlight");
  activate (fixture, "win.view::neuron");
  open_file (fixture, path);
  g_assert_cmpint (get_document (fixture)->layer, ==, 1);
  g_assert_cmpint (get_document (fixture)->view, ==, UI_VIEW_HEAD);
  g_assert_cmpstr (get_label (fixture), ==, "paper.headlight");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), ==,
                   "paper.headlight — Headlight");

  activate (fixture, "win.next-layer");
  g_assert_cmpstr (get_label (fixture), ==, "paper.headlight •");
  activate (fixture, "win.undo");
  g_assert_cmpstr (get_label (fixture), ==, "paper.headlight");
  activate (fixture, "win.redo");
  saved = ui_document_copy (get_document (fixture));
  activate (fixture, "win.save");
  g_assert_cmpstr (get_label (fixture), ==, "paper.headlight");

  /* The steps that led there come along; the other view was none. */
  again = app_session_file_open (path, saved, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ui_document_equal (again->document, saved));
  g_assert_cmpuint (again->past->len, ==, 3);
  g_assert_cmpint (((const UiDocument *) again->past->pdata[0])->layer, ==, 1);
}

/* Opening is a step: what was there before comes back. */
static void
test_undo_of_opening (Fixture *fixture)
{
  g_autofree char *path = save_new (fixture, "first.headlight");

  activate (fixture, "win.example(2)");
  activate (fixture, "win.view::neuron");
  open_file (fixture, path);
  g_assert_cmpint (get_document (fixture)->view, ==, UI_VIEW_HEAD);
  activate (fixture, "win.undo");
  g_assert_cmpint (get_document (fixture)->view, ==, UI_VIEW_NEURON);
  g_assert_cmpstr (get_document (fixture)->text_a, ==, "time flies like an arrow");
}

static void
test_figures (Fixture *fixture)
{
  static const char *const names[] = { "a.svg", "a.pdf", "a.png", "a.html" };
  g_autoptr (UiDocument) drawn = NULL;

  activate (fixture, "win.example(1)");
  activate (fixture, "win.next-layer");
  activate (fixture, "win.head(3)");
  drawn = ui_document_copy (app_window_get_shown (fixture->window));
  g_free (drawn->model);
  drawn->model = g_strdup ("headlight-mini");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (fixture->folder, names[i], NULL);
    g_autoptr (GError) error = NULL;

    ui_figure_write (app_window_get_trace (fixture->window), drawn, path, &error);
    g_assert_no_error (error);
    activate (fixture, "win.example(2)");
    activate (fixture, "win.view::neuron");
    open_file (fixture, path);
    g_assert_true (ui_document_equal (get_document (fixture), drawn));
    /* A figure is no session: it is not what Save writes to. */
    g_assert_cmpstr (get_label (fixture), ==, "");
  }
}

static void
test_refused (Fixture *fixture)
{
  static const char *const files[][3] = {
    { "a.headlight", "{\"format\": \"headlight-session\", \"version\": 1, \"document\": "
      "{\"layer\": \"x\"}}", "layer is \"x\", expected a whole number" },
    { "a.svg", "<svg/>", "a.svg" },
    { "b.headlight", "", "b.headlight" },
    { "a.safetensors", "12345678{", "a.safetensors" },
    { "a.c", "int main (void) { return 0; }", "a.c" },
  };
  g_autoptr (UiDocument) before = ui_document_copy (get_document (fixture));

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (fixture->folder, files[i][0], NULL);

    g_assert_true (g_file_set_contents (path, files[i][1], -1, NULL));
    open_file (fixture, path);
    g_assert_true (ui_document_equal (get_document (fixture), before));
    g_assert_true (window_reveals (fixture->window, "refusal_revealer"));
    g_assert_nonnull (strstr (window_get_label (fixture->window, "refusal_label"), files[i][2]));
  }
}

static void
text_read_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static char *
copy_command (Fixture *fixture)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->window));
  char *text = NULL;

  activate (fixture, "win.copy-command");
  gdk_clipboard_read_text_async (clipboard, NULL, text_read_cb, &text);
  wait_until (text != NULL);
  return text;
}

static void
test_copy_command (Fixture *fixture)
{
  g_autofree char *light = NULL;
  g_autofree char *dark = NULL;

  activate (fixture, "win.theme::light");
  activate (fixture, "win.next-layer");
  light = copy_command (fixture);
  activate (fixture, "win.theme::dark");
  dark = copy_command (fixture);
  activate (fixture, "win.theme::system");
  g_assert_cmpstr (light, ==, "headlight render --model headlight-mini --layer 1 -o figure.svg "
                              "'The cat sat on the mat' 'The cat lay on the rug'");
  g_assert_cmpstr (dark, ==, "headlight render --model headlight-mini --layer 1 --theme dark "
                             "-o figure.svg 'The cat sat on the mat' 'The cat lay on the rug'");
}

/* The bar of what was left is there, when something was. */
static gboolean
is_offered (Fixture *fixture)
{
  return window_reveals (fixture->window, "restore_revealer");
}

/* The file of a process that lives no longer: this one's name with another start. */
static char *
leave_behind (Fixture    *fixture,
              int         number,
              const char *file)
{
  g_autofree char *folder = app_paths_get_autosaves ();
  g_autofree char *name = g_strdup_printf ("%d-%d.headlight", getpid (), number);
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GPtrArray) past = g_ptr_array_new_with_free_func ((GDestroyNotify) ui_document_free);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (past, ui_document_copy (document));
  document->layer = 4;
  g_mkdir_with_parents (folder, 0700);
  app_session_file_write (path, document, past, file, &error);
  g_assert_no_error (error);

  return path;
}

static AdwMessageDialog *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (ADW_IS_MESSAGE_DIALOG (window))
      return ADW_MESSAGE_DIALOG (window);
  }
  return NULL;
}

/* What a click on a button of the dialog does. */
static void
answer (const char *response)
{
  AdwMessageDialog *dialog = find_dialog ();

  g_assert_nonnull (dialog);
  g_object_ref (dialog);
  adw_message_dialog_response (dialog, response);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_object_unref (dialog);
}

/* A window of the same program, opened later. */
static void
look_again (Fixture *fixture)
{
  window_find_lost (fixture->window);
  wait_until (window_knows_lost (fixture->window));
}

static void
test_restore (Fixture *fixture)
{
  g_autofree char *path = leave_behind (fixture, 1, NULL);
  const char *own = window_get_autosave_path (fixture->window);
  guint n_opened = window_get_n_opened (fixture->window);

  wait_until (window_knows_lost (fixture->window));
  g_assert_false (is_offered (fixture));
  look_again (fixture);
  g_assert_true (is_offered (fixture));
  g_assert_cmpint (get_document (fixture)->layer, ==, 0);

  activate (fixture, "win.restore");
  wait_until (window_get_n_opened (fixture->window) > n_opened && is_idle (fixture->window));
  g_assert_false (is_offered (fixture));
  g_assert_cmpint (get_document (fixture)->layer, ==, 4);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (own, G_FILE_TEST_EXISTS));
  activate (fixture, "win.undo");
  g_assert_cmpint (get_document (fixture)->layer, ==, 0);

  /* It was nowhere else. */
  gtk_window_close (GTK_WINDOW (fixture->window));
  answer ("cancel");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (fixture->window)));
}

/* The program was ended while a session was open: Save goes on with its file, if it is still there. */
static void
test_restore_session (Fixture *fixture)
{
  g_autofree char *path = save_new (fixture, "paper \"1\".headlight");
  g_autofree char *gone = g_build_filename (fixture->folder, "gone.headlight", NULL);
  g_autofree char *left = leave_behind (fixture, 1, gone);
  g_autofree char *left_later = leave_behind (fixture, 2, path);
  struct utimbuf earlier = { 1, 1 };
  guint n_opened = window_get_n_opened (fixture->window);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiSession) saved = NULL;

  g_utime (left, &earlier);
  wait_until (window_knows_lost (fixture->window));
  look_again (fixture);
  activate (fixture, "win.restore");
  wait_until (window_get_n_opened (fixture->window) > n_opened && is_idle (fixture->window));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), ==,
                   "paper \"1\".headlight • — Headlight");
  activate (fixture, "win.save");
  wait_until (!window_is_saving (fixture->window));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), ==,
                   "paper \"1\".headlight — Headlight");
  saved = app_session_file_open (path, get_document (fixture), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (saved->document->layer, ==, 4);
  g_assert_null (saved->file);

  look_again (fixture);
  activate (fixture, "win.restore");
  wait_until (window_get_n_opened (fixture->window) > n_opened + 1 && is_idle (fixture->window));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (fixture->window)), ==, "Headlight");
}

static gboolean
names_session (Fixture    *fixture,
               const char *path)
{
  const char *own = window_get_autosave_path (fixture->window);
  g_autoptr (UiSession) kept = app_session_file_open (own, get_document (fixture), NULL, NULL);

  return kept != NULL && g_strcmp0 (kept->file, path) == 0;
}

/* What is kept while a session is open says which. */
static void
test_kept_session (Fixture *fixture)
{
  g_autofree char *path = save_new (fixture, "paper.headlight");

  open_file (fixture, path);
  wait_until (names_session (fixture, path));
}

static void
test_discard (Fixture *fixture)
{
  g_autofree char *one = leave_behind (fixture, 1, NULL);
  g_autofree char *two = leave_behind (fixture, 2, NULL);

  wait_until (window_knows_lost (fixture->window));
  look_again (fixture);
  activate (fixture, "win.discard");
  g_assert_true (is_offered (fixture));
  activate (fixture, "win.discard");
  g_assert_false (is_offered (fixture));
  g_assert_false (g_file_test (one, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (two, G_FILE_TEST_EXISTS));
}

static GtkEventController *
find_drop_target (Fixture *fixture)
{
  g_autoptr (GListModel) controllers =
    gtk_widget_observe_controllers (GTK_WIDGET (fixture->window));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_DROP_TARGET (controller))
      return controller;
  }
  return NULL;
}

/* Of several files the first is opened, which is said. */
static void
test_drop (Fixture *fixture)
{
  g_autofree char *path = NULL;
  guint n_opened = window_get_n_opened (fixture->window);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean is_taken = FALSE;
  GSList *files = NULL;

  activate (fixture, "win.next-layer");
  path = save_new (fixture, "dropped.headlight");
  activate (fixture, "win.previous-layer");
  files = g_slist_append (files, g_file_new_for_path (path));
  files = g_slist_append (files, g_file_new_for_path ("/no/such/file"));
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_list (files));
  g_slist_free_full (files, g_object_unref);

  g_signal_emit_by_name (find_drop_target (fixture), "drop", &value, 1.0, 1.0, &is_taken);
  g_assert_true (is_taken);
  wait_until (window_get_n_opened (fixture->window) > n_opened && is_idle (fixture->window));
  g_assert_cmpint (get_document (fixture)->layer, ==, 1);
  g_assert_cmpstr (get_label (fixture), ==, "dropped.headlight");
  g_assert_nonnull (driver_find_label (GTK_WIDGET (fixture->window),
                                       "2 files were dropped; dropped.headlight is opened"));
}

static gboolean
lists_as_recent (AppWindow  *window,
                 const char *path)
{
  GMenuModel *menu = window_get_recent_menu (window);

  window_fill_recent (window);
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autofree char *listed = NULL;

    /* What says that the list is empty has none. */
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_TARGET, "^ay", &listed)
        && g_str_equal (listed, path))
      return TRUE;
  }
  return FALSE;
}

/* A folder is listed once its model answers, and never when it is refused. */
static void
test_recent (Fixture *fixture)
{
  AppWindow *window = fixture->window;
  g_autofree char *broken = g_build_filename (fixture->folder, "broken", NULL);
  g_autofree char *config = g_build_filename (broken, "config.json", NULL);
  g_autofree char *models = app_paths_get_bundled_models ();
  g_autofree char *mini = g_build_filename (models, "headlight-mini", NULL);
  g_autofree char *path = NULL;

  g_assert_cmpint (g_mkdir (broken, 0700), ==, 0);
  g_assert_true (g_file_set_contents (config, "{}", -1, NULL));
  open_file (fixture, broken);
  wait_until (app_window_get_document (window)->model == NULL);
  g_assert_false (lists_as_recent (window, broken));

  open_file (fixture, mini);
  wait_until (window_get_answered (window)->model != NULL);
  g_assert_true (lists_as_recent (window, mini));
  g_assert_false (lists_as_recent (window, broken));

  /* A file that is gone leaves the list. */
  path = save_new (fixture, "kept.headlight");
  open_file (fixture, path);
  g_assert_true (lists_as_recent (window, path));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_false (lists_as_recent (window, path));
}

/* A session with changes asks before it goes; one without a name has its state kept anyway. */
static void
test_close (Fixture *fixture)
{
  g_autofree char *path = save_new (fixture, "paper.headlight");
  g_autoptr (UiSession) session = NULL;
  GtkWindow *window = GTK_WINDOW (fixture->window);

  open_file (fixture, path);
  activate (fixture, "win.next-layer");
  gtk_window_close (window);
  answer ("cancel");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window)));

  gtk_window_close (window);
  answer ("save");
  wait_until (gtk_application_get_windows (GTK_APPLICATION (g_application_get_default ())) == NULL);
  session = app_session_file_open (path, NULL, NULL, NULL);
  g_assert_cmpint (session->document->layer, ==, 1);
}

/* What is kept while the program runs is gone when it ends well. */
static void
test_clean_end (void)
{
  g_autofree char *folder = app_paths_get_autosaves ();
  g_autoptr (GPtrArray) lost = app_autosave_find ();

  g_assert_cmpuint (lost->len, ==, 0);
  g_assert_cmpint (g_file_test (folder, G_FILE_TEST_IS_DIR) ? temporary_count (folder) : 0, ==, 0);
}

static void
test_kept (Fixture *fixture)
{
  const char *own = window_get_autosave_path (fixture->window);

  g_assert_false (g_file_test (own, G_FILE_TEST_EXISTS));
  activate (fixture, "win.next-layer");
  wait_until (g_file_test (own, G_FILE_TEST_EXISTS));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-session/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("open-and-save", test_open_and_save);
  ADD ("undo-of-opening", test_undo_of_opening);
  ADD ("figures", test_figures);
  ADD ("refused", test_refused);
  ADD ("copy-command", test_copy_command);
  ADD ("restore", test_restore);
  ADD ("restore-session", test_restore_session);
  ADD ("kept-session", test_kept_session);
  ADD ("discard", test_discard);
  ADD ("drop", test_drop);
  ADD ("recent", test_recent);
  ADD ("close", test_close);
  ADD ("kept", test_kept);
  g_test_add_func ("/ui/window-session/clean-end", test_clean_end);
  return g_test_run ();
}
