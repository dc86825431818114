/* SPDX-License-Identifier: MIT */
/* What this machine can do at most, measured with all threads of the pool: the yardstick of `bench`. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int    n_threads;
  double gflops;               /* F32 multiply-adds, two operations each, 10^9 a second */
  double gigabytes_per_second; /* reading memory that no cache holds */
} EngLimits;

/* Takes about a third of a second; nothing is kept. */
void eng_limits_measure (EngLimits *limits);

G_END_DECLS
