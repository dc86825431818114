/* SPDX-License-Identifier: MIT */
/* Ways over random architectures: every number of every stage against a naive way in double
 * precision, against the trace bit by bit, and against itself worked out from its sources; a number
 * that was changed is found. */
#include "engine/steps/make.h"

#include <math.h>
#include <string.h>

#include "engine/base/error.h"
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
    .task = -1,
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
                                                  one.decoder_tokens, one.edits, one.n_edits, one.trace));
      assert_agrees (way, &worst_check);
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

static void
test_random_edits (void)
{
  check_specs (TRUE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/way/random-specs", test_random_specs);
  g_test_add_func ("/way/random-edits", test_random_edits);

  return g_test_run ();
}
