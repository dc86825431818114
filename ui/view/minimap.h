/* SPDX-License-Identifier: MIT */
/* The whole drawing of a scene view, over it, with the frame of what is in sight. It is there while
 * the drawing is several times as large as what is in sight; a click or a drag moves there. It lies
 * between columns of tokens, or in the corner of a matrix, and is not there where it would cover
 * tokens or numbers. It lies on the picture, so it fades (the style class "resting") some time after the last
 * movement, unless the pointer is on it. Threads render it.
 *
 * Property: view (UiSceneView), given once. */
#pragma once

#include "ui/view/scene-view.h"

G_BEGIN_DECLS

#define UI_TYPE_MINIMAP (ui_minimap_get_type ())
G_DECLARE_FINAL_TYPE (UiMinimap, ui_minimap, UI, MINIMAP, GtkWidget)

GtkWidget *ui_minimap_new (UiSceneView *view);

G_END_DECLS
