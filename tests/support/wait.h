/* SPDX-License-Identifier: MIT */
/* Waits for what a main loop brings about, and gives up loudly. */
#pragma once

#include <glib.h>

#define WAIT_SECONDS 60

static inline gboolean
wait_deadline_cb (gpointer data)
{
  g_error ("waited %d s in vain for: %s", WAIT_SECONDS, (const char *) data);
  return G_SOURCE_REMOVE;
}

static inline gboolean
wait_tick_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Runs the main loop until the condition holds, which may be one of another thread. */
#define wait_until(condition)                                                                   \
  G_STMT_START {                                                                                \
    guint deadline = g_timeout_add_seconds (WAIT_SECONDS, wait_deadline_cb,                     \
                                            (gpointer) #condition);                             \
    guint tick = g_timeout_add (20, wait_tick_cb, NULL);                                        \
    while (!(condition))                                                                        \
      g_main_context_iteration (NULL, TRUE);                                                    \
    g_source_remove (tick);                                                                     \
    g_source_remove (deadline);                                                                 \
  } G_STMT_END
