/* SPDX-License-Identifier: MIT */
/* `headlight train` stopped by a signal, killed, or by a disk without room, and gone on with as if
 * it had never stopped. */
#include <signal.h>

#include "tests/app/cli/train-case.h"

/* What is done while a training runs. */
typedef void (*MeanwhileFunc) (const Fixture *fixture,
                               GPid           training);

/* A training of its own process; reads of it, until it has taken a step, and sends the signal. */
static void
run_and_signal (const Fixture *fixture,
                int            number,
                MeanwhileFunc  meanwhile,
                GString       *output,
                int           *wait_status)
{
  const char *arguments[] = { g_getenv ("HEADLIGHT_PROGRAM"), "train", "--task", "masked", "--data",
                              fixture->data, "--from", fixture->masked, "--steps", "300",
                              "--batch-tokens", "600", "--held-out", "0.2", "--json", "-o",
                              fixture->out, NULL };
  g_autoptr (GError) error = NULL;
  FILE *stream;
  GPid pid;
  char line[4096];
  int fd;

  g_spawn_async_with_pipes (NULL, (char **) arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                            &pid, NULL, &fd, NULL, &error);
  g_assert_no_error (error);
  stream = fdopen (fd, "r");
  while (fgets (line, sizeof line, stream)) {
    g_string_append (output, line);
    if (!strstr (line, "\"progress\",\"step\":3,"))
      continue;
    if (meanwhile)
      meanwhile (fixture, pid);
    kill (pid, number);
  }
  fclose (stream);
  g_assert_cmpint (waitpid (pid, wait_status, 0), ==, pid);
  g_spawn_close_pid (pid);
}

static void
go_on (const Fixture *fixture,
       GArray        *points)
{
  g_auto (Run) run = { 0 };

  run_headlight (&run, "train", "--resume", "--json", "-o", fixture->out, NULL);
  assert_done (&run);
  add_points (points, run.out);
}

/* The same in one go, which needs to be run once. */
static const GArray *
run_straight (const Fixture *fixture)
{
  static GArray *points;
  g_autofree char *folder = g_build_filename (fixture->folder, "straight", NULL);
  g_auto (Run) run = { 0 };

  if (points)
    return points;
  points = g_array_new (FALSE, FALSE, sizeof (Point));

  run_headlight (&run, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "300", "--batch-tokens", "600", "--held-out", "0.2",
                 "--json", "-o", folder, NULL);
  assert_done (&run);
  add_points (points, run.out);

  return points;
}

/* Ctrl+C saves and says how it goes on; then nothing is otherwise than in one go. */
static void
check_signal (const Fixture *fixture,
              int            number)
{
  const GArray *straight = run_straight (fixture);
  g_autoptr (GArray) stopped = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GString) output = g_string_new (NULL);
  g_autofree char *command = g_strdup_printf ("\"command\":\"headlight train --resume -o '%s'\"",
                                              fixture->out);
  int status;

  run_and_signal (fixture, number, NULL, output, &status);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 128 + number);
  g_assert_nonnull (strstr (output->str, "\"event\":\"stopped\""));
  g_assert_nonnull (strstr (output->str, command));
  add_points (stopped, output->str);
  g_assert_cmpuint (stopped->len, <, straight->len);
  go_on (fixture, stopped);
  assert_same (straight, stopped);
}

static void
test_interrupted (Fixture       *fixture,
                  gconstpointer  data)
{
  check_signal (fixture, SIGINT);
}

static void
test_terminated (Fixture       *fixture,
                 gconstpointer  data)
{
  check_signal (fixture, SIGTERM);
}

/* Killed within the first minute: it begins at the step that was saved, the first. */
static void
test_killed (Fixture       *fixture,
             gconstpointer  data)
{
  const GArray *straight = run_straight (fixture);
  g_autoptr (GArray) again = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GString) output = g_string_new (NULL);
  int status;

  run_and_signal (fixture, SIGKILL, NULL, output, &status);
  g_assert_true (WIFSIGNALED (status));
  go_on (fixture, again);
  assert_same (straight, again);
}

/* The training of three steps that a shell begins. limit: of the files that it writes, in blocks;
 * the system kills it in the middle of a larger one. */
static int
run_limited (const Fixture *fixture,
             const char    *limit,
             const char    *folder,
             char         **err)
{
  g_autofree char *command =
    g_strdup_printf ("ulimit -c 0; ulimit -f %s; exec '%s' train --task masked --data '%s' --from "
                     "'%s' --steps 3 --batch-tokens 600 --held-out 0.2 -o '%s'", limit,
                     g_getenv ("HEADLIGHT_PROGRAM"), fixture->data, fixture->masked, folder);
  const char *arguments[] = { "/bin/sh", "-c", command, NULL };
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                               NULL, NULL, err, &status, NULL));

  return status;
}

/* The state that both folders go on from, to the last bit. */
static void
assert_same_state (const char *one,
                   const char *other)
{
  g_autofree char *first = g_build_filename (one, "optimizer.safetensors", NULL);
  g_autofree char *second = g_build_filename (other, "optimizer.safetensors", NULL);
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;
  gsize n_a, n_b;

  g_assert_true (g_file_get_contents (first, &a, &n_a, NULL));
  g_assert_true (g_file_get_contents (second, &b, &n_b, NULL));
  g_assert_cmpmem (a, n_a, b, n_b);
  g_assert_cmpint (temporary_count (one), ==, temporary_count (other));
}

/* What is left of one that was killed in its first save does not go on, and says so. */
static void
refuse_to_go_on (const Fixture *fixture)
{
  g_autofree char *said = g_strdup_printf ("%s: the training was ended before it had saved anything",
                                           fixture->out);
  g_auto (Run) on = { 0 };

  run_headlight (&on, "train", "--resume", "-o", fixture->out, NULL);
  assert_refused (&on, 1, said);
}

/* The same command begins it anew, says so once, and nothing is otherwise than had it never
 * been. */
static void
begin_anew (const Fixture *fixture,
            const char    *straight)
{
  g_autofree char *anew = g_strdup_printf ("%s: a training was ended in it before it had saved "
                                           "anything; it begins anew\n", fixture->out);
  g_autofree char *err = NULL;

  g_assert_cmpint (run_limited (fixture, "unlimited", fixture->out, &err), ==, 0);
  g_assert_nonnull (strstr (err, anew));
  g_assert_null (strstr (strstr (err, anew) + strlen (anew), "begins anew"));
  assert_same_state (straight, fixture->out);
}

/* Killed while it saves for the first time, in the middle of each file that is larger than those
 * before it; killed there once more, where it begins anew. */
static void
test_killed_at_first (Fixture       *fixture,
                      gconstpointer  data)
{
  g_autofree char *straight = g_build_filename (fixture->folder, "short", NULL);
  g_autofree char *straight_err = NULL;
  int status, most = 0, n_more = 0;

  g_assert_cmpint (run_limited (fixture, "unlimited", straight, &straight_err), ==, 0);
  g_assert_null (strstr (straight_err, "anew"));
  for (int limit = 0;; limit = MAX (2 * limit, 1)) {
    g_autofree char *blocks = g_strdup_printf ("%d", limit);
    g_autofree char *err = NULL;
    g_autofree char *again = NULL;
    int n;

    status = run_limited (fixture, blocks, fixture->out, &err);
    if (!WIFSIGNALED (status))
      break;
    g_assert_cmpint (WTERMSIG (status), ==, SIGXFSZ);
    n = temporary_count (fixture->out);
    n_more += n > most;
    most = MAX (n, most);
    refuse_to_go_on (fixture);
    g_assert_cmpint (run_limited (fixture, blocks, fixture->out, &again), ==, status);
    g_assert_cmpint (temporary_count (fixture->out), ==, n);
    begin_anew (fixture, straight);
    temporary_free (g_strdup (fixture->out));
  }
  g_assert_cmpint (status, ==, 0);
  /* The lock alone, the record as well, and the tokenizer and the weights. */
  g_assert_cmpint (n_more, >=, 3);
}

/* A program that reads the objects is told as well. */
static void
test_anew_as_json (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *lock = g_build_filename (fixture->out, "training.lock", NULL);
  g_auto (Run) run = { 0 };

  g_assert_cmpint (g_mkdir (fixture->out, 0700), ==, 0);
  g_assert_true (g_file_set_contents (lock, "1\n", -1, NULL));
  run_headlight (&run, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "1", "--json", "-o", fixture->out, NULL);
  assert_done (&run);
  g_assert_nonnull (strstr (run.out, "\"anew\":true"));
}

/* A model's folder is nobody's to begin in, whatever it lacks, and neither is one of a training
 * that has learnt something: its weights stay. */
static void
test_kept_from_new (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *err = NULL;
  g_autofree char *state = g_build_filename (fixture->out, "optimizer.safetensors", NULL);
  g_autofree char *record = g_build_filename (fixture->out, "training.json", NULL);
  g_autofree char *card = g_build_filename (fixture->out, "README.md", NULL);
  g_auto (Run) begun = { 0 };
  g_auto (Run) model = { 0 };
  int n;

  g_assert_cmpint (run_limited (fixture, "unlimited", fixture->out, &err), ==, 0);
  g_assert_cmpint (g_unlink (state), ==, 0);
  g_assert_cmpint (g_unlink (card), ==, 0);
  n = temporary_count (fixture->out);
  run_headlight (&begun, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "3", "-o", fixture->out, NULL);
  assert_refused (&begun, 1, "out holds a training; --resume goes on with it");
  g_assert_cmpint (temporary_count (fixture->out), ==, n);
  g_assert_cmpint (g_unlink (record), ==, 0);
  run_headlight (&model, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "3", "-o", fixture->out, NULL);
  assert_refused (&model, 1, "out is there and is no empty folder");
  g_assert_cmpint (temporary_count (fixture->out), ==, n - 1);
}

/* No room for the weights: a sentence, no half file, and the folder is as it was. */
static void
test_full (Fixture       *fixture,
           gconstpointer  data)
{
  const GArray *straight = run_straight (fixture);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GString) output = g_string_new (NULL);
  g_autofree char *command =
    g_strdup_printf ("trap '' XFSZ; ulimit -f 4; exec '%s' train --resume --json -o '%s'",
                     g_getenv ("HEADLIGHT_PROGRAM"), fixture->out);
  const char *arguments[] = { "/bin/sh", "-c", command, NULL };
  g_autofree char *err = NULL;
  int status, n_files;

  run_and_signal (fixture, SIGINT, NULL, output, &status);
  add_points (points, output->str);
  n_files = temporary_count (fixture->out);
  g_assert_true (g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                               NULL, NULL, &err, &status, NULL));
  g_assert_cmpint (WEXITSTATUS (status), ==, 1);
  g_assert_nonnull (strstr (err, "the training stopped at step 300, the folder has step "));
  g_assert_nonnull (strstr (err, "cannot be written"));
  g_assert_true (strchr (err, '\n') == err + strlen (err) - 1);
  g_assert_cmpint (temporary_count (fixture->out), ==, n_files);
  go_on (fixture, points);
  assert_same (straight, points);
}

/* No room from the first file on: a sentence, and nothing is left of it. */
static void
test_full_at_first (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *command =
    g_strdup_printf ("trap '' XFSZ; ulimit -f 4; exec '%s' train --task masked --data '%s' --from "
                     "'%s' --steps 3 --json -o '%s'", g_getenv ("HEADLIGHT_PROGRAM"), fixture->data,
                     fixture->masked, fixture->out);
  const char *arguments[] = { "/bin/sh", "-c", command, NULL };
  g_autofree char *err = NULL;
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                               NULL, NULL, &err, &status, NULL));
  g_assert_cmpint (WEXITSTATUS (status), ==, 1);
  g_assert_nonnull (strstr (err, "cannot be written"));
  g_assert_true (strchr (err, '\n') == err + strlen (err) - 1);
  g_assert_false (g_file_test (fixture->out, G_FILE_TEST_EXISTS));
}

/* Neither goes on nor begins where another one runs; the sentence names the folder and the other's
 * process. */
static void
begin_as_well (const Fixture *fixture,
               GPid           training)
{
  g_autofree char *said = g_strdup_printf ("%s: a training runs in it already, that of process %ld",
                                           fixture->out, (long) training);
  g_auto (Run) on = { 0 };
  g_auto (Run) anew = { 0 };

  run_headlight (&on, "train", "--resume", "--json", "-o", fixture->out, NULL);
  assert_refused (&on, 1, said);
  run_headlight (&anew, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "3", "-o", fixture->out, NULL);
  assert_refused (&anew, 1, said);
}

/* What was refused has changed nothing. */
static void
test_held (Fixture       *fixture,
           gconstpointer  data)
{
  const GArray *straight = run_straight (fixture);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GString) output = g_string_new (NULL);
  int status;

  run_and_signal (fixture, SIGINT, begin_as_well, output, &status);
  g_assert_cmpint (WEXITSTATUS (status), ==, 128 + SIGINT);
  add_points (points, output->str);
  go_on (fixture, points);
  assert_same (straight, points);
}

/* A folder with a training is gone on with, over the file that it began with, further than it
 * was. */
static void
test_resume_refused (Fixture       *fixture,
                     gconstpointer  data)
{
  g_autoptr (GArray) points = train (fixture, "masked", fixture->masked, "2", "out");
  g_auto (Run) again = { 0 };
  g_auto (Run) finished = { 0 };
  g_auto (Run) further = { 0 };
  g_auto (Run) changed = { 0 };

  run_headlight (&again, "train", "--task", "masked", "--data", fixture->data, "--from",
                 fixture->masked, "--steps", "3", "-o", fixture->out, NULL);
  assert_refused (&again, 1, "out holds a training; --resume goes on with it");
  run_headlight (&finished, "train", "--resume", "-o", fixture->out, NULL);
  assert_refused (&finished, 1, "came to its end at step 25; --steps with a larger number or --minutes "
                                "goes further");
  run_headlight (&further, "train", "--resume", "--steps", "30", "--json", "-o", fixture->out,
                 NULL);
  assert_done (&further);
  g_assert_nonnull (strstr (further.out, "\"event\":\"end\""));
  g_assert_nonnull (strstr (further.out, "\"step\":30,"));
  g_assert_true (g_file_set_contents (fixture->data, "the cat\n", -1, NULL));
  run_headlight (&changed, "train", "--resume", "--steps", "40", "-o", fixture->out, NULL);
  assert_refused (&changed, 1, "texts.txt is another file than the one that the training began");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/cli-train-stops/interrupted", test_interrupted);
  ADD ("/cli-train-stops/terminated", test_terminated);
  ADD ("/cli-train-stops/killed", test_killed);
  ADD ("/cli-train-stops/killed-at-first", test_killed_at_first);
  ADD ("/cli-train-stops/anew-as-json", test_anew_as_json);
  ADD ("/cli-train-stops/kept-from-new", test_kept_from_new);
  ADD ("/cli-train-stops/full", test_full);
  ADD ("/cli-train-stops/full-at-first", test_full_at_first);
  ADD ("/cli-train-stops/held", test_held);
  ADD ("/cli-train-stops/resume-refused", test_resume_refused);

  return g_test_run ();
}
