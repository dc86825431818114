/* SPDX-License-Identifier: MIT */
/* Ways with knobs that are turned: every number against a naive way in double precision, and what they
 * leave against the pass with the edit that the knob becomes. */
#include "tests/engine/steps/way-case.h"

#include "tests/support/oracle/oracle.h"
#include "tests/support/oracle/way-reference.h"

#define N_SPECS 200

/* Links that a mask of one's own hides: a few here and there, or keys from every query. */
static GArray *
draw_links (int      n_queries,
            int      n_keys,
            guint32 *state)
{
  GArray *links = g_array_new (FALSE, FALSE, sizeof (EngLinks));

  for (int i = test_random_range (state, 1, 4); i > 0; i--) {
    EngLinks some = {
      .query = test_random_range (state, 0, n_queries - 1),
      .key = test_random_range (state, 0, n_keys - 1),
    };

    some.n_more_queries = test_random_range (state, 0, n_queries - 1 - some.query);
    some.n_more_keys = test_random_range (state, 0, (n_keys - 1 - some.key) / 2);
    if (test_random_range (state, 0, 2) == 0)
      some.query = ENG_ALL_TOKENS;
    g_array_append_val (links, some);
  }

  return links;
}

/* Each by itself, then several together. hidden: links of a mask of one's own, in every other mask,
 * beside the model's then or another. */
static EngKnobs
draw_knobs (int           which,
            int           head_size,
            const GArray *hidden,
            guint32      *state)
{
  int turned = which < ENG_N_KNOBS ? 1 << which
    : test_random_range (state, 1, (1 << ENG_N_KNOBS) - 1);
  gboolean masks = (turned & 1 << ENG_KNOB_MASK) != 0;
  gboolean hides = masks && test_random_range (state, 0, 1);

  return (EngKnobs) {
    .has_scale = (turned & 1 << ENG_KNOB_SCALE) != 0,
    .scale = test_random_range (state, 0, 1) ? 1 : 0.3,
    .temperature = turned & 1 << ENG_KNOB_TEMPERATURE ? test_random_range (state, 1, 8) * 0.45 : 0,
    .mask = masks ? (EngKnobMask) test_random_range (state, hides ? ENG_KNOB_MASK_MODELS
                                                                  : ENG_KNOB_MASK_NONE,
                                                     ENG_KNOB_MASK_PADDING)
                  : ENG_KNOB_MASK_MODELS,
    .hidden = hides ? hidden : NULL,
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
  EngMatrix queries;
  g_autoptr (EngWay) way = NULL;
  g_autoptr (EngWay) without = NULL;
  const EngNumbers *left, *left_without;
  g_autoptr (GArray) hidden = draw_links (eng_trace_get_n_queries (self->trace, kind),
                                          eng_trace_get_n_keys (self->trace, kind), state);

  eng_trace_get_queries (self->trace, kind, request.layer, request.head, &queries);
  if (which >= ENG_KNOB_POSITIONS)
    request.layer = test_random_range (state, 0, 1) ? 0 : request.layer;
  plain = request;
  request.knobs = draw_knobs (which, queries.cols, hidden, state);
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

/* (transfer full) The edits that the knobs of a request become, read as they are printed. */
static GArray *
make_fed_edits (const Case          *self,
                const EngWayRequest *request)
{
  g_auto (GStrv) texts = eng_knobs_to_edits (&request->knobs, request->kind,
                                             eng_spec_get_first_kind (&self->spec), request->layer,
                                             request->head);
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (EngEdit));

  for (int i = 0; texts[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    EngEdit edit;

    g_assert_true (eng_edit_parse (texts[i], &edit, &error));
    g_assert_no_error (error);
    g_array_append_val (edits, edit);
  }

  return edits;
}

static void
assert_near (double found,
             double expected)
{
  g_assert_cmpfloat_with_epsilon (found, expected, 2e-5 * fmax (1, fabs (expected)));
}

/* What the token leaves the layer with is what the pass with the edits has there. */
static void
assert_leaves (EngWay              *way,
               EngTrace            *fed,
               EngKind              stack,
               const EngWayRequest *request)
{
  const EngNumbers *shown =
    eng_way_get_numbers (way, eng_way_find (way, ENG_PART_END, ENG_NUMBERS_LEFT, 0));
  EngMatrix left;

  g_assert_true (eng_trace_get_hidden_states (fed, stack, request->layer + 1, &left));
  for (int i = 0; i < shown->columns; i++)
    assert_near ((double) shown->data[i], (double) left.data[request->query * left.stride + i]);
}

/* What the token's head weighs and reads, before and after it was fed forward: the way with its
 * knob, the pass with the edits and the oracle with them, whose sums are of double numbers. */
static void
assert_head (const Case          *self,
             EngWay              *way,
             EngTrace            *fed,
             const EngWayRequest *request,
             const GArray        *edits)
{
  g_autoptr (Oracle) oracle = oracle_run (&self->spec, self->weights, self->tokens,
                                          self->decoder_tokens, (const EngEdit *) edits->data,
                                          (int) edits->len);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (fed, request->kind, request->layer);
  const OracleBlock *block = &oracle->blocks[request->kind];
  int n = block->n_keys, d = block->head_size;
  int kv_head = request->head / (block->n_heads / block->n_kv_heads);
  gsize row = (gsize) request->head * block->n_queries + request->query;
  const double *expected = block->attention + (gsize) request->layer * block->n_heads
                                              * block->n_queries * n + row * n;
  int weights = eng_way_find (way, ENG_PART_ATTENTION, ENG_NUMBERS_WEIGHTS, 0);
  int read = eng_way_find (way, ENG_PART_ATTENTION, ENG_NUMBERS_READ, 0);
  const guint8 *mask = eng_attention_get_mask (attention, request->head, request->query);

  for (int key = 0; key < n; key++) {
    assert_near (eng_numbers_get (eng_way_get_numbers (way, weights),
                                  eng_way_get_own_row (way, weights), key), expected[key]);
    assert_near ((double) attention->weights[row * (gsize) n + (gsize) key], expected[key]);
  }
  for (int i = 0; i < d; i++) {
    double sum = 0;

    for (int key = 0; key < n; key++)
      sum += (mask != NULL ? mask[key] : 1) * expected[key]
             * block->values[(((gsize) request->layer * n + key) * block->n_kv_heads + kv_head) * d
                             + i];
    assert_near (eng_numbers_get (eng_way_get_numbers (way, read),
                                  eng_way_get_own_row (way, read), i), sum);
  }
}

/* Counts what was compared: heads whose attention turns, shares keys, norms queries of all heads, or
 * has none of it. */
typedef enum { SORT_PLAIN, SORT_TURNS, SORT_SHARES, SORT_NORMS, N_SORTS } Sort;

static Sort
get_sort (const EngAttentionSpec *heads)
{
  return heads->qk_norm == ENG_QK_NORM_ALL ? SORT_NORMS
         : heads->n_kv_heads != heads->n_heads ? SORT_SHARES
         : heads->rotary.size > 0 ? SORT_TURNS : SORT_PLAIN;
}

/* Positions and segments that enter are those of the first layer, and none of what crosses. */
static void
check_fed (const Case *self,
           EngKind     kind,
           EngKnob     knob,
           guint32    *state,
           int         n_checked[ENG_N_KINDS][N_SORTS])
{
  EngKind stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  EngWayRequest request = draw_request (self, kind, state);
  const EngLayerSpec *layer = eng_stack_spec_get_layer (&self->spec.stacks[stack], request.layer);
  const EngAttentionSpec *heads = kind == ENG_KIND_CROSS ? &layer->cross : &layer->self;
  EngMatrix queries;
  g_autoptr (GArray) hidden = draw_links (eng_trace_get_n_queries (self->trace, kind),
                                          eng_trace_get_n_keys (self->trace, kind), state);
  g_autoptr (GArray) edits = NULL;
  g_autoptr (EngWay) way = NULL;
  g_autoptr (EngTrace) fed = NULL;

  eng_trace_get_queries (self->trace, kind, request.layer, request.head, &queries);
  request.knobs = draw_knobs ((int) knob, queries.cols, hidden, state);
  request.layer = knob == ENG_KNOB_SEGMENTS ? 0 : request.layer;
  edits = make_fed_edits (self, &request);
  if (kind == ENG_KIND_CROSS && (knob == ENG_KNOB_POSITIONS || knob == ENG_KNOB_SEGMENTS))
    g_assert_cmpuint (edits->len, ==, 0);
  else
    g_assert_cmpint (edits->len > 0, ==, eng_knobs_are_turned (&request.knobs));
  if (edits->len == 0)
    return;
  way = make (self, &request);
  fed = test_run_stacks (self->model, self->tokens, self->decoder_tokens,
                         (const EngEdit *) edits->data, (int) edits->len);
  assert_head (self, way, fed, &request, edits);
  assert_leaves (way, fed, stack, &request);
  n_checked[kind][get_sort (heads)]++;
}

static void
test_fed (void)
{
  int n_checked[ENG_N_KNOBS][ENG_N_KINDS][N_SORTS] = { 0 };

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    guint32 state = seed;
    Case one;

    case_init (&one, seed, FALSE);
    for (int kind = 0; kind < ENG_N_KINDS; kind++)
      for (int knob = 0; knob < ENG_N_KNOBS && eng_trace_has_kind (one.trace, (EngKind) kind); knob++)
        check_fed (&one, (EngKind) kind, (EngKnob) knob, &state, n_checked[knob]);
    case_clear (&one);
  }
  for (int knob = 0; knob < ENG_N_KNOBS; knob++) {
    for (int sort = 0; sort < N_SORTS; sort++) {
      g_assert_cmpint (n_checked[knob][ENG_KIND_ENCODER][sort], >, 2);
      g_assert_cmpint (n_checked[knob][ENG_KIND_DECODER][sort], >, 2);
    }
    if (knob != ENG_KNOB_POSITIONS && knob != ENG_KNOB_SEGMENTS)
      g_assert_cmpint (n_checked[knob][ENG_KIND_CROSS][SORT_PLAIN], >, 5);
  }
}

/* Both rows are the same, and sum to 1 where any key is left. */
static void
assert_sums (EngWay              *way,
             EngTrace            *fed,
             const EngWayRequest *request)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (fed, request->kind, request->layer);
  int weights = eng_way_find (way, ENG_PART_ATTENTION, ENG_NUMBERS_WEIGHTS, 0);
  int readings = eng_way_find (way, ENG_PART_ATTENTION, ENG_NUMBERS_READINGS, 0);
  int row = eng_way_get_own_row (way, weights), n = attention->n_keys;
  double sum = 0, n_read = 0;

  for (int key = 0; key < n; key++) {
    double weight = eng_numbers_get (eng_way_get_numbers (way, weights), row, key);
    double times = eng_numbers_get (eng_way_get_numbers (way, readings), row, key);

    assert_near (weight, (double) attention->weights[((gsize) request->head * attention->n_queries
                                                      + request->query) * n + key]);
    sum += times * weight;
    n_read += times;
  }
  g_assert_cmpfloat_with_epsilon (sum, n_read > 0 ? 1 : 0, 1e-5);
}

/* A key that has all of a row's weight but what no float holds is hidden: the others share the row,
 * as they do behind a mask. */
static void
test_hides_all_weight (void)
{
  for (guint32 seed = 1; seed <= N_SPECS / 10; seed++) {
    guint32 state = seed;
    EngLinks links = { .query = ENG_ALL_TOKENS };
    g_autoptr (GArray) hidden = g_array_new (FALSE, FALSE, sizeof (EngLinks));
    g_autoptr (GArray) edits = NULL;
    g_autoptr (EngWay) way = NULL;
    g_autoptr (EngTrace) fed = NULL;
    EngWayRequest request;
    Case one;

    case_init (&one, seed, FALSE);
    request = draw_request (&one, eng_trace_get_default_kind (one.trace), &state);
    links.key = test_random_range (&state, 0, one.tokens->n - 1);
    g_array_append_val (hidden, links);
    request.knobs = (EngKnobs) { .has_scale = TRUE, .scale = 300, .hidden = hidden };
    edits = make_fed_edits (&one, &request);
    g_assert_cmpuint (edits->len, ==, 2);
    way = make (&one, &request);
    fed = test_run_stacks (one.model, one.tokens, one.decoder_tokens,
                           (const EngEdit *) edits->data, (int) edits->len);
    assert_sums (way, fed, &request);
    case_clear (&one);
  }
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
  g_autoptr (GArray) hidden = draw_links (eng_trace_get_n_queries (self->trace, kind),
                                          eng_trace_get_n_keys (self->trace, kind), state);
  int stage = 0;

  eng_trace_get_queries (self->trace, kind, request.layer, request.head, &queries);
  request.knobs = draw_knobs ((int) knob, queries.cols, hidden, state);
  if (!eng_knobs_are_turned (&request.knobs))
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

/* Hidden links become cuts, in the words that somebody types. */
static void
test_fed_words (void)
{
  g_autoptr (GArray) hidden = eng_links_parse ("*:3,4-6:0");
  const EngKnobs own = { .mask = ENG_KNOB_MASK_CAUSAL, .hidden = hidden, .temperature = 2 };
  const EngKnobs off = { .projections_off = TRUE };
  g_auto (GStrv) texts = eng_knobs_to_edits (&own, ENG_KIND_DECODER, ENG_KIND_ENCODER, 1, 2);
  g_auto (GStrv) crossing = eng_knobs_to_edits (&off, ENG_KIND_CROSS, ENG_KIND_ENCODER, 1, 2);
  g_autofree char *joined = g_strjoinv ("; ", texts);

  g_assert_cmpstr (joined, ==, "temperature decoder 1.2 2; head-mask decoder 1.2 causal; "
                               "cut decoder 1.2 * 3 renormalise; "
                               "cut decoder 1.2 4-6 0 renormalise");
  g_assert_cmpstr (crossing[0], ==, "no-projections cross 1.2");
  g_assert_null (crossing[1]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/way/knobs", test_knobs);
  g_test_add_func ("/way/fed", test_fed);
  g_test_add_func ("/way/unchanged", test_unchanged);
  g_test_add_func ("/way/fed-words", test_fed_words);
  g_test_add_func ("/way/hides-all-weight", test_hides_all_weight);

  return g_test_run ();
}
