/* SPDX-License-Identifier: MIT */
/* Starts the window's program again and again and prints what the time until its first picture is
 * made of, as the program itself says it, the time from outside (with loading the program), and the
 * memory that it takes then: RssAnon. Arguments of the program may follow. Prints; asserts
 * nothing. */
#include <gio/gio.h>
#include <signal.h>
#include <string.h>

#define N_REPEATS 11

/* The value of a line of /proc/PID/status in MB. */
static double
read_status (const char *pid,
             const char *key)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "status", NULL);
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  line = strstr (text, key);
  return line != NULL ? g_ascii_strtod (line + strlen (key) + 1, NULL) / 1024 : 0;
}

static void
run (char  **argv,
     double *milliseconds,
     double *memory)
{
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GSubprocess) process = g_subprocess_newv ((const char *const *) argv,
                                                       G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_autoptr (GDataInputStream) output = NULL;

  if (process == NULL)
    g_error ("%s: %s", argv[0], error->message);

  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  for (;;) {
    g_autofree char *line = g_data_input_stream_read_line (output, NULL, NULL, NULL);
    const char *parts = line != NULL ? strstr (line, "ms since the start: ") : NULL;

    if (line == NULL)
      g_error ("%s ended without a picture", argv[0]);
    if (parts == NULL)
      continue;
    *milliseconds = (g_get_monotonic_time () - start) / 1000.0;
    g_print ("  %6.0f ms from outside; %s\n", *milliseconds, parts);
    break;
  }

  /* The rest of the first pass and the tiles around the first sight. */
  g_usleep (700000);
  *memory = read_status (g_subprocess_get_identifier (process), "RssAnon:");
  g_subprocess_send_signal (process, SIGTERM);
  g_subprocess_wait (process, NULL, NULL);
}

static int
compare_numbers (gconstpointer a,
                 gconstpointer b)
{
  double difference = *(const double *) a - *(const double *) b;

  return (difference > 0) - (difference < 0);
}

int
main (int    argc,
      char **argv)
{
  double times[N_REPEATS];
  double memory;

  if (argc < 2) {
    g_printerr ("usage: bench-start PROGRAM [ARGUMENTS]\n");
    return 2;
  }

  g_setenv ("G_MESSAGES_DEBUG", "headlight", TRUE);
  for (int i = 0; i < N_REPEATS; i++)
    run (argv + 1, &times[i], &memory);
  qsort (times, N_REPEATS, sizeof times[0], compare_numbers);
  g_print ("first picture: min %.0f, median %.0f ms; RssAnon %.0f MB\n",
           times[0], times[N_REPEATS / 2], memory);

  return 0;
}
