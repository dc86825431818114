/* SPDX-License-Identifier: MIT */
/* The forward against a naive one in double precision, over random architectures, with and without
 * edits. */
#include <math.h>

#include "tests/support/oracle.h"
#include "tests/support/random-model.h"

#define N_SPECS 200
/* Numbers are right when they differ by at most this times max (1, largest magnitude of the
 * reference). */
#define TOLERANCE 1e-5

typedef struct {
  double attention;
  double projections;
  double hidden_states;
  double logits;
  double norms;
} Differences;

/* Largest difference of rows × cols numbers, relative to max (1, largest magnitude). */
static double
get_difference (const EngMatrix *found,
                const double    *expected)
{
  double largest = 1, difference = 0;

  for (int row = 0; row < found->rows; row++)
    for (int col = 0; col < found->cols; col++) {
      double reference = expected[(gsize) row * found->cols + col];
      double value = found->data[row * found->stride + col];

      g_assert_true (isfinite (value));
      largest = fmax (largest, fabs (reference));
      difference = fmax (difference, fabs (value - reference));
    }
  return difference / largest;
}

/* The columns of one head in an oracle's rows of all heads. */
static double
get_head_difference (const EngMatrix *found,
                     const double    *rows,
                     int              n_heads,
                     int              head)
{
  g_autofree double *expected = g_new (double, (gsize) found->rows * found->cols);

  for (int row = 0; row < found->rows; row++)
    for (int col = 0; col < found->cols; col++)
      expected[row * found->cols + col] = rows[(row * n_heads + head) * found->cols + col];
  return get_difference (found, expected);
}

static void
compare_layer (EngTrace      *trace,
               const EngSpec *spec,
               const Oracle  *oracle,
               int            layer,
               Differences   *worst)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);
  int n = attention->n_queries;
  gsize rows = (gsize) layer * n * spec->stacks[ENG_KIND_ENCODER].n_heads * spec->stacks[ENG_KIND_ENCODER].head_size;

  for (int head = 0; head < spec->stacks[ENG_KIND_ENCODER].n_heads; head++) {
    gsize block = (gsize) layer * spec->stacks[ENG_KIND_ENCODER].n_heads + head;
    EngMatrix weights = { attention->weights + (gsize) head * n * n, n, n, n };
    EngMatrix norms = {
      eng_trace_get_value_output_norms (trace, ENG_KIND_ENCODER, layer, head), 1, n, n
    };
    EngMatrix q, k, v;

    g_assert_true (eng_trace_get_queries (trace, ENG_KIND_ENCODER, layer, head, &q));
    g_assert_true (eng_trace_get_keys (trace, ENG_KIND_ENCODER, layer, head, &k));
    g_assert_true (eng_trace_get_values (trace, ENG_KIND_ENCODER, layer, head, &v));
    worst->attention = fmax (worst->attention,
                             get_difference (&weights, oracle->attention + block * n * n));
    worst->projections = fmax (worst->projections,
                               get_head_difference (&q, oracle->queries + rows,
                                                    spec->stacks[ENG_KIND_ENCODER].n_heads, head));
    worst->projections = fmax (worst->projections,
                               get_head_difference (&k, oracle->keys + rows,
                                                    spec->stacks[ENG_KIND_ENCODER].n_heads, head));
    worst->projections = fmax (worst->projections,
                               get_head_difference (&v, oracle->values + rows,
                                                    spec->stacks[ENG_KIND_ENCODER].n_heads, head));
    worst->norms = fmax (worst->norms,
                         get_difference (&norms, oracle->value_output_norms + block * n));
  }
}

static void
compare (EngTrace      *trace,
         const EngSpec *spec,
         const Oracle  *oracle,
         Differences   *worst)
{
  int n = eng_trace_get_n_queries (trace, ENG_KIND_ENCODER);

  for (int layer = 0; layer < spec->stacks[ENG_KIND_ENCODER].n_layers; layer++)
    compare_layer (trace, spec, oracle, layer, worst);
  for (int i = 0; i <= spec->stacks[ENG_KIND_ENCODER].n_layers; i++) {
    EngMatrix states;

    g_assert_true (eng_trace_get_hidden_states (trace, ENG_KIND_ENCODER, i, &states));
    worst->hidden_states = fmax (worst->hidden_states,
                                 get_difference (&states, oracle->hidden_states +
                                                          (gsize) i * n * spec->hidden_size));
  }
  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngMatrix logits;
    gboolean found = eng_trace_get_logits (trace, task, &logits, NULL);

    g_assert_cmpint (found, ==, oracle->logits[task] != NULL);
    if (found)
      worst->logits = fmax (worst->logits, get_difference (&logits, oracle->logits[task]));
  }
}

static EngEdit
make_random_edit (const EngSpec *spec,
                  int            n,
                  guint32       *state)
{
  return (EngEdit) {
    .type = test_random_range (state, ENG_EDIT_SCALE_HEAD, ENG_EDIT_SKIP_FEED_FORWARD),
    .layer = test_random_range (state, 0, spec->stacks[ENG_KIND_ENCODER].n_layers - 1),
    .head = test_random_range (state, ENG_ALL_HEADS, spec->stacks[ENG_KIND_ENCODER].n_heads - 1),
    .query = test_random_range (state, 0, n - 1),
    .key = test_random_range (state, 0, n - 1),
    .factor = test_random_range (state, 0, 3) * 0.5f,
    .renormalise = test_random_range (state, 0, 1),
  };
}

/* Runs one random architecture through both; what the oracle saw is added to the two sums. */
static void
compare_random_spec (guint32      seed,
                     int          max_edits,
                     Differences *worst,
                     double      *row_maxima,
                     double      *pre_activations)
{
  guint32 state = seed * 2654435761u + 1;
  EngSpec spec;
  EngWeights *weights;
  EngEdit edits[4];
  int n_edits = test_random_range (&state, MIN (1, max_edits), max_edits);

  test_random_spec (&spec, &state);

  int n = test_random_range (&state, 1, seed % 5 == 0 ? 70 : 24);
  g_autoptr (EngModel) model = test_random_model_new (&spec, state, &weights);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, n, state);

  for (int i = 0; i < n_edits; i++)
    edits[i] = make_random_edit (&spec, n, &state);

  g_autoptr (EngTrace) trace = test_run (model, tokens, edits, n_edits);
  g_autoptr (Oracle) oracle = oracle_run (&spec, weights, tokens, edits, n_edits);

  compare (trace, &spec, oracle, worst);
  *row_maxima += oracle->mean_row_maximum;
  *pre_activations += oracle->largest_pre_activation;
}

static void
check_random_specs (int max_edits)
{
  Differences worst = { 0 };
  double row_maxima = 0, pre_activations = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++)
    compare_random_spec (seed, max_edits, &worst, &row_maxima, &pre_activations);

  g_test_message ("largest relative differences: attention %.2e, q k v %.2e, hidden states %.2e, "
                  "logits %.2e, value norms %.2e; mean row maximum %.2f, "
                  "largest pre-activation %.1f",
                  worst.attention, worst.projections, worst.hidden_states, worst.logits,
                  worst.norms, row_maxima / N_SPECS, pre_activations / N_SPECS);
  g_assert_cmpfloat (row_maxima / N_SPECS, >, 0.5);
  g_assert_cmpfloat (pre_activations / N_SPECS, >, 3);
  g_assert_cmpfloat (worst.attention, <=, TOLERANCE);
  g_assert_cmpfloat (worst.projections, <=, TOLERANCE);
  g_assert_cmpfloat (worst.hidden_states, <=, TOLERANCE);
  g_assert_cmpfloat (worst.logits, <=, TOLERANCE);
  g_assert_cmpfloat (worst.norms, <=, TOLERANCE);
}

static void
test_random_specs (void)
{
  check_random_specs (0);
}

static void
test_random_edits (void)
{
  check_random_specs (4);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/oracle/random-specs", test_random_specs);
  g_test_add_func ("/oracle/random-edits", test_random_edits);
  return g_test_run ();
}
