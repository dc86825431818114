/* SPDX-License-Identifier: MIT */
#include "engine/bench/limits-kernels.h"

#include "engine/kernels/vector.h"

/* Sums that do not wait for each other: more than latency times units of any CPU, fewer than
 * registers. */
#define N_SUMS 10

static float
add_up (const EngVec *sums)
{
  EngVec total = { 0 };

  for (int i = 0; i < N_SUMS; i++)
    total += sums[i];
  return eng_vec_sum (total);
}

static float
multiply_add (int n_repetitions)
{
  EngVec factor = eng_vec_set (0.999f);
  EngVec summand = eng_vec_set (1e-3f);
  EngVec sums[N_SUMS];

  for (int i = 0; i < N_SUMS; i++)
    sums[i] = eng_vec_set ((float) i);
  for (int repetition = 0; repetition < n_repetitions; repetition++)
    ENG_UNROLL
    for (int i = 0; i < N_SUMS; i++)
      sums[i] = eng_vec_multiply_add (sums[i], factor, summand);
  return add_up (sums);
}

static float
read_all (const float *data,
          gsize        n)
{
  EngVec sums[N_SUMS] = { 0 };

  for (gsize i = 0; i + N_SUMS * ENG_LANES <= n; i += N_SUMS * ENG_LANES)
    ENG_UNROLL
    for (int j = 0; j < N_SUMS; j++)
      sums[j] += eng_vec_load (data + i + j * ENG_LANES);
  return add_up (sums);
}

const EngLimitsKernels ENG_ISA_NAME (eng_limits_kernels) = {
  2 * N_SUMS * ENG_LANES,
  multiply_add,
  read_all,
};
