/* SPDX-License-Identifier: MIT */
/* Laws of what a spec can say, for random architectures: padding, what is crossed, windows and
 * rotary positions. "Alike" allows for sums in another order. */
#include "engine/transformer/inputs.h"
#include "engine/transformer/session.h"

#include <math.h>
#include <string.h>

#include "tests/support/random-model.h"

#define ALIKE 1e-5
/* Angles of later positions are rounded to a larger unit. */
#define ALIKE_ELSEWHERE 2e-4
#define N_SPECS 60
#define N_TOKENS 9
#define N_PADDED 14

static double
get_largest (const float *numbers,
             gsize        n)
{
  double largest = 1;

  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, fabsf (numbers[i]));
  return largest;
}

/* The first rows of a, all of b. */
static void
check_rows (const EngMatrix *a,
            const EngMatrix *b)
{
  g_assert_cmpint (a->rows, >=, b->rows);
  g_assert_cmpint (a->cols, ==, b->cols);
  for (int row = 0; row < b->rows; row++) {
    const float *x = a->data + row * a->stride, *y = b->data + row * b->stride;
    double epsilon = ALIKE * get_largest (y, b->cols);

    for (int col = 0; col < b->cols; col++)
      g_assert_cmpfloat_with_epsilon (x[col], y[col], epsilon);
  }
}

/* Rows and columns of b's tokens in a, and nothing in the columns of the others. */
static void
check_attention (const EngAttention *a,
                 const EngAttention *b,
                 double              epsilon)
{
  for (int head = 0; head < b->n_heads; head++)
    for (int query = 0; query < b->n_queries; query++) {
      const float *x = a->weights + ((gsize) head * a->n_queries + query) * a->n_keys;
      const float *y = b->weights + ((gsize) head * b->n_queries + query) * b->n_keys;

      for (int key = 0; key < b->n_keys; key++)
        g_assert_cmpfloat_with_epsilon (x[key], y[key], epsilon);
      for (int key = b->n_keys; key < a->n_keys; key++)
        g_assert_cmpfloat (x[key], ==, 0);
    }
}

static void
check_kind (EngTrace *a,
            EngTrace *b,
            EngKind   kind)
{
  int n_layers = eng_trace_get_n_layers (b, kind);
  EngMatrix x, y;

  for (int layer = 0; layer < n_layers; layer++) {
    g_autoptr (EngAttention) one = eng_trace_dup_attention (a, kind, layer);
    g_autoptr (EngAttention) other = eng_trace_dup_attention (b, kind, layer);

    check_attention (one, other, ALIKE);
  }
  for (int i = 0; i <= n_layers && kind != ENG_KIND_CROSS; i++) {
    g_assert_true (eng_trace_get_hidden_states (a, kind, i, &x));
    g_assert_true (eng_trace_get_hidden_states (b, kind, i, &y));
    check_rows (&x, &y);
  }
}

/* b's text is the beginning of a's. */
static void
check_beginning (EngTrace *a,
                 EngTrace *b)
{
  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    g_assert_cmpint (eng_trace_has_kind (a, (EngKind) kind), ==,
                     eng_trace_has_kind (b, (EngKind) kind));
    if (eng_trace_has_kind (b, (EngKind) kind))
      check_kind (a, b, (EngKind) kind);
  }
}

static void
check_logits (const EngSpec *spec,
              EngTrace      *padded,
              EngTrace      *plain)
{
  for (int task = 0; task < ENG_N_TASKS; task++) {
    const EngHeadSpec *head = &spec->heads[task];
    EngMatrix x, y;

    /* Where no end token is, the last row is read, whatever it is. */
    if (!head->present || head->input == ENG_HEAD_END)
      continue;
    g_assert_true (eng_trace_get_logits (padded, (EngTask) task, &x, NULL));
    g_assert_true (eng_trace_get_logits (plain, (EngTask) task, &y, NULL));
    check_rows (&x, &y);
  }
}

static void
pad_decoder (const EngSpec *spec,
             EngInputs     *inputs)
{
  g_autoptr (EngTokens) tokens = g_steal_pointer (&inputs->decoder_tokens);

  inputs->decoder_tokens = eng_tokens_new (N_PADDED);
  for (int i = 0; i < N_PADDED; i++) {
    inputs->decoder_tokens->texts[i] = g_strdup ("word");
    if (i < tokens->n)
      inputs->decoder_tokens->ids[i] = tokens->ids[i];
    else
      test_set_padding (spec, inputs->decoder_tokens, i);
  }
}

static void
check_padding (guint32  seed,
               gboolean both_stacks)
{
  static const char text[] = "3 1 4 2 0 2 1 1 3";
  guint32 state = seed * 2654435761u + 3;
  EngRotary rotary;
  EngSpec spec;

  test_random_spec (&spec, &state);
  /* Its angles depend on the length with the padding, as in the reference. */
  rotary = eng_stack_spec_get_heads (&spec.stacks[eng_spec_get_first_kind (&spec)])->rotary;
  if (rotary.scaling == ENG_ROTARY_DYNAMIC || rotary.scaling == ENG_ROTARY_LONG)
    rotary.scaling = ENG_ROTARY_PLAIN;
  test_set_rotary (&spec, &rotary);

  g_autoptr (EngModel) model = test_random_model_new (&spec, state, NULL);
  const char *target = eng_spec_has_cross (&spec) ? "4 4 1" : NULL;
  EngTextOptions options = { .pad_to = N_PADDED };
  g_auto (EngInputs) plain = { 0 };
  g_auto (EngInputs) padded = { 0 };

  g_assert_true (eng_inputs_from_texts (model, text, target, NULL, &plain, NULL));
  g_assert_true (eng_inputs_from_texts (model, text, target, &options, &padded, NULL));
  g_assert_cmpint (plain.tokens->n, ==, N_TOKENS);
  g_assert_cmpint (padded.tokens->n, ==, N_PADDED);
  if (both_stacks && target != NULL)
    pad_decoder (&spec, &padded);

  g_autoptr (EngTrace) a = test_run_stacks (model, padded.tokens, padded.decoder_tokens, NULL, 0);
  g_autoptr (EngTrace) b = test_run_stacks (model, plain.tokens, plain.decoder_tokens, NULL, 0);

  check_beginning (a, b);
  check_logits (&spec, a, b);
}

/* Whatever fills a text up, nothing else changes, and nobody reads it. */
static void
test_padding_changes_nothing_else (void)
{
  for (guint32 seed = 1; seed <= N_SPECS; seed++)
    check_padding (seed, seed % 2 == 0);
}

/* Two stacks of which the second reads the text of the first, whose states are its embeddings,
 * because its layer is skipped: reads_itself says which attention of the second adds something. */
static EngTrace *
read_text_twice (gboolean reads_itself)
{
  static const float zeros[26 * 6 * 7];
  EngEdit skips[] = {
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SKIP_ATTENTION },
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SKIP_FEED_FORWARD },
  };
  EngStackSpec stack = {
    .n_layers = 1, .vocab_size = 40,
    .sorts[0] = {
      .self = { .n_heads = 6, .n_kv_heads = 2, .head_size = 7, .scale = 1 / sqrt (7) },
      .feed_forward.intermediate_size = 31,
      .norm = { ENG_NORM_RMS, 1e-6f },
      .attention_norm = ENG_NORM_MIXED, .feed_forward_norm = ENG_NORM_MIXED,
    },
  };
  EngSpec spec = {
    .stacks = { stack, stack }, .hidden_size = 26, .norm = { ENG_NORM_RMS, 1e-6f },
    .embedding = { .positions = ENG_POSITIONS_TABLE, .n_positions = 20 },
  };
  EngWeights *weights;
  EngAttentionWeights *self, *cross;
  EngLinear *silent;

  eng_layer_spec_cross (&spec.stacks[ENG_KIND_DECODER].sorts[0]);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 5, &weights);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 6);

  memcpy ((float *) weights->stacks[ENG_KIND_DECODER].word, weights->stacks[ENG_KIND_ENCODER].word,
          sizeof (float) * stack.vocab_size * spec.hidden_size);
  memcpy ((float *) weights->stacks[ENG_KIND_DECODER].position,
          weights->stacks[ENG_KIND_ENCODER].position,
          sizeof (float) * spec.embedding.n_positions * spec.hidden_size);
  self = &weights->stacks[ENG_KIND_DECODER].layers[0].self;
  cross = &weights->stacks[ENG_KIND_DECODER].layers[0].cross;
  *cross = *self;
  silent = reads_itself ? &cross->output : &self->output;
  g_assert_cmpint (silent->out * silent->in, ==, G_N_ELEMENTS (zeros));
  silent->weight = zeros;
  silent->bias = NULL;

  return test_run_stacks (model, tokens, tokens, skips, G_N_ELEMENTS (skips));
}

/* To read oneself as another's text is to read oneself, to the last bit. */
static void
test_crossing_oneself (void)
{
  g_autoptr (EngTrace) crossing = read_text_twice (FALSE);
  g_autoptr (EngTrace) reading = read_text_twice (TRUE);
  g_autoptr (EngAttention) cross = eng_trace_dup_attention (crossing, ENG_KIND_CROSS, 0);
  g_autoptr (EngAttention) self = eng_trace_dup_attention (crossing, ENG_KIND_DECODER, 0);
  EngMatrix x, y, start;

  g_assert_cmpmem (cross->weights, sizeof (float) * 6 * N_TOKENS * N_TOKENS,
                   self->weights, sizeof (float) * 6 * N_TOKENS * N_TOKENS);
  g_assert_true (eng_trace_get_hidden_states (crossing, ENG_KIND_DECODER, 0, &start));
  g_assert_true (eng_trace_get_hidden_states (crossing, ENG_KIND_DECODER, 1, &x));
  g_assert_true (eng_trace_get_hidden_states (reading, ENG_KIND_DECODER, 1, &y));
  g_assert_cmpmem (x.data, sizeof (float) * x.rows * x.cols,
                   y.data, sizeof (float) * y.rows * y.cols);
  g_assert_true (memcmp (x.data, start.data, sizeof (float) * x.rows * x.cols) != 0);
}

/* A random architecture whose first stack is windowed; 0 = it is not. */
static EngTrace *
run_windowed (guint32 seed,
              int     window)
{
  guint32 state = seed * 2654435761u + 11;
  EngStackSpec *stack;
  EngSpec spec;

  test_random_spec (&spec, &state);
  stack = &spec.stacks[eng_spec_get_first_kind (&spec)];
  memset (stack->sort_of_layer, 0, sizeof stack->sort_of_layer);
  stack->sorts[0].self.window = window;

  g_autoptr (EngModel) model = test_random_model_new (&spec, state, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, state);
  g_autoptr (EngTokens) target = NULL;

  if (eng_spec_has_cross (&spec))
    target = test_random_stack_tokens_new (&spec, ENG_KIND_DECODER, 4, state);
  return test_run_stacks (model, tokens, target, NULL, 0);
}

/* A window as long as the text is none; one that is shorter hides the first token from the last. */
static void
test_window_of_all (void)
{
  for (guint32 seed = 1; seed <= N_SPECS / 2; seed++) {
    g_autoptr (EngTrace) plain = run_windowed (seed, 0);
    g_autoptr (EngTrace) wide = run_windowed (seed, N_TOKENS);
    g_autoptr (EngTrace) narrow = run_windowed (seed, N_TOKENS - 1);
    EngKind kind = eng_trace_get_default_kind (plain);
    g_autoptr (EngAttention) all = eng_trace_dup_attention (wide, kind, 0);
    g_autoptr (EngAttention) fewer = eng_trace_dup_attention (narrow, kind, 0);
    int corner = (N_TOKENS - 1) * N_TOKENS;

    check_beginning (wide, plain);
    g_assert_cmpfloat (all->weights[corner], >, 0);
    g_assert_cmpfloat (fewer->weights[corner], ==, 0);
    g_assert_cmpint (fewer->mask[corner], ==, 0);
    g_assert_cmpint (fewer->mask[corner + 1], ==, 1);
  }
}

static EngTrace *
run_rotary (guint32  seed,
            int      first_position,
            gboolean turned)
{
  guint32 state = seed * 2654435761u + 13;
  EngSpec spec;

  do
    test_random_spec (&spec, &state);
  while (spec.stacks[0].sorts[0].self.rotary.size == 0);
  spec.embedding.positions = ENG_POSITIONS_NONE;
  spec.embedding.position_offset = first_position;
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    spec.stacks[kind].sorts[1].self.window = 0;
  if (!turned)
    test_set_rotary (&spec, &(EngRotary) { 0 });

  g_autoptr (EngModel) model = test_random_model_new (&spec, state, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, state);
  g_autoptr (EngTokens) target = NULL;

  if (eng_spec_has_cross (&spec))
    target = test_random_stack_tokens_new (&spec, ENG_KIND_DECODER, 4, state);
  return test_run_stacks (model, tokens, target, NULL, 0);
}

/* Rotary positions tell distances only: a text reads itself anywhere as at the beginning, though
 * its queries are others. */
static void
test_rotary_tells_distances (void)
{
  for (guint32 seed = 1; seed <= N_SPECS / 3; seed++) {
    g_autoptr (EngTrace) here = run_rotary (seed, 0, TRUE);
    g_autoptr (EngTrace) there = run_rotary (seed, 31, TRUE);
    g_autoptr (EngTrace) nowhere = run_rotary (seed, 0, FALSE);
    EngKind kind = eng_trace_get_default_kind (here);
    g_autoptr (EngAttention) plain = eng_trace_dup_attention (nowhere, kind, 0);
    g_autoptr (EngAttention) first = eng_trace_dup_attention (here, kind, 0);
    gsize n = (gsize) first->n_heads * N_TOKENS * N_TOKENS;
    EngMatrix q, moved;

    for (int layer = 0; layer < eng_trace_get_n_layers (here, kind); layer++) {
      g_autoptr (EngAttention) a = eng_trace_dup_attention (here, kind, layer);
      g_autoptr (EngAttention) b = eng_trace_dup_attention (there, kind, layer);

      check_attention (a, b, ALIKE_ELSEWHERE);
    }
    g_assert_true (eng_trace_get_queries (here, kind, 0, 0, &q));
    g_assert_true (eng_trace_get_queries (there, kind, 0, 0, &moved));
    g_assert_cmpfloat (fabsf (q.data[0] - moved.data[0]), >, 0);
    g_assert_true (memcmp (plain->weights, first->weights, n * sizeof (float)) != 0);
  }
}

/* Without positions of any kind a text is a set. */
static void
check_order (guint32 seed)
{
  guint32 state = seed * 2654435761u + 17;
  int order[N_TOKENS];
  EngStackSpec *stack;
  EngSpec spec;

  do
    test_random_spec (&spec, &state);
  while (spec.stacks[ENG_KIND_ENCODER].n_layers == 0);
  stack = &spec.stacks[ENG_KIND_ENCODER];
  memset (stack->sort_of_layer, 0, sizeof stack->sort_of_layer);
  stack->sorts[0].self.causal = FALSE;
  stack->relative_bias = (EngRelativeBias) { 0 };
  stack->relative_positions = (EngRelativePositions) { 0 };
  stack->convolution = (EngConvolution) { 0 };
  spec.stacks[ENG_KIND_DECODER] = (EngStackSpec) { 0 };
  spec.embedding.positions = ENG_POSITIONS_NONE;
  test_set_rotary (&spec, &(EngRotary) { 0 });

  g_autoptr (EngModel) model = test_random_model_new (&spec, state, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, state);
  g_autoptr (EngTokens) shuffled = test_random_tokens_new (&spec, N_TOKENS, state);

  for (int i = 0; i < N_TOKENS; i++) {
    order[i] = (i * 4 + 2) % N_TOKENS;
    shuffled->ids[i] = tokens->ids[order[i]];
    shuffled->type_ids[i] = tokens->type_ids[order[i]];
    if (shuffled->languages)
      shuffled->languages[i] = tokens->languages[order[i]];
  }

  g_autoptr (EngTrace) plain = test_run (model, tokens, NULL, 0);
  g_autoptr (EngTrace) other = test_run (model, shuffled, NULL, 0);

  for (int layer = 0; layer < stack->n_layers; layer++) {
    g_autoptr (EngAttention) a = eng_trace_dup_attention (plain, ENG_KIND_ENCODER, layer);
    g_autoptr (EngAttention) b = eng_trace_dup_attention (other, ENG_KIND_ENCODER, layer);

    for (int i = 0; i < eng_stack_spec_get_heads (stack)->n_heads * N_TOKENS; i++)
      for (int key = 0; key < N_TOKENS; key++) {
        int row = i / N_TOKENS * N_TOKENS + order[i % N_TOKENS];

        g_assert_cmpfloat_with_epsilon (b->weights[i * N_TOKENS + key],
                                        a->weights[row * N_TOKENS + order[key]], ALIKE);
      }
  }
}

static void
test_order_without_positions (void)
{
  for (guint32 seed = 1; seed <= N_SPECS / 3; seed++)
    check_order (seed);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stack-laws/padding-changes-nothing-else", test_padding_changes_nothing_else);
  g_test_add_func ("/stack-laws/crossing-oneself", test_crossing_oneself);
  g_test_add_func ("/stack-laws/window-of-all", test_window_of_all);
  g_test_add_func ("/stack-laws/rotary-tells-distances", test_rotary_tells_distances);
  g_test_add_func ("/stack-laws/order-without-positions", test_order_without_positions);
  return g_test_run ();
}
