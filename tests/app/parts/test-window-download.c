/* SPDX-License-Identifier: MIT */
/* The real window downloads from a local server that plays the hub. */
#include <string.h>

#include "app/shell/application.h"
#include "app/store/model-store.h"
#include "tests/support/hub/hub-case.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"
#include "tests/support/window/window-access.h"
#include "ui/dialogs/download-dialog.h"

typedef struct {
  HubCase          hub_case;
  AppApplication  *application;
  AppWindow       *window;
} Fixture;

typedef void (*Body) (Fixture *fixture);

typedef struct {
  Body        body;
  const char *model; /* of the command line; NULL = none */
  void      (*prepare) (HubCase *hub_case); /* before the program starts; NULL = nothing */
} Test;

static GtkWidget *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

    if (UI_IS_DOWNLOAD_DIALOG (window))
      return window;
  }

  return NULL;
}

/* NULL when the dialog has none of that label, or it cannot be pressed. */
static GtkWidget *
find_button (const char *label)
{
  GtkWidget *dialog = find_dialog ();
  GtkWidget *button;

  for (int i = 0; dialog != NULL
                  && (button = driver_find (dialog, GTK_TYPE_BUTTON, i)) != NULL; i++)
    if (g_strcmp0 (gtk_button_get_label (GTK_BUTTON (button)), label) == 0
        && gtk_widget_get_sensitive (button))
      return button;

  return NULL;
}

static void
press (const char *label)
{
  wait_until (find_button (label) != NULL);
  g_signal_emit_by_name (find_button (label), "clicked");
}

static gboolean
shows (const char *part)
{
  GtkWidget *dialog = find_dialog ();

  return dialog != NULL && driver_find_label (dialog, part) != NULL;
}

static void
type_row (GType       type,
          const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (driver_find (find_dialog (), type, 0)), text);
}

static gboolean
has_model (Fixture    *fixture,
           const char *name)
{
  AppWindow *window = fixture->window;

  return window_get_model (window) != NULL && !window_is_waiting (window)
         && g_str_equal (eng_model_get_info (window_get_model (window))->name, name);
}

static void
run_body (GApplication *application,
          gpointer      data)
{
  Fixture *fixture = data;
  const Test *test = g_object_get_data (G_OBJECT (application), "test");

  fixture->window = APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  wait_until (app_window_get_shown (fixture->window) != NULL
              && !window_is_waiting (fixture->window));
  test->body (fixture);
  if (gtk_application_get_windows (GTK_APPLICATION (application)) != NULL)
    gtk_window_destroy (GTK_WINDOW (fixture->window));
}

static void
run_test (gconstpointer data)
{
  const Test *test = data;
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   APP_BUNDLED_MODEL, NULL);
  g_autoptr (UiDocument) document = ui_document_new ();
  Fixture fixture = { 0 };

  hub_case_set_up (&fixture.hub_case, NULL);
  fake_hub_add_folder (fixture.hub_case.hub, source);
  if (test->prepare != NULL)
    test->prepare (&fixture.hub_case);
  document->model = g_strdup (test->model);
  fixture.application = app_application_new (document);
  g_object_set_data (G_OBJECT (fixture.application), "test", (gpointer) test);
  g_signal_connect_after (fixture.application, "activate", G_CALLBACK (run_body), &fixture);
  g_assert_cmpint (g_application_run (G_APPLICATION (fixture.application), 0, NULL), ==, 0);
  g_assert_finalize_object (fixture.application);
  hub_case_tear_down (&fixture.hub_case, NULL);
}

/* `headlight --model NAME`: the bundled model's picture, the dialog over it, and no question to the
 * hub before the person presses; then the model itself. */
static void
take_offer (Fixture    *fixture,
            const char *label)
{
  wait_until (find_dialog () != NULL);
  g_assert_true (has_model (fixture, APP_BUNDLED_MODEL));
  g_assert_true (shows ("“" CASE_REPOSITORY "” is not on this computer"));
  g_assert_cmpint (fake_hub_count (fixture->hub_case.hub, ""), ==, 0);

  press ("_Look Up");
  wait_until (shows ("MB"));
  g_assert_cmpint (fake_hub_count (fixture->hub_case.hub, "GET"), ==, 0);
  press (label);
  wait_until (find_dialog () == NULL);
  wait_until (has_model (fixture, CASE_REPOSITORY));
  g_assert_cmpstr (app_window_get_document (fixture->window)->model, ==, CASE_REPOSITORY);
}

static void
test_absent (Fixture *fixture)
{
  take_offer (fixture, "_Download");
}

/* config.json is here already. */
static void
test_partial (Fixture *fixture)
{
  take_offer (fixture, "_Continue");
}

/* What is left in the cache where only a tokenizer was wanted. */
static void
prepare_partial (HubCase *hub_case)
{
  g_autofree char *folder = g_build_filename (hub_case->cache, "models--some-org--some.model",
                                              NULL);
  g_autofree char *snapshot = g_build_filename (folder, "snapshots", FAKE_COMMIT, NULL);
  g_autofree char *refs = g_build_filename (folder, "refs", NULL);
  g_autofree char *ref = g_build_filename (refs, "main", NULL);
  g_autofree char *config = g_build_filename (snapshot, "config.json", NULL);
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   APP_BUNDLED_MODEL, "config.json", NULL);
  g_autofree char *text = NULL;

  g_assert_cmpint (g_mkdir_with_parents (snapshot, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (refs, 0700), ==, 0);
  g_assert_true (g_file_set_contents (ref, FAKE_COMMIT, -1, NULL));
  g_assert_true (g_file_get_contents (source, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (config, text, -1, NULL));
}

static void
prepare_offline (HubCase *hub_case)
{
  g_setenv ("HF_HUB_OFFLINE", "1", TRUE);
}

/* What could not be done is not offered. */
static void
test_offline (Fixture *fixture)
{
  g_assert_null (find_dialog ());
  g_assert_true (has_model (fixture, APP_BUNDLED_MODEL));
}

static void
open_dialog (Fixture *fixture)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.download-model", NULL);
  wait_until (find_dialog () != NULL);
  type_row (ADW_TYPE_ENTRY_ROW, CASE_REPOSITORY);
}

/* Cancelled in the middle, then gone on with. */
static void
test_cancel (Fixture *fixture)
{
  g_setenv ("HF_HUB_DOWNLOAD_TIMEOUT", "60", TRUE);
  fake_hub_set_fault (fixture->hub_case.hub, "model.safetensors", FAKE_STALL, 1);
  open_dialog (fixture);
  press ("_Look Up");
  press ("_Download");
  wait_until (shows ("model.safetensors") && shows ("8.") && shows (" of 17"));
  press ("_Cancel");
  wait_until (shows ("are on this computer already"));
  g_assert_true (has_model (fixture, APP_BUNDLED_MODEL));
  press ("_Continue");
  wait_until (has_model (fixture, CASE_REPOSITORY));
  g_assert_cmpint (fake_hub_count (fixture->hub_case.hub, "GET store"), ==, 2);
}

static void
test_gated (Fixture *fixture)
{
  fake_hub_set_gated (fixture->hub_case.hub, "hf_right");
  open_dialog (fixture);
  press ("_Look Up");
  wait_until (shows ("is gated"));
  type_row (ADW_TYPE_PASSWORD_ENTRY_ROW, "hf_right");
  press ("_Look Up");
  press ("_Download");
  wait_until (has_model (fixture, CASE_REPOSITORY));
}

/* What goes wrong is said in the dialog, and can be tried again. */
static void
test_failure (Fixture *fixture)
{
  fake_hub_set_fault (fixture->hub_case.hub, "model.safetensors", FAKE_WRONG_BYTE, 1);
  open_dialog (fixture);
  type_row (ADW_TYPE_ENTRY_ROW, "no-such-model");
  press ("_Look Up");
  wait_until (shows ("has no model “no-such-model”"));
  type_row (ADW_TYPE_ENTRY_ROW, CASE_REPOSITORY);
  press ("_Look Up");
  press ("_Download");
  wait_until (shows ("the bytes that came have the hash"));
  press ("_Continue");
  wait_until (has_model (fixture, CASE_REPOSITORY));
}

/* Over its modal dialog the program's keys hold, and GTK's debugger does not come. */
static void
test_keys (Fixture *fixture)
{
  guint n_windows;
  gboolean is_handled;

  open_dialog (fixture);
  n_windows = g_list_model_get_n_items (gtk_window_get_toplevels ());
  g_signal_emit_by_name (find_dialog (), "enable-debugging", FALSE, &is_handled);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, n_windows);
  g_assert_true (gtk_widget_activate_action (find_dialog (), "app.quit", NULL));
  wait_until (find_dialog () == NULL);
}

/* The program ends while a download runs: nothing is waited for and nothing is shown after. */
static void
test_close (Fixture *fixture)
{
  fake_hub_set_fault (fixture->hub_case.hub, "model.safetensors", FAKE_STALL, -1);
  open_dialog (fixture);
  press ("_Look Up");
  press ("_Download");
  wait_until (fake_hub_count (fixture->hub_case.hub, "GET store") == 1);
  gtk_window_close (GTK_WINDOW (fixture->window));
}

int
main (int    argc,
      char **argv)
{
  static const Test absent = { test_absent, CASE_REPOSITORY };
  static const Test partial = { test_partial, CASE_REPOSITORY, prepare_partial };
  static const Test offline = { test_offline, CASE_REPOSITORY, prepare_offline };
  static const Test cancel = { test_cancel, NULL };
  static const Test gated = { test_gated, NULL };
  static const Test failure = { test_failure, NULL };
  static const Test keys = { test_keys, NULL };
  static const Test close = { test_close, NULL };

  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  g_test_add_data_func ("/window-download/absent", &absent, run_test);
  g_test_add_data_func ("/window-download/partial", &partial, run_test);
  g_test_add_data_func ("/window-download/offline", &offline, run_test);
  g_test_add_data_func ("/window-download/cancel", &cancel, run_test);
  g_test_add_data_func ("/window-download/gated", &gated, run_test);
  g_test_add_data_func ("/window-download/failure", &failure, run_test);
  g_test_add_data_func ("/window-download/keys", &keys, run_test);
  g_test_add_data_func ("/window-download/close", &close, run_test);
  return g_test_run ();
}
