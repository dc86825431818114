/* SPDX-License-Identifier: MIT */
#include "app/run/timing.h"

#include <time.h>

static gint64 start;
static GString *parts;

void
app_timing_start (void)
{
  start = g_get_monotonic_time ();
  parts = g_string_new (NULL);
}

void
app_timing_mark (const char *what)
{
  if (parts != NULL)
    g_string_append_printf (parts, "%s%s %.0f", parts->len > 0 ? ", " : "", what,
                            (g_get_monotonic_time () - start) / 1000.0);
}

void
app_timing_report (const char *what)
{
  if (parts == NULL)
    return;

  app_timing_mark (what);
  /* Time of all threads, which other load of the computer does not stretch. */
  g_debug ("ms since the start: %s (CPU %.0f)", parts->str,
           1000.0 * (double) clock () / CLOCKS_PER_SEC);
  g_string_free (g_steal_pointer (&parts), TRUE);
}
