/* SPDX-License-Identifier: MIT */
/* Programs that are killed while they change a document: the test's own, run again with an
 * argument. Each says the number of a change, with its time, before it makes it. */
#pragma once

#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* In the program that is killed. */
static inline void
killed_say_change (int n)
{
  g_print ("%d %" G_GINT64_FORMAT "\n", n, g_get_monotonic_time ());
}

/* (out) log: a new file in the folder where it says that. */
static inline GPid
killed_start (const char  *argument,
              const char  *folder,
              char       **log)
{
  const char *arguments[] = { "/proc/self/exe", argument, NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;
  int output;

  *log = g_build_filename (folder, "log-XXXXXX", NULL);
  output = g_mkstemp (*log);
  g_assert_cmpint (output, >=, 0);
  g_spawn_async_with_fds (NULL, (char **) arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                          &pid, -1, output, -1, &error);
  g_assert_no_error (error);
  close (output);

  return pid;
}

/* The last change that was made at that time or before; 0 = none. */
static inline int
killed_find_change (const char *log,
                    gint64      time)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  int found = 0;

  g_assert_true (g_file_get_contents (log, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
    char *end;
    int n = (int) g_ascii_strtoll (lines[i], &end, 10);

    if (g_ascii_strtoll (end, NULL, 10) <= time)
      found = n;
  }

  return found;
}
