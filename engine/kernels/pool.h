/* SPDX-License-Identifier: MIT */
/* The engine's pool of threads: fork, join, and nothing between. The calling thread works too.
 * Idle threads spin for some microseconds, because the next piece of a pass comes soon, and then
 * sleep.
 *
 * Any number of threads may call at once: while one has the pool the others do their chunks
 * themselves, so a caller never waits for another and a call inside of a chunk is allowed. Results
 * must not depend on who runs a chunk. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* worker: 0 for the caller, below eng_pool_get_n_workers(); names scratch memory that no other
 * chunk of the same call uses meanwhile. */
typedef void (*EngPoolFunc) (int      chunk,
                             int      worker,
                             gpointer data);

/* Calling thread included: the CPUs that the process may use (engine/kernels/cpus.h), or the
 * environment's HEADLIGHT_THREADS. */
int  eng_pool_get_n_workers (void);

/* Calls func for every chunk in [0, n_chunks) and returns when all are done. Neighbouring chunks
 * tend to run in order on the same thread. cancel (nullable) is polled before each chunk: once it
 * is not zero the rest is left out, and the caller has to look at the flag. */
void eng_pool_run           (int          n_chunks,
                             EngPoolFunc  func,
                             gpointer     data,
                             const gint  *cancel);

/* For the rest of its life the calling thread takes what others leave of the machine: it and what
 * it calls run at the lowest priority, on threads of a second pool. */
void eng_pool_enter_background (void);

/* Joins the threads; a later call starts them again. For a program that wants to exit cleanly. */
void eng_pool_shutdown      (void);

G_END_DECLS
