/* SPDX-License-Identifier: MIT */
/* What a program that is killed at any moment leaves: the state of at most two seconds before. The
 * programs are this one, run again; each changes a document twenty times a second. */
#include "app/study/autosave.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/study/session-file.h"
#include "tests/support/killed.h"
#include "tests/support/temporary.h"
#include "tests/support/wait.h"

#define N_PROGRAMS  20
#define STEP_MS     50
#define MOST_LOST   (2 * G_USEC_PER_SEC)

static char *state; /* XDG_STATE_HOME of the programs */

typedef struct {
  AppAutosave *autosave;
  AppHistory  *history;
  int          n;
} Child;

/* The number of the change is the document's layer; it is said with its time before it is made. */
static gboolean
change_cb (gpointer data)
{
  Child *child = data;
  g_autoptr (UiDocument) document = ui_document_copy (app_history_get (child->history));

  child->n++;
  document->layer = child->n;
  killed_say_change (child->n);
  app_history_record (child->history, document, g_get_monotonic_time ());
  app_autosave_change (child->autosave, child->history);

  return G_SOURCE_CONTINUE;
}

/* Ends by itself when nobody kills it. */
static gboolean
end_cb (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

static int
run_child (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (UiDocument) document = ui_document_new ();
  Child child = { app_autosave_new (), app_history_new (document), 0 };
  guint source = g_timeout_add (STEP_MS, change_cb, &child);

  g_timeout_add_seconds (20, end_cb, loop);
  g_main_loop_run (loop);
  g_source_remove (source);
  app_autosave_free (child.autosave);
  app_history_free (child.history);

  return 0;
}

static int
read_layer (const char *path)
{
  g_autoptr (UiDocument) base = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (UiSession) session = app_session_file_open (path, base, NULL, &error);

  g_assert_no_error (error);
  return session->document->layer;
}

/* The file that the process left, or NULL. */
static const char *
find_file (GPtrArray *files,
           GPid       pid)
{
  g_autofree char *start = g_strdup_printf ("%d-", pid);

  for (guint i = 0; i < files->len; i++) {
    g_autofree char *name = g_path_get_basename (files->pdata[i]);

    if (g_str_has_prefix (name, start))
      return files->pdata[i];
  }
  return NULL;
}

static void
test_killed (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  GPid pids[N_PROGRAMS];
  char *logs[N_PROGRAMS];
  gint64 ends[N_PROGRAMS];
  g_autoptr (GPtrArray) files = NULL;

  for (int i = 0; i < N_PROGRAMS; i++)
    pids[i] = killed_start ("--child", state, &logs[i]);
  for (int i = 0; i < N_PROGRAMS; i++) {
    g_usleep ((gulong) g_rand_int_range (random, 50, 400) * 1000);
    ends[i] = g_get_monotonic_time ();
    g_assert_cmpint (kill (pids[i], SIGKILL), ==, 0);
    g_assert_cmpint (waitpid (pids[i], NULL, 0), ==, pids[i]);
  }

  files = app_autosave_find ();
  for (int i = 0; i < N_PROGRAMS; i++) {
    const char *file = find_file (files, pids[i]);
    int needed = killed_find_change (logs[i], ends[i] - MOST_LOST);
    int kept = file != NULL ? read_layer (file) : 0;

    g_test_message ("change %d was made, %d needed, %d kept", killed_find_change (logs[i], ends[i]),
                    needed, kept);
    g_assert_cmpint (kept, >=, needed);
    g_assert_cmpint (kept, <=, killed_find_change (logs[i], G_MAXINT64));
    g_free (logs[i]);
  }
  /* The last ones lived long enough for the test to mean something. */
  g_assert_cmpuint (files->len, >, 0);
}

/* Half a file is never found: what is there is a session, and nothing else lies beside it. */
static void
test_nothing_else_is_left (void)
{
  g_autofree char *folder = g_build_filename (state, "headlight", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_true (g_str_has_suffix (name, ".headlight"));
}

/* The file of a process that lives is nobody else's business, this one's neither. */
static void
test_living (void)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (AppHistory) history = app_history_new (document);
  AppAutosave *autosave = app_autosave_new ();
  g_autofree char *path = g_strdup (app_autosave_get_path (autosave));
  g_autoptr (GPtrArray) files = NULL;

  app_autosave_change (autosave, history);
  wait_until (g_file_test (path, G_FILE_TEST_EXISTS));
  files = app_autosave_find ();
  g_assert_null (find_file (files, getpid ()));

  app_autosave_free (autosave);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int    argc,
      char **argv)
{
  int status;

  setlocale (LC_ALL, "");
  if (argc == 2 && strcmp (argv[1], "--child") == 0)
    return run_child ();

  g_test_init (&argc, &argv, NULL);
  state = temporary_new ();
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_add_func ("/app/autosave/killed", test_killed);
  g_test_add_func ("/app/autosave/nothing-else-is-left", test_nothing_else_is_left);
  g_test_add_func ("/app/autosave/living", test_living);
  status = g_test_run ();
  temporary_free (state);

  return status;
}
