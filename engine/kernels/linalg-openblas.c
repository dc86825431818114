/* SPDX-License-Identifier: MIT */
/* The products of a machine that we have no kernels for: OpenBLAS, which has them for every
 * processor. It is called by the chunks of our own pool, so it runs on one thread itself. A panel
 * is as wide as the matrix here, which makes panels of n columns and depth k a plain row-major
 * [k, n]. */
#include "engine/kernels/linalg-kernels.h"

#include <cblas.h>

#include "engine/kernels/nn.h"

/* The threads that OpenBLAS may have would spin beside ours, and split a product where it suits
 * them, which shows in the last bit. With OpenMP the number is one of the calling thread, so each
 * thread says it; one at a time, because the call tidies up what all have. */
static void
use_one_thread (void)
{
  static _Thread_local gboolean done = FALSE;
  static GMutex mutex;

  if (done)
    return;
  g_mutex_lock (&mutex);
  openblas_set_num_threads (1);
  g_mutex_unlock (&mutex);
  done = TRUE;
}

static void
pack_rows (const float *x,
           gsize        x_stride,
           int          n,
           int          k,
           int          first_k,
           int          last_k,
           float       *panels)
{
  for (gsize i = first_k; i < (gsize) last_k; i++)
    for (gsize column = 0; column < (gsize) n; column++)
      panels[i * n + column] = x[column * x_stride + i];
}

static void
pack_columns (const float *b,
              gsize        b_stride,
              int          k,
              int          n,
              float       *panels)
{
  for (gsize i = 0; i < (gsize) k; i++)
    for (gsize column = 0; column < (gsize) n; column++)
      panels[i * n + column] = b[i * b_stride + column];
}

/* A build of OpenBLAS without threads of its own, as Debian's serial one, has no locks either: two
 * calls at once may get the same scratch memory, and each other's numbers. One waits for the other
 * then. */
static void
multiply (const float *a,
          gsize        a_stride,
          const float *panels,
          int          m,
          int          n,
          int          k,
          float       *c,
          gsize        c_stride,
          gboolean     add)
{
  static GMutex mutex;
  const gboolean has_locks = openblas_get_parallel () != OPENBLAS_SEQUENTIAL;

  use_one_thread ();
  if (!has_locks)
    g_mutex_lock (&mutex);
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, (int) a_stride, panels, n,
               add ? 1 : 0, c, (int) c_stride);
  if (!has_locks)
    g_mutex_unlock (&mutex);
}

static void
multiply_panels (const float *weights,
                 gsize        weights_stride,
                 int          n_outputs,
                 const float *panels,
                 int          n,
                 int          k,
                 float       *out,
                 int          out_depth,
                 int          first)
{
  multiply (weights, weights_stride, panels, n_outputs, n, k, out + (gsize) first * n, n, FALSE);
}

static void
finish_panels (float         *panels,
               int            depth,
               int            first,
               int            n_outputs,
               int            n,
               const float   *bias,
               EngActivation  activation)
{
  float *rows = panels + (gsize) first * n;

  for (gsize output = 0; bias != NULL && output < (gsize) n_outputs; output++)
    for (gsize column = 0; column < (gsize) n; column++)
      rows[output * n + column] += bias[output];
  if (activation != ENG_ACTIVATION_LINEAR)
    eng_activate (activation, rows, (gsize) n_outputs * n);
}

static void
unpack (const float *panels,
        int          n_outputs,
        int          n,
        float       *y,
        gsize        y_stride)
{
  for (gsize column = 0; column < (gsize) n; column++)
    for (gsize output = 0; output < (gsize) n_outputs; output++)
      y[column * y_stride + output] = panels[output * n + column];
}

const EngLinalgKernels eng_linalg_kernels_openblas = {
  .n_lanes = 1,
  .pack_rows = pack_rows,
  .pack_columns = pack_columns,
  .multiply_panels = multiply_panels,
  .finish_panels = finish_panels,
  .unpack = unpack,
  .multiply = multiply,
};
