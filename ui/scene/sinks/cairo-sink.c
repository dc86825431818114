/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/cairo-sink.h"

#include <math.h>

#include "ui/scene/sinks/text.h"

#define HATCH_SPACING 4.5 /* along x, scene units */

static cairo_t *
context (UiSink *sink)
{
  return ((UiCairoSink *) sink)->cr;
}

static void
set_color (cairo_t *cr,
           UiColor  color)
{
  cairo_set_source_rgba (cr, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
}

static void
trace_rect (cairo_t      *cr,
            const UiRect *rect,
            double        radius)
{
  double r = MIN (radius, MIN (rect->width, rect->height) / 2);
  double right = rect->x + rect->width;
  double bottom = rect->y + rect->height;

  if (r <= 0) {
    cairo_rectangle (cr, rect->x, rect->y, rect->width, rect->height);
    return;
  }
  cairo_new_sub_path (cr);
  cairo_arc (cr, right - r, rect->y + r, r, -G_PI_2, 0);
  cairo_arc (cr, right - r, bottom - r, r, 0, G_PI_2);
  cairo_arc (cr, rect->x + r, bottom - r, r, G_PI_2, G_PI);
  cairo_arc (cr, rect->x + r, rect->y + r, r, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

void
ui_cairo_sink_fill (UiSink       *sink,
                    const UiRect *rect,
                    double        radius,
                    UiColor       color)
{
  cairo_t *cr = context (sink);

  trace_rect (cr, rect, radius);
  set_color (cr, color);
  cairo_fill (cr);
}

void
ui_cairo_sink_fill_many (UiSink       *sink,
                         const UiRect *rects,
                         int           n_rects,
                         UiColor       color)
{
  cairo_t *cr = context (sink);

  for (int i = 0; i < n_rects; i++)
    cairo_rectangle (cr, rects[i].x, rects[i].y, rects[i].width, rects[i].height);
  set_color (cr, color);
  cairo_fill (cr);
}

void
ui_cairo_sink_frame (UiSink       *sink,
                     const UiRect *rect,
                     double        radius,
                     double        width,
                     UiColor       color)
{
  cairo_t *cr = context (sink);

  trace_rect (cr, rect, radius);
  set_color (cr, color);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

void
ui_cairo_sink_line (UiSink  *sink,
                    double   x0,
                    double   y0,
                    double   x1,
                    double   y1,
                    double   width,
                    UiColor  color)
{
  cairo_t *cr = context (sink);

  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
  set_color (cr, color);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

void
ui_cairo_sink_curves (UiSink       *sink,
                      const UiLink *links,
                      int           n)
{
  cairo_t *cr = context (sink);

  for (int i = 0; i < n; i++) {
    const UiLink *link = &links[i];
    double reach = UI_LINK_REACH * (link->x1 - link->x0);

    cairo_move_to (cr, link->x0, link->y0);
    cairo_curve_to (cr, link->x0 + reach, link->y0, link->x1 - reach, link->y1,
                    link->x1, link->y1);
  }
  set_color (cr, links[0].color);
  cairo_set_line_width (cr, links[0].width);
  if (links[0].dash > 0) {
    const double drawn = links[0].dash * UI_DASH_DRAWN;

    cairo_set_dash (cr, (double[]) { drawn, links[0].dash - drawn }, 2, 0);
  }
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

void
ui_cairo_sink_curve (UiSink       *sink,
                     const UiLink *link)
{
  ui_cairo_sink_curves (sink, link, 1);
}

void
ui_cairo_sink_hatch (UiSink       *sink,
                     const UiRect *rect,
                     UiColor       color)
{
  cairo_t *cr = context (sink);
  g_autoptr (GArray) segments = ui_hatch_segments (rect);

  for (guint i = 0; i < segments->len; i++) {
    const UiSegment *segment = &g_array_index (segments, UiSegment, i);

    cairo_move_to (cr, segment->x0, segment->y0);
    cairo_line_to (cr, segment->x1, segment->y1);
  }
  set_color (cr, color);
  cairo_set_line_width (cr, UI_HATCH_WIDTH);
  cairo_stroke (cr);
}

void
ui_cairo_sink_text (UiSink            *sink,
                    double             x,
                    double             baseline,
                    const char        *text,
                    const UiTextStyle *style,
                    UiColor            color)
{
  cairo_t *cr = context (sink);
  PangoLayout *layout = ui_text_layout (text, style);
  const double scale = style->size / UI_TEXT_LAYOUT_SIZE;
  double shift = style->align == UI_ALIGN_LEFT ? 0 : style->align == UI_ALIGN_CENTER ? 0.5 : 1;
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  cairo_save (cr);
  cairo_translate (cr, x, baseline);
  cairo_rotate (cr, -style->angle * G_PI / 180);
  cairo_scale (cr, scale, scale);
  cairo_move_to (cr, -logical.width * shift / PANGO_SCALE,
                 -pango_layout_get_baseline (layout) / (double) PANGO_SCALE);
  set_color (cr, color);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr);
  cairo_restore (cr);
}

/* Whether each cell has a pixel, in units of cells: of fewer pixels none may be left out. */
static gboolean
has_room (cairo_t *cr)
{
  double x = 1, y = 1;

  if (cairo_surface_get_type (cairo_get_target (cr)) != CAIRO_SURFACE_TYPE_IMAGE)
    return TRUE;
  cairo_user_to_device_distance (cr, &x, &y);
  return x > 1 - 1e-6 && y > 1 - 1e-6;
}

void
ui_cairo_sink_image (UiSink       *sink,
                     const UiRect *rect,
                     const guint8 *argb,
                     int           width,
                     int           height,
                     int           stride)
{
  cairo_t *cr = context (sink);
  cairo_surface_t *image = cairo_image_surface_create_for_data ((guint8 *) argb,
                                                                CAIRO_FORMAT_ARGB32,
                                                                width, height, stride);

  cairo_save (cr);
  cairo_translate (cr, rect->x, rect->y);
  cairo_scale (cr, rect->width / width, rect->height / height);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), has_room (cr) ? CAIRO_FILTER_NEAREST
                                                                 : CAIRO_FILTER_GOOD);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (image);
}

void
ui_cairo_sink_push_clip (UiSink       *sink,
                         const UiRect *rect)
{
  cairo_t *cr = context (sink);

  cairo_save (cr);
  cairo_rectangle (cr, rect->x, rect->y, rect->width, rect->height);
  cairo_clip (cr);
}

void
ui_cairo_sink_pop_clip (UiSink *sink)
{
  cairo_restore (context (sink));
}

void
ui_cairo_sink_push_group (UiSink     *sink,
                          const char *name)
{
}

void
ui_cairo_sink_pop_group (UiSink *sink)
{
}

GArray *
ui_hatch_segments (const UiRect *rect)
{
  GArray *segments = g_array_new (FALSE, FALSE, sizeof (UiSegment));
  double right = rect->x + rect->width;
  double bottom = rect->y + rect->height;
  double first = ceil ((rect->x + rect->y) / HATCH_SPACING) * HATCH_SPACING;

  /* A stroke is the part of x + y = sum that lies inside. */
  for (double sum = first; sum < right + bottom; sum += HATCH_SPACING) {
    double x0 = MAX (rect->x, sum - bottom);
    double x1 = MIN (right, sum - rect->y);
    UiSegment segment = { x0, sum - x0, x1, sum - x1 };

    if (x1 > x0)
      g_array_append_val (segments, segment);
  }
  return segments;
}

cairo_status_t
ui_cairo_append_bytes (gpointer             bytes,
                       const unsigned char *data,
                       unsigned int         length)
{
  g_byte_array_append (bytes, data, length);
  return CAIRO_STATUS_SUCCESS;
}
