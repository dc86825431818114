/* SPDX-License-Identifier: MIT */
/* A class before people: the real window is presented (F5) with the window of who speaks, and real
 * keys go through every lesson that ships, one after the other and from the first again, for as many
 * minutes as the argument says (1 without one), without those that the computer gave to others.
 * Spotlight, pointer and freeze are turned on and off meanwhile, and after the first lesson all
 * steps of a token are gone through.
 *
 * Each minute a line: frames; the longest time that the main thread gave no answer, which is no less
 * than that of its longest frame; the same without the time that the computer gave to others, which
 * is known roughly; the longest that it worked for an answer, which other load hardly moves; memory.
 * Memory is compared at the end of the first lesson of each round, where the same model is open.
 * Asked for a socket that is not of this computer, or for the address of a name, the program says
 * so: a lesson asks the network for nothing. Prints; asserts nothing. Needs xdotool. */
#include <malloc.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "app/parts/lessons/cue.h"
#include "app/shell/application.h"
#include "tests/support/window/window-access.h"
#include "ui/scene/steps/steps-facts.h"

#define KEY_MS 1000
#define BEAT_MS 10
#define LATE_MS 100

typedef struct {
  guint   n_frames;
  guint   n_late;      /* own gaps of more than LATE_MS */
  double  gap;         /* the longest between two beats of the main loop, ms */
  double  own;         /* the same without what others took */
  double  cpu;         /* the longest work between two beats, ms */
  char   *at;          /* what was shown when its own gap was the longest */
  gint64  lost;        /* all that others took, ms */
} Beats;

typedef struct {
  AppWindow   *window;
  GPtrArray   *lessons;   /* paths */
  guint        lesson;    /* the next */
  guint        round;
  GSubprocess *keys;      /* xdotool, which reads what to press */
  guint        n_keys;
  int          minutes;
  gboolean     is_stepping; /* without a lesson */
  gint64       last;      /* µs of the last beat */
  double       last_cpu;
  double       last_waited;
  double       gap;       /* before the last beat: it is known with the next how long all stood */
  int          stood;
  double       waited;
  double       cpu;
  Beats        minute;
  Beats        all;
  GString     *memory;    /* a line each round */
} Bench;

static guint n_sockets; /* not of this computer; threads ask, too */
static guint n_names;

/* In the place of libc's, which all libraries of the program call. */
int
socket (int domain,
        int type,
        int protocol)
{
  if (domain != AF_UNIX)
    g_atomic_int_inc (&n_sockets);
  return (int) syscall (SYS_socket, domain, type, protocol);
}

int
getaddrinfo (const char             *name,
             const char             *service,
             const struct addrinfo  *hints,
             struct addrinfo       **found)
{
  g_atomic_int_inc (&n_names);
  return EAI_FAIL;
}

/* While the computer stood still a thread that does nothing else than to sleep wakes as much too
 * late. */
static int stood_ms;

static gpointer
watch_thread (gpointer unused)
{
  for (;;) {
    const gint64 before = g_get_monotonic_time ();
    int late;

    g_usleep (5000);
    late = (int) ((g_get_monotonic_time () - before) / 1000 - 5);
    if (late > 1)
      g_atomic_int_add (&stood_ms, late);
  }
  return NULL;
}

/* How long this thread was ready to run while others did; 0 where the kernel does not count it. */
static double
get_waited_ms (void)
{
  g_autofree char *text = NULL;
  double ran, waited = 0;

  if (g_file_get_contents ("/proc/thread-self/schedstat", &text, NULL, NULL)
      && sscanf (text, "%lf %lf", &ran, &waited) != 2)
    waited = 0;
  return waited / 1e6;
}

static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * now.tv_sec + 1e-6 * now.tv_nsec;
}

/* MB in memory, of them what the program itself asked for. */
static char *
describe_memory (void)
{
  g_autofree char *text = NULL;
  struct mallinfo2 heap = mallinfo2 ();
  long pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%*d %ld", &pages);
  return g_strdup_printf ("%5.1f MB resident, %5.1f MB of blocks in use",
                          pages * (double) sysconf (_SC_PAGESIZE) / 1e6,
                          (heap.uordblks + heap.hblkhd) / 1e6);
}

static AppLessonsPart *
get_lessons (Bench *self)
{
  return app_window_get_part (self->window, APP_TYPE_LESSONS_PART);
}

static void
press (Bench      *self,
       const char *key)
{
  g_autofree char *line = g_strdup_printf ("key %s\n", key);

  g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->keys), line, strlen (line), NULL,
                             NULL, NULL);
}

static void
add_beat (Beats      *beats,
          double      gap,
          int         lost,
          double      cpu,
          const char *at)
{
  beats->n_late += gap - lost > LATE_MS;
  beats->gap = MAX (beats->gap, gap);
  beats->cpu = MAX (beats->cpu, cpu);
  if (gap - lost > beats->own) {
    beats->own = gap - lost;
    g_free (beats->at);
    beats->at = g_strdup (at);
  }
}

static gboolean
beat_cb (gpointer data)
{
  Bench *self = data;
  const gint64 now = g_get_monotonic_time ();
  const double cpu = get_cpu_ms ();
  const double waited = get_waited_ms ();
  const int stood = (int) g_atomic_int_and ((guint *) &stood_ms, 0);
  const int lost = MIN (MAX (self->stood + stood, (int) self->waited), (int) self->gap);
  g_autofree char *at = self->gap - lost > self->minute.own
                        ? app_lessons_part_dup_place (get_lessons (self)) : NULL;

  add_beat (&self->minute, self->gap, lost, self->cpu, at ?: "no lesson");
  add_beat (&self->all, self->gap, lost, self->cpu, at ?: "no lesson");
  self->gap = (now - self->last) / 1e3;
  self->stood = stood;
  self->waited = waited - self->last_waited;
  self->minute.lost += MAX (stood, (int) self->waited);
  self->all.lost += MAX (stood, (int) self->waited);
  self->cpu = cpu - self->last_cpu;
  self->last = now;
  self->last_cpu = cpu;
  self->last_waited = waited;
  return G_SOURCE_CONTINUE;
}

static void
painted_cb (GdkFrameClock *clock,
            Bench         *self)
{
  self->minute.n_frames++;
  self->all.n_frames++;
}

static void
open_next (Bench *self)
{
  app_window_open_file (self->window, g_ptr_array_index (self->lessons, self->lesson));
  self->lesson = (self->lesson + 1) % self->lessons->len;
}

static UiScene *
get_scene (Bench *self)
{
  return app_picture_get_scene (app_desk_get_picture (app_window_get_desk (self->window)));
}

/* The steps of a token, without a lesson, each on all of its screens. */
static gboolean
take_steps (Bench *self)
{
  UiScene *scene = get_scene (self);
  int n_screens, screen;

  if (!self->is_stepping || ui_steps_get_n (scene) == 0)
    return self->is_stepping;
  screen = ui_steps_get_screen (scene, &n_screens);
  self->is_stepping = ui_steps_get_step (scene) < ui_steps_get_n (scene) - 1
                      || screen < n_screens - 1;
  if (self->is_stepping)
    press (self, "Page_Down");
  else
    open_next (self);
  return TRUE;
}

static void
begin_steps (Bench *self)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->window), "close-lesson", NULL);
  g_action_group_activate_action (G_ACTION_GROUP (self->window), "view",
                                  g_variant_new_string ("steps"));
  self->is_stepping = TRUE;
}

/* What a speaker does once in a while, on and off again by the same key two beats later. */
static void
wave (Bench *self)
{
  static const char *const keys[] = { "s", "p", "f" };

  if (self->n_keys % 10 == 4 || self->n_keys % 10 == 6)
    press (self, keys[self->n_keys / 10 % G_N_ELEMENTS (keys)]);
}

static void
note_round (Bench *self)
{
  g_autofree char *memory = describe_memory ();

  g_string_append_printf (self->memory, "round %u, first lesson: %s\n", self->round++, memory);
}

static gboolean
key_cb (gpointer data)
{
  Bench *self = data;
  g_autofree char *place = app_lessons_part_dup_place (get_lessons (self));
  g_autofree char *next = app_lessons_part_dup_next (get_lessons (self));

  self->n_keys++;
  wave (self);
  if (take_steps (self))
    return G_SOURCE_CONTINUE;
  if (place == NULL) {
    /* It is still being read. */
  } else if (next != NULL) {
    press (self, "space");
  } else if (self->lesson == 1) {
    note_round (self);
    begin_steps (self);
  } else {
    open_next (self);
  }
  return G_SOURCE_CONTINUE;
}

static void
print_beats (const char  *when,
             const Beats *beats)
{
  g_autofree char *memory = describe_memory ();

  g_print ("%s: %u frames, longest without an answer %.1f ms, without what others took %.1f ms (%s; "
           "%u over %d ms), longest work %.1f ms, others took %.1f s, %s\n", when, beats->n_frames,
           beats->gap, beats->own, beats->at, beats->n_late, LATE_MS, beats->cpu, beats->lost / 1e3,
           memory);
}

static void
run_minutes (Bench *self)
{
  for (int minute = 1; minute <= self->minutes; minute++) {
    const gint64 begun = g_get_monotonic_time ();
    g_autofree char *when = g_strdup_printf ("minute %2d", minute);

    while (g_get_monotonic_time () - begun < 60 * G_USEC_PER_SEC + self->minute.lost * 1000)
      g_main_context_iteration (NULL, TRUE);
    print_beats (when, &self->minute);
    g_free (self->minute.at);
    self->minute = (Beats) { 0 };
  }
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* All but the tour, which goes before people as cards do. (transfer full) */
static GPtrArray *
list_lessons (void)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "resources", "lessons", NULL);
  g_autoptr (GDir) lessons = g_dir_open (folder, 0, NULL);
  const char *name;

  while (lessons != NULL && (name = g_dir_read_name (lessons)) != NULL)
    if (g_str_has_suffix (name, ".md") && g_ascii_isdigit (name[0])
        && !g_str_has_prefix (name, "00"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

static void
activate_cb (GApplication *application,
             Bench        *self)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  guint beat, keys;

  self->window = APP_WINDOW (window);
  while (!window_is_idle (self->window) || !window_is_complete (self->window))
    g_main_context_iteration (NULL, TRUE);
  press (self, "F5");
  open_next (self);
  self->last = g_get_monotonic_time ();
  self->last_cpu = get_cpu_ms ();
  self->last_waited = get_waited_ms ();
  g_signal_connect (clock, "after-paint", G_CALLBACK (painted_cb), self);
  beat = g_timeout_add_full (G_PRIORITY_HIGH, BEAT_MS, beat_cb, self, NULL);
  keys = g_timeout_add (KEY_MS, key_cb, self);
  run_minutes (self);
  g_source_remove (beat);
  g_source_remove (keys);
  g_signal_handlers_disconnect_by_data (clock, self);
  print_beats ("all", &self->all);
  g_print ("%s%u keys; sockets that are not of this computer: %u, names asked for: %u\n",
           self->memory->str, self->n_keys, n_sockets, n_names);
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  Bench bench = { .memory = g_string_new (NULL), .minutes = 1 };
  AppApplication *application;
  int status;

  g_test_init (&argc, &argv, NULL);
  if (argc > 1)
    bench.minutes = atoi (argv[1]);
  bench.lessons = list_lessons ();
  bench.keys = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE, &error, "xdotool", "-", NULL);
  if (bench.keys == NULL) {
    g_print ("No keys: %s\n", error->message);
    return 77;
  }
  g_thread_unref (g_thread_new ("watch", watch_thread, NULL));
  application = app_application_new_example ();
  g_signal_connect_after (application, "activate", G_CALLBACK (activate_cb), &bench);
  status = g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  g_output_stream_close (g_subprocess_get_stdin_pipe (bench.keys), NULL, NULL);
  g_object_unref (bench.keys);
  g_ptr_array_unref (bench.lessons);
  g_string_free (bench.memory, TRUE);
  g_free (bench.all.at);
  return status;
}
