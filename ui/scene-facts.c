/* SPDX-License-Identifier: MIT */
#include "ui/scene-facts.h"

void
ui_scene_facts_init (UiSceneFacts  *self,
                     const UiScene *scene)
{
  EngTrace *trace = ui_scene_get_trace (scene);
  const UiDocument *document = ui_scene_get_document (scene);
  const EngKind kind = document->kind_set ? document->kind : eng_trace_get_default_kind (trace);
  const int n_heads = eng_trace_get_n_heads (trace, kind);

  *self = (UiSceneFacts) {
    .trace = trace,
    .document = document,
    .kind = kind,
    .layer = document->layer,
    .n_heads = n_heads,
    .n_shown = document->view == UI_VIEW_NEURON ? 1 : ui_head_set_count (&document->heads, n_heads),
    .head = ui_head_set_first (&document->heads, n_heads),
    .queries = eng_trace_get_query_tokens (trace, kind),
    .keys = eng_trace_get_key_tokens (trace, kind),
  };
}
