/* SPDX-License-Identifier: MIT */
/* Time and size of figures: a pair of 15 tokens, and 128 tokens with all of 12 heads. Least and
 * median of some repetitions, in milliseconds of the clock, and of the processor time of the
 * thread that writes. */
#include <stdlib.h>
#include <time.h>

#include "tests/support/scene-trace.h"
#include "ui/scene/export.h"

#define REPETITIONS 9

static const char *const format_names[] = { "SVG", "PDF", "PNG" };

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

static void
measure (EngTrace         *trace,
         const UiDocument *document,
         UiFigureFormat    format,
         const char       *what)
{
  double clock_times[REPETITIONS];
  double thread_times[REPETITIONS];
  gsize size = 0;

  for (int i = 0; i < REPETITIONS; i++) {
    gint64 start = g_get_monotonic_time ();
    double thread_start = get_thread_milliseconds ();
    g_autoptr (GError) error = NULL;
    g_autoptr (GBytes) bytes = ui_figure_to_bytes (trace, document, format, &error);

    g_assert_no_error (error);
    clock_times[i] = (g_get_monotonic_time () - start) / 1e3;
    thread_times[i] = get_thread_milliseconds () - thread_start;
    size = g_bytes_get_size (bytes);
  }
  qsort (clock_times, REPETITIONS, sizeof (double), compare_doubles);
  qsort (thread_times, REPETITIONS, sizeof (double), compare_doubles);
  g_print ("%-28s %s  %6.1f ms least, %6.1f median, %6.1f of its thread, %8.0f kB\n",
           what, format_names[format], clock_times[0], clock_times[REPETITIONS / 2],
           thread_times[0], size / 1e3);
}

int
main (void)
{
  static const char *const a[] = { "the", "cat", "sat", "on", "the", "mat", NULL };
  static const char *const b[] = { "the", "cat", "lay", "on", "the", "rug", NULL };
  g_autoptr (EngTrace) pair = scene_trace_new (a, b, 12);
  g_autoptr (EngTrace) long_text = scene_trace_new_long (128, 12);
  g_autoptr (UiDocument) document = ui_document_new ();

  for (int format = UI_FIGURE_SVG; format <= UI_FIGURE_PNG; format++)
    measure (pair, document, (UiFigureFormat) format, "15 tokens, 12 heads");
  for (int format = UI_FIGURE_SVG; format <= UI_FIGURE_PDF; format++)
    measure (long_text, document, (UiFigureFormat) format, "128 tokens, 12 heads");
  return 0;
}
