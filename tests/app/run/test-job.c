/* SPDX-License-Identifier: MIT */
/* Background jobs: progress, result, cancel, stop, leave. The thread waits on what the test does,
 * so that nothing depends on who is faster. */
#include "app/run/job.h"

#include "engine/base/error.h"

typedef struct {
  GMainLoop  *loop;
  gint        may_end;    /* atomic: the thread waits for it */
  gint        has_begun;  /* atomic */
  gboolean    wants_progress; /* the loop ends with the first progress */
  AppProgress progress;
  char       *note;
  int         n_done;
  int        *result;
  GError     *error;
} Fixture;

static int n_freed_results, n_freed_data;

static gpointer
run (AppJob   *job,
     gpointer  data,
     GError  **error)
{
  Fixture *fixture = data;
  int *result;

  app_job_report (&(AppProgress) {
    .fraction = 0.25, .note = "a quarter", .phase = APP_PHASE_CHECKING, .bytes = 5, .total = 20,
    .speed = 2.5 }, job);
  g_atomic_int_set (&fixture->has_begun, TRUE);
  while (!g_atomic_int_get (&fixture->may_end)) {
    if (g_atomic_int_get (app_job_get_cancel (job))) {
      /* Who waits for a network hears of it as well. */
      while (!g_cancellable_is_cancelled (app_job_get_cancellable (job)))
        g_usleep (200);
      g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "cancelled");
      return NULL;
    }
    g_usleep (200);
  }
  result = g_new (int, 1);
  *result = 42;

  return result;
}

static void
progress_cb (const AppProgress *progress,
             gpointer           owner)
{
  Fixture *fixture = owner;

  fixture->progress = *progress;
  g_free (fixture->note);
  fixture->note = g_strdup (progress->note);
  if (fixture->wants_progress)
    g_main_loop_quit (fixture->loop);
}

static void
done (AppJob       *job,
      gpointer      result,
      const GError *error,
      gpointer      owner)
{
  Fixture *fixture = owner;

  fixture->n_done++;
  fixture->result = result;
  fixture->error = error != NULL ? g_error_copy (error) : NULL;
  g_main_loop_quit (fixture->loop);
}

static void
free_result (gpointer result)
{
  n_freed_results++;
  g_free (result);
}

static void
free_data (gpointer data)
{
  n_freed_data++;
}

static const AppJobClass test_class = { run, progress_cb, done, free_result, free_data };

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->loop = g_main_loop_new (NULL, FALSE);
  n_freed_results = 0;
  n_freed_data = 0;
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_assert_cmpint (n_freed_data, ==, 1);
  g_main_loop_unref (fixture->loop);
  g_clear_error (&fixture->error);
  g_free (fixture->result);
  g_free (fixture->note);
}

static void
test_result (Fixture       *fixture,
             gconstpointer  data)
{
  AppJob *job = app_job_start (&test_class, fixture, fixture);

  fixture->wants_progress = TRUE;
  g_main_loop_run (fixture->loop);
  g_assert_cmpfloat (fixture->progress.fraction, ==, 0.25);
  g_assert_cmpint (fixture->progress.bytes, ==, 5);
  g_assert_cmpint (fixture->progress.total, ==, 20);
  g_assert_cmpint (fixture->progress.phase, ==, APP_PHASE_CHECKING);
  g_assert_cmpfloat (fixture->progress.speed, ==, 2.5);
  g_assert_cmpstr (fixture->note, ==, "a quarter");
  g_assert_cmpint (fixture->n_done, ==, 0);

  g_atomic_int_set (&fixture->may_end, TRUE);
  g_main_loop_run (fixture->loop);
  g_assert_cmpint (fixture->n_done, ==, 1);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (*fixture->result, ==, 42);

  app_job_stop (job);
  g_assert_cmpint (n_freed_results, ==, 0);
}

static void
test_cancel (Fixture       *fixture,
             gconstpointer  data)
{
  AppJob *job = app_job_start (&test_class, fixture, fixture);

  app_job_cancel (job);
  g_main_loop_run (fixture->loop);
  g_assert_cmpint (fixture->n_done, ==, 1);
  g_assert_null (fixture->result);
  g_assert_error (fixture->error, ENG_ERROR, ENG_ERROR_CANCELLED);
  app_job_stop (job);
}

/* Nobody hears of a job that was stopped, not even when it had ended before. */
static void
test_stop (Fixture       *fixture,
           gconstpointer  data)
{
  AppJob *job = app_job_start (&test_class, fixture, fixture);

  if (data != NULL)
    g_atomic_int_set (&fixture->may_end, TRUE);
  while (!g_atomic_int_get (&fixture->has_begun))
    g_usleep (200);
  app_job_stop (job);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpint (fixture->n_done, ==, 0);
  g_assert_null (fixture->note);
}

/* Nobody waits for a job that was left; what it held goes once its thread has ended. */
static void
test_leave (Fixture       *fixture,
            gconstpointer  data)
{
  AppJob *job = app_job_start (&test_class, fixture, fixture);

  if (data != NULL)
    g_atomic_int_set (&fixture->may_end, TRUE);
  while (!g_atomic_int_get (&fixture->has_begun))
    g_usleep (200);
  app_job_leave (job);
  g_assert_cmpint (n_freed_data, ==, 0);
  while (n_freed_data == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (n_freed_results, ==, data != NULL);
  g_assert_cmpint (fixture->n_done, ==, 0);
  g_assert_null (fixture->note);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/app/job/result", Fixture, NULL, set_up, test_result, tear_down);
  g_test_add ("/app/job/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  g_test_add ("/app/job/stop-running", Fixture, NULL, set_up, test_stop, tear_down);
  g_test_add ("/app/job/stop-ended", Fixture, "ended", set_up, test_stop, tear_down);
  g_test_add ("/app/job/leave-running", Fixture, NULL, set_up, test_leave, tear_down);
  g_test_add ("/app/job/leave-ended", Fixture, "ended", set_up, test_leave, tear_down);

  return g_test_run ();
}
