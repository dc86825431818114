/* SPDX-License-Identifier: MIT */
/* Scenes of the model view over traces that are known by construction (made-trace.h). */
#pragma once

#include "ui/scene/model/model-scene.h"

#include "tests/support/made-trace.h"
#include "tests/support/scene-case.h"
#include "tests/support/traces.h"

#define N_A 4
#define N_B 4
#define N (N_A + N_B)
#define STRONG 0.6 /* of made-trace.h */

static const UiSceneOptions window = { .width = 700, .view_height = 500, .text_scale = 1 };
static const UiSceneOptions file = { .width = 500, .text_scale = 1, .caption = TRUE };

static inline UiScene *
create_scene (EngTrace             *trace,
              const char           *settings,
              const UiSceneOptions *options)
{
  return scene_case_new_view (trace, UI_VIEW_MODEL, settings, options);
}

static inline UiItem
make_item (int layer,
           int head)
{
  return (UiItem) { .type = UI_ITEM_HEAD, .layer = layer, .head = head };
}

static inline void
assert_item (const UiItem *item,
             int           layer,
             int           head)
{
  g_assert_cmpint (item->type, ==, UI_ITEM_HEAD);
  g_assert_cmpint (item->layer, ==, layer);
  g_assert_cmpint (item->head, ==, head);
}

static inline EngTrace *
open_bert (void)
{
  return traces_open ("shared/bert-base-uncased.cat-mat.safetensors");
}
