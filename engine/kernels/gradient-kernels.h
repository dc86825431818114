/* SPDX-License-Identifier: MIT */
/* The row functions of engine/kernels/gradient.h for one instruction set; the same contracts. */
#pragma once

#include "engine/kernels/gradient.h"

G_BEGIN_DECLS

typedef struct {
  void   (*activation)    (EngActivation      activation,
                           const float       *x,
                           const float       *dy,
                           gsize              n,
                           float             *dx);
  void   (*norm)          (EngNormKind        kind,
                           float              eps,
                           const EngNorm     *norm,
                           const float       *x,
                           const float       *dy,
                           int                size,
                           float             *dx,
                           float             *dweight,
                           float             *dbias);
  void   (*softmax)       (const float       *p,
                           int                n,
                           float              scale,
                           float             *d);
  double (*cross_entropy) (float             *row,
                           int                n,
                           int                target,
                           float              smoothing,
                           float              factor);
  void   (*drop)          (guint64            key,
                           gsize              first,
                           float              rate,
                           const float       *x,
                           gsize              n,
                           float             *y);
  void   (*multiply)      (const float       *a,
                           const float       *b,
                           gsize              n,
                           float             *y);
  float  (*sum)           (const float       *x,
                           gsize              n);
  double (*sum_squares)   (const float       *x,
                           gsize              n);
  void   (*transpose)     (const float       *x,
                           gsize              x_stride,
                           int                n_rows,
                           int                n_columns,
                           float             *y,
                           gsize              y_stride);
  void   (*adam)          (const EngAdamStep *step,
                           gsize              n,
                           float             *values,
                           const float       *gradients,
                           float             *means,
                           float             *squares);
} EngGradientKernels;

extern const EngGradientKernels eng_gradient_kernels_portable;
extern const EngGradientKernels eng_gradient_kernels_avx2;
extern const EngGradientKernels eng_gradient_kernels_avx512;

G_END_DECLS
