/* SPDX-License-Identifier: MIT */
/* What the presets of a training come to, with the steps that the window gives them: a line each,
 * with and without positions, with four heads a layer and one, with the share of answers that are
 * right in lines that were drawn anew, the highest induction score (engine/trace/induction.h) of a
 * head, and the seconds it took. Prints; asserts nothing. Wanted with positions: over 95 %, and of
 * repeat a score over 0.8.
 *   bench-toys [NAME …]   these alone: repeat, reverse-no-positions, sort-one-head … */
#include <math.h>
#include <stdio.h>

#include "app/run/pass.h"
#include "app/training/toy-answers.h"
#include "app/training/training.h"
#include "engine/trace/induction.h"
#include "tests/support/temporary.h"

#define LINES_SEED 977
#define N_LINES 500
#define N_SCORED 20
#define MAX_HEADS 64

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

/* The mean over some new lines, of the head where that is highest; NaN = no letter comes again. */
static double
measure_induction (AppToy      toy,
                   const char *folder)
{
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, NULL);
  g_autofree char *text = app_toy_make_lines (toy, LINES_SEED, N_SCORED);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double sums[MAX_HEADS] = { 0 }, best = NAN;
  int n_all = 0;

  for (int i = 0; i < N_SCORED; i++) {
    UiDocument *document = ui_document_new ();
    g_auto (EngInputs) inputs = { 0 };
    g_autoptr (EngTrace) trace = NULL;
    int n_heads;

    g_free (document->text_a);
    document->text_a = g_strdup (lines[i]);
    g_assert_true (app_pass_encode (model, document, &inputs, NULL));
    trace = app_pass_run (model, document, &inputs, 0, FALSE, NULL);
    n_heads = eng_trace_get_n_heads (trace, ENG_KIND_DECODER);
    n_all = eng_trace_get_n_layers (trace, ENG_KIND_DECODER) * n_heads;
    g_assert_cmpint (n_all, <=, MAX_HEADS);
    for (int layer = 0; layer * n_heads < n_all; layer++) {
      g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_DECODER, layer);
      float scores[MAX_HEADS];

      eng_induction_measure (attention, eng_trace_get_query_tokens (trace, ENG_KIND_DECODER),
                             eng_trace_get_key_tokens (trace, ENG_KIND_DECODER), scores);
      for (int head = 0; head < n_heads; head++)
        sums[layer * n_heads + head] += (double) scores[head] / N_SCORED;
    }
    ui_document_free (document);
  }
  for (int i = 0; i < n_all; i++)
    best = fmax (best, sums[i]);

  return best;
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
  printf ("%-26s %5d steps  %6.2f %% right  induction %4.2f  %5.1f s\n", name, (int) n_steps,
          100 * measure (toy, folder), measure_induction (toy, folder),
          (double) taken / G_USEC_PER_SEC);
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
