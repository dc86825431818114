/* SPDX-License-Identifier: MIT */
/* Serial matrix products for one instruction set; engine/kernels/linalg.c spreads them over the
 * pool.
 *
 * In our own kernels one tile does all the work: a few rows of a matrix as it lies, times a panel
 * of up to three vectors of columns. For a linear layer the rows are weights [out, in] straight
 * from the file and the panel's columns are tokens, so the activations are transposed and the
 * weights never. Every sum runs over k in the same order wherever the tile stands, so a result does
 * not depend on how the work was split. One to four tokens, a step of a generation, would leave
 * most of a vector empty: then blocks of weights are transposed in the registers and the lanes are
 * outputs; the sums stay the same to the last bit.
 *
 * Panels of n columns and depth k hold a matrix [k, n]: the columns stand in vectors of n_lanes,
 * the vectors in panels of up to three; within a panel element (i, column) is at i * panel width +
 * column. The columns that fill up the last vector are of no meaning. n rounded up to n_lanes times
 * k floats, aligned to a vector. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

typedef struct {
  int  n_lanes;

  /* x [n, k] → panels of n columns, transposed; of the depth only [first_k, last_k). */
  void (*pack_rows)       (const float  *x,
                           gsize         x_stride,
                           int           n,
                           int           k,
                           int           first_k,
                           int           last_k,
                           float        *panels);
  /* b [k, n] → panels of n columns. */
  void (*pack_columns)    (const float  *b,
                           gsize         b_stride,
                           int           k,
                           int           n,
                           float        *panels);
  /* weights [n_outputs, k] times panels of n columns → rows [first, first + n_outputs) of out,
   * which are panels of n columns too, of depth out_depth. */
  void (*multiply_panels) (const float  *weights,
                           gsize         weights_stride,
                           int           n_outputs,
                           const float  *panels,
                           int           n,
                           int           k,
                           float        *out,
                           int           out_depth,
                           int           first);
  /* The same rows of such panels: plus bias [n_outputs] or NULL, then the activation; in place. */
  void (*finish_panels)   (float        *panels,
                           int           depth,
                           int           first,
                           int           n_outputs,
                           int           n,
                           const float  *bias,
                           EngActivation activation);
  /* Panels of n columns and depth n_outputs, transposed → y [n, n_outputs]. */
  void (*unpack)          (const float  *panels,
                           int           n_outputs,
                           int           n,
                           float        *y,
                           gsize         y_stride);
  /* c [m, n] = a [m, k] times panels of n columns and depth k, or with add, c + that. */
  void (*multiply)        (const float  *a,
                           gsize         a_stride,
                           const float  *panels,
                           int           m,
                           int           n,
                           int           k,
                           float        *c,
                           gsize         c_stride,
                           gboolean      add);
} EngLinalgKernels;

extern const EngLinalgKernels eng_linalg_kernels_avx2;
extern const EngLinalgKernels eng_linalg_kernels_avx512;
/* For every other machine, in linalg-openblas.c. */
extern const EngLinalgKernels eng_linalg_kernels_openblas;

G_END_DECLS
