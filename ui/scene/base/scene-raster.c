/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/scene-raster.h"

#include <math.h>

#include "ui/scene/sinks/raster.h"

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
ui_scene_render (const UiScene *scene,
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
ui_scene_render_preview (const UiScene *scene,
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
ui_scene_render_overlay (const UiScene *scene,
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
