/* SPDX-License-Identifier: MIT */
/* Scores of the states that a training has kept: those that the engine gives for each, asked for by
 * another road; forgotten with the sentence. */
#include "app/training/state-scores.h"

#include <math.h>

#include "app/training/kept.h"
#include "app/training/toy-answers.h"
#include "app/training/toys.h"
#include "app/training/training.h"
#include "engine/trace/induction.h"
#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"
#include "tests/app/training/toy-lines.h"
#include "tests/support/temporary.h"
#include "tests/support/wait.h"

#define SENTENCE " f k z b q m t a f k z b q m t a"
#define N_STEPS 60
#define N_STOPS 4
/* Steps within which the head of the preset forms. */
#define N_FORMING 350

/* Of a training. It stops so many times on the way and goes on: what goes on keeps the first state
 * that is due, however little of the machine it has. */
typedef struct {
  AppToyShape shape;
  int         n_steps;
  int         n_stops;
} Case;

typedef struct {
  char           *home;
  char           *folder;
  GArray         *kept;
  gint64          n_steps;
  AppStateScores *scores;
  UiDocument     *document;
  guint           n_told;
} Fixture;

static void
scored_cb (gpointer data)
{
  ((Fixture *) data)->n_told++;
}

/* A new training, or that of the folder, up to the step. */
static AppTraining *
open_training (const Fixture *fixture,
               const Case    *wanted,
               int            end)
{
  g_autoptr (GError) error = NULL;
  AppTraining *training;

  if (app_training_record_is_in (fixture->folder)) {
    g_autoptr (AppRecipe) changes = app_recipe_new ();
    g_autofree char *steps = g_strdup_printf ("%d", end);

    g_assert_true (app_recipe_set (changes, app_recipe_find_field ("steps"), steps, &error));
    training = app_training_resume (fixture->folder, changes, &error);
  } else {
    AppRecipe *recipe = app_toy_new_recipe (APP_TOY_REPEAT, &wanted->shape,
                                            app_toy_get (APP_TOY_REPEAT)->seed, 1);

    recipe->steps = end;
    g_assert_true (app_toy_write (APP_TOY_REPEAT, recipe, &error));
    training = app_training_new (recipe, fixture->folder, &error);
  }
  g_assert_no_error (error);

  return training;
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  const Case *wanted = data;

  fixture->folder = g_build_filename (g_get_user_data_dir (), "models", "repeat", NULL);
  fixture->n_steps = wanted->n_steps;
  for (int i = 0; i <= wanted->n_stops; i++) {
    g_autoptr (AppTraining) training =
      open_training (fixture, wanted, wanted->n_steps * (i + 1) / (wanted->n_stops + 1));
    g_autoptr (GError) error = NULL;

    app_training_keep_states (training);
    app_training_run (training, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
  }
  fixture->kept = app_kept_list (fixture->folder);
  fixture->scores = app_state_scores_new (scored_cb, fixture);
  fixture->document = ui_document_new ();
  ui_replace_text (&fixture->document->text_a, SENTENCE);
  ui_replace_text (&fixture->document->text_b, "");
}

static void
remove_all (const char *folder)
{
  temporary_free (g_strdup (folder));
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  app_state_scores_free (fixture->scores);
  g_array_unref (fixture->kept);
  ui_document_free (fixture->document);
  remove_all (fixture->folder);
  g_free (fixture->folder);
}

static const GPtrArray *
ask (Fixture *fixture)
{
  const AppStateQuestion question = { fixture->document, fixture->folder, fixture->kept,
                                      fixture->n_steps, APP_TOY_REPEAT };

  app_state_scores_ask (fixture->scores, &question);
  wait_until (app_state_scores_get (fixture->scores)->len == fixture->kept->len + 1);

  return app_state_scores_get (fixture->scores);
}

/* What a head of a folder's model has. */
static void
check_state (const char          *folder,
             const AppStateScore *score)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  EngRunRequest request = { 0 };

  g_assert_true (eng_inputs_from_texts (model, SENTENCE, "", NULL, &inputs, &error));
  request.tokens = inputs.tokens;
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  g_assert_cmpint (score->n_layers, ==, 2);
  for (int layer = 0; layer < score->n_layers; layer++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_DECODER, layer);
    const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_DECODER);
    g_autofree float *induction = g_new (float, (gsize) score->n_heads);

    eng_induction_measure (attention, tokens, tokens, induction);
    for (int head = 0; head < score->n_heads; head++) {
      const float *own = score->scores + (layer * score->n_heads + head) * APP_N_SCORES;

      g_assert_cmpfloat (own[APP_SCORE_INDUCTION], ==, induction[head]);
      g_assert_cmpfloat (own[ENG_PATTERN_PREVIOUS], >=, 0);
    }
  }
}

static void
check_all (Fixture *fixture,
           int      n_heads)
{
  const GPtrArray *scores = ask (fixture);
  gint64 last = -1;

  g_assert_cmpuint (scores->len, >, 4);
  for (guint i = 0; i < scores->len; i++) {
    const AppStateScore *score = scores->pdata[i];
    g_autofree char *folder = score->step == N_STEPS
                                ? g_strdup (fixture->folder)
                                : app_kept_dup_folder (fixture->folder, score->step);

    g_assert_cmpint (score->step, >, last);
    last = score->step;
    g_assert_cmpint (score->n_heads, ==, n_heads);
    g_assert_cmpfloat (score->right, >=, 0);
    g_assert_cmpfloat (score->right, <=, 1);
    check_state (folder, score);
  }
  g_assert_cmpint (last, ==, N_STEPS);
  /* Weights that know nothing read no more there than anywhere. */
  g_assert_cmpfloat (app_state_score_find_best (scores->pdata[0], APP_SCORE_INDUCTION), <, 0.3f);
}

static void
test_four_heads (Fixture       *fixture,
                 gconstpointer  data)
{
  check_all (fixture, 4);
}

/* Without positions a model is as good as any to be looked at. */
static void
test_one_head (Fixture       *fixture,
               gconstpointer  data)
{
  check_all (fixture, 1);
}

/* Of another sentence nothing is known. One that cannot be scored is none that is asked for ever. */
static void
test_other_sentence (Fixture       *fixture,
                     gconstpointer  data)
{
  const GPtrArray *scores = ask (fixture);
  guint n_told;

  g_assert_cmpuint (scores->len, >, 0);
  ui_replace_text (&fixture->document->text_a, "");
  scores = ask (fixture);
  for (guint i = 0; i < scores->len; i++)
    g_assert_cmpint (((AppStateScore *) scores->pdata[i])->n_layers, ==, 0);
  n_told = fixture->n_told;
  ask (fixture);
  g_assert_cmpuint (fixture->n_told, ==, n_told);
}

/* The preset shows what it promises, with all its lines: what followed last time is not read at first,
 * and by one head in the end. */
static void
test_forming (Fixture       *fixture,
              gconstpointer  data)
{
  const GPtrArray *scores = ask (fixture);
  const AppStateScore *first = scores->pdata[0], *last = scores->pdata[scores->len - 1];

  g_assert_cmpint (first->step, ==, 0);
  g_assert_cmpint (last->step, ==, N_FORMING);
  g_assert_cmpfloat (app_state_score_find_best (first, APP_SCORE_INDUCTION), <, 0.15f);
  g_assert_cmpfloat (app_state_score_find_best (last, APP_SCORE_INDUCTION), >, 0.8f);
  g_assert_cmpfloat (first->right, <, 0.2);
  g_assert_cmpfloat (last->right, >, 0.95);
}

int
main (int    argc,
      char **argv)
{
  static const Case plain = { { FALSE, FALSE }, N_STEPS, N_STOPS },
                    other = { { TRUE, TRUE }, N_STEPS, N_STOPS },
                    forming = { { FALSE, FALSE }, N_FORMING, 0 };
  char *home = temporary_new ();
  int status;

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/state-scores/forming", Fixture, &forming, set_up, test_forming, tear_down);
  toy_lines_write (APP_TOY_REPEAT);
  g_test_add ("/state-scores/four-heads", Fixture, &plain, set_up, test_four_heads, tear_down);
  g_test_add ("/state-scores/one-head", Fixture, &other, set_up, test_one_head, tear_down);
  g_test_add ("/state-scores/other-sentence", Fixture, &plain, set_up, test_other_sentence,
              tear_down);
  status = g_test_run ();
  temporary_free (home);

  return status;
}
