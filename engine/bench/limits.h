/* SPDX-License-Identifier: MIT */
/* What this machine can do at best with all the pool's threads, measured: times of a pass are
 * stated beside it. Takes about half a second. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int    n_threads;
  double gflops;               /* 10⁹ multiplications and additions of floats, in registers */
  double gigabytes_per_second; /* 10⁹ bytes read from memory that is in no cache */
} EngLimits;

void eng_limits_measure (EngLimits *limits);

G_END_DECLS
