/* SPDX-License-Identifier: MIT */
/* Runs the program headlight as a user calls it, with no display; $HEADLIGHT_PROGRAM names it. */
#pragma once

#include <glib.h>
#include <string.h>
#include <sys/wait.h>

#include "engine/base/json.h"

typedef struct {
  int   status;
  char *out;
  char *err;
} Run;

static inline void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Runs headlight with the arguments, of char *, and no display. */
static inline void
run_headlight_with (Run             *run,
                    const GPtrArray *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environment = g_environ_unsetenv (g_environ_unsetenv (g_get_environ (), "DISPLAY"),
                                                   "WAYLAND_DISPLAY");
  int wait_status;

  g_ptr_array_add (argv, (gpointer) g_getenv ("HEADLIGHT_PROGRAM"));
  for (guint i = 0; i < arguments->len; i++)
    g_ptr_array_add (argv, arguments->pdata[i]);
  g_ptr_array_add (argv, NULL);

  g_spawn_sync (NULL, (char **) argv->pdata, environment, G_SPAWN_DEFAULT, NULL, NULL,
                &run->out, &run->err, &wait_status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (wait_status));
  run->status = WEXITSTATUS (wait_status);
}

/* The same, NULL-terminated. */
G_GNUC_NULL_TERMINATED static inline void
run_headlight (Run *run,
               ...)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  va_list arguments;

  va_start (arguments, run);
  for (char *argument; (argument = va_arg (arguments, char *)) != NULL;)
    g_ptr_array_add (list, argument);
  va_end (arguments);
  run_headlight_with (run, list);
}

static inline void
assert_done (const Run *run)
{
  g_assert_cmpstr (run->err, ==, "");
  g_assert_cmpint (run->status, ==, 0);
}

/* Refused: nothing on stdout, one line on stderr that holds every part. */
static inline void
assert_refused (const Run *run,
                int        status,
                const char *part)
{
  if (!strstr (run->err, part))
    g_error ("“%s” does not say “%s”", run->err, part);
  g_assert_cmpint (run->status, ==, status);
  g_assert_cmpstr (run->out, ==, "");
  g_assert_true (g_str_has_suffix (run->err, "\n"));
  g_assert_true (strchr (run->err, '\n') == run->err + strlen (run->err) - 1);
}

static inline cJSON *
parse_output (const Run *run)
{
  g_autoptr (GError) error = NULL;
  cJSON *object;

  assert_done (run);
  object = eng_json_parse (run->out, strlen (run->out), 32, "stdout", &error);
  g_assert_no_error (error);

  return object;
}
