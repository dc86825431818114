/* SPDX-License-Identifier: MIT */
/* The real window is changed five times a second, killed at a random moment and started again: what
 * it offers is at most two seconds old. Five moments; twenty with -m slow. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "app/shell/application.h"
#include "tests/support/killed.h"
#include "tests/support/temporary.h"
#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"
#include "tests/support/window/window-access.h"

#define STEP_MS    200
#define LEAST_MS   50
#define MOST_MS    4000
#define MOST_LOST  (2 * G_USEC_PER_SEC)
#define THRESHOLDS 1000.0

static char *state; /* XDG_STATE_HOME of the programs */

/* The number of a change is its threshold. */
static gboolean
change_cb (gpointer data)
{
  static int n;
  AppWindow *window = data;

  n++;
  killed_say_change (n);
  gtk_widget_activate_action (GTK_WIDGET (window), n % 2 == 0 ? "win.next-layer"
                                                              : "win.previous-layer", NULL);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.head", "i", n % 12);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.threshold", "d", n / THRESHOLDS);
  return G_SOURCE_CONTINUE;
}

static void
change (AppWindow *window)
{
  wait_until (window_is_idle (window));
  g_timeout_add (STEP_MS, change_cb, window);
}

/* Says which change is offered, in the line of a change. */
static void
restore (AppWindow *window)
{
  const guint n_opened = window_get_n_opened (window);
  int n = 0;

  wait_until (window_is_idle (window) && window_knows_lost (window));
  if (window_reveals (window, "restore_revealer")) {
    gtk_widget_activate_action (GTK_WIDGET (window), "win.restore", NULL);
    wait_until (window_get_n_opened (window) > n_opened && window_is_idle (window));
    n = (int) round (THRESHOLDS * app_window_get_document (window)->threshold);
  }
  killed_say_change (n);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
activate_cb (GApplication *application,
             gpointer      data)
{
  void (*body) (AppWindow *) = data;

  body (APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application))));
}

static int
run_window (gconstpointer body)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (AppApplication) application = app_application_new (document);

  g_signal_connect_after (application, "activate", G_CALLBACK (activate_cb), (gpointer) body);
  return g_application_run (G_APPLICATION (application), 0, NULL);
}

/* Starts the window again until it ends by itself. */
static int
find_offered (void)
{
  g_autofree char *log = NULL;
  const GPid pid = killed_start ("--restore", state, &log);
  int status;

  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == EXIT_SUCCESS);
  return killed_find_change (log, G_MAXINT64);
}

static void
test_killed (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  const int n_moments = g_test_slow () ? 20 : 5;
  int n_offered = 0;

  for (int i = 0; i < n_moments; i++) {
    g_autofree char *log = NULL;
    const GPid pid = killed_start ("--change", state, &log);
    gint64 end;
    int needed, last, offered;

    wait_until (killed_find_change (log, G_MAXINT64) > 0);
    g_usleep ((gulong) g_rand_int_range (random, LEAST_MS, MOST_MS) * 1000);
    end = g_get_monotonic_time ();
    g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
    g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);

    needed = killed_find_change (log, end - MOST_LOST);
    last = killed_find_change (log, G_MAXINT64);
    offered = find_offered ();
    g_test_message ("change %d was made, %d needed, %d offered", last, needed, offered);
    g_assert_cmpint (offered, >=, needed);
    g_assert_cmpint (offered, <=, last);
    n_offered += needed > 0;
  }
  /* Some lived long enough for the test to mean something. */
  g_assert_cmpint (n_offered, >, 0);
}

int
main (int    argc,
      char **argv)
{
  int status;

  if (argc == 2 && strcmp (argv[1], "--change") == 0)
    return run_window (change);
  if (argc == 2 && strcmp (argv[1], "--restore") == 0)
    return run_window (restore);

  if (!driver_init (&argc, &argv))
    return 77;
  state = temporary_new ();
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_add_func ("/ui/window-kill/killed", test_killed);
  status = g_test_run ();
  temporary_free (state);

  return status;
}
