/* SPDX-License-Identifier: MIT */
#include "engine/trace/check.h"

#include <math.h>
#include <string.h>

#include "engine/trace/trace-file.h"
#include "engine/trace/trace-private.h"
#include "engine/transformer/session.h"
#include "tests/support/encode.h"
#include "tests/support/traces.h"

/* One head, two tokens, d = 1: q = (ln 3, 0), k = (1, 0), so that the first row has the scores ln
 * 3, 0 and the weights 3/4, 1/4. */
#define LN_3 1.0986122886681098f

static const float two_queries[2] = { LN_3, 0 };
static const float two_keys[2] = { 1, 0 };

static EngTrace *
new_trace (const float *weights)
{
  EngTrace *trace = eng_trace_new ();
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];

  *block = (EngBlockTrace) {
    .present = TRUE, .n_layers = 1, .n_heads = 1, .n_kv_heads = 1, .n_queries = 2, .n_keys = 2,
    .head_size = 1, .query_tokens = eng_tokens_new (2), .key_tokens = eng_tokens_new (2),
    .layers = g_new0 (EngLayerTrace, 1),
  };
  block->layers[0] = (EngLayerTrace) {
    .ready = TRUE, .queries = { two_queries, 2, 1 }, .keys = { two_keys, 2, 1 },
    .attention = weights, .scale = 1,
  };

  return trace;
}

static void
set_edits (EngTrace   *trace,
           const char *text)
{
  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_strsplit (text, ";", -1);
}

static void
assert_cell (EngTrace       *trace,
             int             query,
             int             key,
             EngCheckResult  result,
             double          recomputed)
{
  EngCheck check;

  g_assert_cmpint (eng_check_cell (trace, ENG_KIND_ENCODER, 0, 0, query, key, &check), ==, result);
  g_assert_cmpfloat (fabs (check.recomputed - recomputed), <, 1e-7);
}

/* 2 tanh (ln 3 / 2) = 1: tanh is (3 - 1) / (3 + 1). */
static void
test_soft_cap (void)
{
  const float first = (float) (G_E / (G_E + 1));
  const float weights[4] = { first, 1 - first, 0.5f, 0.5f };
  g_autoptr (EngTrace) trace = new_trace (weights);
  EngCheck check;

  g_assert_cmpint (eng_check_cell (trace, ENG_KIND_ENCODER, 0, 0, 0, 0, &check), ==,
                   ENG_CHECK_DIFFERS);
  trace->blocks[ENG_KIND_ENCODER].layers[0].soft_cap = 2;
  assert_cell (trace, 0, 0, ENG_CHECK_AGREES, G_E / (G_E + 1));
  assert_cell (trace, 1, 1, ENG_CHECK_AGREES, 0.5);
  g_assert_cmpint (eng_check_cell (trace, ENG_KIND_ENCODER, 0, 0, 0, 0, &check), ==,
                   ENG_CHECK_AGREES);
  g_assert_cmpfloat (fabs (check.score - 1), <, 1e-6);
}

static void
test_by_hand (void)
{
  const float weights[4] = { 0.75f, 0.25f, 0.5f, 0.5f };
  g_autoptr (EngTrace) trace = new_trace (weights);
  EngCheck check;

  assert_cell (trace, 0, 0, ENG_CHECK_AGREES, 0.75);
  assert_cell (trace, 0, 1, ENG_CHECK_AGREES, 0.25);
  assert_cell (trace, 1, 0, ENG_CHECK_AGREES, 0.5);

  trace->blocks[ENG_KIND_ENCODER].layers[0].scale = 2;
  g_assert_cmpint (eng_check_cell (trace, ENG_KIND_ENCODER, 0, 0, 0, 0, &check), ==,
                   ENG_CHECK_DIFFERS);
  g_assert_cmpfloat (fabs (check.product - LN_3), <, 1e-7);
  g_assert_cmpfloat (fabs (check.score - 2 * LN_3), <, 1e-6);
  g_assert_cmpfloat (fabs (check.recomputed - 0.9), <, 1e-7);
  g_assert_cmpfloat (check.stored, ==, 0.75);
  g_assert_false (check.masked);
}

/* Red beyond 1e-5, for numbers stored as F32. */
static void
test_tolerance (void)
{
  float weights[4] = { 0.75f, 0.25f, 0.5f, 0.5f };
  g_autoptr (EngTrace) trace = new_trace (weights);

  weights[0] = 0.75f + 0.8e-5f;
  assert_cell (trace, 0, 0, ENG_CHECK_AGREES, 0.75);
  weights[0] = 0.75f + 1.2e-5f;
  assert_cell (trace, 0, 0, ENG_CHECK_DIFFERS, 0.75);
  weights[0] = 0.75f - 1.2e-5f;
  assert_cell (trace, 0, 0, ENG_CHECK_DIFFERS, 0.75);
  weights[0] = NAN;
  assert_cell (trace, 0, 0, ENG_CHECK_DIFFERS, 0.75);

  /* Numbers stored as F16 are a thousandth apart. */
  trace->stored_unit = 0x1p-10;
  weights[0] = 0.75f + 0x1p-11f;
  assert_cell (trace, 0, 0, ENG_CHECK_AGREES, 0.75);
  weights[0] = 0.76f;
  assert_cell (trace, 0, 0, ENG_CHECK_DIFFERS, 0.75);
}

static void
test_mask_and_bias (void)
{
  const float masked[4] = { 0, 1, 0.5f, 0.5f };
  const float biased[4] = { 0.6f, 0.4f, 0.5f, 0.5f };
  const float leaking[4] = { 0.1f, 0.9f, 0.5f, 0.5f };
  const float bias[4] = { 0, 0.69314718f, 0, 0 }; /* ln 2: scores ln 3, ln 2 */
  const guint8 mask[4] = { 0, 1, 1, 1 };
  g_autoptr (EngTrace) trace = new_trace (masked);
  EngLayerTrace *layer = &trace->blocks[ENG_KIND_ENCODER].layers[0];
  EngCheck check;

  layer->mask = mask;
  assert_cell (trace, 0, 0, ENG_CHECK_AGREES, 0);
  assert_cell (trace, 0, 1, ENG_CHECK_AGREES, 1);
  eng_check_cell (trace, ENG_KIND_ENCODER, 0, 0, 0, 0, &check);
  g_assert_true (check.masked);
  layer->attention = leaking;
  assert_cell (trace, 0, 0, ENG_CHECK_DIFFERS, 0);

  layer->mask = NULL;
  layer->position_bias = bias;
  layer->attention = biased;
  assert_cell (trace, 0, 0, ENG_CHECK_AGREES, 0.6);
  assert_cell (trace, 0, 1, ENG_CHECK_AGREES, 0.4);
}

/* A key that is read three times: e^(ln 3) = 3 once, e^0 = 1 three times. */
static void
test_readings (void)
{
  static const struct { const char *edits; float row[2]; } cases[] = {
    { "", { 0.5f, 1 / 6.0f } },
    { "uniform 0.0", { 0.25f, 0.25f } },
    { "cut 0.0 0 0 renormalise", { 0, 1 / 3.0f } },
    { "cut 0.0 0 0;uniform 0.0", { 0, 0.25f } },
    { "knock-out 1", { 1, 0 } },
  };
  const guint8 mask[4] = { 1, 3, 1, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    float weights[4] = { cases[i].row[0], cases[i].row[1], 0.5f, 0.5f };
    g_autoptr (EngTrace) trace = new_trace (weights);

    set_edits (trace, cases[i].edits);
    trace->blocks[ENG_KIND_ENCODER].layers[0].mask = mask;
    assert_cell (trace, 0, 0, ENG_CHECK_AGREES, (double) cases[i].row[0]);
    assert_cell (trace, 0, 1, ENG_CHECK_AGREES, (double) cases[i].row[1]);
  }
}

/* A score of three terms: those of positions count, each, beside q·k. */
static void
test_position_terms (void)
{
  const float weights[4] = { 0.6f, 0.4f, 0.5f, 0.5f };
  const float content_position[4] = { -0.25f, 0.94314718f, 0, 0 };
  const float position_content[4] = { 0.25f, -0.25f, 0, 0 };
  const float bias[4] = { 0, 0.69314718f, 0, 0 }; /* ln 2: scores ln 3, ln 2 */
  g_autoptr (EngTrace) trace = new_trace (weights);
  EngLayerTrace *layer = &trace->blocks[ENG_KIND_ENCODER].layers[0];
  EngCheck check;

  layer->position_bias = bias;
  layer->content_position = content_position;
  assert_cell (trace, 0, 0, ENG_CHECK_DIFFERS,
               3 * exp (-0.25) / (3 * exp (-0.25) + exp (0.94314718)));
  layer->position_content = position_content;
  assert_cell (trace, 0, 0, ENG_CHECK_AGREES, 0.6);
  eng_check_cell (trace, ENG_KIND_ENCODER, 0, 0, 0, 1, &check);
  g_assert_cmpfloat_with_epsilon (check.content_position, 0.94314718, 1e-7);
  g_assert_cmpfloat (check.position_content, ==, -0.25);
  g_assert_cmpfloat_with_epsilon (check.score, log (2), 1e-6);
}

static void
test_edits (void)
{
  static const struct { const char *edits; float row[2]; double recomputed[2]; } cases[] = {
    { "uniform 0.0", { 0.5f, 0.5f }, { 0.5, 0.5 } },
    { "uniform 0.*", { 0.5f, 0.5f }, { 0.5, 0.5 } },
    { "cut 0.0 0 0", { 0, 0.25f }, { 0, 0.25 } },
    { "cut 0.0 0 0 renormalise", { 0, 1 }, { 0, 1 } },
    { "cut 0.0 0 1;uniform 0.0", { 0.5f, 0 }, { 0.5, 0 } },
    { "cut 0.0 0 0;cut 0.0 0 1 renormalise", { 0, 0 }, { 0, 0 } },
    { "knock-out 0", { 0, 1 }, { 0, 1 } },
    { "knock-out 1;uniform 0.0", { 1, 0 }, { 1, 0 } },
    { "knock-out 0;knock-out 1", { 0, 0 }, { 0, 0 } },
    /* None of these acts on this row. */
    { "zero 0.0;scale 0.0 3;skip-attention 0;skip-feed-forward 0;uniform 0.1;uniform 1.0;"
      "cut 0.0 1 0;cut 1.0 0 0", { 0.75f, 0.25f }, { 0.75, 0.25 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    float weights[4] = { cases[i].row[0], cases[i].row[1], 0.5f, 0.5f };
    g_autoptr (EngTrace) trace = new_trace (weights);

    g_test_message ("%s", cases[i].edits);
    set_edits (trace, cases[i].edits);
    assert_cell (trace, 0, 0, ENG_CHECK_AGREES, cases[i].recomputed[0]);
    assert_cell (trace, 0, 1, ENG_CHECK_AGREES, cases[i].recomputed[1]);
    weights[0] += 0.01f;
    assert_cell (trace, 0, 0, ENG_CHECK_DIFFERS, cases[i].recomputed[0]);
  }
}

static void
test_no_queries (void)
{
  const float weights[4] = { 0.75f, 0.25f, 0.5f, 0.5f };
  g_autoptr (EngTrace) trace = new_trace (weights);
  EngCheck check;

  trace->blocks[ENG_KIND_ENCODER].layers[0].queries.data = NULL;
  g_assert_cmpint (eng_check_cell (trace, ENG_KIND_ENCODER, 0, 0, 0, 0, &check), ==,
                   ENG_CHECK_IMPOSSIBLE);
  g_assert_cmpfloat (check.stored, ==, 0.75);
  g_assert_cmpint (eng_check_cell (trace, ENG_KIND_CROSS, 0, 0, 0, 0, &check), ==,
                   ENG_CHECK_IMPOSSIBLE);
}

/* Cells that differ, over all kinds, layers, heads, queries and keys; the largest difference into
 * *largest. */
static int
count_differing (EngTrace *trace,
                 int      *n_cells,
                 double   *largest)
{
  int n_differing = 0;

  *n_cells = 0;
  *largest = 0;
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    for (int layer = 0; layer < eng_trace_get_n_layers (trace, (EngKind) kind); layer++)
      for (int head = 0; head < eng_trace_get_n_heads (trace, (EngKind) kind); head++)
        for (int query = 0; query < eng_trace_get_n_queries (trace, (EngKind) kind); query++)
          for (int key = 0; key < eng_trace_get_n_keys (trace, (EngKind) kind); key++) {
            EngCheck check;
            EngCheckResult result = eng_check_cell (trace, (EngKind) kind, layer, head, query,
                                                    key, &check);

            g_assert_cmpint (result, <=, ENG_CHECK_DIFFERS);
            n_differing += result == ENG_CHECK_DIFFERS;
            *largest = MAX (*largest, fabs (check.recomputed - check.stored));
            (*n_cells)++;
          }

  return n_differing;
}

/* What transformers computed from the same queries and keys: BERT with a mask, T5 with biases in
 * three kinds, Llama with shared keys, and BERT in the small types. */
static void
test_transformers (gconstpointer data)
{
  g_autoptr (EngTrace) trace = traces_open (data);
  double largest;
  int n_cells;

  g_assert_cmpint (count_differing (trace, &n_cells, &largest), ==, 0);
  g_assert_cmpint (n_cells, >=, 200);
  g_test_message ("%s: %d cells, largest difference %g", (const char *) data, n_cells, largest);
}

/* One weight of a file changed: that cell turns red and no other. */
static void
test_changed_weight (void)
{
  g_autofree char *path = traces_get_path ("fixtures/traces/bert.safetensors");
  g_autofree char *contents = NULL;
  g_autoptr (EngTrace) trace = traces_open ("fixtures/traces/bert.safetensors");
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 1);
  const float *cell = attention->weights + 3;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (EngTrace) changed = NULL;
  g_autoptr (GError) error = NULL;
  float weight = *cell > 0.5f ? *cell - 2e-5f : *cell + 2e-5f;
  double largest;
  gsize length;
  int n_cells, n_places = 0;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  for (gsize i = 0; i + 8 * sizeof weight <= length; i += sizeof weight)
    if (memcmp (contents + i, cell, 8 * sizeof weight) == 0 && ++n_places)
      memcpy (contents + i, &weight, sizeof weight);
  g_assert_cmpint (n_places, ==, 1);

  bytes = g_bytes_new_take (g_steal_pointer (&contents), length);
  changed = eng_trace_file_open_bytes (bytes, "changed", &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_differing (changed, &n_cells, &largest), ==, 1);
  g_assert_cmpfloat (largest, >, 1e-5);
}

/* Our own forward, with every edit that acts on weights and some that do not. */
static void
test_own_forward (void)
{
  static const char *const edits[] = {
    NULL, "uniform 2.3", "uniform 0.*", "cut 1.* 4 5", "cut 1.5 4 3 renormalise", "knock-out 6",
    "zero 3.1", "skip-attention 0", "skip-feed-forward 4",
  };
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   "headlight-mini", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngSession) session = NULL;

  g_assert_no_error (error);
  tokens = encode_texts (model, "The cat sat on the mat", "The cat lay on the rug", FALSE,
                             FALSE, &error);
  g_assert_no_error (error);
  session = eng_session_new (model);
  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++) {
    EngEdit edit = { 0 };
    EngRunRequest request = { .tokens = tokens, .edits = &edit, .n_edits = edits[i] != NULL };
    g_autoptr (EngTrace) trace = NULL;
    double largest;
    int n_cells, n_differing;

    g_assert_true (!edits[i] || eng_edit_parse (edits[i], &edit, NULL));
    trace = eng_session_run (session, &request, &error);
    g_assert_no_error (error);
    n_differing = count_differing (trace, &n_cells, &largest);
    g_test_message ("%s: %d of %d cells differ, largest difference %g",
                    edits[i] ? edits[i] : "no edit",
                    n_differing, n_cells, largest);
    g_assert_cmpint (n_differing, ==, 0);
  }
}

/* Recorded without an edit: a row differs where the edit that is claimed would act. */
static void
test_several_stacks (void)
{
  static const struct {
    const char *edit;
    gboolean    acts[ENG_N_KINDS];
  } cases[] = {
    { "uniform 0.0", { [ENG_KIND_ENCODER] = TRUE } },
    { "uniform encoder 0.0", { [ENG_KIND_ENCODER] = TRUE } },
    { "uniform decoder 0.0", { [ENG_KIND_DECODER] = TRUE } },
    { "uniform cross 0.0", { [ENG_KIND_CROSS] = TRUE } },
    { "knock-out 1", { [ENG_KIND_ENCODER] = TRUE, [ENG_KIND_CROSS] = TRUE } },
    { "knock-out cross 1", { [ENG_KIND_CROSS] = TRUE } },
    { "knock-out decoder 1", { [ENG_KIND_DECODER] = TRUE } },
  };
  g_autoptr (EngTrace) trace = traces_open ("fixtures/traces/t5.safetensors");
  EngCheck check;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    set_edits (trace, cases[i].edit);
    for (int kind = 0; kind < ENG_N_KINDS; kind++) {
      g_test_message ("%s, %s", cases[i].edit, eng_kind_get_name ((EngKind) kind));
      g_assert_cmpint (eng_check_cell (trace, (EngKind) kind, 0, 0, 1, 1, &check), ==,
                       cases[i].acts[kind] ? ENG_CHECK_DIFFERS : ENG_CHECK_AGREES);
    }
  }
}

int
main (int    argc,
      char **argv)
{
  static const char *const fixtures[] = {
    "bert", "bert-f16", "bert-bf16", "deberta", "llama", "t5",
  };

  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/check/by-hand", test_by_hand);
  g_test_add_func ("/check/soft-cap", test_soft_cap);
  g_test_add_func ("/check/tolerance", test_tolerance);
  g_test_add_func ("/check/mask-and-bias", test_mask_and_bias);
  g_test_add_func ("/check/readings", test_readings);
  g_test_add_func ("/check/position-terms", test_position_terms);
  g_test_add_func ("/check/edits", test_edits);
  g_test_add_func ("/check/no-queries", test_no_queries);
  for (gsize i = 0; i < G_N_ELEMENTS (fixtures); i++) {
    g_autofree char *name = g_strconcat ("/check/transformers/", fixtures[i], NULL);

    g_test_add_data_func_full (name,
                               g_strdup_printf ("fixtures/traces/%s.safetensors", fixtures[i]),
                               test_transformers, g_free);
  }
  g_test_add_func ("/check/changed-weight", test_changed_weight);
  g_test_add_func ("/check/own-forward", test_own_forward);
  g_test_add_func ("/check/several-stacks", test_several_stacks);

  return g_test_run ();
}
