/* SPDX-License-Identifier: MIT */
/* A random model with a pass, and ways through it. */
#pragma once

#include "engine/steps/make.h"

#include <math.h>

#include "tests/support/random-model.h"

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

static inline void
case_clear (Case *self)
{
  eng_model_unref (self->model);
  eng_tokens_unref (self->tokens);
  g_clear_pointer (&self->decoder_tokens, eng_tokens_unref);
  eng_trace_unref (self->trace);
}

/* An edit of a head, a sub-layer or what enters: of the stack that reads A or, where there is one, of
 * what crosses; n tokens are read by so many queries. */
static inline EngEdit
make_edit (const EngSpec *spec,
           int            n,
           int            n_decoder,
           guint32       *state)
{
  gboolean crosses = eng_spec_has_cross (spec) && test_random_range (state, 0, 2) == 0;
  const EngStackSpec *stack = &spec->stacks[crosses ? ENG_KIND_DECODER
                                                    : eng_spec_get_first_kind (spec)];
  int n_queries = crosses ? n_decoder : n;
  int query = test_random_range (state, 0, n_queries - 1);
  int key = test_random_range (state, 0, n - 1);
  gboolean spans = test_random_range (state, 0, 1);
  EngEditType type;

  do
    type = test_random_range (state, ENG_EDIT_SCALE_HEAD, ENG_EDIT_NO_SEGMENTS);
  while (crosses && (type == ENG_EDIT_SKIP_FEED_FORWARD || type == ENG_EDIT_NO_POSITIONS
                     || type == ENG_EDIT_NO_SEGMENTS));

  return (EngEdit) {
    .type = type,
    .layer = test_random_range (state, 0, stack->n_layers - 1),
    .head = test_random_range (state, ENG_ALL_HEADS, eng_stack_spec_get_heads (stack)->n_heads - 1),
    .query = type == ENG_EDIT_CUT_EDGE && test_random_range (state, 0, 2) == 0 ? ENG_ALL_TOKENS
                                                                               : query,
    .key = key,
    .n_more_queries = spans ? test_random_range (state, 0, n_queries - 1 - query) : 0,
    .n_more_keys = spans ? test_random_range (state, 0, n - 1 - key) : 0,
    .factor = type == ENG_EDIT_SCORE_SCALE ? test_random_range (state, 0, 3) * 0.1f
              : test_random_range (state, 1, 3) * 0.5f,
    .renormalise = test_random_range (state, 0, 1),
    .kind = crosses ? (int) ENG_KIND_CROSS : ENG_KIND_NOT_SAID,
    .mask = test_random_range (state, ENG_HEAD_MASK_NONE, ENG_HEAD_MASK_PADDING),
    .dimension = test_random_range (state, 0, eng_stack_spec_get_heads (stack)->head_size - 1),
  };
}

static inline void
case_init (Case     *self,
           guint32   seed,
           gboolean  edited)
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
                                                         test_random_range (&state, 1, 11),
                                                         seed + 2);
  for (int i = n - test_random_range (&state, 0, n / 2); i < n && seed % 2 == 0; i++)
    test_set_padding (&self->spec, self->tokens, i);
  self->n_edits = edited ? test_random_range (&state, 1, 3) : 0;
  for (int i = 0; i < self->n_edits; i++)
    self->edits[i] = make_edit (&self->spec, n, self->decoder_tokens != NULL
                                ? self->decoder_tokens->n : 0, &state);
  self->trace = test_run_stacks (self->model, self->tokens, self->decoder_tokens, self->edits,
                                 self->n_edits);
}

static inline EngWayRequest
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

static inline EngWay *
make (const Case          *self,
      const EngWayRequest *request)
{
  g_autoptr (GError) error = NULL;
  EngWay *way = eng_way_new (self->model, self->trace, request, &error);

  g_assert_no_error (error);

  return way;
}

/* Some cells of large numbers, all of small ones. */
static inline int
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

static inline void
assert_agrees (EngWay *way,
               double *worst)
{
  int found = find_disagreement (way, worst);

  if (found >= 0)
    g_error ("%s of stage %s does not agree with its sources",
             eng_way_get_numbers (way, found)->name,
             eng_way_get_stage (way, eng_way_get_numbers (way, found)->stage)->name);
}
