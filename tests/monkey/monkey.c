/* SPDX-License-Identifier: MIT */
/* The real window in random hands: monkey-window SECONDS SEED LOG. Once a minute it comes back to
 * the same document and is told that the system is short of memory, so that what it cannot do
 * without can be compared, and says how it is. Ends with a table and
 * status 1 when there was a warning, a frame over 100 ms, memory that grows or a picture that never
 * came. Run by monkey.sh. */
#include <stdlib.h>

#include "app/shell/application.h"
#include "tests/monkey/hands.h"
#include "tests/monkey/watch.h"
#include "tests/support/window/window-access.h"

#define LIMIT_MS       100
#define MINUTE_US      (60 * G_USEC_PER_SEC)
#define SETTLE_US      (3 * G_USEC_PER_SEC)
#define PATIENCE_US    (60 * G_USEC_PER_SEC)
#define FIRST_JUDGED   10  /* minutes: what GTK and fonts keep fills until then */
#define SPAN           10  /* minutes whose least stands for them */
#define MOST_MB_MINUTE 0.5

typedef enum { PLAY, CLEAR, REST, N_STATES } State;

typedef struct {
  AppWindow *window;
  Hands     *hands;
  State      state;
  gint64     start;        /* µs, of all */
  gint64     state_start;
  gint64     next_minute;
  gint64     end;
  gint64     quiet_since;  /* µs; 0 = the window has something to do */
  double     full;         /* megabytes before the caches were emptied */
  GArray    *megabytes;    /* double, by minute, after it */
  Watch      whole;
  guint      n_lost;       /* times that no picture came */
} Monkey;

static Monkey monkey;

/* What opening the window costs is another measurement. Without a portal GTK draws the dialog for
 * files, which in a desktop is another process. */
static gboolean
note_cb (void)
{
  GtkWidget *window = GTK_WIDGET (monkey.window);

  if (monkey.hands == NULL)
    return FALSE;

  g_printerr ("  at %.1f s, window of %d × %d, view %d, after: %s\n",
              (g_get_monotonic_time () - monkey.start) / 1e6, gtk_widget_get_width (window),
              gtk_widget_get_height (window), app_window_get_document (monkey.window)->view,
              hands_get_last (monkey.hands));
  return !hands_see_files (monkey.hands);
}

static void
enter (Monkey *self,
       State   state)
{
  self->state = state;
  self->state_start = g_get_monotonic_time ();
  self->quiet_since = 0;
}

/* A picture behind the table is not drawn. */
static gboolean
is_at_rest (AppWindow *window)
{
  return window_is_idle (window) && !window_awaits_picture (window)
         && !window_is_saving (window) && !window_has_job (window) && window_is_complete (window)
         && (!gtk_widget_get_mapped (GTK_WIDGET (window_view (window)))
             || ui_scene_view_is_complete (window_view (window)));
}

static double
get_least (GArray *megabytes,
           int     first)
{
  double least = g_array_index (megabytes, double, first);

  for (int i = 1; i < SPAN; i++)
    least = MIN (least, g_array_index (megabytes, double, first + i));
  return least;
}

/* Other caches, of GTK, hold what was looked at last, much or little; what is never given back
 * raises the least, too. Megabytes a minute. */
static double
get_growth (GArray *megabytes)
{
  const int last = (int) megabytes->len - SPAN;

  return (get_least (megabytes, last) - get_least (megabytes, FIRST_JUDGED))
         / (last - FIRST_JUDGED);
}

static void
end_minute (Monkey *self)
{
  const Watch taken = watch_take ();
  const double megabytes = watch_get_mb ();

  g_array_append_val (self->megabytes, megabytes);
  self->whole.longest_ms = MAX (self->whole.longest_ms, taken.longest_ms);
  self->whole.wall_ms = MAX (self->whole.wall_ms, taken.wall_ms);
  self->whole.n_warnings += taken.n_warnings;
  self->whole.n_long += taken.n_long;
  self->whole.n_aside += taken.n_aside;
  self->whole.aside_ms = MAX (self->whole.aside_ms, taken.aside_ms);
  g_print ("%3u min  %6u acts  %4u warnings  %3u long rounds, longest %4.0f ms (%4.0f with load)  "
           "%2u told apart  %6.1f MB, before %6.1f MB, heap %6.1f MB\n",
           self->megabytes->len, hands_get_n (self->hands), taken.n_warnings, taken.n_long,
           taken.longest_ms, taken.wall_ms, taken.n_aside, megabytes, self->full,
           watch_get_heap_mb ());
  fflush (stdout);
}

static int
report (Monkey *self)
{
  const gboolean judged = self->megabytes->len >= FIRST_JUDGED + 2 * SPAN;
  const double growth = judged ? get_growth (self->megabytes) : 0;
  const gboolean fails = self->whole.n_warnings > 0 || self->whole.n_long > 0
                         || growth > MOST_MB_MINUTE || self->n_lost > 0;

  g_print (
    "\nacts                  %u in %u minutes\n"
    "warnings              %u (wanted: 0)\n"
    "longest round         %.0f ms, %u over %d ms (wanted: 0); %.0f ms with other load\n"
    "told apart            %u rounds, a thread or the machine put aside or the disk waited for,"
    " up to %.0f ms\n",
    hands_get_n (self->hands), self->megabytes->len, self->whole.n_warnings, self->whole.longest_ms,
    self->whole.n_long, LIMIT_MS, self->whole.wall_ms, self->whole.n_aside, self->whole.aside_ms);
  if (judged)
    g_print ("growth after %d min   %+.2f MB a minute (wanted: at most %.1f)\n", FIRST_JUDGED,
             growth, MOST_MB_MINUTE);
  else
    g_print ("growth                not judged before minute %d\n", FIRST_JUDGED + 2 * SPAN);
  g_print ("pictures that failed  %u (wanted: 0)\n%s\n", self->n_lost, fails ? "FAILED" : "passed");
  return fails ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The document of a window that was opened just now. */
static void
go_home (Monkey *self)
{
  window_change (self->window, ui_document_new ());
  enter (self, REST);
}

/* Waits until the window has had nothing to do for a while. */
static void
rest (Monkey *self,
      gint64  now)
{
  if (now - self->state_start > PATIENCE_US) {
    g_printerr ("no picture for %d s\n", (int) (PATIENCE_US / G_USEC_PER_SEC));
    note_cb ();
    self->n_lost++;
  } else if (!is_at_rest (self->window)) {
    self->quiet_since = 0;
    return;
  } else if (self->quiet_since == 0) {
    self->full = watch_get_mb ();
    g_signal_emit_by_name (window_get_memory_monitor (self->window), "low-memory-warning",
                           G_MEMORY_MONITOR_WARNING_LEVEL_LOW);
    self->quiet_since = now;
    return;
  } else if (now - self->quiet_since < SETTLE_US)
    return;

  end_minute (self);
  self->next_minute = MAX (self->next_minute + MINUTE_US, now);
  enter (self, PLAY);
}

static gboolean
step_cb (gpointer data)
{
  Monkey *self = data;
  const gint64 now = g_get_monotonic_time ();

  if (hands_are_busy (self->hands))
    return G_SOURCE_CONTINUE;

  if (self->state == REST)
    rest (self, now);
  else if (self->state == CLEAR && !hands_clear (self->hands))
    go_home (self);
  else if (self->state == PLAY && now >= self->next_minute)
    enter (self, CLEAR);
  else if (self->state == PLAY)
    hands_act (self->hands);

  if (self->state == PLAY && now >= self->end)
    g_application_quit (g_application_get_default ());
  return G_SOURCE_CONTINUE;
}

static void
closed_cb (GtkWidget *window,
           Monkey    *self)
{
  if (g_get_monotonic_time () < self->end) {
    g_printerr ("the window was closed\n");
    note_cb ();
    self->n_lost++;
  }
}

static void
activate_cb (GApplication  *application,
             char         **arguments)
{
  const int seconds = (int) g_ascii_strtoll (arguments[1], NULL, 10);
  FILE *log = fopen (arguments[3], "w");

  if (log == NULL)
    g_error ("%s cannot be written", arguments[3]);
  monkey.window = APP_WINDOW (gtk_application_get_active_window (GTK_APPLICATION (application)));
  monkey.megabytes = g_array_new (FALSE, FALSE, sizeof (double));
  monkey.start = g_get_monotonic_time ();
  monkey.next_minute = monkey.start + MINUTE_US;
  monkey.end = monkey.start + (gint64) seconds * G_USEC_PER_SEC;
  monkey.hands = hands_new (monkey.window, (guint32) g_ascii_strtoull (arguments[2], NULL, 10),
                            g_getenv ("HEADLIGHT_SHARED"), log);
  g_signal_connect (monkey.window, "destroy", G_CALLBACK (closed_cb), &monkey);
  g_timeout_add (30, step_cb, &monkey);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  AppApplication *application;

  if (argc != 4) {
    g_printerr ("Usage: monkey-window SECONDS SEED LOG\n");
    return 2;
  }
  application = app_application_new (document);
  watch_start (LIMIT_MS, note_cb);
  g_signal_connect_after (application, "activate", G_CALLBACK (activate_cb), argv);
  g_application_run (G_APPLICATION (application), 0, NULL);
  return report (&monkey);
}
