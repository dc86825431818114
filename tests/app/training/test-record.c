/* SPDX-License-Identifier: MIT */
/* What the record of a training keeps comes back to the last bit, and who has its folder. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/training/lock.h"
#include "app/training/training.h"
#include "engine/base/error.h"
#include "tests/app/training/texts.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"

#define N_POINTS 500
#define N_STEPS 40

typedef struct {
  char *folder;
  char *data;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = temporary_new ();
  fixture->data = g_build_filename (fixture->folder, "texts.txt", NULL);
  g_assert_true (g_file_set_contents (fixture->data, "the cat\n\n \nthe dog\n", -1, NULL));
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  temporary_free (fixture->folder);
  g_free (fixture->data);
}

static void
set (AppRecipe  *recipe,
     const char *name,
     const char *value)
{
  g_autoptr (GError) error = NULL;

  app_recipe_set (recipe, app_recipe_find_field (name), value, &error);
  g_assert_no_error (error);
}

static AppRecipe *
make_recipe (const Fixture *fixture,
             const char    *task)
{
  AppRecipe *recipe = app_recipe_new ();

  set (recipe, "task", task);
  set (recipe, "data", fixture->data);
  set (recipe, "shape", "tiny");
  set (recipe, "steps", "500");
  set (recipe, "rate", "0.00030000000000000003");

  return recipe;
}

static void
test_bits (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AppTrainingRecord) record =
    app_training_record_new (make_recipe (fixture, "next-word"), &error);
  g_autoptr (AppTrainingRecord) again = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  g_assert_no_error (error);
  for (int i = 0; i < N_POINTS; i++) {
    AppTrainingPoint point = { i, 8 * g_rand_double (random), g_rand_double (random) / 3,
                               1e-3 * g_rand_double (random), 50 * g_rand_double (random) };

    g_array_append_val (record->curve, point);
  }
  record->seconds = 1000 * g_rand_double (random);
  record->sums = (AppTrainingSums) { N_POINTS, 1e5 * g_rand_double (random), 77,
                                     g_rand_double (random), g_rand_double (random) };
  record->saved_sums = (AppTrainingSums) { N_POINTS - 3, g_rand_double (random), 5,
                                           g_rand_double (random), g_rand_double (random) };
  record->saved_seconds = g_rand_double (random);
  g_assert_true (app_training_record_save (record, fixture->folder, NULL));
  again = app_training_record_open (fixture->folder, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (record->curve->data, N_POINTS * sizeof (AppTrainingPoint), again->curve->data,
                   again->curve->len * sizeof (AppTrainingPoint));
  g_assert_cmpmem (&record->sums, sizeof record->sums, &again->sums, sizeof again->sums);
  g_assert_cmpmem (&record->saved_sums, sizeof record->saved_sums, &again->saved_sums,
                   sizeof again->saved_sums);
  g_assert_true (record->seconds == again->seconds);
  g_assert_true (record->saved_seconds == again->saved_seconds);
  g_assert_true (record->recipe->rate == again->recipe->rate);
}

/* One of a newer program is refused by its version, whatever else it has. */
static void
test_newer (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "training.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "{\"format\": \"headlight-training\", \"version\": 3}",
                                      -1, NULL));
  g_assert_null (app_training_record_open (fixture->folder, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "training.json: version is 3, expected"));
}

/* A training that is stopped behind a step. */
typedef struct {
  gint64 last;
  gint   cancel;
} Stop;

static void
hear (const AppTrainingReport *report,
      gpointer                 data)
{
  Stop *self = data;

  if (report->point.step == self->last)
    g_atomic_int_set (&self->cancel, 1);
}

/* Takes over a training, or goes on with the one in out. */
static void
run_until (AppTraining *training,
           const char  *out,
           gint64       last)
{
  g_autoptr (AppRecipe) no_changes = app_recipe_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (AppTraining) self =
    training ? training : app_training_resume (out, no_changes, &error);
  Stop stop = { last, 0 };

  g_assert_no_error (error);
  g_assert_true (app_training_run (self, &stop.cancel, hear, &stop, &error) == (last == N_STEPS));
  if (last < N_STEPS)
    g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  else
    g_assert_no_error (error);
}

static AppTraining *
begin (const Fixture *fixture,
       const char    *out)
{
  g_autoptr (GError) error = NULL;
  AppRecipe *recipe = make_recipe (fixture, "next-word");
  AppTraining *training;

  set (recipe, "steps", G_STRINGIFY (N_STEPS));
  set (recipe, "batch-tokens", "100");
  set (recipe, "held-out", "0.2");
  app_recipe_settle (recipe, &error);
  g_assert_no_error (error);
  training = app_training_new (recipe, out, &error);
  g_assert_no_error (error);

  return training;
}

static AppTrainingRecord *
open_record (const char *out)
{
  g_autoptr (GError) error = NULL;
  AppTrainingRecord *record = app_training_record_open (out, &error);

  g_assert_no_error (error);

  return record;
}

/* What a training is, and its curve, where it was killed between the record and the state: that of
 * the state, over which the curve goes on to the last bit. */
static void
test_torn (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *whole = g_build_filename (fixture->folder, "whole", NULL);
  g_autofree char *torn = g_build_filename (fixture->folder, "torn", NULL);
  g_autofree char *state = NULL;
  g_autoptr (AppTrainingRecord) expected = NULL, early = NULL, over = NULL, again = NULL;
  g_autoptr (AppTrainingRecord) mended = NULL;
  gsize n;

  texts_write (fixture->data);
  run_until (begin (fixture, whole), whole, N_STEPS);
  run_until (begin (fixture, torn), torn, 15);
  early = open_record (torn);
  state = checkpoint_read_file (torn, "optimizer.safetensors", &n);

  /* With the last record it would be over. */
  run_until (NULL, torn, N_STEPS);
  over = open_record (torn);
  g_assert_true (app_training_record_is_over (over));
  checkpoint_write_file (torn, "optimizer.safetensors", state, (gssize) n);
  again = open_record (torn);
  g_assert_false (app_training_record_is_over (again));
  g_assert_cmpmem (early->curve->data, early->curve->len * sizeof (AppTrainingPoint),
                   again->curve->data, again->curve->len * sizeof (AppTrainingPoint));
  g_assert_cmpmem (&early->sums, sizeof early->sums, &again->sums, sizeof again->sums);
  g_assert_true (early->seconds == again->seconds);

  run_until (NULL, torn, 27);
  checkpoint_write_file (torn, "optimizer.safetensors", state, (gssize) n);
  run_until (NULL, torn, N_STEPS);
  expected = open_record (whole);
  mended = open_record (torn);
  g_assert_cmpuint (expected->curve->len, >, 12);
  g_assert_cmpmem (expected->curve->data, expected->curve->len * sizeof (AppTrainingPoint),
                   mended->curve->data, mended->curve->len * sizeof (AppTrainingPoint));
}

/* Empty lines are said with the number of the first; of tags they mean something. */
static void
test_passed_over (Fixture       *fixture,
                  gconstpointer  data)
{
  g_autoptr (AppRecipe) plain = make_recipe (fixture, "masked");
  g_autoptr (AppRecipe) tags = make_recipe (fixture, "tags");
  g_autofree char *several = app_recipe_dup_passed_over (plain);
  g_autofree char *one = NULL;

  g_assert_true (g_str_has_suffix (several, "texts.txt:2: the line is empty and was passed over, "
                                            "like 1 more"));
  g_assert_null (app_recipe_dup_passed_over (tags));
  g_assert_true (g_file_set_contents (fixture->data, "the cat\nthe dog\n\n", -1, NULL));
  one = app_recipe_dup_passed_over (plain);
  g_assert_true (g_str_has_suffix (one, "texts.txt:3: the line is empty and was passed over"));
  g_assert_true (g_file_set_contents (fixture->data, "the cat\nthe dog", -1, NULL));
  g_assert_null (app_recipe_dup_passed_over (plain));
}

/* One at a time, of this process too; the sentence names folder and process. */
static void
test_lock (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *process = g_strdup_printf ("that of process %ld", (long) getpid ());
  g_autoptr (GError) error = NULL, none = NULL;
  g_autoptr (AppTrainingLock) again = NULL;
  AppTrainingLock *lock = app_training_lock_take (fixture->folder, &error);

  g_assert_no_error (error);
  g_assert_null (app_training_lock_take (fixture->folder, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, fixture->folder));
  g_assert_true (g_str_has_suffix (error->message, process));
  app_training_lock_release (lock);
  /* Nothing stays but the data. */
  g_assert_cmpint (temporary_count (fixture->folder), ==, 1);
  again = app_training_lock_take (fixture->folder, &none);
  g_assert_no_error (none);
}

/* A process that is killed holds nothing, though its file lies there. */
static void
test_killed (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (AppTrainingLock) lock = NULL;
  g_autoptr (GError) held = NULL, error = NULL;
  int ends[2], status;
  char byte = 'x';
  pid_t child;

  g_assert_cmpint (pipe (ends), ==, 0);
  child = fork ();
  if (child == 0) {
    byte = app_training_lock_take (fixture->folder, NULL) ? 'y' : 'n';
    if (write (ends[1], &byte, 1) == 1)
      pause ();
    _exit (1);
  }
  g_assert_cmpint (read (ends[0], &byte, 1), ==, 1);
  g_assert_cmpint (byte, ==, 'y');
  g_assert_null (app_training_lock_take (fixture->folder, &held));
  g_assert_nonnull (held);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (temporary_count (fixture->folder), ==, 2);
  lock = app_training_lock_take (fixture->folder, &error);
  g_assert_no_error (error);
  close (ends[0]);
  close (ends[1]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/record/bits", test_bits);
  ADD ("/record/newer", test_newer);
  ADD ("/record/torn", test_torn);
  ADD ("/record/passed-over", test_passed_over);
  ADD ("/record/lock", test_lock);
  ADD ("/record/killed", test_killed);

  return g_test_run ();
}
