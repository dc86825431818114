/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/svg-sink.h"

#include <math.h>
#include <string.h>

#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/indexed-png.h"
#include "ui/scene/sinks/link-groups.h"
#include "ui/scene/sinks/link-haze.h"
#include "ui/scene/sinks/svg-cells.h"
#include "ui/scene/sinks/svg-marks.h"
#include "ui/scene/sinks/text.h"

#define CM_PER_POINT (2.54 / 72)

typedef struct {
  UiSink      parent;
  GString    *svg;
  GHashTable *names;     /* group name → how often it was used, because an id must be unique */
  int         n_clips;
  const char *prefix;    /* of every id; borrowed */
} UiSvgSink;

static void
svg_fill (UiSink       *sink,
          const UiRect *rect,
          double        radius,
          UiColor       color)
{
  GString *svg = ((UiSvgSink *) sink)->svg;

  ui_svg_append_rect (svg, rect, radius);
  ui_svg_append_color (svg, "fill", color);
  g_string_append (svg, "/>\n");
}

static void
svg_fill_many (UiSink       *sink,
               const UiRect *rects,
               int           n_rects,
               UiColor       color)
{
  GString *svg = ((UiSvgSink *) sink)->svg;

  if (n_rects == 0)
    return;
  g_string_append (svg, "<path");
  ui_svg_append_color (svg, "fill", color);
  g_string_append (svg, " d=\"");
  for (int i = 0; i < n_rects; i++) {
    g_string_append_c (svg, 'M');
    ui_svg_append_number (svg, rects[i].x, FALSE);
    g_string_append_c (svg, ' ');
    ui_svg_append_number (svg, rects[i].y, FALSE);
    g_string_append_c (svg, 'h');
    ui_svg_append_number (svg, rects[i].width, FALSE);
    g_string_append_c (svg, 'v');
    ui_svg_append_number (svg, rects[i].height, FALSE);
    g_string_append_c (svg, 'h');
    ui_svg_append_number (svg, -rects[i].width, FALSE);
    g_string_append_c (svg, 'z');
  }
  g_string_append (svg, "\"/>\n");
}

static void
svg_frame (UiSink       *sink,
           const UiRect *rect,
           double        radius,
           double        width,
           UiColor       color)
{
  GString *svg = ((UiSvgSink *) sink)->svg;

  ui_svg_append_rect (svg, rect, radius);
  ui_svg_append_color (svg, "stroke", color);
  ui_svg_append_attribute (svg, "stroke-width", width);
  g_string_append (svg, " fill=\"none\"/>\n");
}

static void
svg_line (UiSink  *sink,
          double   x0,
          double   y0,
          double   x1,
          double   y1,
          double   width,
          UiColor  color)
{
  GString *svg = ((UiSvgSink *) sink)->svg;

  g_string_append (svg, "<line");
  ui_svg_append_attribute (svg, "x1", x0);
  ui_svg_append_attribute (svg, "y1", y0);
  ui_svg_append_attribute (svg, "x2", x1);
  ui_svg_append_attribute (svg, "y2", y1);
  ui_svg_append_color (svg, "stroke", color);
  ui_svg_append_attribute (svg, "stroke-width", width);
  g_string_append (svg, "/>\n");
}

/* One decimal is a tenth of a CSS pixel: enough for a curve, and a fifth of the file. */
static void
append_curve (GString      *svg,
              const UiLink *link)
{
  double across = link->x1 - link->x0;
  double down = link->y1 - link->y0;
  double reach = UI_LINK_REACH * across;

  g_string_append (svg, "<path d=\"M");
  ui_svg_append_number (svg, link->x0, TRUE);
  ui_svg_append_next (svg, link->y0);
  g_string_append_c (svg, 'c');
  ui_svg_append_number (svg, reach, TRUE);
  g_string_append (svg, " 0");
  ui_svg_append_next (svg, across - reach);
  ui_svg_append_next (svg, down);
  ui_svg_append_next (svg, across);
  ui_svg_append_next (svg, down);
  g_string_append_c (svg, '"');
}

/* Colour, width and dashes. */
static void
append_stroke (GString      *svg,
               const UiLink *link)
{
  ui_svg_append_color (svg, "stroke", link->color);
  ui_svg_append_attribute (svg, "stroke-width", link->width);
  if (link->dash > 0) {
    g_string_append (svg, " stroke-dasharray=\"");
    ui_svg_append_number (svg, link->dash * UI_DASH_DRAWN, FALSE);
    g_string_append_c (svg, ' ');
    ui_svg_append_number (svg, link->dash * (1 - UI_DASH_DRAWN), FALSE);
    g_string_append_c (svg, '"');
  }
}

static void
svg_curve (UiSink       *sink,
           const UiLink *link)
{
  GString *svg = ((UiSvgSink *) sink)->svg;

  append_curve (svg, link);
  append_stroke (svg, link);
  g_string_append (svg, " fill=\"none\"/>\n");
}

static void
append_group (const UiLink *links,
              int           n,
              gpointer      data)
{
  GString *svg = data;

  g_string_append (svg, "<g");
  append_stroke (svg, &links[0]);
  g_string_append (svg, ">\n");
  for (int i = 0; i < n; i++) {
    append_curve (svg, &links[i]);
    g_string_append (svg, "/>\n");
  }
  g_string_append (svg, "</g>\n");
}

static GByteArray *
create_png (cairo_surface_t *image)
{
  GByteArray *png = g_byte_array_new ();

  cairo_surface_write_to_png_stream (image, ui_cairo_append_bytes, png);
  return png;
}

static void
append_image (GString          *svg,
              const UiRect     *rect,
              const GByteArray *png,
              const char       *attributes)
{
  g_autofree char *text = g_base64_encode (png->data, png->len);

  g_string_append (svg, "<image");
  ui_svg_append_attribute (svg, "x", rect->x);
  ui_svg_append_attribute (svg, "y", rect->y);
  ui_svg_append_attribute (svg, "width", rect->width);
  ui_svg_append_attribute (svg, "height", rect->height);
  g_string_append_printf (svg, " preserveAspectRatio=\"none\"%s", attributes);
  g_string_append (svg, " href=\"data:image/png;base64,");
  g_string_append (svg, text);
  g_string_append (svg, "\"/>\n");
}

static void
append_haze (GString         *svg,
             const UiRect    *bounds,
             cairo_surface_t *picture)
{
  g_autoptr (GByteArray) png = create_png (picture);
  UiRect rect = *bounds;
  double x_scale, y_scale;

  /* Whole pixels reach a little over the bounds. */
  cairo_surface_get_device_scale (picture, &x_scale, &y_scale);
  rect.width = cairo_image_surface_get_width (picture) / x_scale;
  rect.height = cairo_image_surface_get_height (picture) / y_scale;
  append_image (svg, &rect, png, "");
}

static void
svg_links (UiSink            *sink,
           const UiLinkField *field)
{
  GString *svg = ((UiSvgSink *) sink)->svg;
  UiLinkHaze haze;

  ui_link_haze_init (&haze, field);
  if (haze.picture != NULL)
    append_haze (svg, &field->bounds, haze.picture);
  g_string_append (svg, "<g fill=\"none\">\n");
  ui_link_groups_foreach (&haze.field, append_group, svg);
  g_string_append (svg, "</g>\n");
  ui_link_haze_clear (&haze);
}

static void
svg_hatch (UiSink       *sink,
           const UiRect *rect,
           UiColor       color)
{
  GString *svg = ((UiSvgSink *) sink)->svg;
  g_autoptr (GArray) segments = ui_hatch_segments (rect);

  g_string_append (svg, "<path");
  ui_svg_append_color (svg, "stroke", color);
  ui_svg_append_attribute (svg, "stroke-width", UI_HATCH_WIDTH);
  g_string_append (svg, " d=\"");
  for (guint i = 0; i < segments->len; i++) {
    const UiSegment *segment = &g_array_index (segments, UiSegment, i);

    g_string_append_c (svg, 'M');
    ui_svg_append_number (svg, segment->x0, TRUE);
    ui_svg_append_next (svg, segment->y0);
    g_string_append_c (svg, 'L');
    ui_svg_append_number (svg, segment->x1, TRUE);
    ui_svg_append_next (svg, segment->y1);
  }
  g_string_append (svg, "\"/>\n");
}

/* Around the point that a text stands at, before its alignment moved it. */
static void
append_turn (GString *svg,
             double   angle,
             double   x,
             double   y)
{
  g_string_append (svg, " transform=\"rotate(");
  ui_svg_append_number (svg, -angle, FALSE);
  g_string_append_c (svg, ' ');
  ui_svg_append_number (svg, x, FALSE);
  g_string_append_c (svg, ' ');
  ui_svg_append_number (svg, y, FALSE);
  g_string_append (svg, ")\"");
}

static void
svg_text (UiSink            *sink,
          double             x,
          double             baseline,
          const char        *text,
          const UiTextStyle *style,
          UiColor            color)
{
  GString *svg = ((UiSvgSink *) sink)->svg;
  PangoLayout *layout = ui_text_layout (text, style);
  gboolean rtl = pango_layout_get_direction (layout, 0) == PANGO_DIRECTION_RTL;
  const double width = ui_text_measure (text, style);

  g_string_append (svg, "<text");
  if (style->angle != 0)
    append_turn (svg, style->angle, x, baseline);
  if (style->align != UI_ALIGN_LEFT)
    x -= style->align == UI_ALIGN_CENTER ? width / 2 : width;
  ui_svg_append_attribute (svg, "x", rtl ? x + width : x);
  ui_svg_append_attribute (svg, "y", baseline);
  ui_svg_append_attribute (svg, "font-size", style->size);
  ui_svg_append_color (svg, "fill", color);
  if (width > 0)
    ui_svg_append_attribute (svg, "textLength", width);
  g_string_append (svg, " lengthAdjust=\"spacingAndGlyphs\"");
  if (style->bold)
    g_string_append (svg, " font-weight=\"bold\"");
  if (style->italic)
    g_string_append (svg, " font-style=\"italic\"");
  if (style->tabular)
    g_string_append (svg, " style=\"font-variant-numeric:tabular-nums\"");
  if (rtl)
    g_string_append (svg, " direction=\"rtl\" unicode-bidi=\"isolate\"");
  g_string_append_c (svg, '>');
  ui_svg_append_escaped (svg, pango_layout_get_text (layout));
  g_string_append (svg, "</text>\n");
}

/* (transfer full) */
static GByteArray *
create_large_png (const UiRect *rect,
                  const guint8 *argb,
                  int           width,
                  int           height,
                  int           stride)
{
  int factor = ui_cells_find_factor (rect, width, height);
  g_autofree guint8 *pixels = ui_cells_enlarge (argb, width, height, stride, factor);
  int row = width * factor * 4;
  GByteArray *png = ui_indexed_png_new (pixels, width * factor, height * factor, row);

  if (png == NULL) {
    cairo_surface_t *image = cairo_image_surface_create_for_data (pixels, CAIRO_FORMAT_ARGB32,
                                                                  width * factor, height * factor,
                                                                  row);

    png = create_png (image);
    cairo_surface_destroy (image);
  }
  return png;
}

static void
svg_image (UiSink       *sink,
           const UiRect *rect,
           const guint8 *argb,
           int           width,
           int           height,
           int           stride)
{
  GString *svg = ((UiSvgSink *) sink)->svg;
  g_autoptr (GArray) runs = ui_cells_find_runs (argb, width, height, stride);

  if (runs != NULL) {
    ui_svg_append_cells (svg, rect, width, height, runs);
  } else {
    g_autoptr (GByteArray) png = create_large_png (rect, argb, width, height, stride);

    append_image (svg, rect, png, " style=\"image-rendering:pixelated\"");
  }
}

static void
svg_push_clip (UiSink       *sink,
               const UiRect *rect)
{
  UiSvgSink *self = (UiSvgSink *) sink;
  int clip = self->n_clips++;

  g_string_append_printf (self->svg, "<clipPath id=\"%sclip-%d\">", self->prefix,
                          clip);
  ui_svg_append_rect (self->svg, rect, 0);
  g_string_append_printf (self->svg, "/></clipPath>\n<g clip-path=\"url(#%sclip-%d)\">\n",
                          self->prefix, clip);
}

static void
svg_close_group (UiSink *sink)
{
  g_string_append (((UiSvgSink *) sink)->svg, "</g>\n");
}

static void
svg_push_group (UiSink     *sink,
                const char *name)
{
  UiSvgSink *self = (UiSvgSink *) sink;
  g_autofree char *id = g_ascii_strdown (name, -1);
  int uses;

  g_strcanon (id, "abcdefghijklmnopqrstuvwxyz0123456789-", '-');
  uses = GPOINTER_TO_INT (g_hash_table_lookup (self->names, id)) + 1;
  if (uses > 1)
    g_string_append_printf (self->svg, "<g id=\"%s%s-%d\">\n", self->prefix, id, uses);
  else
    g_string_append_printf (self->svg, "<g id=\"%s%s\">\n", self->prefix, id);
  g_hash_table_insert (self->names, g_steal_pointer (&id), GINT_TO_POINTER (uses));
}

UiSink *
ui_svg_sink_new (GString    *svg,
                 double      width,
                 double      height,
                 double      unit,
                 const char *prefix,
                 const char *title,
                 const char *description)
{
  static const UiSinkClass klass = {
    .fill = svg_fill,
    .fill_many = svg_fill_many,
    .frame = svg_frame,
    .line = svg_line,
    .curve = svg_curve,
    .links = svg_links,
    .hatch = svg_hatch,
    .text = svg_text,
    .image = svg_image,
    .push_clip = svg_push_clip,
    .pop_clip = svg_close_group,
    .push_group = svg_push_group,
    .pop_group = svg_close_group,
  };
  UiSvgSink *self = g_new0 (UiSvgSink, 1);

  self->parent.klass = &klass;
  self->svg = svg;
  self->prefix = prefix;
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_string_append (svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
  ui_svg_append_number (svg, width * unit * CM_PER_POINT, FALSE);
  g_string_append (svg, "cm\" height=\"");
  ui_svg_append_number (svg, height * unit * CM_PER_POINT, FALSE);
  g_string_append (svg, "cm\" viewBox=\"0 0 ");
  ui_svg_append_number (svg, width, FALSE);
  g_string_append_c (svg, ' ');
  ui_svg_append_number (svg, height, FALSE);
  g_string_append_printf (svg, "\" font-family=\"" UI_FONT_FAMILIES "\" xml:space=\"preserve\""
                          " role=\"img\" aria-labelledby=\"%stitle %sdescription\">\n"
                          "<title id=\"%stitle\">", prefix, prefix, prefix);
  ui_svg_append_escaped (svg, title);
  g_string_append_printf (svg, "</title>\n<desc id=\"%sdescription\">", prefix);
  ui_svg_append_escaped (svg, description);
  g_string_append (svg, "</desc>\n");
  return &self->parent;
}

void
ui_svg_sink_add_metadata (UiSink     *sink,
                          const char *id,
                          const char *text)
{
  GString *svg = ((UiSvgSink *) sink)->svg;

  g_string_append_printf (svg, "<metadata id=\"%s\">", id);
  ui_svg_append_escaped (svg, text);
  g_string_append (svg, "</metadata>\n");
}

void
ui_svg_sink_finish (UiSink *sink)
{
  UiSvgSink *self = (UiSvgSink *) sink;

  g_string_append (self->svg, "</svg>\n");
  g_hash_table_unref (self->names);
  g_free (self);
}
