/* SPDX-License-Identifier: MIT */
#include "ui/view/focus-ring.h"

#include "ui/view/color.h"

#define WIDTH 2
#define DASH 4
#define GAP 3

static void
trace_outline (cairo_t               *cr,
               const graphene_rect_t *bounds,
               double                 radius)
{
  const double inset = UI_FOCUS_RING / 2.0;
  const double left = bounds->origin.x + inset, top = bounds->origin.y + inset;
  const double right = left + bounds->size.width - 2 * inset;
  const double bottom = top + bounds->size.height - 2 * inset;
  const double r = CLAMP (radius, 0, MIN (right - left, bottom - top) / 2);

  cairo_new_sub_path (cr);
  cairo_arc (cr, right - r, top + r, r, -G_PI_2, 0);
  cairo_arc (cr, right - r, bottom - r, r, 0, G_PI_2);
  cairo_arc (cr, left + r, bottom - r, r, G_PI_2, G_PI);
  cairo_arc (cr, left + r, top + r, r, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

void
ui_focus_ring_append (GtkSnapshot           *snapshot,
                      UiTheme                theme,
                      const graphene_rect_t *bounds,
                      double                 radius)
{
  const UiPalette *palette = ui_palette_get (theme);
  const GdkRGBA ground = ui_color_to_rgba (palette->ground);
  const GdkRGBA ink = ui_color_to_rgba (palette->text);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, bounds);

  trace_outline (cr, bounds, radius);
  gdk_cairo_set_source_rgba (cr, &ground);
  cairo_set_line_width (cr, UI_FOCUS_RING);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, WIDTH);
  cairo_set_dash (cr, (const double[]) { DASH, GAP }, 2, 0);
  cairo_stroke (cr);
  cairo_destroy (cr);
}
