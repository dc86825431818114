/* SPDX-License-Identifier: MIT */
/* Waits for what a main loop brings about, and gives up loudly. */
#pragma once

#include <glib.h>

/* A test of what is slow on purpose says so before it includes this. Under a sanitizer everything is. */
#ifndef WAIT_SECONDS
#ifdef __SANITIZE_ADDRESS__
#define WAIT_SECONDS 300
#else
#define WAIT_SECONDS 60
#endif
#endif

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

static inline gboolean
wait_past_cb (gpointer is_past)
{
  *(gboolean *) is_past = TRUE;
  return G_SOURCE_REMOVE;
}

/* Runs the main loop for that long: for what moves, and shows nothing to wait for. */
static inline void
let_pass (guint ms)
{
  gboolean is_past = FALSE;

  g_timeout_add (ms, wait_past_cb, &is_past);
  wait_until (is_past);
}
