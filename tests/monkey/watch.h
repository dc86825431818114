/* SPDX-License-Identifier: MIT */
/* What a program that runs for long says about itself: warnings, how long its main loop gave no
 * answer, memory. A round of the main loop is the time between two waits for events; a frame is
 * drawn within one. Time in which the thread could run and the kernel gave the processor to others
 * does not count, nor a wait for the display's server: that is the computer's load. Main thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double longest_ms; /* round of the main loop, without the time that it waited for a processor */
  double wall_ms;    /* the longest with it */
  guint  n_long;     /* rounds over the limit */
  guint  n_warnings; /* and criticals */
} Watch;

/* is_ours: called with each warning and each round over limit_ms, after what is known of it was
 * printed with where it was; FALSE = it does not count. Once in a process. */
void     watch_start       (double     limit_ms,
                            gboolean (*is_ours) (void));
/* Since the last call, or since the start. */
Watch    watch_take        (void);

/* Memory that no file backs. */
double   watch_get_mb      (void);
/* Of it, what was asked for and not freed. */
double   watch_get_heap_mb (void);

G_END_DECLS
