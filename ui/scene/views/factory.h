/* SPDX-License-Identifier: MIT */
/* The one place that knows every kind of scene. */
#pragma once

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* The document's view chooses the kind of scene. Fails with UI_ERROR_RANGE on a layer, head,
 * kind or pin that the trace has not, and on a filter where there are not two sentences; with an
 * error of the engine's where the trace lacks what the measure needs. */
UiScene *ui_scene_new (EngTrace             *trace,
                       const UiDocument     *document,
                       const UiSceneOptions *options,
                       GError              **error);

G_END_DECLS
