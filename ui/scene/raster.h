/* SPDX-License-Identifier: MIT */
/* The raster sink: window and PNG. Links are accumulated in float, head by head, so that faint
 * links keep their hue; everything else is painted by cairo into the same picture. May run in any
 * thread. */
#pragma once

#include <cairo.h>

#include "ui/scene/scene.h"

G_BEGIN_DECLS

/* Draws over premultiplied ARGB32 pixels of width × height device pixels, which show area of the
 * scene at scale pixels a unit. Two halves of an area drawn apart give the same pixels as the
 * whole. */
UiSink *ui_raster_sink_new  (guint8       *pixels,
                             int           width,
                             int           height,
                             int           stride,
                             const UiRect *area,
                             double        scale);
void    ui_raster_sink_free (UiSink       *sink);

/* Convenience: the area of a scene on its ground. (transfer full) cairo image surface. */
cairo_surface_t *ui_raster_render         (const UiScene *scene,
                                           const UiRect  *area,
                                           double         scale);
/* NULL where ui_scene_paint_preview() paints nothing. */
cairo_surface_t *ui_raster_render_preview (const UiScene *scene,
                                           const UiRect  *area,
                                           double         scale);
/* What hovering the item adds, on nothing. */
cairo_surface_t *ui_raster_render_overlay (const UiScene *scene,
                                           const UiItem  *item,
                                           const UiRect  *area,
                                           double         scale);

G_END_DECLS
