/* SPDX-License-Identifier: MIT */
/* Ways over random architectures: every number of every stage against a naive way in double
 * precision, against the trace bit by bit, and against itself worked out from its sources; a number
 * that was changed is found. */
#include "tests/engine/steps/way-case.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/trace/check.h"
#include "engine/transformer/inputs.h"
#include "tests/support/oracle/way-reference.h"

#define N_SPECS 200

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
                     matrix->data + (gsize) (first_row + shown->first_row + row) * matrix->stride,
                     matrix->cols * sizeof (float));
}

/* What the trace has is shown bit by bit. */
static void
assert_is_trace (const Case *self,
                 EngWay     *way)
{
  EngKind kind = eng_way_get_kind (way), stack = kind == ENG_KIND_CROSS ? ENG_KIND_DECODER : kind;
  int layer = eng_way_get_layer (way), head = eng_way_get_head (way);
  int query = eng_way_get_query (way);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (self->trace, kind, layer);
  gsize n_cells = (gsize) attention->n_queries * attention->n_keys;
  gboolean edited = eng_way_find (way, ENG_PART_ATTENTION, ENG_NUMBERS_EDITED, 0) >= 0;
  EngMatrix matrix = { attention->weights + head * n_cells, attention->n_queries, attention->n_keys,
                       (gsize) attention->n_keys };

  assert_same (way, ENG_PART_ATTENTION, edited ? ENG_NUMBERS_EDITED : ENG_NUMBERS_WEIGHTS, &matrix,
               0);
  g_assert_true (eng_trace_get_queries (self->trace, kind, layer, head, &matrix));
  assert_same (way, ENG_PART_ATTENTION, ENG_NUMBERS_QUERIES, &matrix, 0);
  g_assert_true (eng_trace_get_keys (self->trace, kind, layer, head, &matrix));
  assert_same (way, ENG_PART_ATTENTION, ENG_NUMBERS_KEYS, &matrix, 0);
  g_assert_true (eng_trace_get_values (self->trace, kind, layer, head, &matrix));
  assert_same (way, ENG_PART_ATTENTION, ENG_NUMBERS_VALUES, &matrix, 0);
  g_assert_true (eng_trace_get_hidden_states (self->trace, stack, layer, &matrix));
  assert_same (way, kind == ENG_KIND_CROSS ? ENG_PART_OTHER : ENG_PART_ATTENTION,
               ENG_NUMBERS_STATES, &matrix, 0);
  g_assert_true (eng_trace_get_hidden_states (self->trace, stack, layer + 1, &matrix));
  assert_same (way, ENG_PART_END, ENG_NUMBERS_LEFT, &matrix, query);
}

/* The check line of the whole row follows every edit, too. */
static void
assert_row_agrees (const Case          *self,
                   const EngWayRequest *request)
{
  for (int key = 0; key < eng_trace_get_n_keys (self->trace, request->kind); key++) {
    EngCheck check;

    g_assert_cmpint (eng_check_cell (self->trace, request->kind, request->layer, request->head,
                                     request->query, key, &check), ==, ENG_CHECK_AGREES);
  }
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
                                                  one.decoder_tokens, one.edits, one.n_edits, NULL,
                                                  one.trace));
      assert_agrees (way, &worst_check);
      assert_is_trace (&one, way);
      assert_row_agrees (&one, &request);
      for (int i = 0; i < eng_way_get_n_stages (way); i++)
        shown_stages[eng_way_get_stage (way, i)->id] = TRUE;
      n_stages += eng_way_get_n_stages (way);
    }
    case_clear (&one);
  }
  g_test_message ("%d stages, largest difference %.3f tolerances to the reference, %.3f to the "
                  "sources",
                  n_stages, worst, worst_check);
}

static void
test_random_specs (void)
{
  check_specs (FALSE);
}

/* Each stage that there is was compared. */
static void
test_random_edits (void)
{
  check_specs (TRUE);
  for (int id = 0; id <= ENG_STAGE_ANSWER; id++)
    g_assert_true (shown_stages[id]);
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

/* An encoder's way ends with what cross-attention reads of its token, before all heads. */
static void
assert_hands_to_decoder (EngModel     *model,
                         const EngWay *way,
                         EngTrace     *trace)
{
  const EngStage *last = eng_way_get_stage (way, eng_way_get_n_stages (way) - 1);
  const EngNumbers *shown = eng_way_get_numbers (way, last->result);
  const EngWayRequest crossing = { .kind = ENG_KIND_CROSS, .task = ENG_WAY_ANY_TASK };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngWay) reader = eng_way_new (model, trace, &crossing, &error);
  EngTask task;
  int n, token, read;

  g_assert_no_error (error);
  g_assert_null (eng_way_get_candidates (way, &n, &task, &token));
  g_assert_cmpint (last->id, ==, ENG_STAGE_TO_DECODER);
  for (int i = 0; i < eng_way_get_n_stages (way); i++)
    g_assert_cmpint (eng_way_get_stage (way, i)->part, !=, ENG_PART_ANSWER);
  read = eng_way_find (reader, ENG_PART_ATTENTION, ENG_NUMBERS_KEY_STATES, 0);
  for (int i = 0; i < shown->columns; i++)
    g_assert_cmpfloat (eng_numbers_get (shown, 0, i), ==,
                       eng_numbers_get (eng_way_get_numbers (reader, read),
                                        eng_way_get_query (way), i));
}

/* The models that ship, whose states are larger than those of random ones, on a sentence. */
static void
test_bundled (gconstpointer data)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models", data,
                                                   NULL);
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
      if (kind == ENG_KIND_ENCODER && eng_model_has_two_stacks (model)) {
        assert_hands_to_decoder (model, way, trace);
        continue;
      }
      g_assert_cmpint (n, >, 1);
      for (int i = 1; i < n; i++)
        g_assert_cmpfloat (candidates[i].logit, <=, candidates[i - 1].logit);
    }
  g_test_message ("largest difference %.3f tolerances", worst);
}

static void
assert_copy (EngWay       *way,
             EngWayPart    part,
             EngNumbersId  id,
             int           row,
             const char   *words)
{
  int numbers = eng_way_find (way, part, id, 0);
  g_autofree char *said = eng_way_describe_formula (way, numbers, row);
  gboolean is_copy = strcmp (words, "the same number") == 0;
  EngWayCheck check;

  g_assert_cmpstr (said, ==, words);
  for (int i = 0; i < eng_way_get_numbers (way, numbers)->columns; i++) {
    g_assert_cmpint (eng_way_check (way, numbers, row, i, &check), ==, is_copy);
    g_assert_true (!is_copy || check.agrees);
    /* Handed on bit by bit, but for the embedding, which is added up anew. */
    g_assert_true (!is_copy || part == ENG_PART_BEFORE || check.difference == 0);
  }
}

/* What a step hands on to whole layers, and they to the next step, is the same number; what layers
 * have made in between is said to be theirs. Of what was given it is said by what. */
static void
test_origins (void)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models",
                                                   "headlight-mini", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (EngWay) way = NULL, tried = NULL;
  EngWayRequest request = { .kind = ENG_KIND_ENCODER, .layer = 3, .head = 11, .query = 2,
                            .task = ENG_WAY_ANY_TASK };

  g_assert_no_error (error);
  eng_inputs_from_texts (model, "The cat sat on the mat.", NULL, NULL, &inputs, &error);
  g_assert_no_error (error);
  trace = test_run_stacks (model, inputs.tokens, inputs.decoder_tokens, NULL, 0);
  way = eng_way_new (model, trace, &request, &error);
  g_assert_no_error (error);
  assert_copy (way, ENG_PART_INPUT, ENG_NUMBERS_IDS, 2,
               "of the text: the number that the piece has in the vocabulary");
  assert_copy (way, ENG_PART_INPUT, ENG_NUMBERS_WORD_TABLE, 2, "of the checkpoint");
  assert_copy (way, ENG_PART_BEFORE, ENG_NUMBERS_LAYER_STATES, 0, "the same number");
  assert_copy (way, ENG_PART_BEFORE, ENG_NUMBERS_LAYER_STATES, 2,
               "by layer 1, which is a way of its own");
  assert_copy (way, ENG_PART_ATTENTION, ENG_NUMBERS_STATES, 2, "the same number");
  assert_copy (way, ENG_PART_ATTENTION, ENG_NUMBERS_STATES, 1,
               "by layers 0 to 2, which are ways of their own");
  assert_copy (way, ENG_PART_AFTER, ENG_NUMBERS_LAYER_STATES, 0, "the same number");
  assert_copy (way, ENG_PART_AFTER, ENG_NUMBERS_LAYER_STATES, 2,
               "by layer 5, which is a way of its own");
  assert_copy (way, ENG_PART_ANSWER, ENG_NUMBERS_LAST_STATES, 2,
               "by layers 0 to 5, which are ways of their own");

  /* What a knob leaves is not fed forward: behind the layer stands what the model's layer made. */
  request.knobs.temperature = 2;
  tried = eng_way_new (model, trace, &request, &error);
  g_assert_no_error (error);
  assert_copy (tried, ENG_PART_AFTER, ENG_NUMBERS_LAYER_STATES, 0,
               "by layer 3, which is a way of its own");
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
  request = (EngWayRequest) { .kind = kind, .task = ENG_WAY_ANY_TASK,
                              .knobs = { .zeroes = TRUE, .dimension = 5000 } };
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
  g_test_add_func ("/way/corrupted", test_corrupted);
  g_test_add_data_func ("/way/bundled/encoder", "headlight-mini", test_bundled);
  g_test_add_data_func ("/way/bundled/causal", "headlight-causal", test_bundled);
  g_test_add_data_func ("/way/bundled/translator", "headlight-en-fr", test_bundled);
  g_test_add_func ("/way/origins", test_origins);
  g_test_add_func ("/way/refuses", test_refuses);

  return g_test_run ();
}
