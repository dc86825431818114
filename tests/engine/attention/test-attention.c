/* SPDX-License-Identifier: MIT */
/* eng_attention_weights() on blocks made by hand, and its two callers against each other. */
#include "engine/attention/attention-heads.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/arena.h"
#include "engine/trace/trace-private.h"
#include "tests/support/random-model.h"

#define N_HEADS 4
#define N_KV_HEADS 2
#define SIZE 5
#define VALUE_SIZE 3
#define MAX_TOKENS 40

/* A block of one layer whose heads share keys and values in pairs. */
typedef struct {
  EngBlockTrace block;
  EngLayerTrace layer;
  float         queries[MAX_TOKENS * N_HEADS * SIZE];
  float         keys[N_KV_HEADS * MAX_TOKENS * SIZE];
  float         values[MAX_TOKENS * N_KV_HEADS * VALUE_SIZE];
  float         bias[N_HEADS * MAX_TOKENS * MAX_TOKENS];
  guint8        mask[MAX_TOKENS * MAX_TOKENS];
} Made;

static const EngInterventions no_edits = { 0 };

static void
fill (float   *numbers,
      gsize    n,
      guint32 *state)
{
  for (gsize i = 0; i < n; i++)
    numbers[i] = 2 * test_random_uniform (state);
}

/* Queries and values as a forward leaves them, [n, heads, size]; keys as a file does, [heads, n,
 * size]. */
static void
make_block (Made    *made,
            int      n_queries,
            int      n_keys,
            gboolean has_bias,
            gboolean has_mask)
{
  guint32 state = n_queries * 100 + n_keys;

  fill (made->queries, G_N_ELEMENTS (made->queries), &state);
  fill (made->keys, G_N_ELEMENTS (made->keys), &state);
  fill (made->values, G_N_ELEMENTS (made->values), &state);
  fill (made->bias, G_N_ELEMENTS (made->bias), &state);
  for (gsize i = 0; i < G_N_ELEMENTS (made->mask); i++)
    made->mask[i] = test_random_range (&state, 0, 2) > 0;

  made->layer = (EngLayerTrace) {
    .queries = { made->queries, SIZE, N_HEADS * SIZE },
    .keys = { made->keys, (gsize) n_keys * SIZE, SIZE },
    .values = { made->values, VALUE_SIZE, N_KV_HEADS * VALUE_SIZE },
    .mask = has_mask ? made->mask : NULL,
    .position_bias = has_bias ? made->bias : NULL,
    .scale = 0.4,
  };
  made->block = (EngBlockTrace) {
    .present = TRUE, .n_layers = 1, .n_heads = N_HEADS, .n_kv_heads = N_KV_HEADS,
    .n_queries = n_queries, .n_keys = n_keys, .head_size = SIZE, .value_size = VALUE_SIZE,
    .hidden_size = 7, .layers = &made->layer,
  };
}

static double
get_score (const Made *made,
           int         head,
           int         query,
           int         key)
{
  const float *q = made->queries + (query * N_HEADS + head) * SIZE;
  const float *k = made->keys + ((head / 2) * made->block.n_keys + key) * SIZE;
  double score = 0;

  for (int i = 0; i < SIZE; i++)
    score += (double) q[i] * k[i];
  score *= made->layer.scale;
  if (made->layer.position_bias != NULL)
    score += made->bias[((gsize) head * made->block.n_queries + query) * made->block.n_keys + key];
  return score;
}

static gboolean
is_visible (const Made *made,
            int         query,
            int         key)
{
  return made->layer.mask == NULL || made->mask[query * made->block.n_keys + key];
}

static void
check_row (const Made  *made,
           int          head,
           int          query,
           const float *row)
{
  int n_keys = made->block.n_keys, n_visible = 0;
  double total = 0, sum = 0;

  for (int key = 0; key < n_keys; key++)
    if (is_visible (made, query, key)) {
      total += exp (get_score (made, head, query, key));
      n_visible++;
    }
  for (int key = 0; key < n_keys; key++) {
    sum += row[key];
    if (is_visible (made, query, key))
      g_assert_cmpfloat_with_epsilon (row[key], exp (get_score (made, head, query, key)) / total,
                                      2e-6);
    else
      g_assert_cmpfloat (row[key], ==, 0);
  }
  g_assert_cmpfloat_with_epsilon (sum, n_visible > 0 ? 1 : 0, 1e-6);
}

static void
test_weights (void)
{
  g_autofree Made *made = g_new (Made, 1);
  g_autofree float *weights = g_new (float, N_HEADS * MAX_TOKENS * MAX_TOKENS);

  for (int variant = 0; variant < 4; variant++)
    for (int n = 1; n <= MAX_TOKENS; n += 3) {
      int n_queries = 1 + (n * 7) % MAX_TOKENS;

      make_block (made, n_queries, n, (variant & 1) != 0, (variant & 2) != 0);
      eng_attention_weights (&made->block, 0, &no_edits, 0, N_HEADS, weights);
      for (int head = 0; head < N_HEADS; head++)
        for (int query = 0; query < n_queries; query++)
          check_row (made, head, query, weights + ((gsize) head * n_queries + query) * n);
    }
}

/* A range of heads gives the bytes that all heads give. */
static void
test_head_range (void)
{
  g_autofree Made *made = g_new (Made, 1);
  g_autofree float *all = g_new (float, N_HEADS * 20 * 30);
  g_autofree float *some = g_new (float, 2 * 20 * 30);

  make_block (made, 20, 30, TRUE, TRUE);
  eng_attention_weights (&made->block, 0, &no_edits, 0, N_HEADS, all);
  eng_attention_weights (&made->block, 0, &no_edits, 1, 3, some);
  g_assert_cmpmem (some, 2 * 20 * 30 * sizeof (float), all + 20 * 30, 2 * 20 * 30 * sizeof (float));
}

static void
test_edits (void)
{
  g_autofree Made *made = g_new (Made, 1);
  g_autofree float *plain = g_new (float, N_HEADS * 100);
  g_autofree float *edited = g_new (float, N_HEADS * 100);
  EngEdit edits[] = {
    { .type = ENG_EDIT_CUT_EDGE, .head = 0, .query = 2, .key = 3 },
    { .type = ENG_EDIT_CUT_EDGE, .head = 0, .query = 4, .key = 5, .renormalise = TRUE },
    { .type = ENG_EDIT_UNIFORM_ROWS, .head = 1 },
    { .type = ENG_EDIT_UNIFORM_ROWS, .layer = 1, .head = 2 },
    { .type = ENG_EDIT_SCALE_HEAD, .head = ENG_ALL_HEADS, .factor = 0 },
  };
  EngInterventions interventions = { edits, G_N_ELEMENTS (edits) };

  make_block (made, 10, 10, FALSE, TRUE);
  for (int i = 0; i < 10; i++)
    made->mask[2 * 10 + i] = made->mask[4 * 10 + i] = 1;
  eng_attention_weights (&made->block, 0, &no_edits, 0, N_HEADS, plain);
  eng_attention_weights (&made->block, 0, &interventions, 0, N_HEADS, edited);

  g_assert_cmpfloat (edited[2 * 10 + 3], ==, 0);
  g_assert_cmpfloat (edited[2 * 10 + 4], ==, plain[2 * 10 + 4]);
  g_assert_cmpfloat (edited[4 * 10 + 5], ==, 0);
  g_assert_cmpfloat_with_epsilon (edited[4 * 10 + 6], plain[4 * 10 + 6] / (1 - plain[4 * 10 + 5]),
                                  1e-6);
  for (int query = 0; query < 10; query++) {
    int n_visible = 0;

    for (int key = 0; key < 10; key++)
      n_visible += made->mask[query * 10 + key];
    for (int key = 0; key < 10; key++)
      g_assert_cmpfloat (edited[100 + query * 10 + key], ==,
                         made->mask[query * 10 + key] ? 1.0f / n_visible : 0);
  }
  /* Another layer's edit and a scaled head leave the weights alone. */
  g_assert_cmpmem (edited + 200, 200 * sizeof (float), plain + 200, 200 * sizeof (float));
}

/* What is read, with a factor on one head, and into rows of all heads. */
static void
test_read (void)
{
  g_autofree Made *made = g_new (Made, 1);
  g_autofree float *weights = g_new (float, N_HEADS * 9 * 11);
  g_autofree float *context = g_new (float, 9 * N_HEADS * VALUE_SIZE);
  g_autoptr (EngArena) arena = eng_arena_new ();
  EngEdit edit = { .type = ENG_EDIT_SCALE_HEAD, .head = 2, .factor = -0.5f };
  EngInterventions interventions = { &edit, 1 };

  make_block (made, 9, 11, TRUE, TRUE);
  eng_arena_measure (arena);
  eng_arena_floats (arena, eng_attention_n_scratch (&made->block));
  g_assert_true (eng_arena_allocate (arena, NULL));
  eng_attention_read (&made->block, 0, &interventions, weights,
                      eng_arena_floats (arena, eng_attention_n_scratch (&made->block)), context,
                      NULL);
  for (int head = 0; head < N_HEADS; head++)
    for (int query = 0; query < 9; query++)
      for (int i = 0; i < VALUE_SIZE; i++) {
        double expected = 0;

        for (int key = 0; key < 11; key++)
          expected += (double) weights[(head * 9 + query) * 11 + key] *
                      made->values[(key * N_KV_HEADS + head / 2) * VALUE_SIZE + i];
        g_assert_cmpfloat_with_epsilon (context[(query * N_HEADS + head) * VALUE_SIZE + i],
                                        head == 2 ? -0.5 * expected : expected, 1e-6);
      }
}

/* One token of 17 heads at 1,024 tokens is more than the trace keeps by itself. */
static void
test_on_demand_is_the_same (void)
{
  EngSpec spec = {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 1, .vocab_size = 50,
      .sorts[0] = {
        .self = {
          .n_heads = 17, .n_kv_heads = 17, .head_size = 2, .scale = 0.7, .causal = TRUE,
        },
        .feed_forward.intermediate_size = 4,
      },
    },
    .hidden_size = 8,
    .embedding = { .positions = ENG_POSITIONS_TABLE, .n_positions = 1024, .has_norm = TRUE },
  };
  EngEdit edits[] = {
    { .type = ENG_EDIT_KNOCK_OUT_TOKEN, .key = 7 },
    { .type = ENG_EDIT_CUT_EDGE, .head = 3, .query = 900, .key = 5, .renormalise = TRUE },
  };
  g_autoptr (EngModel) model = test_random_model_new (&spec, 3, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 1024, 4);
  g_autoptr (EngSession) session = eng_session_new (model);
  EngRunRequest request = { .tokens = tokens, .edits = edits, .n_edits = G_N_ELEMENTS (edits) };
  g_autoptr (EngTrace) lean = eng_session_run (session, &request, NULL);

  request.keep_attention = TRUE;

  g_autoptr (EngTrace) full = eng_session_run (session, &request, NULL);
  g_autoptr (EngAttention) computed = eng_trace_dup_attention (lean, ENG_KIND_ENCODER, 0);
  g_autoptr (EngAttention) kept = eng_trace_dup_attention (full, ENG_KIND_ENCODER, 0);

  g_assert_null (lean->blocks[ENG_KIND_ENCODER].layers[0].attention);
  g_assert_nonnull (full->blocks[ENG_KIND_ENCODER].layers[0].attention);
  g_assert_true (memcmp (computed->weights, kept->weights,
                         (gsize) 17 * 1024 * 1024 * sizeof (float)) == 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attention/weights", test_weights);
  g_test_add_func ("/attention/head-range", test_head_range);
  g_test_add_func ("/attention/edits", test_edits);
  g_test_add_func ("/attention/read", test_read);
  g_test_add_func ("/attention/on-demand-is-the-same", test_on_demand_is_the_same);
  return g_test_run ();
}
