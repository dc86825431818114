/* SPDX-License-Identifier: MIT */
#include "ui/lists/score-curve.h"

#include <math.h>

#include "ui/controls/words.h"
#include "ui/document/amount.h"
#include "ui/lists/curve-plot.h"
#include "ui/view/color.h"
#include "ui/view/focus-ring.h"

#define THIN 1.0
#define STRONG 2.0
#define DOT 3.0
/* Of lines but the strongest. */
#define FAINT 0.6

struct _UiScoreCurve {
  GtkWidget parent_instance;

  char     *title;
  int       n_steps, n_lines, n_heads;
  double   *steps;
  float    *scores;
  int       n_former;
  double   *former_steps;
  float    *former;
  char     *former_name; /* NULL = there is none */
  double    shown;       /* NaN = no step is marked */
  UiTheme   theme;
  int       cursor_step; /* -1 = nothing is pointed at */
  int       cursor_line;
};

enum { SIGNAL_STEP_CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (UiScoreCurve, ui_score_curve, GTK_TYPE_WIDGET)

static float
get_score (UiScoreCurve *self,
           int           step,
           int           line)
{
  return self->scores[step * self->n_lines + line];
}

/* The line that ends highest; -1 = none has a number. */
static int
find_strongest (UiScoreCurve *self)
{
  for (int step = self->n_steps - 1; step >= 0; step--) {
    int strongest = -1;

    for (int line = 0; line < self->n_lines; line++)
      if (!isnan (get_score (self, step, line))
          && (strongest < 0 || get_score (self, step, line) > get_score (self, step, strongest)))
        strongest = line;
    if (strongest >= 0)
      return strongest;
  }

  return -1;
}

static char *
dup_name (UiScoreCurve *self,
          int           line)
{
  return self->n_heads > 0 ? g_strdup_printf ("head %d.%d", line / self->n_heads,
                                              line % self->n_heads)
                           : g_strdup (self->title);
}

static UiColor
get_color (UiScoreCurve *self,
           int           line)
{
  return self->n_heads > 0 ? ui_palette_head (self->theme, line % self->n_heads)
                           : ui_palette_get (self->theme)->side[0];
}

/* The point that the words are about: what is pointed at, else the newest of the strongest. */
static gboolean
find_point (UiScoreCurve *self,
            int          *step,
            int          *line)
{
  *step = self->cursor_step;
  *line = self->cursor_line;
  if (*step >= 0)
    return TRUE;
  *line = find_strongest (self);
  *step = self->n_steps - 1;
  while (*line >= 0 && isnan (get_score (self, *step, *line)))
    (*step)--;

  return *line >= 0;
}

char *
ui_score_curve_dup_words (UiScoreCurve *self)
{
  g_autofree char *name = NULL, *number = NULL, *score = NULL;
  int step, line;

  g_return_val_if_fail (UI_IS_SCORE_CURVE (self), NULL);

  if (!find_point (self, &step, &line))
    return g_strdup ("");
  name = dup_name (self, line);
  number = ui_amount_count ((gint64) self->steps[step]);

  score = ui_words_number ("%.2f", (double) get_score (self, step, line));

  return g_strdup_printf ("%s: %s at step %s", name, score, number);
}

static void
begin_plot (UiScoreCurve *self,
            UiCurvePlot  *plot)
{
  /* The step that is shown may not have been measured yet; NaN is none. */
  *plot = (UiCurvePlot) { .widget = GTK_WIDGET (self), .theme = self->theme,
                          .last = fmax (1, self->shown), .high = 1 };
  if (self->n_steps > 0)
    plot->last = fmax (plot->last, self->steps[self->n_steps - 1]);
  if (self->n_former > 0)
    plot->last = fmax (plot->last, self->former_steps[self->n_former - 1]);
  ui_curve_plot_begin (plot, "0", "1");
}

/* stride: between two numbers. */
static void
draw_line (cairo_t           *cr,
           const UiCurvePlot *plot,
           UiColor            color,
           double             width,
           int                n_steps,
           const double      *steps,
           const float       *scores,
           int                stride)
{
  const GdkRGBA rgba = ui_color_to_rgba (color);

  gdk_cairo_set_source_rgba (cr, &rgba);
  cairo_set_line_width (cr, width);
  for (int i = 0; i < n_steps; i++)
    if (!isnan (scores[i * stride]))
      cairo_line_to (cr, ui_curve_plot_get_x (plot, steps[i]),
                     ui_curve_plot_get_y (plot, (double) scores[i * stride]));
  cairo_stroke (cr);
}

static void
append_lines (UiScoreCurve      *self,
              GtkSnapshot       *snapshot,
              const UiCurvePlot *plot)
{
  cairo_t *cr = ui_curve_plot_append_cairo (plot, snapshot);
  int step, strong;

  if (!find_point (self, &step, &strong))
    strong = -1;
  draw_line (cr, plot, ui_palette_get (self->theme)->dim, THIN, self->n_former, self->former_steps,
             self->former, 1);
  for (int line = 0; line < self->n_lines; line++)
    if (line != strong)
      draw_line (cr, plot, ui_color_with_alpha (get_color (self, line), FAINT), THIN, self->n_steps,
                 self->steps, self->scores + line, self->n_lines);
  if (strong >= 0) {
    draw_line (cr, plot, get_color (self, strong), STRONG, self->n_steps, self->steps,
               self->scores + strong, self->n_lines);
    cairo_arc (cr, ui_curve_plot_get_x (plot, self->steps[step]),
               ui_curve_plot_get_y (plot, (double) get_score (self, step, strong)), DOT, 0,
               2 * G_PI);
    cairo_fill (cr);
  }
  cairo_destroy (cr);
}

static void
ui_score_curve_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  UiScoreCurve *self = UI_SCORE_CURVE (widget);
  g_autofree char *words = ui_score_curve_dup_words (self);
  const UiPalette *palette = ui_palette_get (self->theme);
  const UiCurveName names[] = { { words, palette->text }, { self->former_name, palette->dim } };
  UiCurvePlot plot;

  begin_plot (self, &plot);
  ui_curve_plot_append_axes (&plot, snapshot, "0", "1", self->shown);
  append_lines (self, snapshot, &plot);
  ui_curve_plot_append_foot (&plot, snapshot, names, self->former_name != NULL ? 2 : 1, FALSE);
  if (gtk_widget_has_visible_focus (widget))
    ui_focus_ring_append (snapshot, self->theme,
                          &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                               (float) gtk_widget_get_height (widget)), 3);
}

static void
ui_score_curve_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  ui_curve_plot_measure (orientation, minimum, natural);
}

/* What is said is another sentence. */
static void
change (UiScoreCurve *self)
{
  g_autofree char *words = ui_score_curve_dup_words (self);
  g_autofree char *label = g_strdup_printf ("%s over steps", self->title);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_cursor (UiScoreCurve *self,
            int           step,
            int           line)
{
  self->cursor_step = step;
  self->cursor_line = line;
  change (self);
}

static int
find_step (UiScoreCurve      *self,
           const UiCurvePlot *plot,
           double             x)
{
  int nearest = -1;

  for (int i = 0; i < self->n_steps; i++)
    if (nearest < 0 || fabs (ui_curve_plot_get_x (plot, self->steps[i]) - x)
                         < fabs (ui_curve_plot_get_x (plot, self->steps[nearest]) - x))
      nearest = i;

  return nearest;
}

static void
motion_cb (UiScoreCurve *self,
           double        x,
           double        y)
{
  int line = -1, step;
  double least = INFINITY;
  UiCurvePlot plot;

  begin_plot (self, &plot);
  step = find_step (self, &plot, x);
  for (int i = 0; step >= 0 && i < self->n_lines; i++) {
    const double far = fabs (ui_curve_plot_get_y (&plot, (double) get_score (self, step, i)) - y);

    if (far < least) {
      least = far;
      line = i;
    }
  }
  set_cursor (self, line >= 0 ? step : -1, line);
}

static void
leave_cb (UiScoreCurve *self)
{
  set_cursor (self, -1, -1);
}

/* The next head by its score, one with a higher one where up is 1. */
static int
find_neighbour (UiScoreCurve *self,
                int           step,
                int           line,
                int           up)
{
  const float own = get_score (self, step, line);
  int found = line;

  for (int i = 0; i < self->n_lines; i++) {
    const float score = get_score (self, step, i);
    const float best = get_score (self, step, found);
    /* Equal ones stand in the order of heads. */
    const gboolean beyond = up > 0 ? score > own || (!(score < own) && i > line)
                                   : score < own || (!(score > own) && i < line);
    const gboolean nearer = up > 0 ? score < best || (!(score > best) && i < found)
                                   : score > best || (!(score < best) && i > found);

    if (!isnan (score) && beyond && (found == line || nearer))
      found = i;
  }

  return found;
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   unused)
{
  UiScoreCurve *self = UI_SCORE_CURVE (widget);
  int up, right, step, line;

  if (!find_point (self, &step, &line))
    return GDK_EVENT_PROPAGATE;
  g_variant_get (args, "(ii)", &up, &right);
  if (up != 0)
    line = find_neighbour (self, step, line, up);
  else
    step = CLAMP (step + right, 0, self->n_steps - 1);
  set_cursor (self, step, line);

  return GDK_EVENT_STOP;
}

static void
choose (UiScoreCurve *self)
{
  if (self->cursor_step >= 0)
    g_signal_emit (self, signals[SIGNAL_STEP_CHOSEN], 0, self->steps[self->cursor_step]);
}

static gboolean
choose_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   unused)
{
  choose (UI_SCORE_CURVE (widget));

  return GDK_EVENT_STOP;
}

static void
released_cb (UiScoreCurve *self,
             int           n_press,
             double        x,
             double        y)
{
  motion_cb (self, x, y);
  choose (self);
}

static void
ui_score_curve_finalize (GObject *object)
{
  UiScoreCurve *self = UI_SCORE_CURVE (object);

  g_free (self->title);
  g_free (self->steps);
  g_free (self->scores);
  g_free (self->former_steps);
  g_free (self->former);
  g_free (self->former_name);

  G_OBJECT_CLASS (ui_score_curve_parent_class)->finalize (object);
}

static void
ui_score_curve_class_init (UiScoreCurveClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  static const struct { guint key, keypad; int up, right; } moves[] = {
    { GDK_KEY_Up, GDK_KEY_KP_Up, 1, 0 }, { GDK_KEY_Down, GDK_KEY_KP_Down, -1, 0 },
    { GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1 }, { GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1 },
  };
  static const guint choices[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_space };

  G_OBJECT_CLASS (klass)->finalize = ui_score_curve_finalize;
  widget_class->snapshot = ui_score_curve_snapshot;
  widget_class->measure = ui_score_curve_measure;
  signals[SIGNAL_STEP_CHOSEN] =
    g_signal_new ("step-chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  for (gsize i = 0; i < G_N_ELEMENTS (moves); i++) {
    gtk_widget_class_add_binding (widget_class, moves[i].key, 0, move_cb, "(ii)", moves[i].up,
                                  moves[i].right);
    gtk_widget_class_add_binding (widget_class, moves[i].keypad, 0, move_cb, "(ii)", moves[i].up,
                                  moves[i].right);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    gtk_widget_class_add_binding (widget_class, choices[i], 0, choose_cb, NULL);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ui_score_curve_init (UiScoreCurve *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->title = g_strdup ("");
  self->shown = NAN;
  self->cursor_step = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
}

void
ui_score_curve_set (UiScoreCurve       *self,
                    const UiScoreLines *lines)
{
  const gsize n_steps = (gsize) lines->n_steps, n_lines = (gsize) lines->n_lines;

  g_return_if_fail (UI_IS_SCORE_CURVE (self));

  /* What is pointed at stays where the lines are the same and there are more steps. */
  if (g_strcmp0 (self->title, lines->title) != 0 || self->n_lines != lines->n_lines
      || self->cursor_step >= lines->n_steps)
    self->cursor_step = self->cursor_line = -1;
  g_free (self->title);
  g_free (self->steps);
  g_free (self->scores);
  self->title = g_strdup (lines->title);
  self->n_steps = lines->n_steps;
  self->n_lines = lines->n_lines;
  self->n_heads = lines->n_heads;
  self->steps = g_memdup2 (lines->steps, n_steps * sizeof *lines->steps);
  self->scores = g_memdup2 (lines->scores, n_steps * n_lines * sizeof *lines->scores);
  change (self);
}

void
ui_score_curve_set_former (UiScoreCurve *self,
                           int           n_steps,
                           const double *steps,
                           const float  *scores,
                           const char   *name)
{
  g_return_if_fail (UI_IS_SCORE_CURVE (self));

  g_free (self->former_steps);
  g_free (self->former);
  g_free (self->former_name);
  self->n_former = n_steps;
  self->former_steps = g_memdup2 (steps, (gsize) n_steps * sizeof *steps);
  self->former = g_memdup2 (scores, (gsize) n_steps * sizeof *scores);
  self->former_name = g_strdup (name);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_score_curve_set_shown (UiScoreCurve *self,
                          double        step)
{
  g_return_if_fail (UI_IS_SCORE_CURVE (self));

  self->shown = step;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ui_score_curve_set_theme (UiScoreCurve *self,
                          UiTheme       theme)
{
  g_return_if_fail (UI_IS_SCORE_CURVE (self));

  self->theme = theme;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
