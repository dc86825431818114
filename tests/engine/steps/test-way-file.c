/* SPDX-License-Identifier: MIT */
/* Ways of trace files over random architectures: what they have is what the model's way has, knobs
 * turn alike, and a file that somebody changed is found out. */
#include "tests/engine/steps/way-case.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/trace/trace-file.h"
#include "tests/support/temporary.h"

#define N_SPECS 100

/* (transfer full) A pass as a file, and its bytes. */
static char *
write_file (const Case *self,
            const char *folder,
            char      **contents,
            gsize      *size)
{
  char *path = g_build_filename (folder, "trace.safetensors", NULL);
  g_autoptr (GError) error = NULL;

  eng_trace_file_write (self->trace, path, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, contents, size, NULL));
  return path;
}

static EngWay *
make_of_file (const char          *path,
              const EngWayRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) trace = eng_trace_file_open (path, &error);
  EngWay *way;

  g_assert_no_error (error);
  way = eng_way_new (NULL, trace, request, &error);
  g_assert_no_error (error);
  g_assert_false (eng_way_has_weights (way));
  return way;
}

/* In cross-attention with edits the model's way has the query's own row alone. */
static void
assert_alike (const EngNumbers *numbers,
              const EngNumbers *expected)
{
  g_assert_cmpint (numbers->id, ==, expected->id);
  g_assert_cmpint (numbers->columns, ==, expected->columns);
  g_assert_cmpint (numbers->rows, >=, expected->rows);
  for (int row = 0; row < expected->rows; row++)
    for (int column = 0; column < numbers->columns; column++) {
      const int shift = expected->row_axis == ENG_AXIS_QUERIES
                          ? expected->first_row - numbers->first_row : 0;
      const double number = eng_numbers_get (numbers, shift + row, column);
      const double other = eng_numbers_get (expected, row, column);

      if (number != other)
        g_assert_cmpfloat_with_epsilon (number, other, 1e-5 * fmax (1, fabs (other)));
    }
}

/* From the products on the file has every stage that the model's way has of the head, but where the
 * distances of tokens come from. */
static void
assert_same_attention (EngWay *way,
                       EngWay *expected)
{
  int stage = eng_way_find_stage (way, ENG_PART_ATTENTION, ENG_STAGE_PRODUCTS);
  int other = eng_way_find_stage (expected, ENG_PART_ATTENTION, ENG_STAGE_PRODUCTS);

  for (;; stage++, other++) {
    const EngStage *shown = eng_way_get_stage (way, stage);

    while (eng_way_get_stage (expected, other)->id == ENG_STAGE_DISTANCES
           || eng_way_get_stage (expected, other)->id == ENG_STAGE_NORM)
      other++;
    g_assert_cmpint (shown->id, ==, eng_way_get_stage (expected, other)->id);
    g_assert_cmpint (shown->part, ==, ENG_PART_ATTENTION);
    assert_alike (eng_way_get_numbers (way, shown->result),
                  eng_way_get_numbers (expected, eng_way_get_stage (expected, other)->result));
    if (shown->id == ENG_STAGE_READ)
      break;
  }
  g_assert_cmpint (stage, ==, eng_way_get_n_stages (way) - 1);
  for (stage = 0; eng_way_get_stage (way, stage)->part != ENG_PART_ATTENTION; stage++)
    g_assert_cmpint (eng_way_get_stage (way, stage)->id, ==, ENG_STAGE_TOKENS);
}

/* One of those that need no weights. */
static EngKnobs
draw_knob (int      which,
           int      head_size,
           guint32 *state)
{
  return (EngKnobs) {
    .has_scale = which == 0,
    .scale = 0.7,
    .temperature = which == 1 ? 2.5 : 0,
    .mask = which == 2 ? (EngKnobMask) test_random_range (state, ENG_KNOB_MASK_NONE,
                                                          ENG_KNOB_MASK_PADDING)
                       : ENG_KNOB_MASK_MODELS,
    .zeroes = which == 3,
    .dimension = test_random_range (state, 0, head_size - 1),
  };
}

static void
check_kind (const Case *self,
            EngKind     kind,
            const char *path,
            guint32    *state,
            double     *worst)
{
  EngWayRequest request = draw_request (self, kind, state);
  EngMatrix queries, term;

  eng_trace_get_queries (self->trace, kind, request.layer, request.head, &queries);
  for (int which = -1; which < 4; which++) {
    g_autoptr (EngWay) way = NULL;
    g_autoptr (EngWay) expected = NULL;

    request.knobs = draw_knob (which, queries.cols, state);
    /* A dimension counts in what positions add there, too, which a file has as sums. */
    if (which == 3
        && (eng_trace_get_content_position (self->trace, kind, request.layer, request.head, &term)
            || eng_trace_get_position_content (self->trace, kind, request.layer, request.head,
                                               &term)))
      break;
    way = make_of_file (path, &request);
    expected = make (self, &request);
    g_assert_cmpint (eng_way_is_what_if (way), ==, which >= 0);
    assert_same_attention (way, expected);
    assert_agrees (way, worst);
  }
}

static void
test_random_specs (gconstpointer edited)
{
  char *folder = temporary_new ();
  double worst = 0;

  for (guint32 seed = 1; seed <= N_SPECS; seed++) {
    g_autofree char *path = NULL;
    g_autofree char *contents = NULL;
    guint32 state = seed;
    gsize size;
    Case one;

    case_init (&one, seed, GPOINTER_TO_INT (edited));
    path = write_file (&one, folder, &contents, &size);
    for (int kind = 0; kind < ENG_N_KINDS; kind++)
      if (eng_trace_has_kind (one.trace, (EngKind) kind))
        check_kind (&one, (EngKind) kind, path, &state, &worst);
    case_clear (&one);
  }
  g_test_message ("largest difference to the sources %.3f tolerances", worst);
  temporary_free (folder);
}

/* Changes a number of the file, which lies there among n others of the trace, and finds the first
 * that does not agree. */
static void
assert_finds (const char          *path,
              char                *contents,
              gsize                size,
              const EngWayRequest *request,
              const float         *block,
              gsize                n,
              gsize                place,
              float                by)
{
  char *found = memmem (contents, size, block, n * sizeof (float));
  g_autoptr (EngWay) way = NULL;
  double worst = 0;
  float number;
  int wrong;

  g_assert_nonnull (found);
  found += place * sizeof (float);
  memcpy (&number, found, sizeof number);
  number += by;
  memcpy (found, &number, sizeof number);
  g_assert_true (g_file_set_contents (path, contents, (gssize) size, NULL));
  way = make_of_file (path, request);
  wrong = find_disagreement (way, &worst);
  g_assert_cmpint (wrong, >=, 0);
  g_assert_cmpint (eng_way_get_numbers (way, wrong)->id, ==, ENG_NUMBERS_WEIGHTS);
  number -= by;
  memcpy (found, &number, sizeof number);
}

/* As they lie in a file. */
static float *
dup_rows (const EngMatrix *matrix)
{
  float *rows = g_new (float, (gsize) matrix->rows * matrix->cols);

  for (int i = 0; i < matrix->rows; i++)
    memcpy (rows + (gsize) i * matrix->cols, matrix->data + (gsize) i * matrix->stride,
            matrix->cols * sizeof (float));
  return rows;
}

/* What a mask hides must be 0, which the reader sees to. */
static gsize
find_largest (const float *row,
              int          n)
{
  int largest = 0;

  for (int i = 1; i < n; i++)
    if (row[i] > row[largest])
      largest = i;
  return (gsize) largest;
}

/* A weight, then a query, of its own row. */
static void
test_corrupted (void)
{
  char *folder = temporary_new ();
  int n_queries_found = 0;

  for (guint32 seed = 1; seed <= 40; seed++) {
    g_autofree char *path = NULL;
    g_autofree char *contents = NULL;
    g_autoptr (EngAttention) attention = NULL;
    guint32 state = seed;
    EngWayRequest request;
    EngMatrix queries;
    EngKind kind;
    gsize size, row;
    Case one;

    case_init (&one, seed, FALSE);
    kind = eng_trace_get_default_kind (one.trace);
    request = draw_request (&one, kind, &state);
    attention = eng_trace_dup_attention (one.trace, kind, request.layer);
    path = write_file (&one, folder, &contents, &size);
    row = ((gsize) request.head * attention->n_queries + request.query) * attention->n_keys;
    /* A few numbers stand in more places than one. */
    if (attention->n_keys > 3)
      assert_finds (path, contents, size, &request, attention->weights,
                    (gsize) attention->n_heads * attention->n_queries * attention->n_keys,
                    row + find_largest (attention->weights + row, attention->n_keys), 0.001f);
    eng_trace_get_queries (one.trace, kind, request.layer, request.head, &queries);
    /* Where one key is read a weight is 1, whatever q is. */
    if (attention->weights[row + find_largest (attention->weights + row, attention->n_keys)] < 0.7f) {
      g_autofree float *head = dup_rows (&queries);

      assert_finds (path, contents, size, &request, head, (gsize) queries.rows * queries.cols,
                    (gsize) request.query * queries.cols, 2);
      n_queries_found++;
    }
    case_clear (&one);
  }
  g_assert_cmpint (n_queries_found, >, 10);
  temporary_free (folder);
}

static void
test_refused (void)
{
  char *folder = temporary_new ();
  g_autofree char *path = NULL;
  g_autofree char *contents = NULL;
  g_autoptr (EngTrace) trace = NULL;
  gsize size;
  Case one;
  guint32 state = 1;
  EngWayRequest request;

  case_init (&one, 1, FALSE);
  request = draw_request (&one, eng_trace_get_default_kind (one.trace), &state);
  path = write_file (&one, folder, &contents, &size);
  trace = eng_trace_file_open (path, NULL);
  for (int which = 0; which < 4; which++) {
    g_autoptr (GError) error = NULL;
    EngWayRequest asked = request;

    asked.knobs.projections_off = which == 0;
    asked.knobs.positions_off = which == 1;
    asked.knobs.segments_off = which == 2;
    asked.layer += which == 3 ? 1000 : 0;
    g_assert_null (eng_way_new (NULL, trace, &asked, &error));
    if (which == 3)
      g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
    else
      g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  }
  case_clear (&one);
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/way-file/random-specs", GINT_TO_POINTER (FALSE), test_random_specs);
  g_test_add_data_func ("/way-file/random-edits", GINT_TO_POINTER (TRUE), test_random_specs);
  g_test_add_func ("/way-file/corrupted", test_corrupted);
  g_test_add_func ("/way-file/refused", test_refused);
  return g_test_run ();
}
