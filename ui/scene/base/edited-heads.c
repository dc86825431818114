/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/edited-heads.h"

#include <string.h>

#include "engine/edits/edit.h"
#include "ui/scene/base/edit-words.h"
#include "ui/scene/base/scene-private.h"

int
ui_scene_get_only_head (const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;
  const int n_heads = eng_trace_get_n_heads (scene->trace, scene->kind);

  if (weights->block.layers != UI_AGGREGATE_EACH || weights->block.measure == ENG_MEASURE_ROLLOUT)
    return -1;
  if (weights->block.is_aggregate)
    return ui_head_set_count (&scene->document->heads, n_heads) == 1
           ? ui_head_set_first (&scene->document->heads, n_heads) : -1;
  return weights->n_heads == 1 ? weights->heads[0] : -1;
}

gboolean
ui_scene_is_edited (const UiScene *scene,
                    int            head)
{
  const UiBlock *block = &scene->weights.block;
  const int n_layers = eng_trace_get_n_layers (scene->trace, scene->kind);

  if (block->is_aggregate && ui_scene_get_only_head (scene) != head)
    return FALSE;
  if (block->layers == UI_AGGREGATE_EACH)
    return ui_edit_is_of_head (scene->trace, scene->kind, scene->layer, head);
  for (int layer = 0; layer < n_layers; layer++)
    if (ui_edit_is_of_head (scene->trace, scene->kind, layer, head))
      return TRUE;
  return FALSE;
}

gboolean
ui_scene_has_edited (const UiScene *scene)
{
  const UiWeights *weights = &scene->weights;

  if (ui_scene_get_only_head (scene) >= 0)
    return ui_scene_is_edited (scene, ui_scene_get_only_head (scene));
  for (int i = 0; i < weights->n_heads; i++)
    if (ui_scene_is_edited (scene, weights->heads[i]))
      return TRUE;
  return FALSE;
}

/* The cuts that act in the head. (transfer full) Of EngEdit. */
static GArray *
list_cuts (const UiScene *scene,
           int            head)
{
  const char *const *edits = eng_trace_get_edits (scene->trace);
  const EngKind first = eng_trace_get_default_kind (scene->trace);
  GArray *cuts = g_array_new (FALSE, FALSE, sizeof (EngEdit));
  EngEdit edit;

  for (int i = 0; edits[i] != NULL; i++)
    if (eng_edit_parse (edits[i], &edit, NULL) && edit.type == ENG_EDIT_CUT_EDGE
        && eng_edit_is_of_head (&edit, scene->layer, head)
        && eng_edit_acts_on (&edit, scene->kind, first))
      g_array_append_val (cuts, edit);
  return cuts;
}

static gboolean
is_cut (const GArray *cuts,
        int           query,
        int           key)
{
  for (guint i = 0; i < cuts->len; i++)
    if (eng_edit_cuts_link (&g_array_index (cuts, EngEdit, i), query, key))
      return TRUE;
  return FALSE;
}

/* Leaves of the marks those that are cut in the head, too. */
static void
strike_uncut (const UiScene *scene,
              int            head,
              guint8        *marks)
{
  const UiBlock *block = &scene->weights.block;
  const int n_queries = eng_trace_get_n_queries (scene->trace, scene->kind);
  const int n_keys = eng_trace_get_n_keys (scene->trace, scene->kind);
  g_autoptr (GArray) cuts = list_cuts (scene, head);

  for (int query = 0; query < n_queries; query++) {
    const int row = block->query_rows != NULL ? block->query_rows[query] : query;

    for (int key = 0; key < n_keys; key++)
      if (!is_cut (cuts, query, key))
        marks[(gsize) row * (gsize) scene->keys->n
              + (gsize) (block->key_columns != NULL ? block->key_columns[key] : key)] = 0;
  }
}

guint8 *
ui_scene_mark_cut (const UiScene *scene)
{
  const UiBlock *block = &scene->weights.block;
  const gsize n = (gsize) scene->queries->n * (gsize) scene->keys->n;
  const int n_heads = eng_trace_get_n_heads (scene->trace, scene->kind);
  g_autofree guint8 *marks = NULL;

  if (block->layers != UI_AGGREGATE_EACH || block->measure == ENG_MEASURE_ROLLOUT || n == 0)
    return NULL;
  for (int head = 0; head < n_heads; head++)
    if (ui_head_set_has (&scene->document->heads, head)
        && !ui_edit_is_of_head (scene->trace, scene->kind, scene->layer, head))
      return NULL;

  marks = g_malloc (n);
  memset (marks, 1, n);
  for (int head = 0; head < n_heads; head++)
    if (ui_head_set_has (&scene->document->heads, head))
      strike_uncut (scene, head, marks);
  return memchr (marks, 1, n) != NULL ? g_steal_pointer (&marks) : NULL;
}
