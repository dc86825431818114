/* SPDX-License-Identifier: MIT */
/* Which block of the trace a scene shows: what the widgets beside a drawing look their numbers
 * up with. Everything is borrowed from the scene. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef struct {
  EngTrace         *trace;
  const UiDocument *document;
  EngKind           kind;
  int               layer;
  const UiWeights  *weights;
  int               head;     /* the first one shown: the neuron view's */
  const EngTokens  *queries;  /* or words */
  const EngTokens  *keys;
} UiSceneFacts;

void ui_scene_facts_init (UiSceneFacts  *self,
                          const UiScene *scene);

G_END_DECLS
