/* SPDX-License-Identifier: MIT */
/* A training in a thread of its own: paused, gone on with, left, refused. */
#include "app/training/training-job.h"

#include <string.h>

#include "app/training/kept.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/temporary.h"
#include "tests/app/training/texts.h"
#include "tests/support/wait.h"

typedef struct {
  char           *folder; /* temporary */
  char           *data;   /* a file of texts */
  AppTrainingJob *job;
  gint64          pause_at; /* step; 0 = not */
  gboolean        has_waited; /* the data were read before it ran */
  guint           n_told;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = temporary_new ();
  fixture->data = g_build_filename (fixture->folder, "texts.txt", NULL);
  texts_write (fixture->data);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  g_clear_pointer (&fixture->job, app_training_job_free);
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
recipe_new (const Fixture *fixture,
            const char    *steps)
{
  g_autofree char *model = checkpoint_get_specimen ("pretraining");
  g_autoptr (GError) error = NULL;
  AppRecipe *recipe = app_recipe_new ();

  set (recipe, "task", "masked");
  set (recipe, "data", fixture->data);
  set (recipe, "from", model);
  set (recipe, "steps", steps);
  app_recipe_settle (recipe, &error);
  g_assert_no_error (error);

  return recipe;
}

static void
news_cb (const AppTrainingNews *news,
         gpointer               data)
{
  Fixture *fixture = data;

  fixture->n_told++;
  g_assert_true ((news->state == APP_TRAINING_FAILED) == (news->problem != NULL));
  if (news->state == APP_TRAINING_RUNNING && fixture->pause_at > 0
      && news->last.point.step >= fixture->pause_at)
    app_training_job_pause (fixture->job);
}

static void
begin (Fixture    *fixture,
       const char *steps,
       const char *out)
{
  g_autofree char *folder = g_build_filename (fixture->folder, out, NULL);

  g_clear_pointer (&fixture->job, app_training_job_free);
  fixture->job = app_training_job_new (recipe_new (fixture, steps), APP_N_TOYS, folder, news_cb,
                                       fixture);
}

static AppTrainingState
get_state (const Fixture *fixture)
{
  return app_training_job_get_news (fixture->job)->state;
}

static void
rest (const Fixture *fixture)
{
  wait_until (!app_training_job_is_busy (fixture->job));
}

static GArray *
dup_curve (const Fixture *fixture)
{
  return g_array_copy ((GArray *) app_training_job_get_news (fixture->job)->curve);
}

/* The record has decimal numbers. */
static void
assert_same_curves (const GArray *a,
                    const GArray *b)
{
  g_assert_cmpuint (a->len, >, 20);
  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 1; i < a->len; i++) {
    const AppTrainingPoint *first = &g_array_index (a, AppTrainingPoint, i);
    const AppTrainingPoint *second = &g_array_index (b, AppTrainingPoint, i);

    g_assert_cmpint (first->step, ==, second->step);
    g_assert_cmpfloat_with_epsilon (first->loss, second->loss, 1e-13 * first->loss);
  }
}

static void
assert_same_weights (const Fixture *fixture)
{
  g_autofree char *whole = g_build_filename (fixture->folder, "whole", NULL);
  g_autofree char *parts = g_build_filename (fixture->folder, "parts", NULL);
  gsize n, n_other;
  g_autofree char *weights = checkpoint_read_file (whole, "model.safetensors", &n);
  g_autofree char *other = checkpoint_read_file (parts, "model.safetensors", &n_other);

  g_assert_cmpmem (weights, n, other, n_other);
}

/* However often it is paused it learns the same: every bit of the weights. */
static void
test_pause (Fixture       *fixture,
            gconstpointer  data)
{
  g_autoptr (GArray) whole = NULL, parts = NULL;

  begin (fixture, "150", "whole");
  g_assert_cmpint (get_state (fixture), ==, APP_TRAINING_OPENING);
  rest (fixture);
  g_assert_cmpint (get_state (fixture), ==, APP_TRAINING_DONE);
  whole = dup_curve (fixture);

  fixture->pause_at = 1;
  begin (fixture, "150", "parts");
  rest (fixture);
  g_assert_cmpint (get_state (fixture), ==, APP_TRAINING_PAUSED);
  g_assert_cmpint (app_training_job_get_news (fixture->job)->last.point.step, <, 150);
  g_assert_cmpint (app_training_job_get_news (fixture->job)->last.saved_step, ==,
                   app_training_job_get_news (fixture->job)->last.point.step);
  fixture->pause_at = 0;
  app_training_job_go_on (fixture->job);
  rest (fixture);
  g_assert_cmpint (get_state (fixture), ==, APP_TRAINING_DONE);
  parts = dup_curve (fixture);
  assert_same_curves (whole, parts);
  assert_same_weights (fixture);
}

/* Who leaves it while it runs finds it paused. */
static void
test_left (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "left", NULL);
  g_autoptr (GError) error = NULL;
  AppTrainingRecord *record;
  gint64 step;

  begin (fixture, "1000000", "left");
  wait_until (app_training_job_get_news (fixture->job)->last.point.step > 0);
  step = app_training_job_get_news (fixture->job)->last.point.step;
  g_clear_pointer (&fixture->job, app_training_job_free);

  record = app_training_record_open (folder, &error);
  g_assert_no_error (error);
  fixture->job = app_training_job_new_paused (folder, record, news_cb, fixture);
  g_assert_cmpint (get_state (fixture), ==, APP_TRAINING_PAUSED);
  g_assert_cmpint (app_training_job_get_news (fixture->job)->last.point.step, >=, step);
  step = app_training_job_get_news (fixture->job)->last.point.step;
  app_training_job_go_on (fixture->job);
  wait_until (app_training_job_get_news (fixture->job)->last.point.step > step);
}

static void
make_state (const char *folder,
            gint64      step)
{
  g_autofree char *state = app_kept_dup_folder (folder, step);

  g_assert_cmpint (g_mkdir_with_parents (state, 0700), ==, 0);
}

/* What a program that was killed has kept behind what it saved is no state of the training. */
static void
test_killed (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "killed", NULL);
  g_autoptr (GError) error = NULL;
  const AppTrainingNews *news;
  AppTrainingRecord *record;
  gint64 step;

  fixture->pause_at = 5;
  begin (fixture, "1000000", "killed");
  rest (fixture);
  step = app_training_job_get_news (fixture->job)->last.saved_step;
  g_clear_pointer (&fixture->job, app_training_job_free);
  make_state (folder, step);
  make_state (folder, step + 1);
  make_state (folder, step + 40);

  record = app_training_record_open (folder, &error);
  g_assert_no_error (error);
  fixture->job = app_training_job_new_paused (folder, record, news_cb, fixture);
  news = app_training_job_get_news (fixture->job);
  g_assert_cmpint (news->last.saved_step, ==, step);
  g_assert_cmpuint (news->kept->len, >, 0);
  g_assert_cmpint (g_array_index (news->kept, gint64, news->kept->len - 1), ==, step);
}

static void
check_refused (Fixture    *fixture,
               const char *sentence)
{
  begin (fixture, "5", "refused");
  rest (fixture);
  g_assert_cmpint (get_state (fixture), ==, APP_TRAINING_FAILED);
  g_assert_nonnull (strstr (app_training_job_get_news (fixture->job)->problem, sentence));
}

static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *there = g_build_filename (fixture->folder, "refused", NULL);

  g_assert_true (g_file_set_contents (fixture->data, "a text\nno\xfftext\n", -1, NULL));
  check_refused (fixture, fixture->data);
  g_unlink (fixture->data);
  check_refused (fixture, fixture->data);
  texts_write (fixture->data);
  g_assert_true (g_file_set_contents (there, "", -1, NULL));
  check_refused (fixture, "is there and is no empty folder");
}

#define ADD(name, func) \
  g_test_add ("/training-job/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("pause", test_pause);
  ADD ("left", test_left);
  ADD ("killed", test_killed);
  ADD ("refused", test_refused);
  return g_test_run ();
}
