/* SPDX-License-Identifier: MIT */
#include "ui/lists/curve-plot.h"

#include <math.h>

#include "ui/document/amount.h"
#include "ui/view/color.h"

#define EDGE 4
/* Of a name that is cut off, in heights of a line: about twice as many. */
#define LEAST_LETTERS 4
#define GAP 6 /* between numbers and lines */

static PangoLayout *
new_layout (GtkWidget  *widget,
            const char *text,
            int        *width,
            int        *height)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_get_pixel_size (layout, width, height);

  return layout;
}

/* x and y: of the left upper corner. */
static void
append_layout (GtkSnapshot *snapshot,
               PangoLayout *layout,
               UiColor      color,
               double       x,
               double       y)
{
  const GdkRGBA rgba = ui_color_to_rgba (color);

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot,
                          &GRAPHENE_POINT_INIT ((float) floor (x), (float) floor (y)));
  gtk_snapshot_append_layout (snapshot, layout, &rgba);
  gtk_snapshot_restore (snapshot);
}

void
ui_curve_plot_begin (UiCurvePlot *self,
                     const char  *low,
                     const char  *high)
{
  int high_width, low_width, text_height;
  g_autoptr (PangoLayout) upper = new_layout (self->widget, high, &high_width, &text_height);
  g_autoptr (PangoLayout) lower = new_layout (self->widget, low, &low_width, &text_height);

  self->left = EDGE + MAX (high_width, low_width) + GAP;
  self->top = EDGE;
  self->width = MAX (gtk_widget_get_width (self->widget) - self->left - EDGE, 1);
  self->height = MAX (gtk_widget_get_height (self->widget) - 2 * EDGE - text_height, 1);
}

/* Right-aligned before the lines; y: of the upper edge. */
static void
append_number (const UiCurvePlot *self,
               GtkSnapshot       *snapshot,
               const char        *number,
               gboolean           is_low)
{
  const UiColor dim = ui_palette_get (self->theme)->dim;
  int width, height;
  g_autoptr (PangoLayout) layout = new_layout (self->widget, number, &width, &height);

  append_layout (snapshot, layout, dim, self->left - GAP - width,
                 is_low ? self->top + self->height - height + EDGE : 0);
}

void
ui_curve_plot_append_axes (const UiCurvePlot *self,
                           GtkSnapshot       *snapshot,
                           const char        *low,
                           const char        *high,
                           double             shown)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const GdkRGBA rule = ui_color_to_rgba (palette->rule);
  const GdkRGBA mark = ui_color_to_rgba (palette->accent);
  const float left = (float) floor (self->left) - 1;
  const float foot = (float) (floor (self->top + self->height) + 1);

  append_number (self, snapshot, high, FALSE);
  append_number (self, snapshot, low, TRUE);
  gtk_snapshot_append_color (snapshot, &rule, &GRAPHENE_RECT_INIT (left, 0, 1, foot));
  gtk_snapshot_append_color (snapshot, &rule,
                             &GRAPHENE_RECT_INIT (left, foot, (float) self->width + 1, 1));
  if (!isnan (shown))
    gtk_snapshot_append_color (
      snapshot, &mark,
      &GRAPHENE_RECT_INIT ((float) floor (ui_curve_plot_get_x (self, shown)), 0, 1, foot));
}

void
ui_curve_plot_append_foot (const UiCurvePlot *self,
                           GtkSnapshot       *snapshot,
                           const UiCurveName *names,
                           int                n_names,
                           gboolean           says_last)
{
  g_autofree char *last = ui_amount_count ((gint64) self->last);
  int last_width, height;
  g_autoptr (PangoLayout) end = new_layout (self->widget, last, &last_width, &height);
  const double y = self->top + self->height + EDGE;
  double x = self->left, room = self->left + self->width;

  if (says_last) {
    append_layout (snapshot, end, ui_palette_get (self->theme)->dim, room - last_width, y);
    room -= last_width + 2 * GAP;
  }
  for (int i = 0; i < n_names; i++) {
    int width;
    g_autoptr (PangoLayout) name = new_layout (self->widget, names[i].text, &width, &height);

    /* The first one is there in any case; what would be some letters of another says nothing. */
    if (i > 0 && room - x < MIN (width, LEAST_LETTERS * height))
      return;
    pango_layout_set_ellipsize (name, PANGO_ELLIPSIZE_END);
    pango_layout_set_width (name, (int) MAX (room - x, 1) * PANGO_SCALE);
    append_layout (snapshot, name, names[i].color, x, y);
    x += width + 2 * GAP;
  }
}

cairo_t *
ui_curve_plot_append_cairo (const UiCurvePlot *self,
                            GtkSnapshot       *snapshot)
{
  cairo_t *cr = gtk_snapshot_append_cairo (
    snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (self->widget),
                                   (float) gtk_widget_get_height (self->widget)));

  cairo_set_line_width (cr, UI_CURVE_LINE);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);

  return cr;
}

double
ui_curve_plot_get_x (const UiCurvePlot *self,
                     double             step)
{
  return self->left + self->width * step / self->last;
}

double
ui_curve_plot_get_y (const UiCurvePlot *self,
                     double             number)
{
  return self->top + self->height * (self->high - number) / (self->high - self->low);
}

void
ui_curve_plot_measure (GtkOrientation  orientation,
                       int            *minimum,
                       int            *natural)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? UI_CURVE_LEAST_WIDTH
                                                       : UI_CURVE_LEAST_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? UI_CURVE_WIDTH : UI_CURVE_HEIGHT;
}
