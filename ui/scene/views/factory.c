/* SPDX-License-Identifier: MIT */
#include "ui/scene/views/factory.h"

#include "ui/scene/head/head-scene.h"
#include "ui/scene/matrix/matrix-scene.h"
#include "ui/scene/model/model-scene.h"
#include "ui/scene/neuron/neuron-scene.h"

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
  };

  return ui_scene_create (constructors[document->view], trace, document, options, error);
}
