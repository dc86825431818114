/* SPDX-License-Identifier: MIT */
/* The drawing operations on a cairo context, all but the links: the PDF sink and the raster sink
 * embed UiCairoSink as their first member and put these functions into their classes. */
#pragma once

#include <cairo.h>

#include "ui/scene/sinks/sink.h"

G_BEGIN_DECLS

typedef struct {
  UiSink   parent;
  cairo_t *cr;     /* in scene units; borrowed */
} UiCairoSink;

void ui_cairo_sink_fill       (UiSink            *sink,
                               const UiRect      *rect,
                               double             radius,
                               UiColor            color);
void ui_cairo_sink_fill_many  (UiSink            *sink,
                               const UiRect      *rects,
                               int                n_rects,
                               UiColor            color);
void ui_cairo_sink_frame      (UiSink            *sink,
                               const UiRect      *rect,
                               double             radius,
                               double             width,
                               UiColor            color);
void ui_cairo_sink_line       (UiSink            *sink,
                               double             x0,
                               double             y0,
                               double             x1,
                               double             y1,
                               double             width,
                               UiColor            color);
void ui_cairo_sink_curve      (UiSink            *sink,
                               const UiLink      *link);
/* Several as one path, in the colour and width of the first; none may touch another. */
void ui_cairo_sink_curves     (UiSink            *sink,
                               const UiLink      *links,
                               int                n);
void ui_cairo_sink_hatch      (UiSink            *sink,
                               const UiRect      *rect,
                               UiColor            color);
void ui_cairo_sink_text       (UiSink            *sink,
                               double             x,
                               double             baseline,
                               const char        *text,
                               const UiTextStyle *style,
                               UiColor            color);
void ui_cairo_sink_image      (UiSink            *sink,
                               const UiRect      *rect,
                               const guint8      *argb,
                               int                width,
                               int                height,
                               int                stride);
void ui_cairo_sink_push_clip  (UiSink            *sink,
                               const UiRect      *rect);
void ui_cairo_sink_pop_clip   (UiSink            *sink);
void ui_cairo_sink_push_group (UiSink            *sink,
                               const char        *name);
void ui_cairo_sink_pop_group  (UiSink            *sink);

/* The strokes of a hatched rectangle, so that every sink hatches alike: lines of slope -1 on a
 * grid that is the same for all rectangles. (transfer full) of UiSegment. */
typedef struct { double x0, y0, x1, y1; } UiSegment;
#define UI_HATCH_WIDTH 0.7
GArray *ui_hatch_segments     (const UiRect      *rect);

/* For cairo's streams: bytes is a GByteArray. */
cairo_status_t ui_cairo_append_bytes (gpointer             bytes,
                                      const unsigned char *data,
                                      unsigned int         length);

G_END_DECLS
