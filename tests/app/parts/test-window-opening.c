/* SPDX-License-Identifier: MIT */
/* What cannot be opened: said in the window for as long as a person wants, and to whoever named it
 * on the command line. */
#include <signal.h>
#include <sys/wait.h>

#include "tests/support/temporary.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"

#define MODEL "/nowhere/my-model"

static gboolean
has_banner (Fixture *fixture)
{
  return window_reveals (fixture->window, "refusal_revealer");
}

static void
assert_banner (Fixture    *fixture,
               const char *end)
{
  const char *text = window_get_label (fixture->window, "refusal_label");

  assert_contains (text, MODEL);
  if (!g_str_has_suffix (text, end))
    g_error ("“%s” does not end with “%s”", text, end);
}

static void
test_named (Fixture *fixture)
{
  g_autofree char *other = g_test_build_filename (G_TEST_DIST, "fixtures", "models", "masked-f16",
                                                  NULL);

  g_assert_true (has_banner (fixture));
  wait_until (g_str_has_suffix (window_get_label (fixture->window, "refusal_label"),
                                " Shown instead: headlight-mini."));
  assert_banner (fixture, " Shown instead: headlight-mini.");
  g_assert_true (app_application_is_unopened (fixture->application));

  /* The texts go on, the banner stays. */
  type (fixture, "time flies", "");
  g_assert_true (has_banner (fixture));
  window_open_model (fixture->window, other);
  wait_until (!has_banner (fixture));
}

/* A folder that was opened by hand is in the menu, too, as the one that is open, until another is. */
static void
test_listed (Fixture *fixture)
{
  g_autofree char *other = g_test_build_filename (G_TEST_DIST, "fixtures", "models", "masked-f16",
                                                  NULL);
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (fixture->window, "model_button"));
  GtkWidget *popover, *row;

  type (fixture, "time flies", "");
  window_open_model (fixture->window, other);
  wait_until (g_str_equal (window_get_label (fixture->window, "model_name"), "masked-f16"));
  gtk_menu_button_popup (button);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (button));
  wait_until (driver_find (popover, ADW_TYPE_ACTION_ROW, 1) != NULL);
  row = driver_find (popover, ADW_TYPE_ACTION_ROW, 0);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "masked-f16");
  g_assert_true (driver_shows_text (row, "masked-f16"));
  g_assert_true (g_str_has_suffix (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "folder"));

  gtk_menu_button_popdown (button);
  window_open_model (fixture->window, "headlight-mini");
  wait_until (g_str_equal (window_get_label (fixture->window, "model_name"), "headlight-mini"));
  gtk_menu_button_popup (button);
  driver_settle (GTK_WIDGET (fixture->window));
  row = driver_find (popover, ADW_TYPE_ACTION_ROW, 0);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==,
                   "headlight-mini");
  gtk_menu_button_popdown (button);
  driver_settle (GTK_WIDGET (fixture->window));
}

static void
run_named (gconstpointer body)
{
  g_autoptr (UiDocument) document = ui_document_new ();

  document->model = g_strdup (MODEL);
  run_application (app_application_new (document), body);
}

/* Of what is opened later: the command line has had what it named. */
static void
test_later (Fixture *fixture)
{
  g_assert_false (has_banner (fixture));
  window_open_model (fixture->window, MODEL);
  wait_until (has_banner (fixture) && is_idle (fixture->window));
  assert_banner (fixture, " Still shown: headlight-mini.");
  g_signal_emit_by_name (window_find (fixture->window, "refusal_close"), "clicked");
  g_assert_false (has_banner (fixture));
  app_window_open_file (fixture->window, MODEL ".headlight");
  wait_until (has_banner (fixture));
  g_assert_false (app_application_is_unopened (fixture->application));
}

/* The program. */

static char *
read_text (const char *path)
{
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text != NULL ? text : g_strdup ("");
}

static gboolean
has_said (const char *path,
          const char *words)
{
  g_autofree char *text = read_text (path);

  return strstr (text, words) != NULL;
}

/* Closes the window once the program has said both. Its exit status. */
static int
run_program (const char *option,
             const char *value,
             const char *words,
             const char *then)
{
  const char *argv[] = { g_getenv ("HEADLIGHT_WINDOW_PROGRAM"), option, value, NULL };
  char *folder = temporary_new ();
  g_autofree char *log = g_build_filename (folder, "said", NULL);
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_setenv (launcher, "G_MESSAGES_DEBUG", "headlight", TRUE);
  g_subprocess_launcher_set_stdout_file_path (launcher, log);
  process = g_subprocess_launcher_spawnv (launcher, argv, &error);
  g_assert_no_error (error);
  wait_until (has_said (log, words) && has_said (log, then));
  g_subprocess_send_signal (process, SIGTERM);
  g_assert_true (g_subprocess_wait (process, NULL, &error));
  g_assert_true (g_subprocess_get_if_exited (process));
  temporary_free (folder);

  return g_subprocess_get_exit_status (process);
}

static void
test_status (void)
{
  g_assert_cmpint (run_program ("--model", MODEL, "headlight-window: No model", ""), ==, 1);
  g_assert_cmpint (run_program ("--open", MODEL ".headlight", MODEL, ""), ==, 1);
  g_assert_cmpint (run_program ("--model", "headlight-mini", "first picture", ""), ==, 0);
}

/* The same of a lesson, with its place; opened as by a double click. That is said before the window
 * hears signals. */
static void
test_lesson (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "broken.md", NULL);
  g_autofree char *fault = g_strconcat (path, ":3:10: minutes is", NULL);
  g_autofree char *lesson = g_test_build_filename (G_TEST_DIST, "..", "resources", "lessons",
                                                   "06-one-score.md", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, "---\ntitle: A\nminutes: many\nmodel: m\n---\n", -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (run_program ("--open", path, fault, "first picture"), ==, 1);
  g_assert_cmpint (run_program (path, NULL, fault, "first picture"), ==, 1);
  g_assert_cmpint (run_program (lesson, NULL, "first picture", ""), ==, 0);
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/window-opening/named", test_named, run_named);
  g_test_add_data_func ("/window-opening/later", test_later, run_test);
  g_test_add_data_func ("/window-opening/listed", test_listed, run_test);
  g_test_add_func ("/window-opening/status", test_status);
  g_test_add_func ("/window-opening/lesson", test_lesson);

  return g_test_run ();
}
