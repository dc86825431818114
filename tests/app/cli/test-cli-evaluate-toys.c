/* SPDX-License-Identifier: MIT */
/* A model that a preset trained is also asked for what can be known: of letters that are sorted those
 * behind the sign, each by a pass of its own over what stands before. */
#include "app/training/toys.h"
#include "engine/training/texts.h"
#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"
#include "tests/app/training/toy-lines.h"
#include "tests/support/command-line.h"
#include "tests/support/temporary.h"

#define HELD_OUT 0.1

static int
find_best (EngModel   *model,
           EngSession *session,
           const char *text)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  EngRunRequest request = { .tasks = 1u << ENG_TASK_LANGUAGE_MODEL };
  EngMatrix logits;
  const float *row;
  int best = 0;

  g_assert_true (eng_inputs_from_texts (model, text, "", NULL, &inputs, NULL));
  request.tokens = inputs.tokens;
  trace = eng_session_run (session, &request, NULL);
  g_assert_true (eng_trace_get_logits (trace, ENG_TASK_LANGUAGE_MODEL, &logits, NULL));
  row = logits.data + (gsize) (logits.rows - 1) * logits.stride;
  for (int i = 1; i < logits.cols; i++)
    best = row[i] > row[best] ? i : best;

  return best;
}

/* The id of a letter with the blank before it. */
static int
find_letter (EngModel *model,
             char      letter)
{
  const char text[] = { ' ', letter, '\0' };
  g_auto (EngInputs) inputs = { 0 };

  g_assert_true (eng_inputs_from_texts (model, text, "", NULL, &inputs, NULL));

  return inputs.tokens->ids[inputs.tokens->n - 1];
}

/* The share of letters behind the sign that are right. */
static double
count_right (const char *folder,
             const char *data)
{
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, NULL);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  int n = 0, n_right = 0;

  g_assert_true (g_file_get_contents (data, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i][0]; i++) {
    if (!eng_texts_is_held_out (lines[i], HELD_OUT))
      continue;
    for (char *at = strchr (lines[i], '=') + 1; *at; at += 2, n++) {
      g_autofree char *before = g_strndup (lines[i], (gsize) (at - lines[i]));

      n_right += find_best (model, session, before) == find_letter (model, at[1]);
    }
  }
  g_test_message ("%d of %d", n_right, n);

  return (double) n_right / n;
}

static void
test_sort (void)
{
  const AppToyShape shape = { FALSE, FALSE };
  const gint64 seed = app_toy_get (APP_TOY_SORT)->seed;
  g_autoptr (AppRecipe) recipe = app_toy_new_recipe (APP_TOY_SORT, &shape, seed, 1);
  g_autofree char *out = g_build_filename (g_get_user_data_dir (), "out", NULL);
  g_autofree char *elsewhere = g_build_filename (g_get_user_data_dir (), "elsewhere", NULL);
  g_autofree char *copy = g_build_filename (g_get_user_data_dir (), "lines.txt", NULL);
  g_autofree char *lines = NULL;
  g_auto (Run) train = { 0 };
  g_auto (Run) own = { 0 };
  g_auto (Run) said = { 0 };
  g_auto (Run) other = { 0 };
  g_auto (Run) plain = { 0 };
  g_autoptr (cJSON) answer = NULL;
  double expected;

  toy_lines_write (APP_TOY_SORT);
  g_assert_true (app_toy_write (APP_TOY_SORT, recipe, NULL));
  run_headlight (&train, "train", "--task", "next-word", "--data", recipe->data, "--shape",
                 recipe->shape, "--vocabulary", "320", "--rate", "4e-3", "--dropout", "0",
                 "--batch-tokens", "500", "--held-out", G_STRINGIFY (HELD_OUT), "--steps", "150",
                 "--json", "-o", out, NULL);
  assert_done (&train);
  expected = count_right (out, recipe->data);
  g_assert_cmpfloat (expected, >, 0.1);
  g_assert_cmpfloat (expected, <, 0.999);
  run_headlight (&own, "evaluate", "--model", out, "--json", NULL);
  answer = parse_output (&own);
  g_assert_cmpfloat_with_epsilon (eng_json_find (answer, "answers")->valuedouble, expected, 1e-12);
  run_headlight (&said, "evaluate", "--model", out, NULL);
  assert_done (&said);
  g_assert_nonnull (strstr (said.out, "\nanswers right\t"));

  /* The same lines as anybody's file are no preset's. */
  g_assert_true (g_file_get_contents (recipe->data, &lines, NULL, NULL));
  g_assert_true (g_file_set_contents (copy, lines, -1, NULL));
  run_headlight (&other, "train", "--task", "next-word", "--data", copy, "--shape", recipe->shape,
                 "--steps", "1", "--json", "-o", elsewhere, NULL);
  assert_done (&other);
  run_headlight (&plain, "evaluate", "--model", elsewhere, NULL);
  assert_done (&plain);
  g_assert_null (strstr (plain.out, "answers right"));
}

int
main (int    argc,
      char **argv)
{
  char *folder = temporary_new ();
  int status;

  /* Where the presets have their data. */
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli-evaluate-toys/sort", test_sort);
  status = g_test_run ();
  temporary_free (folder);

  return status;
}
