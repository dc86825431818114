/* SPDX-License-Identifier: MIT */
#include "ui/scene/views/factory.h"

#include "ui/scene/head/head-scene.h"
#include "ui/scene/matrix/matrix-scene.h"
#include "ui/scene/model/model-scene.h"
#include "ui/scene/neuron/neuron-scene.h"
#include "ui/scene/steps/steps-scene.h"
#include "ui/scene/steps/steps-way.h"

UiScene *
ui_scene_new (EngTrace              *trace,
              const UiDocument      *document,
              const UiSceneOptions  *options,
              GError               **error)
{
  static UiSceneConstructor *const constructors[] = {
    [UI_VIEW_HEAD] = ui_head_scene_new,
    [UI_VIEW_NEURON] = ui_neuron_scene_new,
    [UI_VIEW_MODEL] = ui_model_scene_new,
    [UI_VIEW_MATRIX] = ui_matrix_scene_new,
    [UI_VIEW_STEPS] = ui_steps_scene_new,
  };
  g_autoptr (EngWay) way = NULL;

  if (ui_view_get (document->view)->has_steps) {
    way = ui_steps_way_new (trace, document, options, error);
    if (way == NULL)
      return NULL;
  }
  return ui_scene_create_of_way (constructors[document->view], way, trace, document, options,
                                 error);
}
