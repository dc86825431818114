/* SPDX-License-Identifier: MIT */
/* Models whose positions are apart from content: the two terms of their scores in a trace, in its
 * file and in the check line, with and without edits. What the terms are is recorded
 * (test-families.c). */
#include "engine/trace/check.h"
#include "engine/trace/trace-file.h"
#include "engine/transformer/session.h"
#include "tests/support/specimen.h"

#define N_TOKENS 30

static const char *const specimens[] = {
  "deberta-words", "deberta-span", "deberta-v2-buckets", "deberta-v2-c2p", "deberta-v2-convolution",
  "deberta-v2-p2c",
};

typedef gboolean (*GetTerm) (const EngTrace *trace,
                             EngKind         kind,
                             int             layer,
                             int             head,
                             EngMatrix      *matrix);

static const GetTerm get_terms[] = {
  eng_trace_get_content_position, eng_trace_get_position_content, eng_trace_get_position_bias,
};

static EngTrace *
run (const char *specimen,
     const char *edit_text)
{
  g_autoptr (EngTensorSet) weights = specimen_open_weights (specimen);
  g_autoptr (EngConfig) config = specimen_read_config (specimen);
  g_autoptr (EngModel) model = specimen_make_model (config, weights);
  g_autoptr (EngSession) session = eng_session_new (model);
  int n = MIN (N_TOKENS, MAX (eng_spec_get_max_positions (eng_model_get_spec (model)), 17));
  g_autoptr (EngTokens) tokens = eng_tokens_new (n);
  g_autoptr (GError) error = NULL;
  EngEdit edit;
  EngRunRequest request = { .tokens = tokens, .edits = &edit, .n_edits = edit_text != NULL };
  EngTrace *trace;

  for (int i = 0; i < n; i++) {
    tokens->ids[i] = 5 + i * 7 % 31;
    tokens->texts[i] = g_strdup ("word");
  }
  if (edit_text)
    g_assert_true (eng_edit_parse (edit_text, &edit, &error));
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);

  return trace;
}

static float
get_cell (const EngMatrix *matrix,
          int              query,
          int              key)
{
  return matrix->data[(gsize) query * matrix->stride + (gsize) key];
}

/* The terms of a head, 0 where there is none, add up to the bias; weights follow from the sum. */
static void
check_head (EngTrace *trace,
            int       layer,
            int       head)
{
  EngMatrix matrices[G_N_ELEMENTS (get_terms)];
  gboolean there[G_N_ELEMENTS (get_terms)];

  for (gsize i = 0; i < G_N_ELEMENTS (get_terms); i++)
    there[i] = get_terms[i] (trace, ENG_KIND_ENCODER, layer, head, &matrices[i]);
  g_assert_true (there[0] || there[1]);
  g_assert_true (there[2]);
  for (int query = 0; query < matrices[2].rows; query++)
    for (int key = 0; key < matrices[2].cols; key++) {
      float first = there[0] ? get_cell (&matrices[0], query, key) : 0;
      float second = there[1] ? get_cell (&matrices[1], query, key) : 0;
      EngCheck check;

      g_assert_cmpfloat_with_epsilon (get_cell (&matrices[2], query, key), first + second, 1e-5);
      g_assert_cmpint (eng_check_cell (trace, ENG_KIND_ENCODER, layer, head, query, key, &check),
                       ==, ENG_CHECK_AGREES);
      g_assert_cmpfloat (check.content_position, ==, first);
      g_assert_cmpfloat (check.position_content, ==, second);
    }
}

static void
check_trace (EngTrace *trace)
{
  for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_ENCODER); layer++)
    check_head (trace, layer, layer % eng_trace_get_n_heads (trace, ENG_KIND_ENCODER));
}

/* Written, whoever has looked at it before, and read again. */
static void
check_file (EngTrace *trace)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "trace.safetensors", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) again = NULL;

  g_assert_true (eng_trace_file_write (trace, path, &error));
  again = eng_trace_file_open (path, &error);
  g_assert_no_error (error);
  for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_ENCODER); layer++)
    for (int head = 0; head < eng_trace_get_n_heads (trace, ENG_KIND_ENCODER); head++)
      for (gsize i = 0; i < G_N_ELEMENTS (get_terms); i++) {
        EngMatrix ours, theirs;
        gboolean there = get_terms[i] (trace, ENG_KIND_ENCODER, layer, head, &ours);

        g_assert_cmpint (get_terms[i] (again, ENG_KIND_ENCODER, layer, head, &theirs), ==, there);
        if (there)
          g_assert_cmpmem (ours.data, (gsize) (ours.rows * ours.cols) * sizeof (float),
                           theirs.data, (gsize) (theirs.rows * theirs.cols) * sizeof (float));
      }
  check_trace (again);
  temporary_free (folder);
}

static void
test_terms (gconstpointer specimen)
{
  g_autoptr (EngTrace) trace = run (specimen, NULL);
  g_autoptr (EngTrace) unseen = run (specimen, NULL);

  check_trace (trace);
  check_file (trace);
  check_file (unseen);
}

static void
test_edits (gconstpointer specimen)
{
  static const char *const edits[] = {
    "cut 0.0 3 1 renormalise", "uniform 1.1", "knock-out 2", "skip-attention 0", "zero 0.1",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++) {
    g_autoptr (EngTrace) trace = run (specimen, edits[i]);

    check_trace (trace);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (specimens); i++) {
    g_autofree char *terms = g_strconcat ("/position-terms/", specimens[i], NULL);
    g_autofree char *edits = g_strconcat ("/position-terms/edits/", specimens[i], NULL);

    g_test_add_data_func (terms, specimens[i], test_terms);
    g_test_add_data_func (edits, specimens[i], test_edits);
  }

  return g_test_run ();
}
