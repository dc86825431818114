/* SPDX-License-Identifier: MIT */
/* Time and size of figures: a pair of 15 tokens, and 128 tokens with all of 12 heads, plain, with
 * pins, as a matrix, as numbers. Least and median of some repetitions, in milliseconds of the
 * clock, and of the processor time of the thread that writes. Then the command line from start to
 * end: each view of 128 tokens, with its processor time in all threads, and 200 lines of render
 * --batch, which opens the model, runs it and writes an SVG a line. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "ui/scene/export/export.h"

#define REPETITIONS 9
#define N_WORDS     125 /* of A and B: with the template's three, 128 tokens */
#define N_BATCHES   3
#define N_LINES     200

/* As the endings of a path. */
static const char *const pictures[] = { "svg", "pdf", "html", NULL };
static const char *const pictures_and_png[] = { "svg", "pdf", "png", "html", NULL };
static const char *const numbers[] = { "csv", "json", "npy", NULL };

static double
get_thread_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int
compare_doubles (const void *a,
                 const void *b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return (left > right) - (left < right);
}

static gsize
create (EngTrace         *trace,
        const UiDocument *document,
        const char       *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new (trace, document, &error);
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  bytes = ui_figure_scene_to_file (scene, document, path, &error);
  g_assert_no_error (error);
  return g_bytes_get_size (bytes);
}

static void
measure_one (EngTrace         *trace,
             const UiDocument *document,
             const char       *ending,
             const char       *what)
{
  g_autofree char *path = g_strconcat ("figure.", ending, NULL);
  double clock_times[REPETITIONS];
  double thread_times[REPETITIONS];
  gsize size = 0;

  for (int i = 0; i < REPETITIONS; i++) {
    gint64 start = g_get_monotonic_time ();
    double thread_start = get_thread_milliseconds ();

    size = create (trace, document, path);
    clock_times[i] = (g_get_monotonic_time () - start) / 1e3;
    thread_times[i] = get_thread_milliseconds () - thread_start;
  }
  qsort (clock_times, REPETITIONS, sizeof (double), compare_doubles);
  qsort (thread_times, REPETITIONS, sizeof (double), compare_doubles);
  g_print ("%-32s %-4s  %6.1f ms least, %6.1f median, %6.1f of its thread, %8.0f kB\n",
           what, ending, clock_times[0], clock_times[REPETITIONS / 2], thread_times[0],
           size / 1e3);
}

static void
measure (EngTrace          *trace,
         const UiDocument  *document,
         const char *const *endings,
         const char        *what)
{
  for (int i = 0; endings[i] != NULL; i++)
    measure_one (trace, document, endings[i], what);
}

static void
measure_long (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (128, 12);
  g_autoptr (UiDocument) document = ui_document_new ();

  measure (trace, document, pictures, "128 tokens, 12 heads");
  measure (trace, document, numbers, "128 tokens, 12 heads");
  ui_pins_click (&document->pins, FALSE, 3, TRUE);
  ui_pins_click (&document->pins, FALSE, 70, TRUE);
  ui_pins_click (&document->pins, TRUE, 90, TRUE);
  measure (trace, document, pictures, "128 tokens, 12 heads, 3 pins");
  ui_pins_clear (&document->pins);
  document->view = UI_VIEW_MATRIX;
  measure (trace, document, pictures, "128 tokens, mean of 12 as matrix");
}

/* User and system time of the processes that have ended. */
static double
get_children_milliseconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_CHILDREN, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
         + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void
run (const char *const *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
    g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error);

  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
}

static void
measure_process (const char *const *arguments,
                 const char        *what,
                 const char        *path)
{
  double clock_times[REPETITIONS];
  double processor_times[REPETITIONS];
  GStatBuf status;

  for (int i = 0; i < REPETITIONS; i++) {
    gint64 start = g_get_monotonic_time ();
    double processor_start = get_children_milliseconds ();

    run (arguments);
    clock_times[i] = (g_get_monotonic_time () - start) / 1e3;
    processor_times[i] = get_children_milliseconds () - processor_start;
  }
  qsort (clock_times, REPETITIONS, sizeof (double), compare_doubles);
  qsort (processor_times, REPETITIONS, sizeof (double), compare_doubles);
  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_print ("headlight render, %-14s %-4s  %6.1f ms least, %6.1f median, %6.1f of processors,"
           "  %8.0f kB\n", what, strrchr (path, '.') + 1, clock_times[0],
           clock_times[REPETITIONS / 2], processor_times[0], status.st_size / 1e3);
}

/* Words that the bundled model has as one token each. */
static char *
make_text (int n_words)
{
  static const char *const words[] = { "the", "cat", "sat", "on", "the", "mat" };
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n_words; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", words[i % G_N_ELEMENTS (words)]);
  return g_string_free (text, FALSE);
}

/* From the model in every view, and from a trace file, in every format. */
static void
measure_program (const char *program)
{
  static const char *const views[] = { "head", "matrix", "neuron", "model", NULL };
  char *folder = temporary_new ();
  g_autofree char *trace = g_build_filename (folder, "trace.safetensors", NULL);
  g_autofree char *a = make_text (N_WORDS / 2);
  g_autofree char *b = make_text (N_WORDS - N_WORDS / 2);
  const char *tracing[] = { program, "trace", "-o", trace, a, b, NULL };

  run (tracing);
  for (int i = 0; pictures[i] != NULL; i++) {
    g_autofree char *name = g_strconcat ("figure.", pictures[i], NULL);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    const char *reading[] = { program, "render", "--trace", trace, "-o", path, NULL };

    for (int j = 0; views[j] != NULL; j++) {
      const char *running[] = { program, "render", "--view", views[j], "-o", path, a, b, NULL };

      measure_process (running, views[j], path);
    }
    measure_process (reading, "trace file", path);
  }
  temporary_free (folder);
}

static char *
write_lines (const char *folder)
{
  char *path = g_build_filename (folder, "lines.tsv", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < N_LINES; i++)
    g_string_append_printf (text, "the cat sat on mat %d\tthe cat lay on the rug\n", i);
  g_file_set_contents (path, text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
  return path;
}

static void
measure_batch (const char *program)
{
  char *folder = temporary_new ();
  g_autofree char *lines = write_lines (folder);
  g_autofree char *figures = g_build_filename (folder, "figures", NULL);
  const char *arguments[] = {
    program, "render", "--batch", lines, "--format", "svg", "-o", figures, NULL
  };
  double times[N_BATCHES];

  for (int i = 0; i < N_BATCHES; i++) {
    gint64 start = g_get_monotonic_time ();

    run (arguments);
    times[i] = (g_get_monotonic_time () - start) / 1e3;
  }
  g_assert_cmpint (temporary_count (figures), ==, N_LINES);
  qsort (times, N_BATCHES, sizeof (double), compare_doubles);
  g_print ("%d lines of --batch               svg   %6.0f ms least, %6.0f median\n", N_LINES,
           times[0], times[N_BATCHES / 2]);
  temporary_free (folder);
}

/* With the command line's path, it is measured, too. */
int
main (int    argc,
      char **argv)
{
  static const char *const a[] = { "the", "cat", "sat", "on", "the", "mat", NULL };
  static const char *const b[] = { "the", "cat", "lay", "on", "the", "rug", NULL };
  g_autoptr (EngTrace) pair = scene_trace_new (a, b, 12);
  g_autoptr (UiDocument) document = ui_document_new ();

  measure (pair, document, pictures_and_png, "15 tokens, 12 heads");
  measure_long ();
  if (argc > 1) {
    measure_program (argv[1]);
    measure_batch (argv[1]);
  }
  return 0;
}
