/* SPDX-License-Identifier: MIT */
/* `headlight download` as a person calls it, against a local server that plays the hub. */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/store/model-store.h"
#include "engine/base/json.h"
#include "tests/support/hub/hub-case.h"

#define N_BYTES 300000

typedef struct {
  int   status; /* of exit(); -1 = ended by a signal */
  char *out;
  char *err;
} Run;

static void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

G_GNUC_NULL_TERMINATED static void
run_headlight (Run        *run,
               const char *first,
               ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  va_list arguments;
  int wait_status;

  g_ptr_array_add (argv, (gpointer) g_getenv ("HEADLIGHT_PROGRAM"));
  va_start (arguments, first);
  for (const char *p = first; p != NULL; p = va_arg (arguments, const char *))
    g_ptr_array_add (argv, (gpointer) p);
  va_end (arguments);
  g_ptr_array_add (argv, NULL);

  g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &run->out,
                &run->err, &wait_status, &error);
  g_assert_no_error (error);
  run->status = WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : -1;
}

static void
assert_refused (const Run  *run,
                int         status,
                const char *words)
{
  if (strstr (run->err, words) == NULL)
    g_error ("“%s” does not say “%s”", run->err, words);
  g_assert_cmpint (run->status, ==, status);
  g_assert_cmpstr (run->out, ==, "");
  g_assert_true (strchr (run->err, '\n') == run->err + strlen (run->err) - 1);
}

static char *
get_snapshot (HubCase *self)
{
  return g_build_filename (self->cache, "models--some-org--some.model", "snapshots", FAKE_COMMIT,
                           NULL);
}

/* {"path", "commit", "bytes"}, and the other commands find what it brought. */
static void
test_json (HubCase       *self,
           gconstpointer  unused)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   APP_BUNDLED_MODEL, NULL);
  g_autofree char *snapshot = get_snapshot (self);
  g_auto (Run) run = { 0 };
  g_auto (Run) models = { 0 };
  g_auto (Run) tokens = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) object = NULL;

  fake_hub_add_folder (self->hub, source);
  run_headlight (&run, "download", "--json", CASE_REPOSITORY, NULL);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  object = eng_json_parse (run.out, strlen (run.out), 4, "stdout", &error);
  g_assert_no_error (error);
  g_assert_cmpint (cJSON_GetArraySize (object), ==, 3);
  g_assert_cmpstr (eng_json_find (object, "path")->valuestring, ==, snapshot);
  g_assert_cmpstr (eng_json_find (object, "commit")->valuestring, ==, FAKE_COMMIT);
  g_assert_cmpfloat (eng_json_find (object, "bytes")->valuedouble, >, 17e6);

  run_headlight (&models, "models", "--json", NULL);
  g_assert_nonnull (strstr (models.out, "\"" CASE_REPOSITORY "\""));
  fake_hub_clear_log (self->hub);
  run_headlight (&tokens, "tokenize", "--model", CASE_REPOSITORY "@" FAKE_COMMIT, "A cat", NULL);
  g_assert_cmpint (tokens.status, ==, 0);
  /* What is there is opened without a question to anybody. */
  g_assert_cmpint (fake_hub_count (self->hub, ""), ==, 0);
}

static void
test_text (HubCase       *self,
           gconstpointer  unused)
{
  g_autofree char *snapshot = get_snapshot (self);
  g_autofree char *line = g_strconcat (snapshot, "\n", NULL);
  g_auto (Run) run = { 0 };

  hub_case_add_model (self, N_BYTES);
  run_headlight (&run, "download", CASE_REPOSITORY, NULL);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpstr (run.out, ==, line);
}

static void
test_refused (HubCase       *self,
              gconstpointer  unused)
{
  g_auto (Run) unknown = { 0 };
  g_auto (Run) nameless = { 0 };
  g_auto (Run) two = { 0 };
  g_auto (Run) no_name = { 0 };
  g_auto (Run) offline = { 0 };
  g_auto (Run) absent = { 0 };

  run_headlight (&unknown, "download", "--json", "no-such-model", NULL);
  assert_refused (&unknown, 1, "no-such-model");
  run_headlight (&no_name, "download", "../x", NULL);
  assert_refused (&no_name, 1, "is no name of the hub");
  run_headlight (&nameless, "download", NULL);
  assert_refused (&nameless, 2, "a name is missing");
  run_headlight (&two, "download", "a", "b", NULL);
  assert_refused (&two, 2, "“b” is one argument too many");
  fake_hub_clear_log (self->hub);
  g_setenv ("HF_HUB_OFFLINE", "1", TRUE);
  run_headlight (&offline, "download", CASE_REPOSITORY, NULL);
  assert_refused (&offline, 1, "HF_HUB_OFFLINE");
  g_unsetenv ("HF_HUB_OFFLINE");
  /* Other commands say how to get a model; they never get it. */
  run_headlight (&absent, "tokenize", "--model", CASE_REPOSITORY, "A cat", NULL);
  assert_refused (&absent, 1, "headlight download " CASE_REPOSITORY);
  g_assert_cmpint (fake_hub_count (self->hub, ""), ==, 0);
}

/* Ctrl+C in the middle, then the same command again. */
static void
test_interrupted (HubCase       *self,
                  gconstpointer  unused)
{
  const char *argv[] = { g_getenv ("HEADLIGHT_PROGRAM"), "download", CASE_REPOSITORY, NULL };
  g_autoptr (GBytes) bytes = hub_case_make_bytes (N_BYTES);
  g_autofree char *etag = fake_hub_make_etag (bytes, TRUE);
  g_autofree char *incomplete = g_strdup_printf ("%s/models--some-org--some.model/blobs/"
                                                 "%s.incomplete", self->cache, etag);
  g_autofree char *resumed = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Run) run = { 0 };
  GStatBuf status = { 0 };
  int wait_status;
  GPid pid;

  hub_case_add_model (self, N_BYTES);
  fake_hub_set_fault (self->hub, "model.safetensors", FAKE_STALL, 1);
  g_spawn_async (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  while (g_stat (incomplete, &status) != 0 || status.st_size < N_BYTES / 2)
    g_usleep (1000);
  g_assert_cmpint (kill (pid, SIGINT), ==, 0);
  g_assert_cmpint (waitpid (pid, &wait_status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (wait_status));

  fake_hub_clear_log (self->hub);
  run_headlight (&run, "download", CASE_REPOSITORY, NULL);
  g_assert_cmpint (run.status, ==, 0);
  resumed = g_strdup_printf ("GET store /%s bytes=%d-", etag, N_BYTES / 2);
  g_assert_cmpint (fake_hub_count (self->hub, resumed), ==, 1);
}

/* On a terminal, how far it is; the line is gone when it is done. */
static void
test_terminal (HubCase       *self,
               gconstpointer  unused)
{
  const char *argv[] = { g_getenv ("HEADLIGHT_PROGRAM"), "download", CASE_REPOSITORY, NULL };
  g_autoptr (GString) shown = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  char buffer[4096];
  int master, slave, wait_status;
  gssize n;
  GPid pid;

  hub_case_add_model (self, N_BYTES);
  g_assert_cmpint (openpty (&master, &slave, NULL, NULL, NULL), ==, 0);
  g_spawn_async_with_fds (NULL, (char **) argv, NULL,
                          G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, &pid,
                          -1, -1, slave, &error);
  g_assert_no_error (error);
  close (slave);
  while ((n = read (master, buffer, sizeof buffer)) > 0)
    g_string_append_len (shown, buffer, n);
  close (master);
  g_assert_cmpint (waitpid (pid, &wait_status, 0), ==, pid);
  g_assert_cmpint (WEXITSTATUS (wait_status), ==, 0);
  /* What comes within a moment shows only the first file. */
  g_assert_nonnull (strstr (shown->str, "config.json  "));
  g_assert_nonnull (strstr (shown->str, " of 300.0 kB"));
  g_assert_true (g_str_has_suffix (shown->str, "\r\033[K"));
}

#define ADD(path, test) \
  g_test_add ("/download/" path, HubCase, NULL, hub_case_set_up, test, hub_case_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("json", test_json);
  ADD ("text", test_text);
  ADD ("refused", test_refused);
  ADD ("interrupted", test_interrupted);
  ADD ("terminal", test_terminal);
  return g_test_run ();
}
