/* SPDX-License-Identifier: MIT */
/* The two loops of engine/bench/limits.c for one instruction set. Each returns a number that
 * depends on all of its work, so that none of it is optimised away. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int    n_operations;                            /* of one repetition of multiply_add */
  float (*multiply_add) (int          n_repetitions);
  float (*read)         (const float *data,
                         gsize        n);
} EngLimitsKernels;

extern const EngLimitsKernels eng_limits_kernels_portable;
extern const EngLimitsKernels eng_limits_kernels_avx2;
extern const EngLimitsKernels eng_limits_kernels_avx512;

G_END_DECLS
