/* SPDX-License-Identifier: MIT */
/* Serial matrix products for one instruction set; engine/linalg.c spreads them over the pool.
 *
 * One tile does all the work: a few rows of a matrix as it lies, times a panel of up to three vectors of
 * columns. For a linear layer the rows are weights [out, in] straight from the file and the panel's columns
 * are tokens, so the activations are transposed once and the weights never. Every sum runs over k in the
 * same order wherever the tile stands, so a result does not depend on how the work was split.
 *
 * Panels of n columns and depth k: the columns stand in vectors of n_lanes, the vectors in panels of up to
 * three; within a panel element (k, column) is at k * panel width + column. Missing columns are 0. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int  n_lanes;

  /* x [n, k] → panels of n columns: n rounded up to n_lanes, times k floats, aligned to a vector. Of the
   * depth only [first_k, last_k), so that several threads may do it. */
  void (*pack_rows)        (const float *x,
                            gsize        x_stride,
                            int          n,
                            int          k,
                            int          first_k,
                            int          last_k,
                            float       *panels);
  /* weights [n_outputs, k] times the panels of n tokens → sums [n_outputs, n rounded up to n_lanes]. */
  void (*multiply_panels)  (const float *weights,
                            gsize        weights_stride,
                            int          n_outputs,
                            const float *panels,
                            int          n,
                            int          k,
                            float       *sums);
  /* sums as above, transposed, plus bias [n_outputs] or NULL → y [n, n_outputs]. */
  void (*unpack_sums)      (const float *sums,
                            int          n_outputs,
                            int          n,
                            const float *bias,
                            float       *y,
                            gsize        y_stride);
  /* c [m, n] = a [m, k] · b; transposed: b is [n, k] and is read by rows, else [k, n]. */
  void (*multiply)         (const float *a,
                            gsize        a_stride,
                            const float *b,
                            gsize        b_stride,
                            gboolean     transposed,
                            int          m,
                            int          n,
                            int          k,
                            float       *c,
                            gsize        c_stride);
} EngLinalgKernels;

extern const EngLinalgKernels eng_linalg_kernels_portable;
extern const EngLinalgKernels eng_linalg_kernels_avx2;
extern const EngLinalgKernels eng_linalg_kernels_avx512;

G_END_DECLS
