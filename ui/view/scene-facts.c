/* SPDX-License-Identifier: MIT */
#include "ui/view/scene-facts.h"

#include "ui/document/fit.h"

void
ui_scene_facts_init (UiSceneFacts  *self,
                     const UiScene *scene)
{
  EngTrace *trace = ui_scene_get_trace (scene);
  const UiDocument *document = ui_scene_get_document (scene);
  const EngKind kind = ui_fit_get_kind (document, trace);
  const UiWeights *weights = ui_scene_get_weights (scene);

  *self = (UiSceneFacts) {
    .trace = trace,
    .document = document,
    .kind = kind,
    .layer = document->layer,
    .weights = weights,
    .head = weights->heads[0],
    .queries = weights->block.queries,
    .keys = weights->block.keys,
  };
}
