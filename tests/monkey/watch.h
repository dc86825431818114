/* SPDX-License-Identifier: MIT */
/* What a program that runs for long says about itself: warnings, how long its main loop gave no
 * answer, memory. A round of the main loop is the time between two waits for events; a frame is
 * drawn within one. Time in which the thread could run and the kernel gave the processor to others
 * does not count, nor a wait for the display's server: that is the computer's load. Main thread.
 *
 * A lock that another thread of the program holds is waited for as long as the kernel lets that
 * thread wait for a processor: threads that render run at a low priority. What the main thread was
 * blocked for is told apart as far as one other thread was put aside within the same round, and
 * counted and printed on its own. So is what the host of a virtual machine took of a processor, and
 * a wait for the disk where the kernel counts them (sysctl kernel.task_delayacct=1). The rest is
 * told in times of the processor at its best: a neighbour on the same core slows it down by half. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double longest_ms; /* round of the main loop, without the time that it waited for a processor */
  double wall_ms;    /* the longest with it */
  guint  n_long;     /* rounds over the limit */
  guint  n_aside;    /* rounds within it but for what is told apart */
  double aside_ms;   /* the longest of these, with that time */
  guint  n_warnings; /* and criticals */
} Watch;

/* is_ours: called with each warning and each round over limit_ms, after what is known of it was
 * printed with where it was; FALSE = it does not count. Once in a process. */
void     watch_start       (double     limit_ms,
                            gboolean (*is_ours) (void));
/* Since the last call, or since the start. */
Watch    watch_take        (void);

/* Memory that no file backs, without what the kernel may take at any time, when what is free was
 * given back to it. */
double   watch_get_mb      (void);
/* Of it, what was asked for and not freed. */
double   watch_get_heap_mb (void);

G_END_DECLS
