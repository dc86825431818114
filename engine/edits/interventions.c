/* SPDX-License-Identifier: MIT */
#include "engine/edits/interventions.h"

#include <string.h>

static gboolean
acts_here (const EngInterventions *self,
           const EngEdit          *edit,
           EngEditType             type)
{
  return edit->type == type && eng_edit_acts_on (edit, self->kind, self->first);
}

static gboolean
acts_on_head (const EngInterventions *self,
              const EngEdit          *edit,
              EngEditType             type,
              int                     layer,
              int                     head)
{
  return acts_here (self, edit, type) && edit->layer == layer &&
         (edit->head == ENG_ALL_HEADS || edit->head == head);
}

/* The same for every reading of a key; a row that sees nothing reads nothing. */
static void
make_row_uniform (int           n_keys,
                  const guint8 *readings,
                  float        *row)
{
  int n = n_keys;

  if (readings != NULL) {
    n = 0;
    for (int key = 0; key < n_keys; key++)
      n += readings[key];
  }
  for (int key = 0; key < n_keys; key++)
    row[key] = readings == NULL ? 1.0f / n : readings[key] ? (float) readings[key] / n : 0;
}

/* What a span of tokens is of n that begin with the token first: [*from, *to). */
static void
clip_span (int  token,
           int  n_more,
           int  first,
           int  n,
           int *from,
           int *to)
{
  gint64 begin = (gint64) token - first;

  *from = token == ENG_ALL_TOKENS ? 0 : (int) CLAMP (begin, 0, n);
  *to = token == ENG_ALL_TOKENS ? n : (int) CLAMP (begin + n_more + 1, *from, n);
}

/* Whether an edit cuts links of a row of a head: keys [*from, *to). */
static gboolean
cuts_row (const EngInterventions *self,
          const EngEdit          *edit,
          int                     layer,
          int                     head,
          int                     row,
          int                     n_keys,
          int                    *from,
          int                    *to)
{
  if (!acts_on_head (self, edit, ENG_EDIT_CUT_EDGE, layer, head))
    return FALSE;
  clip_span (edit->query, edit->n_more_queries, self->first_query + row, 1, from, to);
  if (*from == *to)
    return FALSE;
  clip_span (edit->key, edit->n_more_keys, 0, n_keys, from, to);

  return *from < *to;
}

gboolean
eng_interventions_cut_mask (const EngInterventions *self,
                            int                     layer,
                            int                     head)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_CUT_EDGE, layer, head)
        && self->edits[i].renormalise)
      return TRUE;
  return FALSE;
}

void
eng_interventions_hide_links (const EngInterventions *self,
                              int                     layer,
                              int                     head,
                              int                     first_row,
                              int                     last_row,
                              int                     n_keys,
                              guint8                 *mask)
{
  for (int row = first_row; row < last_row; row++, mask += n_keys) {
    int last = self->n_edits - 1, from, to;

    while (last >= 0 && !(self->edits[last].renormalise
                          && cuts_row (self, &self->edits[last], layer, head, row, n_keys, &from,
                                       &to)))
      last--;
    for (int i = 0; i <= last; i++)
      if (cuts_row (self, &self->edits[i], layer, head, row, n_keys, &from, &to))
        memset (mask + from, 0, (gsize) (to - from));
  }
}

gboolean
eng_interventions_hide_tokens (const EngInterventions *self,
                               int                     n_queries,
                               int                     n_keys,
                               guint8                 *mask)
{
  gboolean any = FALSE;

  for (int i = 0; i < self->n_edits; i++) {
    const EngEdit *edit = &self->edits[i];

    if (!acts_here (self, edit, ENG_EDIT_KNOCK_OUT_TOKEN))
      continue;
    any = TRUE;
    for (int query = 0; query < n_queries && edit->key < n_keys && mask != NULL; query++)
      mask[(gsize) query * n_keys + edit->key] = 0;
  }
  return any;
}

void
eng_interventions_edit_weights (const EngInterventions *self,
                                int                     layer,
                                int                     head,
                                int                     first_row,
                                int                     last_row,
                                int                     n_keys,
                                const guint8           *mask,
                                float                  *weights)
{
  int n_rows = last_row - first_row;

  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_UNIFORM_ROWS, layer, head))
      for (gsize row = 0; row < (gsize) n_rows; row++)
        make_row_uniform (n_keys, mask != NULL ? mask + row * n_keys : NULL,
                          weights + row * n_keys);

  for (int i = 0; i < self->n_edits; i++)
    for (int row = 0; row < n_rows; row++) {
      int from, to;

      if (cuts_row (self, &self->edits[i], layer, head, first_row + row, n_keys, &from, &to))
        memset (weights + (gsize) row * n_keys + from, 0, (gsize) (to - from) * sizeof *weights);
    }
}

float
eng_interventions_get_factor (const EngInterventions *self,
                              int                     layer,
                              int                     head)
{
  float factor = 1;

  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_SCALE_HEAD, layer, head))
      factor *= self->edits[i].factor;
  return factor;
}

gboolean
eng_interventions_skip (const EngInterventions *self,
                        EngEditType             type,
                        int                     layer)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_here (self, &self->edits[i], type) && self->edits[i].layer == layer)
      return TRUE;
  return FALSE;
}

double
eng_interventions_get_scale (const EngInterventions *self,
                             int                     layer,
                             int                     head,
                             double                  scale)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_SCORE_SCALE, layer, head))
      scale = (double) self->edits[i].factor;
  return scale;
}

double
eng_interventions_get_temperature (const EngInterventions *self,
                                   int                     layer,
                                   int                     head)
{
  double temperature = 1;

  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_TEMPERATURE, layer, head))
      temperature *= (double) self->edits[i].factor;
  return temperature;
}

gboolean
eng_interventions_get_mask (const EngInterventions *self,
                            int                     layer,
                            int                     head,
                            EngHeadMask            *mask)
{
  gboolean found = FALSE;

  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_HEAD_MASK, layer, head)) {
      *mask = self->edits[i].mask;
      found = TRUE;
    }
  return found;
}

gboolean
eng_interventions_mask_heads (const EngInterventions *self,
                              int                     layer)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_here (self, &self->edits[i], ENG_EDIT_HEAD_MASK) && self->edits[i].layer == layer)
      return TRUE;
  return FALSE;
}

gboolean
eng_interventions_drop_projections (const EngInterventions *self,
                                    int                     layer,
                                    int                     head)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_NO_PROJECTIONS, layer, head))
      return TRUE;
  return FALSE;
}

void
eng_interventions_zero_dimensions (const EngInterventions *self,
                                   int                     layer,
                                   int                     head,
                                   float                  *vector)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_on_head (self, &self->edits[i], ENG_EDIT_ZERO_DIMENSION, layer, head))
      vector[self->edits[i].dimension] = 0;
}

gboolean
eng_interventions_drop_positions (const EngInterventions *self,
                                  int                     layer)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_here (self, &self->edits[i], ENG_EDIT_NO_POSITIONS) &&
        (self->edits[i].layer == layer || self->edits[i].layer == ENG_ALL_LAYERS))
      return TRUE;
  return FALSE;
}

gboolean
eng_interventions_drop_segments (const EngInterventions *self)
{
  for (int i = 0; i < self->n_edits; i++)
    if (acts_here (self, &self->edits[i], ENG_EDIT_NO_SEGMENTS))
      return TRUE;
  return FALSE;
}
