/* SPDX-License-Identifier: MIT */
#include "ui/scene/raster.h"

#include <math.h>

#include "ui/scene/cairo-sink.h"
#include "ui/scene/raster-links.h"

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
}

static const UiSinkClass raster_sink_class = {
  .fill = ui_cairo_sink_fill,
  .fill_many = ui_cairo_sink_fill_many,
  .frame = ui_cairo_sink_frame,
  .line = ui_cairo_sink_line,
  .curve = ui_cairo_sink_curve,
  .links = paint_links,
  .hatch = ui_cairo_sink_hatch,
  .text = ui_cairo_sink_text,
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

/* Transparent; *sink draws on it, and is NULL where there is no memory for it. */
static cairo_surface_t *
create_picture (const UiRect  *area,
                double         scale,
                UiSink       **sink)
{
  int width = MAX ((int) ceil (area->width * scale - 1e-6), 1);
  int height = MAX ((int) ceil (area->height * scale - 1e-6), 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);

  if (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS)
    *sink = ui_raster_sink_new (cairo_image_surface_get_data (surface), width, height,
                                cairo_image_surface_get_stride (surface), area, scale);
  else
    *sink = NULL;
  return surface;
}

static void
finish_picture (cairo_surface_t *surface,
                UiSink          *sink)
{
  ui_raster_sink_free (sink);
  cairo_surface_mark_dirty (surface);
}

cairo_surface_t *
ui_raster_render (const UiScene *scene,
                  const UiRect  *area,
                  double         scale)
{
  UiSink *sink;
  cairo_surface_t *surface = create_picture (area, scale, &sink);

  if (sink != NULL) {
    ui_scene_paint (scene, sink, area);
    finish_picture (surface, sink);
  }
  return surface;
}

cairo_surface_t *
ui_raster_render_preview (const UiScene *scene,
                          const UiRect  *area,
                          double         scale)
{
  UiSink *sink;
  cairo_surface_t *surface = create_picture (area, scale, &sink);
  gboolean has_preview;

  if (sink == NULL)
    return surface;
  has_preview = ui_scene_paint_preview (scene, sink, area);
  finish_picture (surface, sink);
  if (!has_preview)
    g_clear_pointer (&surface, cairo_surface_destroy);
  return surface;
}

cairo_surface_t *
ui_raster_render_overlay (const UiScene *scene,
                          const UiItem  *item,
                          const UiRect  *area,
                          double         scale)
{
  UiSink *sink;
  cairo_surface_t *surface = create_picture (area, scale, &sink);

  if (sink != NULL) {
    ui_scene_paint_overlay (scene, item, sink, area);
    finish_picture (surface, sink);
  }
  return surface;
}
