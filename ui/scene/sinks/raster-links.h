/* SPDX-License-Identifier: MIT */
/* Rasterises a field of links, column of pixels by column of pixels. Consecutive links of one
 * colour make a layer: a plane of float transmittances, which each link multiplies by 1 - alpha ·
 * coverage. That is what drawing them one over the other gives, in whatever order, without the
 * rounding of 8 bits. Layers are composited in the field's order. Coverage is the overlap of a
 * pixel with the stroke, measured across it; a curve is taken as straight within one column of
 * pixels. The faintest links of a dense field, of which hundreds lie over each other, are a haze:
 * they are drawn in columns of eight pixels and interpolated. Columns are shared out to threads. */
#pragma once

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

/* Rectangle of device pixels. */
typedef struct { int x, y, width, height; } UiPixelRect;

/* Links with dashes are left out: a column knows no length along a curve, and they are few.
 * pixels: premultiplied ARGB32; pixel (0, 0) shows (origin_x, origin_y) of the scene at scale
 * pixels a unit. Nothing outside of clip, which lies inside of the picture, is touched. */
void ui_raster_links_paint (const UiLinkField *field,
                            guint8            *pixels,
                            int                stride,
                            double             origin_x,
                            double             origin_y,
                            double             scale,
                            const UiPixelRect *clip);

/* The same, dashed ones drawn through, for a picture whose columns are breadth (1 or more) times as broad as a pixel is high;
 * clip counts its columns. Nothing is interpolated between them. */
void ui_raster_links_paint_broad (const UiLinkField *field,
                                  guint8            *pixels,
                                  int                stride,
                                  double             origin_x,
                                  double             origin_y,
                                  double             scale,
                                  double             breadth,
                                  const UiPixelRect *clip);

G_END_DECLS
