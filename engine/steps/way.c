/* SPDX-License-Identifier: MIT */
#include "engine/steps/way-private.h"

#include <math.h>

EngWay *
eng_way_ref (EngWay *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
eng_way_unref (EngWay *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_array_unref (self->stages);
  g_array_unref (self->nodes);
  g_ptr_array_unref (self->memory);
  for (int i = 0; i < self->n_candidates; i++)
    g_free (self->candidates[i].text);
  g_free (self->candidates);
  eng_trace_unref (self->trace);
  g_clear_pointer (&self->model, eng_model_unref);
  g_free (self);
}

EngKind
eng_way_get_kind (const EngWay *self)
{
  return self->kind;
}

int
eng_way_get_layer (const EngWay *self)
{
  return self->layer;
}

int
eng_way_get_head (const EngWay *self)
{
  return self->head;
}

int
eng_way_get_query (const EngWay *self)
{
  return self->query;
}

int
eng_way_get_own_row (const EngWay *self,
                     int           numbers)
{
  const EngNumbers *shown = &eng_way_get_node (self, numbers)->shown;

  return shown->row_axis == ENG_AXIS_QUERIES ? self->query - shown->first_row : 0;
}

const EngTokens *
eng_way_get_query_tokens (const EngWay *self)
{
  return self->query_tokens;
}

const EngTokens *
eng_way_get_key_tokens (const EngWay *self)
{
  return self->key_tokens;
}

const EngTokens *
eng_way_get_last_tokens (const EngWay *self)
{
  return self->last_tokens;
}

int
eng_way_get_n_stages (const EngWay *self)
{
  return (int) self->stages->len;
}

const EngStage *
eng_way_get_stage (const EngWay *self,
                   int           stage)
{
  return &g_array_index (self->stages, EngStage, stage);
}

int
eng_way_get_n_numbers (const EngWay *self)
{
  return (int) self->nodes->len;
}

const EngNumbers *
eng_way_get_numbers (const EngWay *self,
                     int           numbers)
{
  return &eng_way_get_node (self, numbers)->shown;
}

int
eng_way_find_stage (const EngWay *self,
                    EngWayPart    part,
                    EngStageId    id)
{
  for (int i = 0; i < eng_way_get_n_stages (self); i++) {
    const EngStage *stage = eng_way_get_stage (self, i);

    if (stage->part == part && stage->id == id)
      return i;
  }

  return -1;
}

int
eng_way_find (const EngWay *self,
              EngWayPart    part,
              EngNumbersId  id,
              int           first_stage)
{
  for (int i = 0; i < eng_way_get_n_numbers (self); i++) {
    const EngNumbers *shown = eng_way_get_numbers (self, i);

    if (shown->id == id && shown->stage >= first_stage
        && eng_way_get_stage (self, shown->stage)->part == part)
      return i;
  }

  return -1;
}

double
eng_numbers_get_length (const EngNumbers *self,
                        int               row)
{
  double squares = 0;

  for (int column = 0; column < self->columns; column++)
    squares += eng_numbers_get (self, row, column) * eng_numbers_get (self, row, column);

  return sqrt (squares);
}

int
eng_numbers_find_strongest (const EngNumbers *self,
                            int               row,
                            int               n,
                            int              *order)
{
  int n_found = 0;

  for (int column = 0; column < self->columns; column++) {
    double size = fabs (eng_numbers_get (self, row, column));
    int place = n_found;

    while (place > 0 && size > fabs (eng_numbers_get (self, row, order[place - 1])))
      place--;
    if (place >= n)
      continue;
    n_found = MIN (n_found + 1, n);
    for (int i = n_found - 1; i > place; i--)
      order[i] = order[i - 1];
    order[place] = column;
  }

  return n_found;
}

double
eng_way_get_factor (const EngWay *self,
                    int           numbers)
{
  return eng_way_get_node (self, numbers)->factor;
}

const EngCandidate *
eng_way_get_candidates (const EngWay *self,
                        int          *n,
                        EngTask      *task,
                        int          *token)
{
  *n = self->n_candidates;
  *task = self->task;
  *token = self->answer_token;

  return self->candidates;
}

guint
eng_way_get_useful_knobs (const EngWay *self)
{
  return self->useful_knobs;
}

gboolean
eng_way_has_weights (const EngWay *self)
{
  return self->model != NULL;
}

gboolean
eng_way_is_what_if (const EngWay *self)
{
  return self->what_if;
}
