/* SPDX-License-Identifier: MIT */
#include "engine/bench/limits.h"

#include "engine/bench/limits-kernels.h"
#include "engine/kernels/arena.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/pool.h"

#define ROUNDS 5
#define REPETITIONS 3000000
/* Together more than any cache of a desktop machine. */
#define READ_BYTES ((gsize) 256 << 20)

typedef struct {
  const EngLimitsKernels *kernels;
  const float            *data;    /* [n_chunks, n] */
  gsize                   n;
  float                  *results; /* [workers] */
} LimitsCall;

static const EngLimitsKernels *
get_kernels (void)
{
  switch (eng_isa_get ()) {
#if defined (__x86_64__)
  case ENG_ISA_AVX512:
    return &eng_limits_kernels_avx512;
  case ENG_ISA_AVX2:
    return &eng_limits_kernels_avx2;
#endif
  default:
    return &eng_limits_kernels_portable;
  }
}

static void
multiply_chunk (int      chunk,
                int      worker,
                gpointer data)
{
  LimitsCall *call = data;

  call->results[worker] = call->kernels->multiply_add (REPETITIONS);
}

static void
read_chunk (int      chunk,
            int      worker,
            gpointer data)
{
  LimitsCall *call = data;

  call->results[worker] = call->kernels->read (call->data + chunk * call->n, call->n);
}

/* Seconds of the fastest of some rounds of one chunk a worker. */
static double
time_rounds (LimitsCall  *call,
             EngPoolFunc  func)
{
  gint64 best = G_MAXINT64;

  for (int round = 0; round < ROUNDS; round++) {
    gint64 start = g_get_monotonic_time ();

    eng_pool_run (eng_pool_get_n_workers (), func, call, NULL);
    best = MIN (best, g_get_monotonic_time () - start);
  }
  return MAX (best, 1) * 1e-6;
}

void
eng_limits_measure (EngLimits *limits)
{
  int n_threads = eng_pool_get_n_workers ();
  g_autofree float *results = g_new (float, n_threads);
  LimitsCall call = { get_kernels (), NULL, READ_BYTES / sizeof (float) / n_threads, results };
  EngArena arena = { 0 };

  *limits = (EngLimits) { .n_threads = n_threads };
  limits->gflops = (double) call.kernels->n_operations * REPETITIONS * n_threads /
                   time_rounds (&call, multiply_chunk) * 1e-9;

  eng_arena_measure (&arena);
  eng_arena_floats (&arena, READ_BYTES / sizeof (float));
  if (!eng_arena_allocate (&arena, NULL))
    return;

  float *data = eng_arena_floats (&arena, READ_BYTES / sizeof (float));

  /* Pages that were never written would all be the same zeros in the cache. */
  for (gsize i = 0; i < READ_BYTES / sizeof (float); i++)
    data[i] = (float) (i & 1);
  call.data = data;
  limits->gigabytes_per_second = (double) READ_BYTES / time_rounds (&call, read_chunk) * 1e-9;
  eng_arena_clear (&arena);
}
