/* SPDX-License-Identifier: MIT */
/* The lens by laws that hold for every model: over the last states it gives the pass's own logits,
 * and over the states before the last layer those of a pass that skips it, where norms stand before
 * sub-layers alone. What transformers' head says of states in the middle is recorded
 * in tests/fixtures/lessons. */
#include "engine/transformer/lens.h"

#include <math.h>

#include "engine/base/error.h"
#include "tests/support/random-model.h"

#define N_SPECS 120
#define TOLERANCE 1e-5

static const EngTask tasks[] = { ENG_TASK_FILL_MASK, ENG_TASK_LANGUAGE_MODEL };

static double largest = 0;

static void
assert_same (const float     *logits,
             const EngMatrix *expected)
{
  double size = 1;

  for (int row = 0; row < expected->rows; row++)
    for (int i = 0; i < expected->cols; i++)
      size = fmax (size, fabs ((double) expected->data[(gsize) row * expected->stride + i]));
  for (int row = 0; row < expected->rows; row++)
    for (int i = 0; i < expected->cols; i++) {
      const double difference =
        fabs ((double) logits[row * expected->cols + i]
              - (double) expected->data[(gsize) row * expected->stride + i]) / size;

      largest = fmax (largest, difference);
      g_assert_cmpfloat (difference, <=, TOLERANCE);
    }
}

/* Norms before the sub-layers alone, and one at the end: a layer that is skipped leaves its states
 * alone. */
static void
norm_before (EngStackSpec *stack)
{
  for (int sort = 0; sort < ENG_MAX_LAYER_SORTS; sort++) {
    stack->sorts[sort].attention_norm = ENG_NORM_PRE;
    stack->sorts[sort].feed_forward_norm = ENG_NORM_PRE;
  }
  stack->convolution = (EngConvolution) { 0 };
  stack->final_norm = TRUE;
}

/* Of a pass with all positions; index of its states, beside the logits of another pass. */
static gboolean
check (EngModel *model,
       EngTrace *trace,
       int       index,
       EngTrace *expected)
{
  gboolean checked = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree float *logits = NULL;
    EngMatrix own;

    if (eng_model_get_spec (model)->heads[tasks[i]].input != ENG_HEAD_TOKENS
        || !eng_trace_get_logits (expected, tasks[i], &own, NULL))
      continue;
    logits = eng_lens_read (model, trace, tasks[i], index, &error);
    g_assert_no_error (error);
    assert_same (logits, &own);
    checked = TRUE;
  }

  return checked;
}

/* A pass without the last layer of the last stack. */
static EngTrace *
run_shorter (EngModel  *model,
             EngTokens *tokens,
             EngTokens *decoder_tokens,
             EngKind    kind,
             int        layer)
{
  const gboolean crosses = eng_stack_spec_crosses (&eng_model_get_spec (model)->stacks[kind]);
  const EngEdit edits[] = {
    { .type = ENG_EDIT_SKIP_ATTENTION, .layer = layer, .kind = (int) kind },
    { .type = ENG_EDIT_SKIP_FEED_FORWARD, .layer = layer, .kind = (int) kind },
    { .type = ENG_EDIT_SKIP_ATTENTION, .layer = layer, .kind = ENG_KIND_CROSS },
  };

  return test_run_stacks (model, tokens, decoder_tokens, edits, crosses ? 3 : 2);
}

typedef struct {
  EngSpec    spec;
  EngKind    kind;    /* of the stack that the heads read */
  EngModel  *model;
  EngTokens *tokens;
  EngTokens *decoder_tokens;
  EngTrace  *trace;
} Case;

static void
case_clear (Case *self)
{
  eng_model_unref (self->model);
  eng_tokens_unref (self->tokens);
  g_clear_pointer (&self->decoder_tokens, eng_tokens_unref);
  eng_trace_unref (self->trace);
}

static void
case_init (Case     *self,
           guint32  *state,
           gboolean  norms_before,
           guint32   seed)
{
  test_random_spec (&self->spec, state);
  self->kind = eng_spec_get_last_kind (&self->spec);
  if (norms_before)
    norm_before (&self->spec.stacks[self->kind]);
  self->model = test_random_model_new (&self->spec, seed, NULL);
  self->tokens = test_random_tokens_new (&self->spec, 9, seed + 1);
  self->decoder_tokens = eng_spec_has_cross (&self->spec)
                         ? test_random_stack_tokens_new (&self->spec, ENG_KIND_DECODER, 7, seed + 2)
                         : NULL;
  self->trace = test_run_stacks (self->model, self->tokens, self->decoder_tokens, NULL, 0);
}

static void
test_last_states (void)
{
  guint32 state = 11;
  int n_checked = 0;

  for (int i = 0; i < N_SPECS; i++) {
    Case one;

    case_init (&one, &state, FALSE, (guint32) i);
    n_checked += check (one.model, one.trace, one.spec.stacks[one.kind].n_layers, one.trace);
    case_clear (&one);
  }
  g_assert_cmpint (n_checked, >=, N_SPECS / 8);
  g_test_message ("%d models, largest difference %.3g", n_checked, largest);
}

static void
test_last_layer (void)
{
  guint32 state = 12;
  int n_checked = 0;

  for (int i = 0; i < N_SPECS; i++) {
    g_autoptr (EngTrace) shorter = NULL;
    Case one;
    int last;

    case_init (&one, &state, TRUE, (guint32) i);
    last = one.spec.stacks[one.kind].n_layers - 1;
    shorter = run_shorter (one.model, one.tokens, one.decoder_tokens, one.kind, last);
    n_checked += check (one.model, one.trace, last, shorter);
    case_clear (&one);
  }
  g_assert_cmpint (n_checked, >=, N_SPECS / 8);
  g_test_message ("%d models, largest difference %.3g", n_checked, largest);
}

static void
test_refuses (void)
{
  EngSpec spec;
  guint32 state = 3;

  do
    test_random_spec (&spec, &state);
  while (!spec.heads[ENG_TASK_FILL_MASK].present || eng_spec_has_cross (&spec)
         || spec.heads[ENG_TASK_FILL_MASK].input != ENG_HEAD_TOKENS);

  g_autoptr (EngModel) model = test_random_model_new (&spec, 3, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 9, 4);
  g_autoptr (EngTrace) trace = test_run_stacks (model, tokens, NULL, NULL, 0);
  g_autoptr (GError) range = NULL;
  g_autoptr (GError) missing = NULL;

  g_assert_null (eng_lens_read (model, trace, ENG_TASK_FILL_MASK, 1000, &range));
  g_assert_error (range, ENG_ERROR, ENG_ERROR_RANGE);
  /* Its head reads one state of the whole text. */
  g_assert_null (eng_lens_read (model, trace, ENG_TASK_NEXT_SENTENCE, 0, &missing));
  g_assert_error (missing, ENG_ERROR, ENG_ERROR_MISSING);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lens/last-states", test_last_states);
  g_test_add_func ("/lens/last-layer", test_last_layer);
  g_test_add_func ("/lens/refuses", test_refuses);

  return g_test_run ();
}
