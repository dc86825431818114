/* SPDX-License-Identifier: MIT */
/* Runs programs of other projects that look at our files. */
#pragma once

#include <glib.h>

/* What the program prints, or NULL after g_test_skip() when it is not on this machine. */
static inline char *
tool_run (const char *const *arguments)
{
  g_autofree char *program = g_find_program_in_path (arguments[0]);
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status;

  if (program == NULL) {
    g_autofree char *reason = g_strdup_printf ("%s is not here", arguments[0]);

    g_test_skip (reason);
    return NULL;
  }
  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_spawn_check_wait_status (status, &error);
  g_assert_no_error (error);
  return output;
}
