/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/edited-heads.h"

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
