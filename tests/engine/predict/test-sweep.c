/* SPDX-License-Identifier: MIT */
/* A sweep beside single passes with the same edit: every head of every kind of attention of random
 * architectures, and what is measured worked out here again. */
#include "engine/predict/sweep.h"

#include <math.h>
#include <string.h>

#include "engine/base/error.h"
#include "tests/support/random-model.h"

#define N_SPECS 24
#define TOLERANCE 1e-5

typedef struct {
  EngModel      *model;
  EngTokens     *tokens;
  EngTokens     *decoder_tokens;
  EngKind        kind;
  EngTask        task;
  EngEditType    type;
  float          factor;
  const EngEdit *edits;   /* that stay */
  int            n_edits;
} Case;

static EngTrace *
run_single (const Case *self,
            int         layer,
            int         head)
{
  g_autoptr (EngSession) session = eng_session_new (self->model);
  g_autoptr (GError) error = NULL;
  EngEdit edits[4];
  EngRunRequest request = {
    .tokens = self->tokens, .decoder_tokens = self->decoder_tokens, .edits = edits,
    .n_edits = self->n_edits + (layer >= 0), .tasks = 1u << self->task, .all_positions = TRUE,
  };
  EngTrace *trace;

  for (int i = 0; i < self->n_edits; i++)
    edits[i] = self->edits[i];
  edits[self->n_edits] = (EngEdit) {
    .type = self->type, .layer = layer, .head = head, .factor = self->factor, .kind = self->kind,
  };
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);

  return trace;
}

static double *
soften (const float *logits,
        int          n)
{
  double *probabilities = g_new (double, n);
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += probabilities[i] = exp ((double) logits[i]);
  for (int i = 0; i < n; i++)
    probabilities[i] /= sum;

  return probabilities;
}

static int
find_largest (const double *numbers,
              int           n)
{
  int largest = 0;

  for (int i = 1; i < n; i++)
    if (numbers[i] > numbers[largest])
      largest = i;

  return largest;
}

static EngSweepChange
compare_predictions (EngTrace *before,
                     EngTrace *after,
                     EngTask   task)
{
  EngSweepChange change = { 0 };
  EngMatrix p, q;

  g_assert_true (eng_trace_get_logits (before, task, &p, NULL));
  g_assert_true (eng_trace_get_logits (after, task, &q, NULL));
  for (int row = 0; row < p.rows; row++) {
    g_autofree double *old = soften (p.data + row * p.stride, p.cols);
    g_autofree double *new = soften (q.data + row * q.stride, p.cols);
    int best = find_largest (old, p.cols);

    for (int i = 0; i < p.cols; i++)
      change.change += old[i] * log2 (old[i] / new[i]) / p.rows;
    change.probability_change += (new[best] - old[best]) / p.rows;
    if (row == 0)
      change.best = find_largest (new, p.cols);
  }

  return change;
}

static double
compare_states (EngTrace *before,
                EngTrace *after)
{
  EngKind last = eng_trace_has_kind (before, ENG_KIND_DECODER) ? ENG_KIND_DECODER
                                                               : ENG_KIND_ENCODER;
  int n_layers = eng_trace_get_n_layers (before, last);
  double difference = 0, whole = 0;
  EngMatrix old, new;

  g_assert_true (eng_trace_get_hidden_states (before, last, n_layers, &old));
  g_assert_true (eng_trace_get_hidden_states (after, last, n_layers, &new));
  for (int row = 0; row < old.rows; row++)
    for (int i = 0; i < old.cols; i++) {
      double a = old.data[row * old.stride + i], b = new.data[row * new.stride + i];

      difference += (b - a) * (b - a);
      whole += a * a;
    }

  return sqrt (difference / whole);
}

static void
count_head (int                   layer,
            int                   head,
            const EngSweepChange *change,
            gpointer              data)
{
  int *n_done = data;

  g_assert_cmpfloat (change->change, >=, 0);
  (*n_done)++;
}

static EngSweep *
sweep (const Case *self)
{
  EngRunRequest request = {
    .tokens = self->tokens, .decoder_tokens = self->decoder_tokens, .edits = self->edits,
    .n_edits = self->n_edits, .all_positions = TRUE,
  };
  g_autoptr (GError) error = NULL;
  int n_done = 0;
  EngSweep *result = eng_sweep_run (self->model, &request, self->kind, self->task, self->type,
                                    self->factor, count_head, &n_done, &error);

  g_assert_no_error (error);
  g_assert_cmpint (n_done, ==, result->n_layers * result->n_heads);

  return result;
}

/* Returns the largest change, so that a caller knows that there was something to see. */
static double
check_sweep (const Case *self)
{
  g_autoptr (EngSweep) result = sweep (self);
  g_autoptr (EngTrace) before = run_single (self, -1, -1);
  gboolean predicts = eng_trace_get_logits (before, self->task, &(EngMatrix) { 0 }, NULL);
  double largest = 0;

  g_assert_cmpint (result->kind, ==, self->kind);
  g_assert_cmpint (result->measure, ==, predicts ? ENG_SWEEP_PREDICTION : ENG_SWEEP_HIDDEN_STATES);
  g_assert_cmpint (result->n_layers, ==, eng_trace_get_n_layers (before, self->kind));
  g_assert_cmpint (result->n_heads, ==, eng_trace_get_n_heads (before, self->kind));
  for (int layer = 0; layer < result->n_layers; layer++)
    for (int head = 0; head < result->n_heads; head++) {
      const EngSweepChange *change = &result->changes[layer * result->n_heads + head];
      g_autoptr (EngTrace) after = run_single (self, layer, head);
      EngSweepChange expected = { .best = -1 };

      if (predicts)
        expected = compare_predictions (before, after, self->task);
      else
        expected.change = compare_states (before, after);
      g_assert_cmpfloat_with_epsilon (change->change, expected.change, TOLERANCE);
      g_assert_cmpfloat_with_epsilon (change->probability_change, expected.probability_change,
                                      TOLERANCE);
      g_assert_cmpint (change->best, ==, expected.best);
      largest = MAX (largest, change->change);
    }

  return largest;
}

static EngTask
find_task (const EngSpec *spec)
{
  static const EngTask tasks[] = {
    ENG_TASK_LANGUAGE_MODEL, ENG_TASK_FILL_MASK, ENG_TASK_NEXT_SENTENCE,
    ENG_TASK_TEXT_CLASSIFICATION,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (tasks); i++)
    if (spec->heads[tasks[i]].present && spec->heads[tasks[i]].n_classes > 1)
      return tasks[i];

  return ENG_TASK_FILL_MASK;
}

static void
test_random_specs (void)
{
  double largest[2] = { 0 };
  int n_cases = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed * 2654435761u + 11;
    EngSpec spec;

    test_random_spec (&spec, &state);

    g_autoptr (EngModel) model = test_random_model_new (&spec, state, NULL);
    g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 9, state);
    g_autoptr (EngTokens) decoder_tokens = NULL;
    EngKind first = eng_spec_get_first_kind (&spec);
    EngEdit stays[] = {
      { .type = ENG_EDIT_KNOCK_OUT_TOKEN, .key = 2, .kind = ENG_KIND_NOT_SAID },
      { .type = ENG_EDIT_SCALE_HEAD, .head = ENG_ALL_HEADS, .factor = 0.5f,
        .kind = ENG_KIND_NOT_SAID },
    };
    Case self = { .model = model, .tokens = tokens, .edits = stays };

    if (eng_spec_has_cross (&spec))
      decoder_tokens = test_random_stack_tokens_new (&spec, ENG_KIND_DECODER, 6, state);
    if (seed % 3 == 0)
      test_set_padding (&spec, tokens, 8);
    self.decoder_tokens = decoder_tokens;
    self.task = find_task (&spec);
    self.n_edits = seed % 2 ? G_N_ELEMENTS (stays) : 0;
    self.type = seed % 4 == 1 ? ENG_EDIT_UNIFORM_ROWS : ENG_EDIT_SCALE_HEAD;
    self.factor = seed % 4 == 2 ? -1.5f : 0;
    for (int kind = 0; kind < ENG_N_KINDS; kind++) {
      double change;

      if (kind != (int) first && !eng_spec_has_cross (&spec))
        continue;
      self.kind = (EngKind) kind;
      change = check_sweep (&self);
      largest[spec.heads[self.task].present] = MAX (largest[spec.heads[self.task].present], change);
      n_cases++;
    }
  }
  g_test_message ("%d sweeps, the largest change %g of hidden states, %g bits", n_cases,
                  largest[FALSE], largest[TRUE]);
  g_assert_cmpfloat (largest[TRUE], >, 0.01);
}

/* Nothing is predicted: hidden states are compared. */
static void
test_without_head (void)
{
  EngSpec spec;
  guint32 state = 5;

  do
    test_random_spec (&spec, &state);
  while (eng_spec_get_first_kind (&spec) != ENG_KIND_ENCODER || eng_spec_has_cross (&spec));
  for (int task = 0; task < ENG_N_TASKS; task++)
    spec.heads[task] = (EngHeadSpec) { 0 };

  g_autoptr (EngModel) model = test_random_model_new (&spec, 3, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 12, 4);
  Case self = {
    .model = model, .tokens = tokens, .kind = ENG_KIND_ENCODER, .task = ENG_TASK_FILL_MASK,
    .type = ENG_EDIT_SCALE_HEAD,
  };

  g_assert_cmpfloat (check_sweep (&self), >, 1e-3);
}

/* Longer than what runs at once, so that heads go one by one. */
static void
test_long (void)
{
  EngSpec spec = {
    .stacks[ENG_KIND_ENCODER] = {
      .n_layers = 2, .vocab_size = 50,
      .sorts[0] = {
        .self = { .n_heads = 5, .n_kv_heads = 5, .head_size = 4, .scale = 0.5 },
        .feed_forward.intermediate_size = 24,
      },
    },
    .hidden_size = 20,
    .embedding = { .positions = ENG_POSITIONS_TABLE, .n_positions = 300, .has_norm = TRUE },
    .heads[ENG_TASK_NEXT_SENTENCE] = { .present = TRUE, .input = ENG_HEAD_FIRST, .n_classes = 7 },
  };
  const int lengths[] = { 300, 100 };
  g_autoptr (EngModel) model = test_random_model_new (&spec, 3, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++) {
    g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, lengths[i], 4);
    Case self = {
      .model = model, .tokens = tokens, .kind = ENG_KIND_ENCODER, .task = ENG_TASK_NEXT_SENTENCE,
      .type = ENG_EDIT_SCALE_HEAD,
    };

    g_assert_cmpfloat (check_sweep (&self), >, 0);
  }
}

static void
check_refused (EngModel            *model,
               const EngRunRequest *request,
               EngKind              kind,
               EngTask              task,
               EngError             code,
               const char          *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_sweep_run (model, request, kind, task, ENG_EDIT_SCALE_HEAD, 0, NULL, NULL,
                                &error));
  g_assert_error (error, ENG_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
raise_flag (int                   layer,
            int                   head,
            const EngSweepChange *change,
            gpointer              data)
{
  gint *cancel = data;

  g_assert_cmpint (*cancel, ==, 0);
  g_atomic_int_set (cancel, 1);
}

static void
test_refuses (void)
{
  EngSpec spec;
  guint32 state = 5;
  gint cancel = 1;

  do
    test_random_spec (&spec, &state);
  while (eng_spec_get_first_kind (&spec) != ENG_KIND_ENCODER || eng_spec_has_cross (&spec));

  g_autoptr (EngModel) model = test_random_model_new (&spec, 3, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 12, 4);
  g_autoptr (GError) error = NULL;
  EngEdit edit = { .type = ENG_EDIT_KNOCK_OUT_TOKEN, .key = 12, .kind = ENG_KIND_NOT_SAID };
  EngRunRequest request = { .tokens = tokens };

  check_refused (model, &request, ENG_KIND_CROSS, ENG_TASK_FILL_MASK, ENG_ERROR_RANGE,
                 "the model has no cross attention");
  check_refused (model, &request, ENG_KIND_ENCODER, ENG_TASK_ENTITIES, ENG_ERROR_UNSUPPORTED,
                 "a sweep of entities is not supported");
  request.edits = &edit;
  request.n_edits = 1;
  check_refused (model, &request, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK, ENG_ERROR_RANGE,
                 "there is no token 12");
  request.n_edits = 0;
  request.cancel = &cancel;
  check_refused (model, &request, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK, ENG_ERROR_CANCELLED,
                 "was cancelled");

  /* In the middle: no head is done after the flag was raised. */
  cancel = 0;
  g_assert_null (eng_sweep_run (model, &request, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK,
                                ENG_EDIT_SCALE_HEAD, 0, raise_flag, &cancel, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  request.tokens = NULL;
  request.cancel = NULL;
  check_refused (model, &request, ENG_KIND_ENCODER, ENG_TASK_FILL_MASK, ENG_ERROR_TEXT,
                 "no tokens");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sweep/random-specs", test_random_specs);
  g_test_add_func ("/sweep/without-head", test_without_head);
  g_test_add_func ("/sweep/long", test_long);
  g_test_add_func ("/sweep/refuses", test_refuses);

  return g_test_run ();
}
