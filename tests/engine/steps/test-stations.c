/* SPDX-License-Identifier: MIT */
/* A token's vector over the whole model: its lengths against those of the trace's states, the
 * answers by layer against the lens, which tests/engine/transformer/test-lens.c holds to
 * recorded ones. */
#include "engine/steps/stations.h"

#include <math.h>

#include "engine/base/error.h"
#include "engine/trace/states.h"
#include "engine/transformer/lens.h"
#include "tests/support/random-model.h"

#define N_SPECS 80

static double
get_state_length (EngTrace *trace,
                  EngKind   kind,
                  int       index,
                  int       token)
{
  EngMatrix states;
  double squares = 0;

  g_assert_true (eng_trace_get_hidden_states (trace, kind, index, &states));
  for (int i = 0; i < states.cols; i++)
    squares += (double) states.data[token * states.stride + i]
      * states.data[token * states.stride + i];

  return sqrt (squares);
}

/* What a norm around a sub-layer reads is a station before it in its layer: the last one of the
 * stream, or right before it what the sub-layer makes. Returns whether it is that. */
static gboolean
check_before (GArray *stations,
              guint   norm)
{
  const EngStation *station = &g_array_index (stations, EngStation, norm);
  const EngStation *last = &g_array_index (stations, EngStation, norm - 1);
  const gboolean is_made = last->stage == ENG_STAGE_OUTPUT || last->stage == ENG_STAGE_DOWN;
  gboolean is_found = FALSE;

  g_assert_cmpint (station->reads_stream, ==, !is_made);
  if (is_made)
    g_assert_cmpfloat_with_epsilon (station->before, last->length, 1e-9);

  g_assert_cmpfloat (station->before, >, 0);
  for (guint i = 0; i < norm; i++) {
    const EngStation *before = &g_array_index (stations, EngStation, i);

    is_found = is_found || (before->layer == station->layer && before->part >= ENG_PART_OTHER
                            && fabs (before->length - station->before) < 1e-9);
  }
  g_assert_true (is_found);

  return is_made;
}

/* Returns how many norms read what a sub-layer makes. */
static int
check_stations (EngModel *model,
                EngTrace *trace,
                EngKind   kind,
                int       token)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) stations = eng_stations_new (model, trace, kind, token, NULL, &error);
  int n_entered = 0, n_left = 0, n_made = 0, layer = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < stations->len; i++) {
    const EngStation *station = &g_array_index (stations, EngStation, i);

    g_assert_cmpint (station->layer, >=, layer);
    g_assert_true (isfinite (station->length));
    layer = station->layer;
    n_entered += station->stage == ENG_STAGE_STATES;
    n_left += station->stage == ENG_STAGE_LEFT;
    if (station->stage != ENG_STAGE_NORM)
      g_assert_cmpfloat (station->before, ==, -1);
    else if (station->part >= ENG_PART_OTHER && station->part <= ENG_PART_FEED_FORWARD)
      n_made += check_before (stations, i);
    if (station->stage == ENG_STAGE_STATES)
      g_assert_cmpfloat_with_epsilon (station->length,
                                      get_state_length (trace, kind, layer, token), 1e-9);
    if (station->stage == ENG_STAGE_LEFT)
      g_assert_cmpfloat_with_epsilon (station->length,
                                      get_state_length (trace, kind, layer + 1, token),
                                      1e-9);
  }
  g_assert_cmpint (n_entered, ==, eng_trace_get_n_layers (trace, kind));
  g_assert_cmpint (n_left, ==, n_entered);

  return n_made;
}

/* The candidates of a layer are the largest of the lens's logits, in their order. */
static gboolean
check_answers (EngModel *model,
               EngTrace *trace,
               EngTask   task,
               int       token)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngLayerAnswers) answers = NULL;

  if (!eng_model_get_spec (model)->heads[task].present
      || eng_model_get_spec (model)->heads[task].input != ENG_HEAD_TOKENS)
    return FALSE;
  answers = eng_layer_answers_new (model, trace, task, token, 4, NULL, &error);
  g_assert_no_error (error);
  for (int layer = 0; layer < answers->n_layers; layer++) {
    g_autofree float *logits = eng_lens_read (model, trace, task, layer, &error);
    EngMatrix own;
    const int *positions;
    int row = 0;

    g_assert_no_error (error);
    eng_trace_get_logits (trace, task, &own, &positions);
    while (positions[row] != token)
      row++;
    for (int i = 0; i < answers->n_candidates; i++) {
      const EngCandidate *candidate = &answers->candidates[layer * answers->n_candidates + i];
      int n_better = 0;

      g_assert_cmpfloat_with_epsilon (candidate->logit,
                                      (double) logits[row * own.cols + candidate->index], 1e-4);
      for (int c = 0; c < own.cols; c++)
        n_better += (double) logits[row * own.cols + c] > candidate->logit + 1e-4;
      g_assert_cmpint (n_better, <=, i);
    }
  }

  return TRUE;
}

static void
test_random_specs (void)
{
  int n_answers = 0, n_made = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed;
    EngSpec spec;
    g_autoptr (EngModel) model = NULL;
    g_autoptr (EngTokens) tokens = NULL;
    g_autoptr (EngTokens) decoder_tokens = NULL;
    g_autoptr (EngTrace) trace = NULL;
    EngKind last;

    test_random_spec (&spec, &state);
    model = test_random_model_new (&spec, seed, NULL);
    tokens = test_random_tokens_new (&spec, 6, seed);
    if (eng_spec_has_cross (&spec))
      decoder_tokens = test_random_stack_tokens_new (&spec, ENG_KIND_DECODER, 5, seed);
    trace = test_run_stacks (model, tokens, decoder_tokens, NULL, 0);
    last = eng_spec_get_last_kind (&spec);
    for (int kind = 0; kind < ENG_N_STACKS; kind++)
      if (eng_trace_has_kind (trace, (EngKind) kind))
        n_made += check_stations (model, trace, (EngKind) kind, (int) seed % 5);
    g_assert_true (eng_trace_has_kind (trace, last));
    n_answers += check_answers (model, trace, ENG_TASK_FILL_MASK, (int) seed % 5);
    n_answers += check_answers (model, trace, ENG_TASK_LANGUAGE_MODEL, (int) seed % 5);
  }
  g_assert_cmpint (n_answers, >, 10);
  g_assert_cmpint (n_made, >, 10);
}

/* A token beside itself, and beside another whose states are known. */
static void
test_states (void)
{
  const float a[] = { 3, 4, 0 }, b[] = { 4, -3, 1 };
  EngSpec spec;
  guint32 state = 8;
  g_autoptr (EngModel) model = NULL;
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngTrace) trace = NULL;
  double values[64];

  g_assert_cmpfloat_with_epsilon (eng_states_measure (ENG_STATES_LENGTH, a, b, 3), 5, 1e-12);
  g_assert_cmpfloat_with_epsilon (eng_states_measure (ENG_STATES_DOT, a, b, 3), 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (eng_states_measure (ENG_STATES_DISTANCE, a, b, 3), 7, 1e-12);
  g_assert_cmpfloat_with_epsilon (eng_states_measure (ENG_STATES_COSINE, a, b, 2), 0, 1e-12);
  do
    test_random_spec (&spec, &state);
  while (eng_spec_has_cross (&spec));
  model = test_random_model_new (&spec, 2, NULL);
  tokens = test_random_tokens_new (&spec, 6, 2);
  trace = test_run (model, tokens, NULL, 0);

  EngStatesToken first = { trace, eng_spec_get_first_kind (&spec), 2 }, second = first;
  int n = eng_states_compare (ENG_STATES_COSINE, &first, &first, values);

  g_assert_cmpint (n, ==, eng_trace_get_n_layers (trace, first.kind) + 1);
  for (int i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (values[i], 1, 1e-9);
  second.token = 3;
  g_assert_cmpint (eng_states_compare (ENG_STATES_COSINE, &first, &second, values), ==, n);
  g_assert_cmpfloat (values[n - 1], <, 0.9999);
  second.token = 6;
  g_assert_cmpint (eng_states_compare (ENG_STATES_COSINE, &first, &second, values), ==, 0);
}

static void
test_refuses (void)
{
  EngSpec spec;
  guint32 state = 5;
  gint cancel = 1;

  do
    test_random_spec (&spec, &state);
  while (eng_spec_has_cross (&spec));

  g_autoptr (EngModel) model = test_random_model_new (&spec, 3, NULL);
  g_autoptr (EngTokens) tokens = test_random_tokens_new (&spec, 6, 4);
  g_autoptr (EngTrace) trace = test_run (model, tokens, NULL, 0);
  EngKind kind = eng_spec_get_first_kind (&spec);
  g_autoptr (GError) range = NULL;
  g_autoptr (GError) token = NULL;
  g_autoptr (GError) cancelled = NULL;

  g_assert_null (eng_stations_new (model, trace, kind, 6, NULL, &range));
  g_assert_error (range, ENG_ERROR, ENG_ERROR_RANGE);
  g_assert_null (eng_layer_answers_new (model, trace, ENG_TASK_FILL_MASK, -1, 3, NULL, &token));
  g_assert_error (token, ENG_ERROR, ENG_ERROR_RANGE);
  g_assert_null (eng_stations_new (model, trace, kind, 0, &cancel, &cancelled));
  g_assert_error (cancelled, ENG_ERROR, ENG_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stations/random-specs", test_random_specs);
  g_test_add_func ("/stations/states", test_states);
  g_test_add_func ("/stations/refuses", test_refuses);

  return g_test_run ();
}
