/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/raster.h"

#include <math.h>

#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/raster-links.h"

typedef struct {
  UiCairoSink      cairo;
  cairo_surface_t *surface;
  guint8          *pixels;
  int              stride;
  UiRect           area;
  double           scale;
} RasterSink;

/* The clip of the moment in whole pixels. Scenes clip at rectangles alone. */
static UiPixelRect
get_clip (RasterSink *self)
{
  double x0, y0, x1, y1;
  int width = cairo_image_surface_get_width (self->surface);
  int height = cairo_image_surface_get_height (self->surface);
  UiPixelRect clip;

  cairo_clip_extents (self->cairo.cr, &x0, &y0, &x1, &y1);
  cairo_user_to_device (self->cairo.cr, &x0, &y0);
  cairo_user_to_device (self->cairo.cr, &x1, &y1);
  clip.x = CLAMP ((int) floor (x0 + 1e-6), 0, width);
  clip.y = CLAMP ((int) floor (y0 + 1e-6), 0, height);
  clip.width = CLAMP ((int) ceil (x1 - 1e-6), clip.x, width) - clip.x;
  clip.height = CLAMP ((int) ceil (y1 - 1e-6), clip.y, height) - clip.y;
  return clip;
}

static void
stroke_dashed (const UiLink *link,
               gpointer      data)
{
  if (link->dash > 0)
    ui_cairo_sink_curve (data, link);
}

static void
paint_links (UiSink            *sink,
             const UiLinkField *field)
{
  RasterSink *self = (RasterSink *) sink;
  UiPixelRect clip = get_clip (self);

  if (clip.width == 0 || clip.height == 0)
    return;
  cairo_surface_flush (self->surface);
  ui_raster_links_paint (field, self->pixels, self->stride, self->area.x, self->area.y,
                         self->scale, &clip);
  cairo_surface_mark_dirty (self->surface);
  if (field->dashed) {
    const UiRect area = {
      self->area.x + clip.x / self->scale, self->area.y + clip.y / self->scale,
      clip.width / self->scale, clip.height / self->scale
    };

    field->foreach (field, &area, stroke_dashed, self);
  }
}

/* Level text stands on a whole row of pixels. cairo rounds it there itself until 1.17.4; letters that
 * it sets between two rows lose the upper one where the edge of a picture cuts their text, so that a
 * tile would show in the middle of a drawing. */
static void
paint_text (UiSink            *sink,
            double             x,
            double             baseline,
            const char        *text,
            const UiTextStyle *style,
            UiColor            color)
{
  RasterSink *self = (RasterSink *) sink;
  const double row = floor ((baseline - self->area.y) * self->scale + 0.5);

  ui_cairo_sink_text (sink, x, style->angle == 0 ? self->area.y + row / self->scale : baseline,
                      text, style, color);
}

static const UiSinkClass raster_sink_class = {
  .fill = ui_cairo_sink_fill,
  .fill_many = ui_cairo_sink_fill_many,
  .frame = ui_cairo_sink_frame,
  .line = ui_cairo_sink_line,
  .curve = ui_cairo_sink_curve,
  .links = paint_links,
  .hatch = ui_cairo_sink_hatch,
  .text = paint_text,
  .image = ui_cairo_sink_image,
  .push_clip = ui_cairo_sink_push_clip,
  .pop_clip = ui_cairo_sink_pop_clip,
  .push_group = ui_cairo_sink_push_group,
  .pop_group = ui_cairo_sink_pop_group,
};

UiSink *
ui_raster_sink_new (guint8       *pixels,
                    int           width,
                    int           height,
                    int           stride,
                    const UiRect *area,
                    double        scale)
{
  RasterSink *self = g_new0 (RasterSink, 1);

  self->surface = cairo_image_surface_create_for_data (pixels, CAIRO_FORMAT_ARGB32,
                                                       width, height, stride);
  self->pixels = pixels;
  self->stride = stride;
  self->area = *area;
  self->scale = scale;
  self->cairo.parent.klass = &raster_sink_class;
  self->cairo.cr = cairo_create (self->surface);
  cairo_scale (self->cairo.cr, scale, scale);
  cairo_translate (self->cairo.cr, -area->x, -area->y);
  return &self->cairo.parent;
}

void
ui_raster_sink_free (UiSink *sink)
{
  RasterSink *self = (RasterSink *) sink;

  cairo_destroy (self->cairo.cr);
  cairo_surface_flush (self->surface);
  cairo_surface_destroy (self->surface);
  g_free (self);
}
