/* SPDX-License-Identifier: MIT */
#include "engine/kernels/gradient.h"

#include "engine/kernels/gradient-kernels.h"
#include "engine/kernels/isa.h"

static const EngGradientKernels *
get_kernels (void)
{
  switch (eng_isa_get ()) {
#if defined (__x86_64__)
  case ENG_ISA_AVX512:
    return &eng_gradient_kernels_avx512;
  case ENG_ISA_AVX2:
    return &eng_gradient_kernels_avx2;
#endif
  default:
    return &eng_gradient_kernels_portable;
  }
}

void
eng_activation_gradient (EngActivation  activation,
                         const float   *x,
                         const float   *dy,
                         gsize          n,
                         float         *dx)
{
  get_kernels ()->activation (activation, x, dy, n, dx);
}

void
eng_norm_gradient (EngNormKind    kind,
                   float          eps,
                   const EngNorm *norm,
                   const float   *x,
                   const float   *dy,
                   int            size,
                   float         *dx,
                   float         *dweight,
                   float         *dbias)
{
  get_kernels ()->norm (kind, eps, norm, x, dy, size, dx, dweight, dbias);
}

void
eng_softmax_gradient (const float *p,
                      int          n,
                      float        scale,
                      float       *d)
{
  get_kernels ()->softmax (p, n, scale, d);
}

double
eng_cross_entropy (float *row,
                   int    n,
                   int    target,
                   float  smoothing,
                   float  factor)
{
  return get_kernels ()->cross_entropy (row, n, target, smoothing, factor);
}

void
eng_drop (guint64      key,
          gsize        first,
          float        rate,
          const float *x,
          gsize        n,
          float       *y)
{
  get_kernels ()->drop (key, first, rate, x, n, y);
}

void
eng_multiply_rows (const float *a,
                   const float *b,
                   gsize        n,
                   float       *y)
{
  get_kernels ()->multiply (a, b, n, y);
}

float
eng_sum (const float *x,
         gsize        n)
{
  return get_kernels ()->sum (x, n);
}

double
eng_sum_squares (const float *x,
                 gsize        n)
{
  return get_kernels ()->sum_squares (x, n);
}

void
eng_transpose (const float *x,
               gsize        x_stride,
               int          n_rows,
               int          n_columns,
               float       *y,
               gsize        y_stride)
{
  get_kernels ()->transpose (x, x_stride, n_rows, n_columns, y, y_stride);
}

void
eng_adam (const EngAdamStep *step,
          gsize              n,
          float             *values,
          const float       *gradients,
          float             *means,
          float             *squares)
{
  get_kernels ()->adam (step, n, values, gradients, means, squares);
}
