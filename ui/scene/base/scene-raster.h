/* SPDX-License-Identifier: MIT */
/* Scenes as pictures, for window and PNG. May run in any thread. */
#pragma once

#include <cairo.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

/* The area on its ground, scale pixels a unit. (transfer full) cairo image surface. */
cairo_surface_t *ui_scene_render         (const UiScene *scene,
                                          const UiRect  *area,
                                          double         scale);
/* NULL where ui_scene_paint_preview() paints nothing. */
cairo_surface_t *ui_scene_render_preview (const UiScene *scene,
                                          const UiRect  *area,
                                          double         scale);
/* What hovering the item adds, on nothing. */
cairo_surface_t *ui_scene_render_overlay (const UiScene *scene,
                                          const UiItem  *item,
                                          const UiRect  *area,
                                          double         scale);

G_END_DECLS
