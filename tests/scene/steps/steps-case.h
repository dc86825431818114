/* SPDX-License-Identifier: MIT */
/* Scenes of steps, of the models that ship and of random ones. */
#pragma once

#include "engine/transformer/inputs.h"
#include "tests/support/random-model.h"
#include "tests/support/scene-case.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/steps/steps-scene.h"

static inline EngTrace *
make_bundled (const char *name,
              const char *text)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "models", name,
                                                   NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_auto (EngInputs) inputs = { 0 };

  g_assert_no_error (error);
  /* More tokens than it reads. */
  eng_inputs_from_texts (model, text, eng_model_has_two_stacks (model)
                                      ? "Le vieux chat s’est assis hier sur le petit tapis." : NULL,
                         NULL, &inputs, &error);
  g_assert_no_error (error);
  return test_run_stacks (model, inputs.tokens, inputs.decoder_tokens, NULL, 0);
}

/* A random model over so many random tokens. */
static inline EngTrace *
make_random (guint32 seed,
             int     n)
{
  EngSpec spec;
  EngWeights *weights;
  guint32 state = seed * 2654435761u + 1;
  g_autoptr (EngModel) model = NULL;
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngTokens) decoder_tokens = NULL;

  test_random_spec (&spec, &state);
  model = test_random_model_new (&spec, seed, &weights);
  tokens = test_random_tokens_new (&spec, n, seed + 1);
  if (eng_spec_has_cross (&spec))
    decoder_tokens = test_random_stack_tokens_new (&spec, ENG_KIND_DECODER, 3, seed + 2);
  return test_run_stacks (model, tokens, decoder_tokens, NULL, 0);
}

/* settings as of scene_case_new_view(). */
static inline UiScene *
make_scene (EngTrace   *trace,
            const char *settings,
            double      width,
            double      scale)
{
  const UiSceneOptions options = { .width = width, .text_scale = scale, .zoom = 1 };

  return scene_case_new_view (trace, UI_VIEW_STEPS, settings, &options);
}

static inline UiScene *
make_step (EngTrace *trace,
           int       step,
           double    width,
           double    scale)
{
  g_autofree char *settings = g_strdup_printf ("step=%d", step);

  return make_scene (trace, settings, width, scale);
}

/* Of one token's way. */
static inline int
count_steps (EngTrace *trace)
{
  g_autoptr (UiScene) scene = make_scene (trace, "step=0", 700, 1);

  return eng_way_get_n_stages (ui_steps_scene_cast (scene)->way);
}
