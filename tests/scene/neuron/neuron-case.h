/* SPDX-License-Identifier: MIT */
/* Scenes of the neuron view: a head of BERT's over two sentences, layers of a T5 with
 * bias and mask, of a DeBERTa with a bias in two terms. */
#pragma once

#include "tests/support/scene-case.h"
#include "tests/support/traces.h"

#define HEAD 8
#define QUERY 2
#define N_TOKENS 13
#define N_DIMENSIONS 32

static inline EngTrace *
open_flies (void)
{
  return traces_open ("fixtures/scene/flies.safetensors");
}

static inline EngTrace *
open_t5 (void)
{
  return traces_open ("fixtures/traces/t5.safetensors");
}

static inline EngTrace *
open_deberta (void)
{
  return traces_open ("fixtures/traces/deberta.safetensors");
}

static inline UiScene *
create_scene (EngTrace   *trace,
              const char *settings,
              double      width,
              double      view_height)
{
  const UiSceneOptions options = { .width = width, .view_height = view_height, .text_scale = 1 };

  return scene_case_new_view (trace, UI_VIEW_NEURON, settings, &options);
}
