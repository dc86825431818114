/* SPDX-License-Identifier: MIT */
#include "engine/interventions.h"

#include <string.h>

static gboolean
acts_on_head (const EngEdit *edit,
              EngEditType    type,
              int            layer,
              int            head)
{
  return edit->type == type && edit->layer == layer &&
         (edit->head == ENG_ALL_HEADS || edit->head == head);
}

static void
make_row_uniform (int           n_keys,
                  const guint8 *visible,
                  float        *row)
{
  int n_visible = n_keys;

  if (visible != NULL) {
    n_visible = 0;
    for (int key = 0; key < n_keys; key++)
      n_visible += visible[key] != 0;
  }
  for (int key = 0; key < n_keys; key++)
    row[key] = visible == NULL || visible[key] ? 1.0f / n_visible : 0;
}

static void
cut_edge (const EngEdit *edit,
          int            n_keys,
          float         *row)
{
  double sum = 0;

  row[edit->key] = 0;
  if (!edit->renormalise)
    return;

  for (int key = 0; key < n_keys; key++)
    sum += row[key];
  for (int key = 0; key < n_keys && sum > 0; key++)
    row[key] = (float) (row[key] / sum);
}

gboolean
eng_interventions_hide_tokens (const EngEdit *edits,
                               int            n_edits,
                               int            n_queries,
                               int            n_keys,
                               guint8        *mask)
{
  gboolean any = FALSE;

  for (int i = 0; i < n_edits; i++) {
    if (edits[i].type != ENG_EDIT_KNOCK_OUT_TOKEN)
      continue;
    any = TRUE;
    for (int query = 0; query < n_queries && mask != NULL; query++)
      mask[(gsize) query * n_keys + edits[i].key] = 0;
  }
  return any;
}

void
eng_interventions_edit_weights (const EngEdit *edits,
                                int            n_edits,
                                int            layer,
                                int            head,
                                int            first_query,
                                int            last_query,
                                int            n_keys,
                                const guint8  *mask,
                                float         *weights)
{
  for (int i = 0; i < n_edits; i++)
    if (acts_on_head (&edits[i], ENG_EDIT_UNIFORM_ROWS, layer, head))
      for (gsize query = first_query; query < (gsize) last_query; query++)
        make_row_uniform (n_keys, mask != NULL ? mask + query * n_keys : NULL,
                          weights + (query - first_query) * n_keys);

  for (int i = 0; i < n_edits; i++)
    if (acts_on_head (&edits[i], ENG_EDIT_CUT_EDGE, layer, head) &&
        edits[i].query >= first_query && edits[i].query < last_query)
      cut_edge (&edits[i], n_keys, weights + (gsize) (edits[i].query - first_query) * n_keys);
}

float
eng_interventions_get_factor (const EngEdit *edits,
                              int            n_edits,
                              int            layer,
                              int            head)
{
  float factor = 1;

  for (int i = 0; i < n_edits; i++)
    if (acts_on_head (&edits[i], ENG_EDIT_SCALE_HEAD, layer, head))
      factor *= edits[i].factor;
  return factor;
}

gboolean
eng_interventions_skip (const EngEdit *edits,
                        int            n_edits,
                        EngEditType    type,
                        int            layer)
{
  for (int i = 0; i < n_edits; i++)
    if (edits[i].type == type && edits[i].layer == layer)
      return TRUE;
  return FALSE;
}
