/* SPDX-License-Identifier: MIT */
/* A checkpoint that another program writes to while it is open: the pass ends with a sentence. */
#include "tests/engine/transformer/model-case.h"

#include "engine/predict/sweep.h"
#include "engine/transformer/session.h"
#include "engine/writing/generate.h"
#include "tests/support/encode.h"

#include <locale.h>
#include <unistd.h>

static void
shorten (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, WEIGHTS, NULL);

  g_assert_cmpint (truncate (path, 100), ==, 0);
}

static void
assert_is_of_file (const GError *error)
{
  g_test_message ("%s", error ? error->message : "no error");
  g_assert_error (error, ENG_ERROR, ENG_ERROR_IO);
  g_assert_nonnull (strstr (error->message, WEIGHTS));
}

static void
count_layer (EngTrace *trace,
             EngKind   kind,
             int       layer,
             gpointer  n_layers)
{
  ++*(int *) n_layers;
}

/* What was computed of pages that are gone is shown to nobody, not even while the pass runs. */
static void
test_pass (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = encode_texts (model, "time flies", NULL, FALSE, FALSE, NULL);
  g_autoptr (EngTrace) before = NULL;
  g_autoptr (GError) error = NULL;
  int n_layers = 0;
  EngRunRequest request = { .tokens = tokens, .tasks = 1u << ENG_TASK_FILL_MASK,
                            .layer_done = count_layer, .data = &n_layers };

  before = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  g_assert_cmpint (n_layers, >, 0);
  n_layers = 0;
  shorten (folder);
  g_assert_null (eng_session_run (session, &request, &error));
  assert_is_of_file (error);
  g_clear_error (&error);
  /* What it gets wrong it never gets right again. */
  g_assert_null (eng_session_run (session, &request, &error));
  assert_is_of_file (error);
  g_assert_cmpint (n_layers, ==, 0);
  checkpoint_remove_folder (folder);
}

/* Weights that are yet to be widened when the file becomes shorter. */
static void
test_not_widened (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("masked-f16");
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = encode_texts (model, "time flies", NULL, FALSE, FALSE, NULL);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = { .tokens = tokens };

  shorten (folder);
  for (int i = 0; i < 2; i++) {
    g_assert_null (eng_session_run (session, &request, &error));
    assert_is_of_file (error);
    g_clear_error (&error);
  }
  checkpoint_remove_folder (folder);
}

/* Weights that were widened are in memory: the file is of no matter any more. */
static void
test_widened (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("masked-f16");
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = encode_texts (model, "time flies", NULL, FALSE, FALSE, NULL);
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  EngRunRequest request = { .tokens = tokens };

  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  shorten (folder);
  eng_trace_unref (g_steal_pointer (&trace));
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);
}

static void
test_writing (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (EngModel) model = NULL;
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngGenerator) generator = NULL;
  g_autoptr (GError) error = NULL;
  EngInputs inputs = { 0 };

  checkpoint_add_to_config (folder, "\"is_decoder\": true");
  model = open_or_fail (folder);
  tokens = encode_texts (model, "time flies", NULL, FALSE, FALSE, NULL);
  inputs.tokens = tokens;
  settings->max_new_tokens = 4;
  generator = eng_generator_new (model, &inputs, NULL, 0, settings, 0, NULL, &error);
  g_assert_no_error (error);
  shorten (folder);
  g_assert_false (eng_generator_step (generator, &error));
  assert_is_of_file (error);
  g_clear_error (&error);
  g_assert_null (eng_generator_new (model, &inputs, NULL, 0, settings, 0, NULL, &error));
  assert_is_of_file (error);
  checkpoint_remove_folder (folder);
}

static void
shorten_once (int                   layer,
              int                   head,
              const EngSweepChange *change,
              gpointer              folder)
{
  shorten (folder);
}

static void
test_sweep (void)
{
  g_autofree char *folder = checkpoint_copy_specimen ("pretraining");
  g_autoptr (EngModel) model = open_or_fail (folder);
  g_autoptr (EngTokens) tokens = encode_texts (model, "time [MASK]", NULL, FALSE, FALSE, NULL);
  g_autoptr (GError) error = NULL;
  EngRunRequest request = { .tokens = tokens };

  g_assert_null (eng_sweep_run (model, &request, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK,
                                ENG_EDIT_SCALE_HEAD, 0, shorten_once, folder, &error));
  assert_is_of_file (error);
  checkpoint_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/changed-files/pass", test_pass);
  g_test_add_func ("/changed-files/widened", test_widened);
  g_test_add_func ("/changed-files/not-widened", test_not_widened);
  g_test_add_func ("/changed-files/writing", test_writing);
  g_test_add_func ("/changed-files/sweep", test_sweep);

  return g_test_run ();
}
