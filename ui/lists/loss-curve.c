/* SPDX-License-Identifier: MIT */
#include "ui/lists/loss-curve.h"

#include <math.h>

#include "ui/controls/words.h"
#include "ui/lists/curve-plot.h"
#include "ui/view/color.h"

#define DOT 2.5

struct _UiLossCurve {
  GtkWidget    parent_instance;

  UiLossPoint *points;
  int          n_points;
  UiLossPoint *former;      /* of another training, to be compared with */
  int          n_former;
  char        *former_name; /* NULL = there is none */
  double       shown;       /* NaN = no step is marked */
  UiTheme      theme;
};

G_DEFINE_FINAL_TYPE (UiLossCurve, ui_loss_curve, GTK_TYPE_WIDGET)

static void
stretch (UiCurvePlot       *plot,
         const UiLossPoint *points,
         int                n_points)
{
  for (int i = 0; i < n_points; i++) {
    plot->low = fmin (plot->low, fmin (points[i].loss, points[i].held_out));
    plot->high = fmax (plot->high, fmax (points[i].loss, points[i].held_out));
  }
  if (n_points > 0)
    plot->last = fmax (plot->last, points[n_points - 1].step);
}

static gboolean
find_range (UiLossCurve *self,
            UiCurvePlot *plot)
{
  /* The step that is shown may have no point yet; NaN is none. */
  *plot = (UiCurvePlot) { .widget = GTK_WIDGET (self), .theme = self->theme,
                          .last = fmax (1, self->shown), .low = INFINITY, .high = -INFINITY };
  stretch (plot, self->points, self->n_points);
  stretch (plot, self->former, self->n_former);
  if (plot->low > plot->high)
    return FALSE;
  /* A level line lies in the middle. */
  if (plot->high - plot->low < 1e-9) {
    plot->low -= 0.5;
    plot->high += 0.5;
  }

  return TRUE;
}

static double
get_loss (const UiLossPoint *point,
          gboolean           is_held_out)
{
  return is_held_out ? point->held_out : point->loss;
}

/* In the source's colour. */
static void
draw_line (cairo_t           *cr,
           const UiCurvePlot *plot,
           const UiLossPoint *points,
           int                n_points,
           gboolean           is_held_out)
{
  for (int i = 0; i < n_points; i++) {
    const double loss = get_loss (&points[i], is_held_out);

    if (!isnan (loss))
      cairo_line_to (cr, ui_curve_plot_get_x (plot, points[i].step),
                     ui_curve_plot_get_y (plot, loss));
  }
  cairo_stroke (cr);
}

static void
draw_dots (UiLossCurve       *self,
           cairo_t           *cr,
           const UiCurvePlot *plot)
{
  for (int i = 0; i < self->n_points; i++) {
    const double loss = get_loss (&self->points[i], TRUE);

    if (isnan (loss))
      continue;
    cairo_arc (cr, ui_curve_plot_get_x (plot, self->points[i].step),
               ui_curve_plot_get_y (plot, loss), DOT, 0, 2 * G_PI);
    cairo_fill (cr);
  }
}

static void
append_lines (UiLossCurve       *self,
              GtkSnapshot       *snapshot,
              const UiCurvePlot *plot)
{
  const UiPalette *palette = ui_palette_get (self->theme);
  const GdkRGBA former = ui_color_to_rgba (palette->dim);
  cairo_t *cr = ui_curve_plot_append_cairo (plot, snapshot);

  gdk_cairo_set_source_rgba (cr, &former);
  draw_line (cr, plot, self->former, self->n_former, FALSE);
  for (int is_held_out = 0; is_held_out < 2; is_held_out++) {
    const GdkRGBA color = ui_color_to_rgba (palette->side[is_held_out]);

    gdk_cairo_set_source_rgba (cr, &color);
    draw_line (cr, plot, self->points, self->n_points, is_held_out);
  }
  draw_dots (self, cr, plot);
  cairo_destroy (cr);
}

static void
ui_loss_curve_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  UiLossCurve *self = UI_LOSS_CURVE (widget);
  const UiPalette *palette = ui_palette_get (self->theme);
  const UiCurveName names[] = {
    { "loss", palette->side[0] },
    { "held out", palette->side[1] },
    { self->former_name, palette->dim },
  };
  g_autofree char *high = NULL, *low = NULL;
  UiCurvePlot plot;

  if (!find_range (self, &plot))
    return;
  high = ui_words_number ("%.2f", plot.high);
  low = ui_words_number ("%.2f", plot.low);
  ui_curve_plot_begin (&plot, low, high);
  ui_curve_plot_append_axes (&plot, snapshot, low, high, self->shown);
  append_lines (self, snapshot, &plot);
  ui_curve_plot_append_foot (&plot, snapshot, names, self->former_name != NULL ? 3 : 2, TRUE);
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
  ui_curve_plot_measure (orientation, minimum, natural);
}

static void
ui_loss_curve_finalize (GObject *object)
{
  UiLossCurve *self = UI_LOSS_CURVE (object);

  g_free (self->points);
  g_free (self->former);
  g_free (self->former_name);
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
  self->shown = NAN;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Loss over steps", -1);
}

char *
ui_loss_curve_dup_newest (UiLossCurve *self)
{
  double loss = NAN, held_out = NAN;
  GString *text;

  g_return_val_if_fail (UI_IS_LOSS_CURVE (self), NULL);

  text = g_string_new (NULL);
  for (int i = 0; i < self->n_points; i++) {
    loss = isnan (self->points[i].loss) ? loss : self->points[i].loss;
    held_out = isnan (self->points[i].held_out) ? held_out : self->points[i].held_out;
  }
  if (!isnan (loss)) {
    g_autofree char *number = ui_words_number ("%.2f", loss);

    g_string_append_printf (text, "loss %s", number);
  }
  if (!isnan (held_out)) {
    g_autofree char *number = ui_words_number ("%.2f", held_out);

    g_string_append_printf (text, "%sheld out %s", text->len > 0 ? " · " : "", number);
  }

  return g_string_free (text, FALSE);
}

static void
describe (UiLossCurve *self)
{
  g_autofree char *newest = ui_loss_curve_dup_newest (self);
  g_autofree char *text = self->former_name != NULL
                            ? g_strdup_printf ("%s%sin grey: %s", newest,
                                               newest[0] != '\0' ? "; " : "", self->former_name)
                            : g_strdup (newest);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
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
ui_loss_curve_set_former (UiLossCurve       *self,
                          const UiLossPoint *points,
                          int                n_points,
                          const char        *name)
{
  g_return_if_fail (UI_IS_LOSS_CURVE (self));

  g_free (self->former);
  g_free (self->former_name);
  self->former = g_memdup2 (points, (gsize) n_points * sizeof *points);
  self->n_former = n_points;
  self->former_name = g_strdup (name);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
ui_loss_curve_get_former (UiLossCurve *self)
{
  g_return_val_if_fail (UI_IS_LOSS_CURVE (self), NULL);

  return self->former_name;
}

void
ui_loss_curve_set_shown (UiLossCurve *self,
                         double       step)
{
  g_return_if_fail (UI_IS_LOSS_CURVE (self));

  self->shown = step;
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
