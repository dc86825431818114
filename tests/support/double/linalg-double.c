/* SPDX-License-Identifier: MIT */
/* The products of engine/kernels/linalg-openblas.c, plainly and in double precision; as there,
 * panels of n columns and depth k are a plain row-major [k, n]. */
#include "engine/kernels/linalg-kernels.h"

#include "engine/kernels/nn.h"

static void
pack_rows (const float *x,
           gsize        x_stride,
           int          n,
           int          k,
           int          first_k,
           int          last_k,
           float       *panels)
{
  for (int i = first_k; i < last_k; i++)
    for (int column = 0; column < n; column++)
      panels[i * n + column] = x[column * x_stride + i];
}

static void
pack_columns (const float *b,
              gsize        b_stride,
              int          k,
              int          n,
              float       *panels)
{
  for (int i = 0; i < k; i++)
    memcpy (panels + i * n, b + i * b_stride, n * sizeof (float));
}

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
  for (int row = 0; row < m; row++) {
    float *out = c + row * c_stride;

    if (!add)
      memset (out, 0, n * sizeof (float));
    for (int i = 0; i < k; i++)
      for (int column = 0; column < n; column++)
        out[column] += a[row * a_stride + i] * panels[i * n + column];
  }
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
  multiply (weights, weights_stride, panels, n_outputs, n, k, out + first * n, n, FALSE);
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
  float *rows = panels + first * n;

  for (int i = 0; i < n_outputs * n && bias != NULL; i++)
    rows[i] += bias[i / n];
  if (activation != ENG_ACTIVATION_LINEAR)
    eng_activate (activation, rows, n_outputs * n);
}

static void
unpack (const float *panels,
        int          n_outputs,
        int          n,
        float       *y,
        gsize        y_stride)
{
  for (int column = 0; column < n; column++)
    for (int output = 0; output < n_outputs; output++)
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
