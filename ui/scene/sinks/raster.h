/* SPDX-License-Identifier: MIT */
/* The raster sink: window and PNG. Links are accumulated in float, head by head, so that faint
 * links keep their hue; everything else is painted by cairo into the same picture. May run in any
 * thread. */
#pragma once

#include "ui/scene/sinks/sink.h"

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

G_END_DECLS
