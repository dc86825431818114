/* SPDX-License-Identifier: MIT */
/* Scenes of a trace, and what they draw as text (text-sink.h). */
#pragma once

#include "ui/scene/views/factory.h"

UiScene *scene_case_new      (EngTrace             *trace,
                              const UiDocument     *document,
                              const UiSceneOptions *options);
/* settings: "pin=2 filter=ab", fields of the document, whose theme the scene has. */
UiScene *scene_case_new_view (EngTrace             *trace,
                              UiViewKind            view,
                              const char           *settings,
                              const UiSceneOptions *options);
/* What the scene draws, or over it while hover (nullable) is pointed at. (transfer full) */
char    *scene_case_print    (const UiScene        *scene,
                              const UiItem         *hover);
/* What a view shows while the scene is not painted yet. (transfer full) */
char    *scene_case_print_preview (const UiScene   *scene);
