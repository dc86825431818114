/* SPDX-License-Identifier: MIT */
/* A sweep over a document, held to passes with one edit each, and its table. */
#include "app/run/ablation.h"
#include "app/run/pass.h"
#include "engine/base/error.h"
#include "engine/predict/predict.h"

#include <math.h>
#include <string.h>

#define N_LAYERS 6
#define N_HEADS 12

static UiDocument *
make_document (const char *text_a,
               const char *text_b)
{
  UiDocument *document = ui_document_new ();

  g_free (document->model);
  document->model = g_strdup ("headlight-mini");
  g_free (document->text_a);
  document->text_a = g_strdup (text_a);
  g_free (document->text_b);
  document->text_b = g_strdup (text_b);
  return document;
}

static EngModel *
open_model (const UiDocument *document)
{
  g_autoptr (GError) error = NULL;
  EngModel *model = app_pass_open_model (document, &error);

  g_assert_no_error (error);
  return model;
}

static void
count_cb (const AppProgress *progress,
          gpointer           data)
{
  g_assert_cmpfloat (progress->fraction, >, 0);
  g_assert_cmpfloat (progress->fraction, <=, 1);
  ++*(int *) data;
}

/* The probabilities of the classes after one edit, softmax written out. */
static void
run_edited (EngModel         *model,
            const UiDocument *document,
            const char       *edit,
            double           *probabilities)
{
  g_autoptr (UiDocument) edited = ui_document_copy (document);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  EngMatrix logits;
  double sum = 0;

  g_strfreev (edited->edits);
  edited->edits = g_strsplit (edit, ";", -1);
  g_assert_true (app_pass_encode (model, edited, &inputs, NULL));
  trace = app_pass_run (model, edited, &inputs, 1u << ENG_TASK_NEXT_SENTENCE, FALSE, NULL);
  g_assert_nonnull (trace);
  g_assert_true (eng_trace_get_logits (trace, ENG_TASK_NEXT_SENTENCE, &logits, NULL));
  for (int i = 0; i < 2; i++)
    sum += probabilities[i] = exp ((double) logits.data[i]);
  for (int i = 0; i < 2; i++)
    probabilities[i] /= sum;
}

static void
test_numbers (void)
{
  static const struct { int layer, head; } heads[] = { { 0, 0 }, { 2, 9 }, { 5, 11 } };
  g_autoptr (UiDocument) document = make_document ("The cat sat on the mat", "Time flies");
  g_autoptr (EngModel) model = open_model (document);
  g_autoptr (AppAblation) ablation =
    app_ablation_new (model, document, ENG_KIND_ENCODER, ENG_TASK_NEXT_SENTENCE,
                      ENG_EDIT_SCALE_HEAD, N_LAYERS, N_HEADS);
  double before[2], probability;
  EngSweepChange change;
  int n_reports = 0, best;
  gint cancel = 0;

  g_assert_false (app_ablation_get (ablation, 0, 0, &change));
  g_assert_false (app_ablation_get_base (ablation, &best, &probability));
  g_assert_true (app_ablation_run (ablation, &cancel, count_cb, &n_reports, NULL));
  g_assert_cmpint (n_reports, ==, N_LAYERS * N_HEADS);
  run_edited (model, document, "", before);
  g_assert_true (app_ablation_get_base (ablation, &best, &probability));
  g_assert_cmpint (best, ==, before[0] > before[1] ? 0 : 1);
  g_assert_cmpfloat_with_epsilon (probability, before[best], 1e-5);

  for (gsize i = 0; i < G_N_ELEMENTS (heads); i++) {
    g_autofree char *edit = g_strdup_printf ("zero %d.%d", heads[i].layer, heads[i].head);
    double after[2], divergence = 0;

    run_edited (model, document, edit, after);
    for (int class = 0; class < 2; class++)
      divergence += before[class] * log2 (before[class] / after[class]);
    g_assert_true (app_ablation_get (ablation, heads[i].layer, heads[i].head, &change));
    g_assert_cmpfloat_with_epsilon (change.change, divergence, 1e-5);
    g_assert_cmpfloat_with_epsilon (change.probability_change, after[best] - before[best], 1e-5);
    g_assert_cmpint (change.best, ==, after[0] > after[1] ? 0 : 1);
  }
}

static void
test_csv (void)
{
  g_autoptr (UiDocument) document = make_document ("The cat sat on the [MASK]", "");
  g_autoptr (EngModel) model = open_model (document);
  g_autoptr (AppAblation) ablation =
    app_ablation_new (model, document, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK,
                      ENG_EDIT_UNIFORM_ROWS, N_LAYERS, N_HEADS);
  g_autofree char *empty = app_ablation_to_csv (ablation);
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) cells = NULL;
  int n_reports = 0;
  gint cancel = 0;

  g_assert_cmpstr (strchr (empty, '\n'), ==, "\n");
  g_assert_true (app_ablation_run (ablation, &cancel, count_cb, &n_reports, NULL));
  csv = app_ablation_to_csv (ablation);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpint (g_strv_length (lines), ==, 1 + N_LAYERS * N_HEADS + 1);
  g_assert_cmpstr (lines[0], ==, "layer,head,kl_bits,probability_before,probability_after,"
                                 "probability_change,best_after");
  cells = g_strsplit (lines[1 + 2 * N_HEADS + 9], ",", 7);
  g_assert_cmpstr (cells[0], ==, "2");
  g_assert_cmpstr (cells[1], ==, "9");
  g_assert_cmpfloat (g_ascii_strtod (cells[2], NULL), >=, 0);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[4], NULL) - g_ascii_strtod (cells[3], NULL),
                                  g_ascii_strtod (cells[5], NULL), 1e-7);
  g_assert_cmpstr (cells[6], !=, "");
}

/* Nothing is predicted for a text without a mask: its states are measured. */
static void
test_hidden_states (void)
{
  g_autoptr (UiDocument) document = make_document ("The cat sat", "");
  g_autoptr (EngModel) model = open_model (document);
  g_autoptr (AppAblation) ablation =
    app_ablation_new (model, document, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK, ENG_EDIT_SCALE_HEAD,
                      N_LAYERS, N_HEADS);
  g_autofree char *csv = NULL;
  int n_reports = 0;
  gint cancel = 0;

  g_assert_true (app_ablation_run (ablation, &cancel, count_cb, &n_reports, NULL));
  g_assert_false (app_ablation_predicts (ablation));
  csv = app_ablation_to_csv (ablation);
  g_assert_true (g_str_has_prefix (csv, "layer,head,hidden_state_change,"));
  g_assert_nonnull (strstr (csv, ",,,,\n"));
}

static void
test_cancel (void)
{
  g_autoptr (UiDocument) document = make_document ("The cat sat", "");
  g_autoptr (EngModel) model = open_model (document);
  g_autoptr (AppAblation) ablation =
    app_ablation_new (model, document, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK, ENG_EDIT_SCALE_HEAD,
                      N_LAYERS, N_HEADS);
  g_autoptr (GError) error = NULL;
  int n_reports = 0;
  gint cancel = 1;

  g_assert_false (app_ablation_run (ablation, &cancel, count_cb, &n_reports, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ablation/numbers", test_numbers);
  g_test_add_func ("/ablation/csv", test_csv);
  g_test_add_func ("/ablation/hidden-states", test_hidden_states);
  g_test_add_func ("/ablation/cancel", test_cancel);
  return g_test_run ();
}
