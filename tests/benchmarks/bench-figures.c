/* SPDX-License-Identifier: MIT */
/* Time and size of figures: a pair of 15 tokens, and 128 tokens with all of 12 heads, plain, with
 * pins, as a matrix, as numbers. Least and median of some repetitions, in milliseconds of the
 * clock, and of the processor time of the thread that writes. Then 200 lines through the command
 * line's render --batch, which opens the model, runs it and writes an SVG a line. */
#include <gio/gio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "ui/scene/export.h"

#define REPETITIONS 9
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
  double times[N_BATCHES];

  for (int i = 0; i < N_BATCHES; i++) {
    gint64 start = g_get_monotonic_time ();
    g_autoptr (GError) error = NULL;
    g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, program, "render", "--batch",
                        lines, "--format", "svg", "-o", figures, NULL);

    g_assert_no_error (error);
    g_subprocess_wait_check (process, NULL, &error);
    g_assert_no_error (error);
    times[i] = (g_get_monotonic_time () - start) / 1e3;
  }
  g_assert_cmpint (temporary_count (figures), ==, N_LINES);
  qsort (times, N_BATCHES, sizeof (double), compare_doubles);
  g_print ("%d lines of --batch               svg   %6.0f ms least, %6.0f median\n", N_LINES,
           times[0], times[N_BATCHES / 2]);
  temporary_free (folder);
}

/* With the command line's path, its batch is measured, too. */
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
  if (argc > 1)
    measure_batch (argv[1]);
  return 0;
}
