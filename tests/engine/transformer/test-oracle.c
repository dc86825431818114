/* SPDX-License-Identifier: MIT */
/* The forward against a naive one in double precision, over random architectures, with and without
 * edits. */
#include <math.h>

#include "engine/spec/positions.h"
#include "tests/support/oracle/oracle.h"
#include "tests/support/oracle/oracle-parts.h"
#include "tests/support/random-model.h"

#define N_SPECS 250
#define N_UNLIKE 60
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

/* The columns of one of n_heads in an oracle's rows of all heads. */
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
compare_projections (EngTrace          *trace,
                     EngKind            kind,
                     const OracleBlock *block,
                     int                layer,
                     int                head,
                     Differences       *worst)
{
  int kv_head = head / (block->n_heads / block->n_kv_heads);
  gsize first_query = (gsize) layer * block->n_queries * block->n_heads * block->head_size;
  gsize first_key = (gsize) layer * block->n_keys * block->n_kv_heads * block->head_size;
  EngMatrix q, k, v;

  g_assert_true (eng_trace_get_queries (trace, kind, layer, head, &q));
  g_assert_true (eng_trace_get_keys (trace, kind, layer, head, &k));
  g_assert_true (eng_trace_get_values (trace, kind, layer, head, &v));
  g_assert_cmpint (q.rows, ==, block->n_queries);
  g_assert_cmpint (k.rows, ==, block->n_keys);
  worst->projections = fmax (worst->projections,
                             get_head_difference (&q, block->queries + first_query,
                                                  block->n_heads, head));
  worst->projections = fmax (worst->projections,
                             get_head_difference (&k, block->keys + first_key,
                                                  block->n_kv_heads, kv_head));
  worst->projections = fmax (worst->projections,
                             get_head_difference (&v, block->values + first_key,
                                                  block->n_kv_heads, kv_head));
}

static void
compare_layer (EngTrace          *trace,
               EngKind            kind,
               const OracleBlock *block,
               int                layer,
               Differences       *worst)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, kind, layer);
  int n = block->n_queries, m = block->n_keys;

  g_assert_cmpint (attention->n_queries, ==, n);
  g_assert_cmpint (attention->n_keys, ==, m);
  for (int head = 0; head < block->n_heads; head++) {
    gsize place = (gsize) layer * block->n_heads + head;
    EngMatrix weights = { attention->weights + (gsize) head * n * m, n, m, m };
    EngMatrix norms = {
      eng_trace_get_value_output_norms (trace, kind, layer, head), 1, m, m
    };

    worst->attention = fmax (worst->attention,
                             get_difference (&weights, block->attention + place * n * m));
    worst->norms = fmax (worst->norms,
                         get_difference (&norms, block->value_output_norms + place * m));
    compare_projections (trace, kind, block, layer, head, worst);
  }
}

static void
compare_block (EngTrace          *trace,
               EngKind            kind,
               const OracleBlock *block,
               Differences       *worst)
{
  g_assert_cmpint (eng_trace_has_kind (trace, kind), ==, block->n_layers > 0);
  if (block->n_layers == 0)
    return;

  g_assert_cmpint (eng_trace_get_n_layers (trace, kind), ==, block->n_layers);
  for (int layer = 0; layer < block->n_layers; layer++)
    compare_layer (trace, kind, block, layer, worst);
  for (int i = 0; block->hidden_states != NULL && i <= block->n_layers; i++) {
    EngMatrix states;

    g_assert_true (eng_trace_get_hidden_states (trace, kind, i, &states));
    worst->hidden_states = fmax (worst->hidden_states,
                                 get_difference (&states, block->hidden_states +
                                                          (gsize) i * states.rows * states.cols));
  }
}

static void
compare (EngTrace     *trace,
         const Oracle *oracle,
         Differences  *worst)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    compare_block (trace, (EngKind) kind, &oracle->blocks[kind], worst);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    EngMatrix logits;
    gboolean found = eng_trace_get_logits (trace, task, &logits, NULL);

    g_assert_cmpint (found, ==, oracle->logits[task] != NULL);
    if (!found)
      continue;
    g_assert_cmpint (logits.rows, ==, oracle->n_rows[task]);
    worst->logits = fmax (worst->logits, get_difference (&logits, oracle->logits[task]));
  }
}

/* Of what cross-attention knows, or of all. */
static EngEditType
draw_type (EngKind  kind,
           guint32 *state)
{
  EngEditType type;

  do
    type = test_random_range (state, ENG_EDIT_SCALE_HEAD, ENG_EDIT_NO_SEGMENTS);
  while (kind == ENG_KIND_CROSS
         && (type == ENG_EDIT_SKIP_FEED_FORWARD || type == ENG_EDIT_NO_POSITIONS
             || type == ENG_EDIT_NO_SEGMENTS));

  return type;
}

/* A temperature is above 0, and scores stay of the size that they have. */
static float
draw_factor (EngEditType  type,
             guint32     *state)
{
  int step = test_random_range (state, 0, 3);

  return type == ENG_EDIT_TEMPERATURE   ? 0.7f + step * 0.6f
         : type == ENG_EDIT_SCORE_SCALE ? step * 0.1f
                                        : step * 0.5f;
}

/* In any attention that there is; it names the kind or, now and then, leaves the first unsaid. */
static EngEdit
make_random_edit (const EngSpec *spec,
                  int            n,
                  int            n_decoder,
                  guint32       *state)
{
  EngKind first = eng_spec_get_first_kind (spec);
  EngKind kind = eng_spec_has_cross (spec)
                 ? (EngKind) test_random_range (state, 0, ENG_N_KINDS - 1) : first;
  EngEditType type = draw_type (kind, state);
  const EngStackSpec *stack = &spec->stacks[kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind];
  int n_queries = kind == first ? n : n_decoder;
  int n_keys = kind == ENG_KIND_DECODER && kind != first ? n_decoder : n;
  int query = test_random_range (state, 0, n_queries - 1);
  int key = test_random_range (state, 0, n_keys - 1);
  gboolean spans = type == ENG_EDIT_CUT_EDGE && test_random_range (state, 0, 1);

  return (EngEdit) {
    .type = type,
    .layer = test_random_range (state, 0, stack->n_layers - 1),
    .head = test_random_range (state, ENG_ALL_HEADS, eng_stack_spec_get_heads (stack)->n_heads - 1),
    .query = spans && test_random_range (state, 0, 2) == 0 ? ENG_ALL_TOKENS : query,
    .key = spans && test_random_range (state, 0, 4) == 0 ? ENG_ALL_TOKENS : key,
    .n_more_queries = spans ? test_random_range (state, 0, n_queries - 1 - query) : 0,
    .n_more_keys = spans ? test_random_range (state, 0, n_keys - 1 - key) : 0,
    .factor = draw_factor (type, state),
    .renormalise = test_random_range (state, 0, 1),
    .kind = kind == first && test_random_range (state, 0, 1) ? ENG_KIND_NOT_SAID : (int) kind,
    .mask = test_random_range (state, ENG_HEAD_MASK_NONE, ENG_HEAD_MASK_PADDING),
    .dimension = test_random_range (state, 0, eng_stack_spec_get_heads (stack)->head_size - 1),
  };
}

/* Some tokens at the end, and sometimes one in the middle; never the first. */
static void
pad_at_random (const EngSpec *spec,
               EngTokens     *tokens,
               guint32       *state)
{
  int n_padding = test_random_range (state, 0, tokens->n - 1);

  for (int i = tokens->n - n_padding; i < tokens->n; i++)
    test_set_padding (spec, tokens, i);
  if (tokens->n > 2 && test_random_range (state, 0, 2) == 0)
    test_set_padding (spec, tokens, test_random_range (state, 1, tokens->n - 1));
}

/* Makes every other layer unlike its neighbours in all that layers may differ in. */
static void
make_layers_unlike (EngSpec *spec,
                    guint32 *state)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++) {
    EngStackSpec *stack = &spec->stacks[kind];
    EngLayerSpec *other = &stack->sorts[1];
    EngAttentionSpec *heads = &other->self;

    for (int layer = 0; layer < stack->n_layers; layer++)
      stack->sort_of_layer[layer] = layer % 2;
    heads->window = test_random_range (state, 0, 5);
    heads->scale *= 0.75;
    heads->scale_by_layer = !heads->scale_by_layer;
    heads->rotary.base = 345.6;
    heads->rotary.adjacent = !heads->rotary.adjacent;
    if (test_random_range (state, 0, 2) == 0)
      heads->rotary.size = 0;
    if (heads->head_size >= 4)
      heads->qk_norm = (EngQkNorm) test_random_range (state, ENG_QK_NORM_NONE, ENG_QK_NORM_ALL);
    other->cross.scale *= 1.25;
    heads->soft_cap = test_random_range (state, 0, 3) * 2.5;
    other->parallel = !other->parallel;
    other->residual_scale = test_random_range (state, 0, 4) * 0.35;
    other->norm = (EngNormSpec) {
      other->norm.kind == ENG_NORM_LAYER ? ENG_NORM_RMS : ENG_NORM_LAYER, 1e-4f
    };
    other->attention_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_NONE);
    other->feed_forward_norm = test_random_range (state, ENG_NORM_POST, ENG_NORM_NONE);
    other->feed_forward = (EngFeedForwardSpec) {
      .intermediate_size = test_random_range (state, 1, 200),
      .activation = test_random_range (state, ENG_ACTIVATION_GELU, ENG_ACTIVATION_LINEAR),
      .gated = !other->feed_forward.gated,
    };
  }
}

/* Of stacks that read both ways. With more tokens a text has other blocks, so that few laws about
 * texts hold of them. */
static void
draw_blocks (EngSpec *spec,
             guint32 *state)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    for (int sort = 0; sort < 2; sort++) {
      EngAttentionSpec *heads = &spec->stacks[kind].sorts[sort].self;

      if (!heads->causal && test_random_range (state, 0, 1))
        heads->blocks = (EngBlocks) { .size = test_random_range (state, 1, 4),
                                      .n_random = test_random_range (state, 0, 3) };
    }
}

/* Runs one random architecture through both; what the oracle saw is added to the two sums. */
static void
compare_random_spec (guint32      seed,
                     int          max_edits,
                     gboolean     unlike,
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
  if (unlike)
    make_layers_unlike (&spec, &state);
  if (seed % 3 == 0)
    draw_blocks (&spec, &state);

  int n = test_random_range (&state, 1, seed % 5 == 0 ? 70 : 24);
  g_autoptr (EngModel) model = test_random_model_new (&spec, state, &weights);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, n, state);
  g_autoptr (EngTokens) decoder_tokens = NULL;

  if (eng_spec_has_cross (&spec))
    decoder_tokens = test_random_stack_tokens_new (&spec, ENG_KIND_DECODER,
                                                   test_random_range (&state, 1, 24), state + 1);
  if (seed % 2 == 0)
    pad_at_random (&spec, tokens, &state);
  if (seed % 8 == 0 && decoder_tokens != NULL)
    pad_at_random (&spec, decoder_tokens, &state);
  for (int i = 0; i < n_edits; i++)
    edits[i] = make_random_edit (&spec, n, decoder_tokens != NULL ? decoder_tokens->n : 0,
                                 &state);

  g_autoptr (EngTrace) trace = test_run_stacks (model, tokens, decoder_tokens, edits, n_edits);
  g_autoptr (Oracle) oracle = oracle_run (&spec, weights, tokens, decoder_tokens, edits, n_edits);

  compare (trace, oracle, worst);
  *row_maxima += oracle->mean_row_maximum;
  *pre_activations += oracle->largest_pre_activation;
}

static void
check_random_specs (int      n_specs,
                    int      max_edits,
                    gboolean unlike)
{
  Differences worst = { 0 };
  double row_maxima = 0, pre_activations = 0;

  for (guint32 seed = 1; seed <= (guint32) n_specs; seed++)
    compare_random_spec (seed, max_edits, unlike, &worst, &row_maxima, &pre_activations);

  g_test_message ("largest relative differences: attention %.2e, q k v %.2e, hidden states %.2e, "
                  "logits %.2e, value norms %.2e; mean row maximum %.2f, "
                  "largest pre-activation %.1f",
                  worst.attention, worst.projections, worst.hidden_states, worst.logits,
                  worst.norms, row_maxima / n_specs, pre_activations / n_specs);
  g_assert_cmpfloat (row_maxima / n_specs, >, 0.5);
  g_assert_cmpfloat (pre_activations / n_specs, >, 3);
  g_assert_cmpfloat (worst.attention, <=, TOLERANCE);
  g_assert_cmpfloat (worst.projections, <=, TOLERANCE);
  g_assert_cmpfloat (worst.hidden_states, <=, TOLERANCE);
  g_assert_cmpfloat (worst.logits, <=, TOLERANCE);
  g_assert_cmpfloat (worst.norms, <=, TOLERANCE);
}

static void
test_random_specs (void)
{
  check_random_specs (N_SPECS, 0, FALSE);
}

static void
test_random_edits (void)
{
  check_random_specs (N_SPECS, 4, FALSE);
}

static void
test_unlike_layers (void)
{
  check_random_specs (N_UNLIKE, 2, TRUE);
}

/* 32 buckets up to a distance of 128 as Raffel et al. trained them: the first distance of each
 * bucket from the half of them on, where steps become wider than one. */
static void
test_buckets (void)
{
  static const int two_sided[] = { 8, 12, 16, 23, 32, 46, 64, 91 };
  static const int one_sided[] = {
    16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113
  };
  EngRelativeBias bias = { .n_buckets = 32, .max_distance = 128 };
  int near = 0, far = 0;

  for (int distance = 0; distance < 300; distance++) {
    near += near < 7 ? distance > near : near < 15 && distance == two_sided[near - 7];
    far += far < 15 ? distance > far : far < 31 && distance == one_sided[far - 15];
    g_assert_cmpint (eng_relative_bias_get_bucket (&bias, -distance, TRUE), ==, near);
    g_assert_cmpint (eng_relative_bias_get_bucket (&bias, distance, TRUE), ==,
                     distance == 0 ? 0 : 16 + near);
    g_assert_cmpint (eng_relative_bias_get_bucket (&bias, -distance, FALSE), ==, far);
    g_assert_cmpint (eng_relative_bias_get_bucket (&bias, distance, FALSE), ==, 0);
    g_assert_cmpint (oracle_get_bucket (&bias, -distance, TRUE), ==, near);
    g_assert_cmpint (oracle_get_bucket (&bias, -distance, FALSE), ==, far);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/oracle/random-specs", test_random_specs);
  g_test_add_func ("/oracle/random-edits", test_random_edits);
  g_test_add_func ("/oracle/unlike-layers", test_unlike_layers);
  g_test_add_func ("/oracle/buckets", test_buckets);
  return g_test_run ();
}
