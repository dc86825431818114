/* SPDX-License-Identifier: MIT */
#include "ui/lists/loss-curve.h"

#include <math.h>

#include "ui/controls/words.h"
#include "ui/document/amount.h"
#include "ui/view/color.h"

#define LEAST_WIDTH 120
#define WIDTH 260
#define LEAST_HEIGHT 56
#define HEIGHT 72
#define EDGE 4
#define GAP 6    /* between numbers and lines */
#define LINE 1.5
#define DOT 2.5

struct _UiLossCurve {
  GtkWidget    parent_instance;

  UiLossPoint *points;
  int          n_points;
  UiTheme      theme;
};

G_DEFINE_FINAL_TYPE (UiLossCurve, ui_loss_curve, GTK_TYPE_WIDGET)

/* Where the lines are drawn, and what its edges stand for. */
typedef struct {
  double left, top, width, height;
  double last;      /* step at the right edge */
  double low, high; /* losses at the foot and the head */
} Plot;

static void
stretch (Plot  *plot,
         double loss)
{
  if (isnan (loss))
    return;
  plot->low = fmin (plot->low, loss);
  plot->high = fmax (plot->high, loss);
}

static gboolean
find_range (UiLossCurve *self,
            Plot        *plot)
{
  plot->low = INFINITY;
  plot->high = -INFINITY;
  for (int i = 0; i < self->n_points; i++) {
    stretch (plot, self->points[i].loss);
    stretch (plot, self->points[i].held_out);
  }
  if (plot->low > plot->high)
    return FALSE;
  plot->last = fmax (self->points[self->n_points - 1].step, 1);
  /* A level line lies in the middle. */
  if (plot->high - plot->low < 1e-9) {
    plot->low -= 0.5;
    plot->high += 0.5;
  }

  return TRUE;
}

static PangoLayout *
new_layout (UiLossCurve *self,
            const char  *text,
            int         *width,
            int         *height)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
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

/* The numbers at the left, which say how much room is left for the lines. */
static void
append_losses (UiLossCurve *self,
               GtkSnapshot *snapshot,
               Plot        *plot)
{
  const UiColor dim = ui_palette_get (self->theme)->dim;
  g_autofree char *high = ui_words_number ("%.2f", plot->high);
  g_autofree char *low = ui_words_number ("%.2f", plot->low);
  int high_width, low_width, text_height;
  g_autoptr (PangoLayout) upper = new_layout (self, high, &high_width, &text_height);
  g_autoptr (PangoLayout) lower = new_layout (self, low, &low_width, &text_height);
  const int widest = MAX (high_width, low_width);

  plot->left = EDGE + widest + GAP;
  plot->top = EDGE;
  plot->width = gtk_widget_get_width (GTK_WIDGET (self)) - plot->left - EDGE;
  plot->height = gtk_widget_get_height (GTK_WIDGET (self)) - 2 * EDGE - text_height;
  append_layout (snapshot, upper, dim, EDGE + widest - high_width, 0);
  append_layout (snapshot, lower, dim, EDGE + widest - low_width,
                 plot->top + plot->height - text_height + EDGE);
}

/* Below the lines: the first and the last step, and between them the names in their colours. */
static void
append_foot (UiLossCurve *self,
             GtkSnapshot *snapshot,
             const Plot  *plot)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  g_autofree char *last = ui_amount_count ((gint64) plot->last);
  int last_width, loss_width, held_out_width, height;
  g_autoptr (PangoLayout) end = new_layout (self, last, &last_width, &height);
  g_autoptr (PangoLayout) loss = new_layout (self, "loss", &loss_width, &height);
  g_autoptr (PangoLayout) held_out = new_layout (self, "held out", &held_out_width, &height);
  const double y = plot->top + plot->height + EDGE;

  append_layout (snapshot, end, palette->dim, plot->left + plot->width - last_width, y);
  append_layout (snapshot, loss, palette->side[0], plot->left, y);
  if (plot->width > loss_width + held_out_width + last_width + 4 * GAP)
    append_layout (snapshot, held_out, palette->side[1], plot->left + loss_width + 2 * GAP, y);
}

static double
get_x (const Plot *plot,
       double      step)
{
  return plot->left + plot->width * step / plot->last;
}

static double
get_y (const Plot *plot,
       double      loss)
{
  return plot->top + plot->height * (plot->high - loss) / (plot->high - plot->low);
}

static double
get_loss (const UiLossPoint *point,
          gboolean           is_held_out)
{
  return is_held_out ? point->held_out : point->loss;
}

static void
draw_line (UiLossCurve *self,
           cairo_t     *cr,
           const Plot  *plot,
           gboolean     is_held_out)
{
  const GdkRGBA color = ui_color_to_rgba (ui_palette_get (self->theme)->side[is_held_out]);

  gdk_cairo_set_source_rgba (cr, &color);
  for (int i = 0; i < self->n_points; i++) {
    const double loss = get_loss (&self->points[i], is_held_out);

    if (!isnan (loss))
      cairo_line_to (cr, get_x (plot, self->points[i].step), get_y (plot, loss));
  }
  cairo_stroke (cr);
}

/* In the colour of the line that was drawn last. */
static void
draw_dots (UiLossCurve *self,
           cairo_t     *cr,
           const Plot  *plot)
{
  for (int i = 0; i < self->n_points; i++) {
    const double loss = get_loss (&self->points[i], TRUE);

    if (isnan (loss))
      continue;
    cairo_arc (cr, get_x (plot, self->points[i].step), get_y (plot, loss), DOT, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

static void
append_lines (UiLossCurve *self,
              GtkSnapshot *snapshot,
              const Plot  *plot)
{
  const GdkRGBA rule = ui_color_to_rgba (ui_palette_get (self->theme)->rule);
  cairo_t *cr = gtk_snapshot_append_cairo (
    snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (GTK_WIDGET (self)),
                                   (float) gtk_widget_get_height (GTK_WIDGET (self))));

  gdk_cairo_set_source_rgba (cr, &rule);
  cairo_rectangle (cr, floor (plot->left) - 1, 0, 1, plot->top + plot->height + 1);
  cairo_rectangle (cr, floor (plot->left) - 1, floor (plot->top + plot->height) + 1,
                   plot->width + 1, 1);
  cairo_fill (cr);
  cairo_set_line_width (cr, LINE);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  draw_line (self, cr, plot, FALSE);
  draw_line (self, cr, plot, TRUE);
  draw_dots (self, cr, plot);
  cairo_destroy (cr);
}

static void
ui_loss_curve_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  UiLossCurve *self = UI_LOSS_CURVE (widget);
  Plot plot;

  if (!find_range (self, &plot))
    return;
  append_losses (self, snapshot, &plot);
  append_lines (self, snapshot, &plot);
  append_foot (self, snapshot, &plot);
}

static void
ui_loss_curve_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : LEAST_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
ui_loss_curve_finalize (GObject *object)
{
  g_free (UI_LOSS_CURVE (object)->points);

  G_OBJECT_CLASS (ui_loss_curve_parent_class)->finalize (object);
}

static void
ui_loss_curve_class_init (UiLossCurveClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ui_loss_curve_finalize;
  widget_class->snapshot = ui_loss_curve_snapshot;
  widget_class->measure = ui_loss_curve_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ui_loss_curve_init (UiLossCurve *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Loss over steps", -1);
}

/* The newest number of each line. */
static void
describe (UiLossCurve *self)
{
  double loss = NAN, held_out = NAN;
  GString *text = g_string_new (NULL);

  for (int i = 0; i < self->n_points; i++) {
    loss = isnan (self->points[i].loss) ? loss : self->points[i].loss;
    held_out = isnan (self->points[i].held_out) ? held_out : self->points[i].held_out;
  }
  if (!isnan (loss))
    g_string_append_printf (text, "loss %.2f", loss);
  if (!isnan (held_out))
    g_string_append_printf (text, "%sheld out %.2f", text->len > 0 ? ", " : "", held_out);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
  g_string_free (text, TRUE);
}

void
ui_loss_curve_set (UiLossCurve       *self,
                   const UiLossPoint *points,
                   int                n_points)
{
  g_return_if_fail (UI_IS_LOSS_CURVE (self));

  g_free (self->points);
  self->points = g_memdup2 (points, (gsize) n_points * sizeof *points);
  self->n_points = n_points;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_loss_curve_set_theme (UiLossCurve *self,
                         UiTheme      theme)
{
  g_return_if_fail (UI_IS_LOSS_CURVE (self));

  self->theme = theme;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
