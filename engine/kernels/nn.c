/* SPDX-License-Identifier: MIT */
#include "engine/kernels/nn.h"

#include <math.h>

#include "engine/kernels/isa.h"
#include "engine/kernels/nn-kernels.h"

static const EngNnKernels *
get_kernels (void)
{
  switch (eng_isa_get ()) {
#if defined (__x86_64__)
  case ENG_ISA_AVX512:
    return &eng_nn_kernels_avx512;
  case ENG_ISA_AVX2:
    return &eng_nn_kernels_avx2;
#endif
  default:
    return &eng_nn_kernels_portable;
  }
}

void
eng_softmax (float        *row,
             int           n,
             float         scale,
             const float  *bias,
             const guint8 *visible)
{
  get_kernels ()->softmax (row, n, scale, bias, visible);
}

void
eng_activate (EngActivation activation,
              float        *x,
              gsize         n)
{
  get_kernels ()->activate (activation, x, n);
}

void
eng_soft_cap (float  *row,
              gsize   n,
              double  scale,
              double  cap)
{
  float factor = (float) (scale / cap);

  for (gsize i = 0; i < n; i++)
    row[i] *= factor;
  eng_activate (ENG_ACTIVATION_TANH, row, n);
}

void
eng_norm (EngNormKind    kind,
          float          eps,
          const EngNorm *norm,
          const float   *x,
          const float   *residual,
          int            size,
          float         *y)
{
  get_kernels ()->norm (kind, eps, norm, x, residual, size, y);
}

void
eng_add (const float *a,
         const float *b,
         gsize        n,
         float       *y)
{
  get_kernels ()->add (a, b, n, y);
}

gboolean
eng_is_finite (const float *x,
               gsize        n)
{
  int n_found = 0;

  for (gsize i = 0; i < n; i++)
    n_found += !(fabsf (x[i]) <= G_MAXFLOAT);

  return n_found == 0;
}
