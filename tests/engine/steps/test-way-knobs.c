/* SPDX-License-Identifier: MIT */
/* Ways with knobs that are turned: every number against a naive way in double precision, and what they
 * leave against the pass with the edit that the knob becomes. */
#include "tests/engine/steps/way-case.h"

#include "tests/support/oracle/way-reference.h"

#define N_SPECS 200

/* Each by itself, then several together. */
static EngKnobs
draw_knobs (int           which,
            int           head_size,
            const guint8 *mask,
            guint32      *state)
{
  int turned = which < ENG_N_KNOBS ? 1 << which
    : test_random_range (state, 1, (1 << ENG_N_KNOBS) - 1);

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
  left_without = eng_way_get_numbers (without,
                                      eng_way_find (without, ENG_PART_END, ENG_NUMBERS_LEFT, 0));
  for (int i = 0; i < left->columns; i++)
    if (fabs ((double) (left->data[i] - left_without->data[i])) > 1e-3) {
      g_assert_true (which >= ENG_N_KNOBS
                     || (eng_way_get_useful_knobs (without) & 1 << which) != 0);
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
        n_acted[MIN (which, ENG_N_KNOBS)] += check_knobs (&one, (EngKind) kind, which, &state,
                                                          worst);
    case_clear (&one);
  }
  for (int i = 0; i <= ENG_N_KNOBS; i++)
    g_assert_cmpint (n_acted[i], >, 2);
  g_test_message ("largest difference %.3f tolerances to the reference, %.3f to the sources",
                  worst[0],
                  worst[1]);
}

/* Whether a knob and its edit are the same: heads that share keys, and a norm over all heads, keep them
 * apart, as what crosses keeps those that it does not know. */
static gboolean
is_fed_alike (const Case          *self,
              const EngWayRequest *request,
              EngKnob              knob)
{
  gboolean crosses = request->kind == ENG_KIND_CROSS;
  EngKind stack = crosses ? ENG_KIND_DECODER : request->kind;
  const EngAttentionSpec *heads =
    &eng_stack_spec_get_layer (&self->spec.stacks[stack], request->layer)->self;
  gboolean shared = heads->n_kv_heads != heads->n_heads;

  switch (knob) {
  case ENG_KNOB_PROJECTIONS:
    return !crosses && !shared && heads->qk_norm != ENG_QK_NORM_ALL;
  case ENG_KNOB_DIMENSION:
    return crosses || !shared;
  case ENG_KNOB_POSITIONS:
  case ENG_KNOB_SEGMENTS:
    return !crosses;
  default:
    return request->knobs.mask != ENG_KNOB_MASK_OWN && eng_knobs_are_turned (&request->knobs);
  }
}

/* The edits that the knobs of a request become. */
static EngEdit
make_fed_edit (const Case          *self,
               const EngWayRequest *request)
{
  gboolean whole;
  g_auto (GStrv) texts = eng_knobs_to_edits (&request->knobs, request->kind,
                                             eng_spec_get_first_kind (&self->spec), request->layer,
                                             request->head, &whole);
  g_autoptr (GError) error = NULL;
  EngEdit edit;

  g_assert_true (whole);
  g_assert_cmpuint (g_strv_length (texts), ==, 1);
  g_assert_true (eng_edit_parse (texts[0], &edit, &error));
  g_assert_no_error (error);

  return edit;
}

/* What a knob leaves of the token is what the pass with the edit has behind the layer. Positions and
 * segments that enter are those of the first layer. */
static gboolean
check_fed (const Case *self,
           EngKind     kind,
           EngKnob     knob,
           guint32    *state)
{
  EngKind stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  EngWayRequest request = draw_request (self, kind, state);
  EngMatrix queries, left;
  EngEdit edit;
  g_autoptr (EngWay) way = NULL;
  g_autoptr (EngTrace) fed = NULL;
  const EngNumbers *shown;

  eng_trace_get_queries (self->trace, kind, request.layer, request.head, &queries);
  request.knobs = draw_knobs ((int) knob, queries.cols, NULL, state);
  request.layer = knob == ENG_KNOB_SEGMENTS ? 0 : request.layer;
  if (!is_fed_alike (self, &request, knob))
    return FALSE;
  edit = make_fed_edit (self, &request);
  way = make (self, &request);
  fed = test_run_stacks (self->model, self->tokens, self->decoder_tokens, &edit, 1);
  shown = eng_way_get_numbers (way, eng_way_find (way, ENG_PART_END, ENG_NUMBERS_LEFT, 0));
  g_assert_true (eng_trace_get_hidden_states (fed, stack, request.layer + 1, &left));
  for (int i = 0; i < shown->columns; i++) {
    double expected = left.data[request.query * left.stride + i];

    g_assert_cmpfloat_with_epsilon ((double) shown->data[i], expected,
                                    2e-5 * fmax (1, fabs (expected)));
  }

  return TRUE;
}

static void
test_fed (void)
{
  int n_checked[ENG_N_KNOBS] = { 0 };

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed;
    Case one;

    case_init (&one, seed, FALSE);
    for (int kind = 0; kind < ENG_N_KINDS; kind++)
      for (int knob = 0; knob < ENG_N_KNOBS && eng_trace_has_kind (one.trace, (EngKind) kind); knob++)
        n_checked[knob] += check_fed (&one, (EngKind) kind, (EngKnob) knob, &state);
    case_clear (&one);
  }
  for (int knob = 0; knob < ENG_N_KNOBS; knob++)
    g_assert_cmpint (n_checked[knob], >, 20);
}

/* What a way with a knob calls the model's before the change is as without it. Returns whether
 * something was the model's and something not. */
static gboolean
check_unchanged (const Case *self,
                 EngKind     kind,
                 EngKnob     knob,
                 guint32    *state)
{
  EngWayRequest request = draw_request (self, kind, state);
  g_autoptr (EngWay) plain = make (self, &request);
  g_autoptr (EngWay) turned = NULL;
  EngMatrix queries;
  int stage = 0;

  eng_trace_get_queries (self->trace, kind, request.layer, request.head, &queries);
  request.knobs = draw_knobs ((int) knob, queries.cols, NULL, state);
  if (request.knobs.mask == ENG_KNOB_MASK_OWN || !eng_knobs_are_turned (&request.knobs))
    return FALSE;
  turned = make (self, &request);
  for (; eng_way_get_stage (turned, stage)->is_models; stage++) {
    const EngStage *of = eng_way_get_stage (turned, stage);

    if (of->part > ENG_PART_ATTENTION)
      break;
    g_assert_cmpint (of->id, ==, eng_way_get_stage (plain, stage)->id);
    g_assert_cmpint (of->n, ==, eng_way_get_stage (plain, stage)->n);
    for (int i = of->first; i < of->first + of->n; i++) {
      const EngNumbers *a = eng_way_get_numbers (turned, i), *b = eng_way_get_numbers (plain, i);
      int row = eng_way_get_own_row (turned, i), other = eng_way_get_own_row (plain, i);

      for (int column = 0; column < a->columns && isfinite (eng_numbers_get (b, other, column));
           column++)
        g_assert_cmpfloat_with_epsilon (eng_numbers_get (a, row, column),
                                        eng_numbers_get (b, other, column),
                                        1e-5 * fmax (1, fabs (eng_numbers_get (b, other, column))));
    }
  }

  return stage > 0 && !eng_way_get_stage (turned, stage)->is_models;
}

static void
test_unchanged (void)
{
  int n_checked[ENG_N_KNOBS] = { 0 };

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed;
    Case one;

    case_init (&one, seed, FALSE);
    for (int kind = 0; kind < ENG_N_KINDS; kind++)
      for (int knob = 0; knob < ENG_N_KNOBS && eng_trace_has_kind (one.trace, (EngKind) kind); knob++)
        n_checked[knob] += check_unchanged (&one, (EngKind) kind, (EngKnob) knob, &state);
    case_clear (&one);
  }
  for (int knob = 0; knob < ENG_N_KNOBS; knob++)
    if (knob != ENG_KNOB_SEGMENTS)
      g_assert_cmpint (n_checked[knob], >, 20);
}

/* What has no edit is said. */
static void
test_unfed (void)
{
  const EngKnobs own = { .mask = ENG_KNOB_MASK_OWN, .temperature = 2 };
  const EngKnobs off = { .projections_off = TRUE };
  gboolean whole;
  g_auto (GStrv) texts = eng_knobs_to_edits (&own, ENG_KIND_DECODER, ENG_KIND_ENCODER, 1, 2, &whole);
  g_auto (GStrv) none = NULL;

  g_assert_false (whole);
  g_assert_cmpstr (texts[0], ==, "temperature decoder 1.2 2");
  g_assert_null (texts[1]);
  none = eng_knobs_to_edits (&off, ENG_KIND_CROSS, ENG_KIND_ENCODER, 1, 2, &whole);
  g_assert_false (whole);
  g_assert_null (none[0]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/way/knobs", test_knobs);
  g_test_add_func ("/way/fed", test_fed);
  g_test_add_func ("/way/unchanged", test_unchanged);
  g_test_add_func ("/way/unfed", test_unfed);

  return g_test_run ();
}
