/* SPDX-License-Identifier: MIT */
/* Laws that hold for every transformer, whatever its numbers are: what must not change when
 * something is changed, and what must change alike. "The same" means every bit; "alike" allows for
 * sums in another order. */
#include "engine/transformer/session.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/pool.h"
#include "engine/trace/measures.h"
#include "engine/trace/trace-private.h"
#include "tests/support/random-model.h"

#define ALIKE 1e-5
#define N_TOKENS 13

static void
make_spec (EngSpec          *spec,
           EngNormPlacement  placement,
           gboolean          causal)
{
  *spec = (EngSpec) {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 3, .vocab_size = 40,
      .sorts[0] = {
        .self = {
          .n_heads = 3, .n_kv_heads = 3, .head_size = 10, .scale = 1 / sqrt (10),
          .causal = causal,
        },
        .feed_forward.intermediate_size = 45,
        .norm.eps = 1e-12f,
        .attention_norm = placement, .feed_forward_norm = placement,
      },
      .final_norm = placement == ENG_NORM_PRE,
    },
    .hidden_size = 26,
    .embedding = {
      .positions = ENG_POSITIONS_TABLE, .n_positions = 64, .n_types = 2, .has_norm = TRUE,
    },
    .norm.eps = 1e-12f,
  };
  spec->heads[ENG_TASK_ENTITIES] =
    (EngHeadSpec) { .present = TRUE, .input = ENG_HEAD_TOKENS, .n_classes = 9 };
}

static int
count_heads (const EngSpec *spec)
{
  return eng_stack_spec_get_heads (&spec->stacks[ENG_KIND_ENCODER])->n_heads;
}

static const float *
get_hidden (EngTrace *trace,
            int       index,
            int       token)
{
  EngMatrix states;

  g_assert_true (eng_trace_get_hidden_states (trace, ENG_KIND_ENCODER, index, &states));
  return states.data + token * states.stride;
}

static const float *
get_last_hidden (EngTrace *trace,
                 int       token)
{
  return get_hidden (trace, eng_trace_get_n_layers (trace, ENG_KIND_ENCODER), token);
}

static void
check_alike (const float *a,
             const float *b,
             int          n)
{
  for (int i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (a[i], b[i], ALIKE * fmax (1, fabsf (b[i])));
}

/* Every attention, hidden state and logit. */
static void
check_same (EngTrace *a,
            EngTrace *b)
{
  int n = eng_trace_get_n_queries (a, ENG_KIND_ENCODER);
  int n_heads = eng_trace_get_n_heads (a, ENG_KIND_ENCODER);
  int n_layers = eng_trace_get_n_layers (a, ENG_KIND_ENCODER);
  EngMatrix x, y;

  for (int layer = 0; layer < n_layers; layer++) {
    g_autoptr (EngAttention) one = eng_trace_dup_attention (a, ENG_KIND_ENCODER, layer);
    g_autoptr (EngAttention) other = eng_trace_dup_attention (b, ENG_KIND_ENCODER, layer);

    g_assert_cmpmem (one->weights, sizeof (float) * n_heads * n * n,
                     other->weights, sizeof (float) * n_heads * n * n);
  }
  for (int i = 0; i <= n_layers; i++) {
    g_assert_true (eng_trace_get_hidden_states (a, ENG_KIND_ENCODER, i, &x));
    g_assert_true (eng_trace_get_hidden_states (b, ENG_KIND_ENCODER, i, &y));
    g_assert_cmpmem (x.data, sizeof (float) * x.rows * x.cols,
                     y.data, sizeof (float) * y.rows * y.cols);
  }
  g_assert_true (eng_trace_get_logits (a, ENG_TASK_ENTITIES, &x, NULL));
  g_assert_true (eng_trace_get_logits (b, ENG_TASK_ENTITIES, &y, NULL));
  g_assert_cmpmem (x.data, sizeof (float) * x.rows * x.cols,
                   y.data, sizeof (float) * y.rows * y.cols);
}

/* Tokens that nobody reads, like padding, change nothing for the others. */
static void
test_unread_tokens_change_nothing (void)
{
  for (EngNormPlacement placement = ENG_NORM_POST; placement <= ENG_NORM_MIXED; placement++) {
    EngSpec spec;
    EngEdit edits[20];

    make_spec (&spec, placement, FALSE);

    g_autoptr (EngModel) model = test_random_model_new (&spec, 1, NULL);
    g_autoptr (EngTokens) text = test_random_tokens_new (&spec, N_TOKENS, 5);
    g_autoptr (EngTokens) padded = test_random_tokens_new (&spec, N_TOKENS + 20, 6);

    for (int i = 0; i < N_TOKENS; i++) {
      padded->ids[i] = text->ids[i];
      padded->type_ids[i] = text->type_ids[i];
    }
    for (int i = 0; i < 20; i++)
      edits[i] = (EngEdit) {
        .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_KNOCK_OUT_TOKEN, .key = N_TOKENS + i,
      };

    g_autoptr (EngTrace) alone = test_run (model, text, NULL, 0);
    g_autoptr (EngTrace) beside = test_run (model, padded, edits, 20);

    for (int layer = 0; layer <= spec.stacks[ENG_KIND_ENCODER].n_layers; layer++)
      for (int token = 0; token < N_TOKENS; token++)
        check_alike (get_hidden (beside, layer, token), get_hidden (alone, layer, token),
                     spec.hidden_size);
  }
}

/* A token that is knocked out goes on reading: its row is no copy of a row of zeros. */
static void
test_knocked_out_token_reads (void)
{
  EngSpec spec;
  EngEdit edit = { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_KNOCK_OUT_TOKEN, .key = 4 };

  make_spec (&spec, ENG_NORM_POST, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 2, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 5);
  g_autoptr (EngTrace) trace = test_run (model, tokens, &edit, 1);

  for (int layer = 0; layer < spec.stacks[ENG_KIND_ENCODER].n_layers; layer++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);

    for (int row = 0; row < count_heads (&spec) * N_TOKENS; row++) {
      double sum = 0;

      for (int key = 0; key < N_TOKENS; key++)
        sum += attention->weights[row * N_TOKENS + key];
      g_assert_cmpfloat (attention->weights[row * N_TOKENS + 4], ==, 0);
      g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
    }
  }
}

/* Without positions a text is a set: another order gives the same rows in that order. */
static void
test_order_without_positions (void)
{
  EngSpec spec;
  EngWeights *weights;
  int order[N_TOKENS];

  make_spec (&spec, ENG_NORM_POST, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 3, &weights);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 7);
  g_autoptr (EngTokens) shuffled = test_random_tokens_new (&spec, N_TOKENS, 7);

  memset ((float *) weights->stacks[ENG_KIND_ENCODER].position, 0,
          sizeof (float) * spec.embedding.n_positions * spec.hidden_size);
  for (int i = 0; i < N_TOKENS; i++) {
    order[i] = (i * 5 + 2) % N_TOKENS;
    shuffled->ids[i] = tokens->ids[order[i]];
    shuffled->type_ids[i] = tokens->type_ids[order[i]];
  }

  g_autoptr (EngTrace) plain = test_run (model, tokens, NULL, 0);
  g_autoptr (EngTrace) other = test_run (model, shuffled, NULL, 0);

  for (int i = 0; i < N_TOKENS; i++)
    check_alike (get_last_hidden (other, i), get_last_hidden (plain, order[i]), spec.hidden_size);
  for (int layer = 0; layer < spec.stacks[ENG_KIND_ENCODER].n_layers; layer++) {
    g_autoptr (EngAttention) a = eng_trace_dup_attention (plain, ENG_KIND_ENCODER, layer);
    g_autoptr (EngAttention) b = eng_trace_dup_attention (other, ENG_KIND_ENCODER, layer);

    for (int head = 0; head < count_heads (&spec); head++)
      for (int i = 0; i < N_TOKENS; i++)
        for (int j = 0; j < N_TOKENS; j++)
          g_assert_cmpfloat_with_epsilon (b->weights[(head * N_TOKENS + i) * N_TOKENS + j],
                                          a->weights[(head * N_TOKENS + order[i]) * N_TOKENS +
                                                     order[j]], ALIKE);
  }
}

/* Later tokens do not exist for a causal model. */
static void
test_causal_reads_back_only (void)
{
  EngSpec spec;

  make_spec (&spec, ENG_NORM_PRE, TRUE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 4, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 8);
  g_autoptr (EngTokens) changed = test_random_tokens_new (&spec, N_TOKENS, 8);

  for (int i = 6; i < N_TOKENS; i++)
    changed->ids[i] = (tokens->ids[i] + 1) % spec.stacks[ENG_KIND_ENCODER].vocab_size;

  g_autoptr (EngTrace) a = test_run (model, tokens, NULL, 0);
  g_autoptr (EngTrace) b = test_run (model, changed, NULL, 0);

  for (int token = 0; token < 6; token++)
    g_assert_cmpmem (get_last_hidden (a, token), sizeof (float) * spec.hidden_size,
                     get_last_hidden (b, token), sizeof (float) * spec.hidden_size);
  g_assert_true (memcmp (get_last_hidden (a, 6), get_last_hidden (b, 6),
                         sizeof (float) * spec.hidden_size) != 0);
}

/* A head whose factor is 0 is a head whose columns of the [out, in] output weight are 0. */
static void
test_zeroed_head_is_zeroed_columns (void)
{
  EngSpec spec;
  EngWeights *weights;
  EngEdit edit = {
    .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SCALE_HEAD, .layer = 1, .head = 2, .factor = 0,
  };

  make_spec (&spec, ENG_NORM_POST, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 5, &weights);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 9);
  g_autoptr (EngTrace) plain = test_run (model, tokens, NULL, 0);
  g_autoptr (EngTrace) edited = test_run (model, tokens, &edit, 1);
  EngLinear *output = &weights->stacks[ENG_KIND_ENCODER].layers[1].self.output;

  int head_size = eng_stack_spec_get_heads (&spec.stacks[ENG_KIND_ENCODER])->head_size;

  for (int row = 0; row < output->out; row++)
    for (int i = 0; i < head_size; i++)
      ((float *) output->weight)[row * output->in + 2 * head_size + i] = 0;

  g_autoptr (EngTrace) zeroed = test_run (model, tokens, NULL, 0);

  check_same (edited, zeroed);
  g_assert_true (memcmp (get_hidden (plain, 2, 0), get_hidden (edited, 2, 0),
                         sizeof (float) * spec.hidden_size) != 0);
}

/* A layer of a pre-norm model without its two parts is no layer. */
static void
test_skipped_layer_is_no_layer (void)
{
  EngSpec spec;
  EngEdit edits[] = {
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SKIP_ATTENTION, .layer = 1 },
    { .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SKIP_FEED_FORWARD, .layer = 1 },
  };

  make_spec (&spec, ENG_NORM_PRE, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 6, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 10);
  g_autoptr (EngTrace) trace = test_run (model, tokens, edits, 2);

  for (int token = 0; token < N_TOKENS; token++)
    g_assert_cmpmem (get_hidden (trace, 1, token), sizeof (float) * spec.hidden_size,
                     get_hidden (trace, 2, token), sizeof (float) * spec.hidden_size);
}

static void
test_nothing_edited_is_the_same (void)
{
  EngSpec spec;
  EngEdit none = {
    .kind = ENG_KIND_NOT_SAID, .type = ENG_EDIT_SCALE_HEAD, .head = ENG_ALL_HEADS, .factor = 1,
  };

  make_spec (&spec, ENG_NORM_POST, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 7, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 11);
  g_autoptr (EngTrace) without = test_run (model, tokens, NULL, 0);
  g_autoptr (EngTrace) empty = test_run (model, tokens, &none, 0);
  g_autoptr (EngTrace) times_one = test_run (model, tokens, &none, 1);

  check_same (without, empty);
  check_same (without, times_one);
}

/* A picture of it would show heads that read nothing. */
static void
test_refuses_no_numbers (void)
{
  static const float bad[] = { NAN, INFINITY, -INFINITY };
  EngSpec spec;
  EngWeights *weights;

  make_spec (&spec, ENG_NORM_PRE, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 9, &weights);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 14);
  EngRunRequest request = { .tokens = tokens };
  const EngLayerWeights *layer =
    &weights->stacks[eng_spec_get_first_kind (&spec)].layers[1];
  const struct {
    const float *weights;
    const char  *says;
  } cases[] = {
    { layer->self.query.weight, "queries of layer 1" },
    { layer->self.key.weight, "keys of layer 1" },
    { layer->self.value.weight, "values of layer 1" },
    { layer->down.weight, "hidden states of layer 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases) * G_N_ELEMENTS (bad); i++) {
    float *changed = (float *) cases[i / G_N_ELEMENTS (bad)].weights;
    float kept = changed[2];
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTrace) trace = NULL;

    changed[2] = bad[i % G_N_ELEMENTS (bad)];
    g_assert_null (eng_session_run (session, &request, &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
    g_assert_nonnull (strstr (error->message, cases[i / G_N_ELEMENTS (bad)].says));
    changed[2] = kept;
    trace = eng_session_run (session, &request, NULL);
    g_assert_nonnull (trace);
  }
}

/* One session, run for a long text, a short one and again: nothing is left over. */
static void
test_session_forgets (void)
{
  EngSpec spec;

  make_spec (&spec, ENG_NORM_POST, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 8, NULL);
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 12);
  g_autoptr (EngTokens) long_text = test_random_tokens_new (&spec, 64, 13);
  g_autoptr (EngTrace) fresh = test_run (model, tokens, NULL, 0);
  gint cancel = 1;

  for (int i = 0; i < 3; i++) {
    EngRunRequest other = { .tokens = long_text };
    EngRunRequest cancelled = { .tokens = tokens, .cancel = &cancel };
    EngRunRequest request = { .tokens = tokens, .tasks = 1u << ENG_TASK_ENTITIES };
    g_autoptr (EngTrace) first = eng_session_run (session, &other, NULL);
    g_autoptr (EngTrace) stopped = eng_session_run (session, &cancelled, NULL);
    g_autoptr (EngTrace) again = eng_session_run (session, &request, NULL);

    g_assert_null (stopped);
    check_same (fresh, again);
  }
}

static EngAttention *
roll (EngTrace *trace)
{
  EngAttention *rollout = eng_measures_dup_block (trace, ENG_KIND_ENCODER, 1, ENG_MEASURE_ROLLOUT,
                                                  NULL, NULL);

  g_assert_nonnull (rollout);
  return rollout;
}

/* What is held stays; what is asked for again is other memory with the same numbers. */
static void
test_trace_forgets (void)
{
  EngSpec spec;

  make_spec (&spec, ENG_NORM_POST, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 8, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, N_TOKENS, 12);
  g_autoptr (EngTrace) trace = test_run (model, tokens, NULL, 0);
  g_autoptr (EngAttention) stored = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 1);

  /* As a pass leaves it whose weights are too many to be stored. */
  trace->blocks[ENG_KIND_ENCODER].layers[1].attention = NULL;

  g_autoptr (EngAttention) held = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 1);
  g_autoptr (EngAttention) kept = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 1);
  g_autoptr (EngAttention) rollout = roll (trace);
  const gsize size = (gsize) held->n_heads * N_TOKENS * N_TOKENS * sizeof (float);

  g_assert_true (kept->weights == held->weights);
  g_assert_cmpmem (held->weights, size, stored->weights, size);
  eng_trace_forget_attention (trace);

  g_autoptr (EngAttention) again = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 1);
  g_autoptr (EngAttention) rolled_again = roll (trace);

  g_assert_true (again->weights != held->weights);
  g_assert_cmpmem (again->weights, size, held->weights, size);
  g_assert_true (rolled_again->weights != rollout->weights);
  g_assert_cmpmem (rolled_again->weights, N_TOKENS * N_TOKENS * sizeof (float), rollout->weights,
                   N_TOKENS * N_TOKENS * sizeof (float));
}

typedef struct {
  EngModel  *model;
  EngTokens *tokens;
  EngTrace  *expected;
} Runner;

static void
run_and_compare (int      chunk,
                 int      worker,
                 gpointer data)
{
  Runner *runner = data;
  g_autoptr (EngTrace) trace = test_run (runner->model, runner->tokens, NULL, 0);

  check_same (trace, runner->expected);
}

static gpointer
run_often (gpointer data)
{
  for (int i = 0; i < 20; i++)
    run_and_compare (i, 0, data);
  return NULL;
}

/* Several sessions at once, with the pool and, inside of a chunk of it, without. */
static void
test_who_computes_does_not_matter (void)
{
  EngSpec spec;
  GThread *threads[3];

  make_spec (&spec, ENG_NORM_POST, FALSE);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 9, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 60, 14);
  g_autoptr (EngTrace) expected = test_run (model, tokens, NULL, 0);
  Runner runner = { model, tokens, expected };

  for (int i = 0; i < 3; i++)
    threads[i] = g_thread_new ("runner", run_often, &runner);
  for (int i = 0; i < 3; i++)
    g_thread_join (threads[i]);
  eng_pool_run (8, run_and_compare, &runner, NULL);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/laws/unread-tokens-change-nothing", test_unread_tokens_change_nothing);
  g_test_add_func ("/laws/knocked-out-token-reads", test_knocked_out_token_reads);
  g_test_add_func ("/laws/order-without-positions", test_order_without_positions);
  g_test_add_func ("/laws/causal-reads-back-only", test_causal_reads_back_only);
  g_test_add_func ("/laws/zeroed-head-is-zeroed-columns", test_zeroed_head_is_zeroed_columns);
  g_test_add_func ("/laws/skipped-layer-is-no-layer", test_skipped_layer_is_no_layer);
  g_test_add_func ("/laws/nothing-edited-is-the-same", test_nothing_edited_is_the_same);
  g_test_add_func ("/laws/refuses-no-numbers", test_refuses_no_numbers);
  g_test_add_func ("/laws/session-forgets", test_session_forgets);
  g_test_add_func ("/laws/trace-forgets", test_trace_forgets);
  g_test_add_func ("/laws/who-computes-does-not-matter", test_who_computes_does_not_matter);
  return g_test_run ();
}
