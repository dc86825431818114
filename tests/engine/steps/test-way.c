/* SPDX-License-Identifier: MIT */
/* Ways over random architectures: every number of every stage against a naive way in double
 * precision, against the trace bit by bit, and against itself worked out from its sources; a number
 * that was changed is found. */
#include "engine/steps/make.h"

#include <math.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/transformer/inputs.h"
#include "tests/support/oracle/way-reference.h"
#include "tests/support/random-model.h"

#define N_SPECS 200

typedef struct {
  EngSpec    spec;
  EngWeights *weights;
  EngModel  *model;
  EngTokens *tokens;
  EngTokens *decoder_tokens;
  EngEdit    edits[3];
  int        n_edits;
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

/* An edit of a head or a sub-layer of the stack that reads A. */
static EngEdit
make_edit (const EngSpec *spec,
           int            n,
           guint32       *state)
{
  const EngStackSpec *stack = &spec->stacks[eng_spec_get_first_kind (spec)];

  return (EngEdit) {
    .type = test_random_range (state, ENG_EDIT_SCALE_HEAD, ENG_EDIT_SKIP_FEED_FORWARD),
    .layer = test_random_range (state, 0, stack->n_layers - 1),
    .head = test_random_range (state, ENG_ALL_HEADS, eng_stack_spec_get_heads (stack)->n_heads - 1),
    .query = test_random_range (state, 0, n - 1),
    .key = test_random_range (state, 0, n - 1),
    .factor = test_random_range (state, 0, 3) * 0.5f,
    .renormalise = test_random_range (state, 0, 1),
    .kind = ENG_KIND_NOT_SAID,
  };
}

static void
case_init (Case    *self,
           guint32  seed,
           gboolean edited)
{
  guint32 state = seed * 2654435761u + 1;
  int n;

  *self = (Case) { 0 };
  test_random_spec (&self->spec, &state);
  self->model = test_random_model_new (&self->spec, seed, &self->weights);
  n = test_random_range (&state, 1, 14);
  self->tokens = test_random_tokens_new (&self->spec, n, seed + 1);
  if (eng_spec_has_cross (&self->spec))
    self->decoder_tokens = test_random_stack_tokens_new (&self->spec, ENG_KIND_DECODER,
                                                         test_random_range (&state, 1, 11), seed + 2);
  for (int i = n - test_random_range (&state, 0, n / 2); i < n && seed % 2 == 0; i++)
    test_set_padding (&self->spec, self->tokens, i);
  self->n_edits = edited ? test_random_range (&state, 1, 3) : 0;
  for (int i = 0; i < self->n_edits; i++)
    self->edits[i] = make_edit (&self->spec, n, &state);
  self->trace = test_run_stacks (self->model, self->tokens, self->decoder_tokens, self->edits,
                                 self->n_edits);
}

static EngWayRequest
draw_request (const Case *self,
              EngKind     kind,
              guint32    *state)
{
  return (EngWayRequest) {
    .kind = kind,
    .layer = test_random_range (state, 0, eng_trace_get_n_layers (self->trace, kind) - 1),
    .head = test_random_range (state, 0, eng_trace_get_n_heads (self->trace, kind) - 1),
    .query = test_random_range (state, 0, eng_trace_get_n_queries (self->trace, kind) - 1),
    .task = ENG_WAY_ANY_TASK,
  };
}

static EngWay *
make (const Case          *self,
      const EngWayRequest *request)
{
  g_autoptr (GError) error = NULL;
  EngWay *way = eng_way_new (self->model, self->trace, request, &error);

  g_assert_no_error (error);

  return way;
}

/* Some cells of large numbers, all of small ones. */
static int
find_disagreement (EngWay *way,
                   double *worst)
{
  for (int i = 0; i < eng_way_get_n_numbers (way); i++) {
    const EngNumbers *shown = eng_way_get_numbers (way, i);
    int step = 1 + shown->rows * shown->columns / 400;

    for (int cell = 0; cell < shown->rows * shown->columns; cell += step) {
      EngWayCheck check;

      if (!eng_way_check (way, i, cell / shown->columns, cell % shown->columns, &check))
        continue;
      if (!check.agrees)
        return i;
      *worst = fmax (*worst, check.difference / check.tolerance);
    }
  }

  return -1;
}

static void
assert_agrees (EngWay *way,
               double *worst)
{
  int found = find_disagreement (way, worst);

  if (found >= 0)
    g_error ("%s of stage %s does not agree with its sources", eng_way_get_numbers (way, found)->name,
             eng_way_get_stage (way, eng_way_get_numbers (way, found)->stage)->name);
}

static void
assert_same (EngWay          *way,
             EngWayPart       part,
             EngNumbersId     id,
             const EngMatrix *matrix,
             int              first_row)
{
  int last = -1;

  for (int i = eng_way_find (way, part, id, 0); i >= 0;) {
    last = i;
    i = eng_way_find (way, part, id, eng_way_get_numbers (way, i)->stage + 1);
  }
  g_assert_cmpint (last, >=, 0);

  const EngNumbers *shown = eng_way_get_numbers (way, last);

  g_assert_cmpint (shown->columns, ==, matrix->cols);
  for (int row = 0; row < shown->rows; row++)
    g_assert_cmpmem (shown->data + (gsize) row * shown->stride, shown->columns * sizeof (float),
                     matrix->data + (gsize) (first_row + row) * matrix->stride,
                     matrix->cols * sizeof (float));
}

/* What the trace has is shown bit by bit. */
static void
assert_is_trace (const Case *self,
                 EngWay     *way)
{
  EngKind kind = eng_way_get_kind (way), stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  int layer = eng_way_get_layer (way), head = eng_way_get_head (way), query = eng_way_get_query (way);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (self->trace, kind, layer);
  gsize n_cells = (gsize) attention->n_queries * attention->n_keys;
  gboolean edited = eng_way_find (way, ENG_PART_ATTENTION, ENG_NUMBERS_EDITED, 0) >= 0;
  EngMatrix matrix = { attention->weights + head * n_cells, attention->n_queries, attention->n_keys,
                       (gsize) attention->n_keys };

  assert_same (way, ENG_PART_ATTENTION, edited ? ENG_NUMBERS_EDITED : ENG_NUMBERS_WEIGHTS, &matrix, 0);
  g_assert_true (eng_trace_get_queries (self->trace, kind, layer, head, &matrix));
  assert_same (way, ENG_PART_ATTENTION, ENG_NUMBERS_QUERIES, &matrix, 0);
  g_assert_true (eng_trace_get_keys (self->trace, kind, layer, head, &matrix));
  assert_same (way, ENG_PART_ATTENTION, ENG_NUMBERS_KEYS, &matrix, 0);
  g_assert_true (eng_trace_get_values (self->trace, kind, layer, head, &matrix));
  assert_same (way, ENG_PART_ATTENTION, ENG_NUMBERS_VALUES, &matrix, 0);
  g_assert_true (eng_trace_get_hidden_states (self->trace, stack, layer, &matrix));
  assert_same (way, kind == ENG_KIND_CROSS ? ENG_PART_OTHER : ENG_PART_ATTENTION, ENG_NUMBERS_STATES,
               &matrix, 0);
  g_assert_true (eng_trace_get_hidden_states (self->trace, stack, layer + 1, &matrix));
  assert_same (way, ENG_PART_END, ENG_NUMBERS_LEFT, &matrix, query);
}

static gboolean shown_stages[ENG_STAGE_ANSWER + 1];

static void
check_specs (gboolean edited)
{
  double worst = 0, worst_check = 0;
  int n_stages = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed;
    Case one;

    case_init (&one, seed, edited);
    for (int kind = 0; kind < ENG_N_KINDS; kind++) {
      EngWayRequest request;
      g_autoptr (EngWay) way = NULL;

      if (!eng_trace_has_kind (one.trace, (EngKind) kind))
        continue;
      request = draw_request (&one, (EngKind) kind, &state);
      way = make (&one, &request);
      worst = fmax (worst, way_reference_compare (way, &one.spec, one.weights, one.tokens,
                                                  one.decoder_tokens, one.edits, one.n_edits, NULL, one.trace));
      assert_agrees (way, &worst_check);
      assert_is_trace (&one, way);
      for (int i = 0; i < eng_way_get_n_stages (way); i++)
        shown_stages[eng_way_get_stage (way, i)->id] = TRUE;
      n_stages += eng_way_get_n_stages (way);
    }
    case_clear (&one);
  }
  g_test_message ("%d stages, largest difference %.3f tolerances to the reference, %.3f to the sources",
                  n_stages, worst, worst_check);
}

static void
test_random_specs (void)
{
  check_specs (FALSE);
}

/* Each stage that there is without knobs was compared. */
static void
test_random_edits (void)
{
  check_specs (TRUE);
  for (int id = 0; id <= ENG_STAGE_ANSWER; id++)
    g_assert_cmpint (shown_stages[id], ==, id != ENG_STAGE_ZEROED && id != ENG_STAGE_TEMPERATURE);
}

/* Each by itself, then several together. */
static EngKnobs
draw_knobs (int           which,
            int           head_size,
            const guint8 *mask,
            guint32      *state)
{
  int turned = which < ENG_N_KNOBS ? 1 << which : test_random_range (state, 1, (1 << ENG_N_KNOBS) - 1);

  return (EngKnobs) {
    .has_scale = (turned & 1 << ENG_KNOB_SCALE) != 0,
    .scale = test_random_range (state, 0, 1) ? 1 : 0.3,
    .temperature = turned & 1 << ENG_KNOB_TEMPERATURE ? test_random_range (state, 1, 8) * 0.45 : 0,
    .mask = turned & 1 << ENG_KNOB_MASK
            ? (EngKnobMask) test_random_range (state, ENG_KNOB_MASK_NONE, ENG_KNOB_MASK_OWN)
            : ENG_KNOB_MASK_MODELS,
    .own_mask = mask,
    .projections_off = (turned & 1 << ENG_KNOB_PROJECTIONS) != 0,
    .zeroes = (turned & 1 << ENG_KNOB_DIMENSION) != 0,
    .dimension = test_random_range (state, 0, head_size - 1),
    .positions_off = (turned & 1 << ENG_KNOB_POSITIONS) != 0,
    .segments_off = (turned & 1 << ENG_KNOB_SEGMENTS) != 0,
  };
}

/* FALSE where the way is that without knobs. */
static gboolean
check_knobs (const Case *self,
             EngKind     kind,
             int         which,
             guint32    *state,
             double     *worst)
{
  EngWayRequest request = draw_request (self, kind, state), plain;
  guint8 mask[64 * 64];
  EngMatrix queries;
  g_autoptr (EngWay) way = NULL;
  g_autoptr (EngWay) without = NULL;
  const EngNumbers *left, *left_without;

  for (gsize i = 0; i < sizeof mask; i++)
    mask[i] = test_random_range (state, 0, 2) > 0;
  eng_trace_get_queries (self->trace, kind, request.layer, request.head, &queries);
  if (which >= ENG_KNOB_POSITIONS)
    request.layer = test_random_range (state, 0, 1) ? 0 : request.layer;
  plain = request;
  request.knobs = draw_knobs (which, queries.cols, mask, state);
  way = make (self, &request);
  without = make (self, &plain);
  g_assert_true (eng_way_is_what_if (way));
  worst[0] = fmax (worst[0], way_reference_compare (way, &self->spec, self->weights, self->tokens,
                                                    self->decoder_tokens, NULL, 0, &request.knobs,
                                                    self->trace));
  assert_agrees (way, &worst[1]);
  left = eng_way_get_numbers (way, eng_way_find (way, ENG_PART_END, ENG_NUMBERS_LEFT, 0));
  left_without = eng_way_get_numbers (without, eng_way_find (without, ENG_PART_END, ENG_NUMBERS_LEFT, 0));
  for (int i = 0; i < left->columns; i++)
    if (fabs ((double) (left->data[i] - left_without->data[i])) > 1e-3) {
      g_assert_true (which >= ENG_N_KNOBS || (eng_way_get_useful_knobs (without) & 1 << which) != 0);
      return TRUE;
    }

  return FALSE;
}

static void
test_knobs (void)
{
  double worst[2] = { 0 };
  int n_acted[ENG_N_KNOBS + 1] = { 0 };

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed;
    int which = (int) seed % (ENG_N_KNOBS + 2);
    Case one;

    case_init (&one, seed, FALSE);
    for (int kind = 0; kind < ENG_N_KINDS; kind++)
      if (eng_trace_has_kind (one.trace, (EngKind) kind))
        n_acted[MIN (which, ENG_N_KNOBS)] += check_knobs (&one, (EngKind) kind, which, &state, worst);
    case_clear (&one);
  }
  for (int i = 0; i <= ENG_N_KNOBS; i++)
    g_assert_cmpint (n_acted[i], >, 2);
  g_test_message ("largest difference %.3f tolerances to the reference, %.3f to the sources", worst[0],
                  worst[1]);
}

/* Numbers of a trace that somebody changed are found where they are, and nowhere before. */
static void
assert_finds (const Case          *self,
              const EngWayRequest *request,
              float               *number,
              float                by,
              EngNumbersId         id)
{
  float before = *number;
  double worst = 0;
  g_autoptr (EngWay) way = NULL;
  int found;

  *number += by;
  way = make (self, request);
  found = find_disagreement (way, &worst);
  g_assert_cmpint (found, >=, 0);
  g_assert_cmpint (eng_way_get_numbers (way, found)->id, ==, id);
  *number = before;
}

static void
test_corrupted (void)
{
  for (guint32 seed = 1; seed <= 40; seed++) {
    guint32 state = seed;
    Case one;
    EngKind kind;
    EngWayRequest request;
    EngMatrix queries, keys, values, states;
    g_autoptr (EngAttention) attention = NULL;
    float *weight;

    case_init (&one, seed, FALSE);
    kind = eng_trace_get_default_kind (one.trace);
    request = draw_request (&one, kind, &state);
    attention = eng_trace_dup_attention (one.trace, kind, request.layer);
    weight = (float *) attention->weights
             + ((gsize) request.head * attention->n_queries + request.query) * attention->n_keys;
    assert_finds (&one, &request, weight, 0.001f, ENG_NUMBERS_WEIGHTS);
    eng_trace_get_queries (one.trace, kind, request.layer, request.head, &queries);
    eng_trace_get_keys (one.trace, kind, request.layer, request.head, &keys);
    eng_trace_get_values (one.trace, kind, request.layer, request.head, &values);
    eng_trace_get_hidden_states (one.trace, kind, request.layer + 1, &states);
    assert_finds (&one, &request, (float *) queries.data + request.query * queries.stride, 0.01f,
                  ENG_NUMBERS_QUERIES);
    assert_finds (&one, &request, (float *) keys.data, 0.01f, ENG_NUMBERS_KEYS);
    assert_finds (&one, &request, (float *) values.data, 0.01f, ENG_NUMBERS_VALUES);
    assert_finds (&one, &request, (float *) states.data + request.query * states.stride, 0.01f,
                  ENG_NUMBERS_LEFT);
    case_clear (&one);
  }
}

/* The models that ship, whose states are larger than those of random ones, on a sentence. */
static void
test_bundled (gconstpointer data)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models", data, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  double worst = 0;

  g_assert_no_error (error);
  eng_inputs_from_texts (model, "The cat sat on the mat.", NULL, NULL, &inputs, &error);
  g_assert_no_error (error);
  trace = test_run_stacks (model, inputs.tokens, inputs.decoder_tokens, NULL, 0);
  for (int kind = 0; kind < ENG_N_KINDS; kind++)
    for (int layer = 0; layer < eng_trace_get_n_layers (trace, (EngKind) kind); layer++) {
      EngWayRequest request = { .kind = (EngKind) kind, .layer = layer, .task = ENG_WAY_ANY_TASK };
      g_autoptr (EngWay) way = NULL;
      const EngCandidate *candidates;
      int n, token;
      EngTask task;

      request.query = layer % eng_trace_get_n_queries (trace, (EngKind) kind);
      way = eng_way_new (model, trace, &request, &error);
      g_assert_no_error (error);
      assert_agrees (way, &worst);
      candidates = eng_way_get_candidates (way, &n, &task, &token);
      g_assert_cmpint (n, >, 1);
      for (int i = 1; i < n; i++)
        g_assert_cmpfloat (candidates[i].logit, <=, candidates[i - 1].logit);
    }
  g_test_message ("largest difference %.3f tolerances", worst);
}

static void
assert_refuses (const Case    *self,
                EngTrace      *trace,
                EngWayRequest  request,
                EngError       code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_way_new (self->model, trace, &request, &error));
  g_assert_error (error, ENG_ERROR, (int) code);
}

static void
test_refuses (void)
{
  Case one, other;
  EngKind kind;
  EngWayRequest request;
  gint cancel = 1;

  case_init (&one, 3, FALSE);
  case_init (&other, 4, FALSE);
  kind = eng_trace_get_default_kind (one.trace);
  request = (EngWayRequest) { .kind = kind, .task = ENG_WAY_ANY_TASK };
  assert_refuses (&one, other.trace, request, ENG_ERROR_MISSING);
  request.layer = 1000;
  assert_refuses (&one, one.trace, request, ENG_ERROR_RANGE);
  request = (EngWayRequest) { .kind = kind, .task = ENG_WAY_ANY_TASK, .head = -1 };
  assert_refuses (&one, one.trace, request, ENG_ERROR_RANGE);
  request = (EngWayRequest) { .kind = kind, .task = ENG_WAY_ANY_TASK, .query = one.tokens->n };
  assert_refuses (&one, one.trace, request, ENG_ERROR_RANGE);
  request = (EngWayRequest) { .kind = kind, .task = ENG_WAY_ANY_TASK, .knobs = { .zeroes = TRUE, .dimension = 5000 } };
  assert_refuses (&one, one.trace, request, ENG_ERROR_RANGE);
  request = (EngWayRequest) { .kind = kind, .task = ENG_WAY_ANY_TASK, .cancel = &cancel };
  assert_refuses (&one, one.trace, request, ENG_ERROR_CANCELLED);
  case_clear (&one);
  case_clear (&other);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/way/random-specs", test_random_specs);
  g_test_add_func ("/way/random-edits", test_random_edits);
  g_test_add_func ("/way/knobs", test_knobs);
  g_test_add_func ("/way/corrupted", test_corrupted);
  g_test_add_data_func ("/way/bundled/encoder", "headlight-mini", test_bundled);
  g_test_add_data_func ("/way/bundled/causal", "headlight-causal", test_bundled);
  g_test_add_data_func ("/way/bundled/translator", "headlight-en-fr", test_bundled);
  g_test_add_func ("/way/refuses", test_refuses);

  return g_test_run ();
}
