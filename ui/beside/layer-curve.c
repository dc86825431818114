/* SPDX-License-Identifier: MIT */
#include "ui/beside/layer-curve.h"

#include <math.h>

#include "ui/controls/words.h"
#include "ui/lists/curve-plot.h"
#include "ui/view/color.h"
#include "ui/view/focus-ring.h"

#define STRONG 2.0
#define DOT 2.5
#define SMALL_DOT 1.5
#define CURSOR_DOT 4.0
#define ROOMY 6.0  /* between two points: dots are full-sized */
#define N_LINES 6  /* of text, as high as it is */
#define FAINT 0.35 /* of lines beside the one that stands out */

struct _UiLayerCurve {
  GtkWidget     parent_instance;

  char         *title;
  char         *foot;
  int           n_lines;
  int           n_points;
  UiLayerPoint *points;
  double        low;
  double        high;
  UiTheme       theme;
  int           aim;          /* line that is made to stand out from outside; -1 = none */
  int           cursor_line;  /* -1 = nothing is pointed at */
  int           cursor_point;
};

enum { SIGNAL_AIMED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiLayerCurve, ui_layer_curve, GTK_TYPE_WIDGET)

static const UiLayerPoint *
get_point (UiLayerCurve *self,
           int           line,
           int           point)
{
  return &self->points[line * self->n_points + point];
}

static void
free_points (UiLayerCurve *self)
{
  for (int i = 0; i < self->n_lines * self->n_points; i++)
    g_free ((char *) self->points[i].words);
  g_clear_pointer (&self->points, g_free);
}

UiColor
ui_layer_curve_get_color (UiLayerCurve *self,
                          int           line)
{
  /* Six of the heads' colours that are far from each other, light and dark. */
  static const int heads[] = { 3, 9, 12, 2, 14, 15 };

  return self->n_lines > 1 ? ui_palette_head (self->theme, heads[line % (int) G_N_ELEMENTS (heads)])
                           : ui_palette_get (self->theme)->accent;
}

static int
find_strong (UiLayerCurve *self)
{
  return self->cursor_line >= 0 ? self->cursor_line : self->aim;
}

char *
ui_layer_curve_dup_words (UiLayerCurve *self)
{
  g_return_val_if_fail (UI_IS_LAYER_CURVE (self), NULL);

  return g_strdup (self->cursor_line >= 0
                   ? get_point (self, self->cursor_line, self->cursor_point)->words : self->foot);
}

/* Numbers of the scale: as few decimals as tell its ends apart. */
static char *
dup_number (UiLayerCurve *self,
            double        number)
{
  return ui_words_number (fabs (number - floor (number + 0.5)) < 1e-9 ? "%.0f" : "%.1f", number);
}

static void
begin_plot (UiLayerCurve *self,
            UiCurvePlot  *plot)
{
  g_autofree char *low = dup_number (self, self->low);
  g_autofree char *high = dup_number (self, self->high);

  *plot = (UiCurvePlot) {
    .widget = GTK_WIDGET (self), .theme = self->theme, .last = MAX (self->n_points - 1, 1),
    .low = self->low, .high = self->high,
  };
  ui_curve_plot_begin (plot, low, high);
}

/* Every second layer has a ground of its own, from what it reads to what it leaves. */
static void
append_stripes (UiLayerCurve      *self,
                GtkSnapshot       *snapshot,
                const UiCurvePlot *plot)
{
  const GdkRGBA rgba = ui_color_to_rgba (ui_palette_get (self->theme)->plate);
  int first = 0;

  for (int i = 1; i < self->n_points; i++) {
    const int layer = self->points[i].layer;
    const double left = ui_curve_plot_get_x (plot, first);

    if (i + 1 < self->n_points && self->points[i + 1].layer == layer)
      continue;
    if (layer % 2 == 0)
      gtk_snapshot_append_color (
        snapshot, &rgba,
        &GRAPHENE_RECT_INIT ((float) left, 0, (float) (ui_curve_plot_get_x (plot, i) - left),
                             (float) (plot->top + plot->height + 1)));
    first = i;
  }
}

static void
set_source (cairo_t *cr,
            UiColor  color)
{
  const GdkRGBA rgba = ui_color_to_rgba (color);

  gdk_cairo_set_source_rgba (cr, &rgba);
}

static void
draw_dot (cairo_t           *cr,
          const UiCurvePlot *plot,
          int                point,
          double             value,
          double             radius)
{
  cairo_arc (cr, ui_curve_plot_get_x (plot, point), ui_curve_plot_get_y (plot, value), radius, 0,
             2 * G_PI);
  cairo_fill (cr);
}

static void
draw_way (UiLayerCurve      *self,
          cairo_t           *cr,
          const UiCurvePlot *plot,
          int                line)
{
  for (int i = 0; i < self->n_points; i++) {
    const UiLayerPoint *point = get_point (self, line, i);
    const double x = ui_curve_plot_get_x (plot, i);

    if (point->kind == UI_POINT_JUMP || point->kind == UI_POINT_ASIDE)
      cairo_line_to (cr, x, ui_curve_plot_get_y (plot, point->before));
    if (point->kind == UI_POINT_JUMP || point->kind == UI_POINT_THROUGH)
      cairo_line_to (cr, x, ui_curve_plot_get_y (plot, point->value));
  }
  cairo_stroke (cr);
}

/* From what a norm beside the line reads to what it leaves. */
static void
append_tie (UiLayerCurve      *self,
            cairo_t           *cr,
            const UiCurvePlot *plot,
            int                line,
            int                point)
{
  const UiLayerPoint *to = get_point (self, line, point);
  const gboolean is_branch = to->kind == UI_POINT_BRANCH && point > 0;

  if (to->kind != UI_POINT_ASIDE && !is_branch)
    return;
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, ui_curve_plot_get_x (plot, point - is_branch),
                 ui_curve_plot_get_y (plot, is_branch ? get_point (self, line, point - 1)->value
                                                      : to->before));
  cairo_line_to (cr, ui_curve_plot_get_x (plot, point), ui_curve_plot_get_y (plot, to->value));
  cairo_stroke (cr);
}

/* What a norm leaves is a dot, what is added a small one. */
static void
draw_points (UiLayerCurve      *self,
             cairo_t           *cr,
             const UiCurvePlot *plot,
             int                line,
             UiColor            color)
{
  const UiColor dim = ui_palette_get (self->theme)->dim;
  const double dot = plot->width / plot->last >= ROOMY ? DOT : SMALL_DOT;

  for (int i = 0; i < self->n_points; i++) {
    const UiLayerPoint *point = get_point (self, line, i);

    if (point->kind == UI_POINT_THROUGH)
      continue;
    set_source (cr, dim);
    append_tie (self, cr, plot, line, i);
    if (point->kind != UI_POINT_APART)
      set_source (cr, color);
    draw_dot (cr, plot, i, point->value, point->kind == UI_POINT_APART ? SMALL_DOT : dot);
  }
}

static void
append_lines (UiLayerCurve      *self,
              GtkSnapshot       *snapshot,
              const UiCurvePlot *plot)
{
  cairo_t *cr = ui_curve_plot_append_cairo (plot, snapshot);
  const int strong = find_strong (self);

  for (int i = 0; i < self->n_lines; i++) {
    /* The one that stands out lies over the others. */
    const int line = strong < 0 ? i : (strong + 1 + i) % self->n_lines;
    const UiColor color = ui_layer_curve_get_color (self, line);

    set_source (cr, strong < 0 || line == strong ? color : ui_color_with_alpha (color, FAINT));
    cairo_set_line_width (cr, line == strong ? STRONG : UI_CURVE_LINE);
    draw_way (self, cr, plot, line);
    draw_points (self, cr, plot, line, color);
  }
  if (self->cursor_line >= 0) {
    set_source (cr, ui_layer_curve_get_color (self, self->cursor_line));
    draw_dot (cr, plot, self->cursor_point,
              get_point (self, self->cursor_line, self->cursor_point)->value, CURSOR_DOT);
  }
  cairo_destroy (cr);
}

static void
ui_layer_curve_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  UiLayerCurve *self = UI_LAYER_CURVE (widget);
  g_autofree char *words = ui_layer_curve_dup_words (self);
  g_autofree char *low = dup_number (self, self->low);
  g_autofree char *high = dup_number (self, self->high);
  const UiPalette *palette = ui_palette_get (self->theme);
  const UiCurveName name = { words, self->cursor_line >= 0 ? palette->text : palette->dim };
  UiCurvePlot plot;

  if (self->n_points == 0)
    return;
  begin_plot (self, &plot);
  append_stripes (self, snapshot, &plot);
  ui_curve_plot_append_axes (&plot, snapshot, low, high, NAN);
  append_lines (self, snapshot, &plot);
  ui_curve_plot_append_foot (&plot, snapshot, &name, 1, FALSE);
  if (gtk_widget_has_visible_focus (widget))
    ui_focus_ring_append (snapshot, self->theme,
                          &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                               (float) gtk_widget_get_height (widget)), 3);
}

static void
ui_layer_curve_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  g_autoptr (PangoLayout) line = NULL;
  int height;

  ui_curve_plot_measure (orientation, minimum, natural);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  line = gtk_widget_create_pango_layout (widget, "0");
  pango_layout_get_pixel_size (line, NULL, &height);
  *minimum = *natural = MAX (*natural, N_LINES * height);
}

/* What is said is another sentence. */
static void
change (UiLayerCurve *self)
{
  g_autofree char *words = ui_layer_curve_dup_words (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_cursor (UiLayerCurve *self,
            int           line,
            int           point)
{
  const gboolean is_other_line = line != self->cursor_line;

  if (!is_other_line && point == self->cursor_point)
    return;
  self->cursor_line = line;
  self->cursor_point = point;
  change (self);
  if (is_other_line)
    g_signal_emit (self, signals[SIGNAL_AIMED], 0);
}

static void
motion_cb (UiLayerCurve *self,
           double        x,
           double        y)
{
  UiCurvePlot plot;
  double least = INFINITY;
  int nearest = -1, point;

  if (self->n_points == 0)
    return;
  begin_plot (self, &plot);
  point = (int) floor ((x - plot.left) / plot.width * plot.last + 0.5);
  point = CLAMP (point, 0, self->n_points - 1);
  for (int line = 0; line < self->n_lines; line++) {
    const double far = fabs (ui_curve_plot_get_y (&plot, get_point (self, line, point)->value) - y);

    if (far < least) {
      least = far;
      nearest = line;
    }
  }
  set_cursor (self, nearest, point);
}

static void
leave_cb (UiLayerCurve *self)
{
  set_cursor (self, -1, -1);
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiLayerCurve *self = UI_LAYER_CURVE (widget);
  int down, right;

  g_variant_get (args, "(ii)", &down, &right);
  if (self->n_points == 0 || (down != 0 && self->n_lines == 1))
    return GDK_EVENT_PROPAGATE;
  if (self->cursor_line < 0)
    set_cursor (self, MAX (self->aim, 0), right < 0 ? self->n_points - 1 : 0);
  else
    set_cursor (self, CLAMP (self->cursor_line + down, 0, self->n_lines - 1),
                CLAMP (self->cursor_point + right, 0, self->n_points - 1));

  return GDK_EVENT_STOP;
}

static void
ui_layer_curve_finalize (GObject *object)
{
  UiLayerCurve *self = UI_LAYER_CURVE (object);

  free_points (self);
  g_free (self->title);
  g_free (self->foot);

  G_OBJECT_CLASS (ui_layer_curve_parent_class)->finalize (object);
}

static void
ui_layer_curve_class_init (UiLayerCurveClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const struct { guint key, keypad; int down, right; } moves[] = {
    { GDK_KEY_Up, GDK_KEY_KP_Up, -1, 0 }, { GDK_KEY_Down, GDK_KEY_KP_Down, 1, 0 },
    { GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1 }, { GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1 },
  };

  G_OBJECT_CLASS (klass)->finalize = ui_layer_curve_finalize;
  widget_class->snapshot = ui_layer_curve_snapshot;
  widget_class->measure = ui_layer_curve_measure;
  signals[SIGNAL_AIMED] =
    g_signal_new ("aimed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++) {
    gtk_widget_class_add_binding (widget_class, moves[i].key, 0, move_cb, "(ii)", moves[i].down,
                                  moves[i].right);
    gtk_widget_class_add_binding (widget_class, moves[i].keypad, 0, move_cb, "(ii)", moves[i].down,
                                  moves[i].right);
  }
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ui_layer_curve_init (UiLayerCurve *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->aim = self->cursor_line = self->cursor_point = -1;
  self->title = g_strdup ("");
  self->foot = g_strdup ("");
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}

void
ui_layer_curve_set (UiLayerCurve       *self,
                    const UiLayerLines *lines,
                    UiTheme             theme)
{
  const gboolean is_like = self->n_lines == lines->n_lines && self->n_points == lines->n_points;

  g_return_if_fail (UI_IS_LAYER_CURVE (self));

  free_points (self);
  g_free (self->title);
  g_free (self->foot);
  self->title = g_strdup (lines->title);
  self->foot = g_strdup (lines->foot);
  self->n_lines = lines->n_lines;
  self->n_points = lines->n_points;
  self->points = g_memdup2 (lines->points, (gsize) (lines->n_lines * lines->n_points)
                                           * sizeof *lines->points);
  for (int i = 0; i < lines->n_lines * lines->n_points; i++)
    self->points[i].words = g_strdup (lines->points[i].words);
  self->low = lines->low;
  self->high = lines->high;
  self->theme = theme;
  if (!is_like) {
    self->aim = -1;
    set_cursor (self, -1, -1);
  }
  change (self);
}

void
ui_layer_curve_set_aim (UiLayerCurve *self,
                        int           line)
{
  g_return_if_fail (UI_IS_LAYER_CURVE (self));

  self->aim = line < self->n_lines ? line : -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

int
ui_layer_curve_get_aim (UiLayerCurve *self)
{
  g_return_val_if_fail (UI_IS_LAYER_CURVE (self), -1);

  return self->cursor_line;
}
