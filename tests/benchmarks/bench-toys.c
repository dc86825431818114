/* SPDX-License-Identifier: MIT */
/* What the presets of a training come to, with the steps that the window gives them: a line each,
 * with and without positions, with four heads a layer and one, with the share of answers that are
 * right in lines that were drawn anew, and the seconds it took. Prints; asserts nothing. Wanted with
 * positions: over 95 %.
 *   bench-toys [NAME …]   these alone: repeat, reverse-no-positions, sort-one-head … */
#include <stdio.h>

#include "app/training/toy-answers.h"
#include "app/training/training.h"
#include "tests/support/temporary.h"

#define LINES_SEED 977
#define N_LINES 500

static gboolean
is_wanted (char *const       *names,
           AppToy             toy,
           const AppToyShape *shape)
{
  g_autofree char *name = app_toy_dup_name (toy, shape);

  return !names[0] || g_strv_contains ((const char *const *) names, name);
}

static double
measure (AppToy      toy,
         const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  double right = 0;

  g_assert_no_error (error);
  app_toy_measure_answers (toy, model, LINES_SEED, N_LINES, NULL, &right, &error);
  g_assert_no_error (error);

  return right;
}

static void
train (AppToy             toy,
       const AppToyShape *shape)
{
  const AppToyFacts *facts = app_toy_get (toy);
  AppRecipe *recipe = app_toy_new_recipe (toy, shape, facts->seed, facts->minutes);
  const gint64 n_steps = recipe->steps, begun = g_get_monotonic_time ();
  g_autofree char *name = app_toy_dup_name (toy, shape);
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AppTraining) training = NULL;
  gint64 taken;

  app_toy_write (toy, recipe, &error);
  g_assert_no_error (error);
  training = app_training_new (recipe, folder, &error);
  g_assert_no_error (error);
  app_training_run (training, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  taken = g_get_monotonic_time () - begun;
  printf ("%-26s %5d steps  %6.2f %% right  %5.1f s\n", name, (int) n_steps,
          100 * measure (toy, folder), (double) taken / G_USEC_PER_SEC);
  fflush (stdout);
}

int
main (int    argc,
      char **argv)
{
  static const AppToyShape shapes[] = {
    { FALSE, FALSE }, { TRUE, FALSE }, { FALSE, TRUE }, { TRUE, TRUE },
  };
  char *home = temporary_new ();

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  for (int toy = 0; toy < APP_N_TOYS; toy++)
    for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
      if (is_wanted (argv + 1, (AppToy) toy, &shapes[i]))
        train ((AppToy) toy, &shapes[i]);
  temporary_free (home);

  return 0;
}
