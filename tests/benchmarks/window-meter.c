/* SPDX-License-Identifier: MIT */
#include "tests/benchmarks/window-meter.h"

#include <math.h>
#include <time.h>

#include "tests/support/window/widget-driver.h"
#include "tests/support/window/window-access.h"
#include "ui/scene/steps/steps-facts.h"

#define SETTLE_MS 100
#define TICKS_PER_STEP 20

static void
painted_cb (GdkFrameClock *clock,
            WindowMeter   *self)
{
  self->painted = g_get_monotonic_time ();
  self->n_painted++;
}

void
window_meter_begin (WindowMeter    *self,
                    GtkApplication *application)
{
  AppWindow *window = APP_WINDOW (gtk_application_get_active_window (application));

  *self = (WindowMeter) {
    .window = window,
    .view = window_view (window),
    .entry_a = GTK_EDITABLE (window_find (window, "entry_a")),
    .entry_b = GTK_EDITABLE (window_find (window, "entry_b")),
    .status = window_find (window, "pass_status"),
    .intervals = g_array_new (FALSE, FALSE, sizeof (double)),
    .cpu = g_array_new (FALSE, FALSE, sizeof (double)),
  };
  g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (window)), "after-paint",
                    G_CALLBACK (painted_cb), self);
}

void
window_meter_end (WindowMeter *self)
{
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (GTK_WIDGET (self->window)), self);
  g_array_unref (self->intervals);
  g_array_unref (self->cpu);
}

const char *
window_meter_get_name (MeterWork work)
{
  static const char *const names[METER_N_WORKS] = {
    "at rest, animating", "scrolling", "hovering", "scrolling and hovering",
    "scrolling while it fills", "stepping"
  };

  return names[work];
}

gint64
window_meter_get_thread_us (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Down and up again once in two seconds. */
static void
scroll (WindowMeter *self)
{
  GtkAdjustment *adjustment = NULL;
  double range;

  g_object_get (self->view, "vadjustment", &adjustment, NULL);
  range = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);
  gtk_adjustment_set_value (adjustment, range * (0.5 - 0.5 * cos (self->n_ticks * G_PI / 60)));
  g_object_unref (adjustment);
}

/* The pointer runs in slow loops over both columns and the links between them. */
static void
hover (WindowMeter *self)
{
  GtkWidget *view = GTK_WIDGET (self->view);
  const double phase = self->n_ticks * G_PI / 120;

  driver_point_at (view,
                   gtk_widget_get_width (view) * (0.5 + 0.4 * cos (phase)),
                   gtk_widget_get_height (view) * (0.5 + 0.4 * sin (1.5 * phase)));
}

/* Once a second all of it is to be rendered anew: at two sizes in turn, which nobody can tell
 * apart. */
static void
empty (WindowMeter *self)
{
  if (self->n_ticks % 60 == 0)
    ui_scene_view_set_zoom (self->view, self->n_ticks % 120 == 0 ? 1 : 1.001);
}

/* One step on, from the last one back again. */
static void
step (WindowMeter *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->view);
  const int at = ui_steps_get_step (scene);

  if (self->n_ticks % TICKS_PER_STEP != 0)
    return;
  if (at == 0 || at + 1 == ui_steps_get_n (scene))
    self->is_going_back = at > 0;
  gtk_widget_activate_action (GTK_WIDGET (self->window),
                              self->is_going_back ? "win.step-back" : "win.step-forward", NULL);
}

static gboolean
tick_cb (GtkWidget     *widget,
         GdkFrameClock *clock,
         gpointer       data)
{
  WindowMeter *self = data;
  const gint64 now = g_get_monotonic_time ();
  const double now_cpu = window_meter_get_thread_us () / 1e3;
  const double interval = (now - self->last) / 1e3;
  const double cpu = now_cpu - self->last_cpu;

  if (self->last != 0) {
    g_array_append_val (self->intervals, interval);
    g_array_append_val (self->cpu, cpu);
  }
  self->last = now;
  self->last_cpu = now_cpu;
  self->n_ticks++;
  gtk_widget_queue_draw (self->status);
  if (self->work == METER_STEP)
    step (self);
  if (self->work == METER_FILL)
    empty (self);
  if (self->work == METER_SCROLL || self->work == METER_SCROLL_AND_HOVER
      || self->work == METER_FILL)
    scroll (self);
  if (self->work == METER_HOVER || self->work == METER_SCROLL_AND_HOVER)
    hover (self);
  return G_SOURCE_CONTINUE;
}

int
window_meter_compare (gconstpointer a,
                      gconstpointer b)
{
  const double x = *(const double *) a;
  const double y = *(const double *) b;

  return (x > y) - (x < y);
}

double
window_meter_get_percentile (const GArray *sorted,
                             double        part)
{
  return g_array_index (sorted, double, (guint) (part * (sorted->len - 1)));
}

void
window_meter_run (WindowMeter *self,
                  MeterWork    work)
{
  const gint64 end = g_get_monotonic_time () + METER_SECONDS * G_USEC_PER_SEC;
  const guint tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->window), tick_cb, self, NULL);

  self->work = work;
  self->last = 0;
  self->n_ticks = 0;
  g_array_set_size (self->intervals, 0);
  g_array_set_size (self->cpu, 0);
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_remove_tick_callback (GTK_WIDGET (self->window), tick);
  g_array_sort (self->intervals, window_meter_compare);
  g_array_sort (self->cpu, window_meter_compare);
}

/* Whether the scene shows what the entries say; its first layer is enough. */
static gboolean
is_shown (const WindowMeter *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->view);
  EngTrace *trace = scene != NULL ? ui_scene_get_trace (scene) : NULL;

  return trace != NULL
         && g_strcmp0 (eng_trace_get_text_a (trace), gtk_editable_get_text (self->entry_a)) == 0
         && g_strcmp0 (eng_trace_get_text_b (trace), gtk_editable_get_text (self->entry_b)) == 0;
}

double
window_meter_wait_for_frame (WindowMeter *self,
                             gint64       start)
{
  guint n_painted;

  while (!is_shown (self))
    g_main_context_iteration (NULL, TRUE);
  n_painted = self->n_painted;
  gtk_widget_queue_draw (GTK_WIDGET (self->view));
  while (self->n_painted == n_painted)
    g_main_context_iteration (NULL, TRUE);

  return (self->painted - start) / 1000.0;
}

static gboolean
settled_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

void
window_meter_settle (void)
{
  gboolean is_settled = FALSE;

  g_timeout_add (SETTLE_MS, settled_cb, &is_settled);
  while (!is_settled)
    g_main_context_iteration (NULL, TRUE);
}
