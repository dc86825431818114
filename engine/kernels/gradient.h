/* SPDX-License-Identifier: MIT */
/* What training does to rows of floats beside the products: gradients of engine/kernels/nn.h,
 * the loss, dropout, the step of the optimiser. dy is the gradient of the loss by y, dx by x.
 * Vectorised for the machine that runs them; serial: callers spread rows over the pool. Every
 * result is the same from run to run. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

/* dx = activation' (x) ⊙ dy; all [n], dx may be dy. Of GELU, its tanh form and QUICK_GELU, ReLU,
 * SiLU, tanh and none. */
void   eng_activation_gradient    (EngActivation      activation,
                                   const float       *x,
                                   const float       *dy,
                                   gsize              n,
                                   float             *dx);
/* Of y = norm (x); x, dy and dx [size], dx may be dy. dweight and dbias [size] are added to; dbias
 * NULL where there is no bias. */
void   eng_norm_gradient          (EngNormKind        kind,
                                   float              eps,
                                   const EngNorm     *norm,
                                   const float       *x,
                                   const float       *dy,
                                   int                size,
                                   float             *dx,
                                   float             *dweight,
                                   float             *dbias);
/* Of p = softmax (scale · s): d [n], the gradient by p, becomes that by s. Where p is 0, so is
 * d. */
void   eng_softmax_gradient       (const float       *p,
                                   int                n,
                                   float              scale,
                                   float             *d);
/* -(1 - smoothing) log p[target] - smoothing · mean of log p, with p = softmax (row), row [n]
 * (Szegedy et al. 2016, section 7). row becomes factor · the gradient by it. */
double eng_cross_entropy          (float             *row,
                                   int                n,
                                   int                target,
                                   float              smoothing,
                                   float              factor);
/* Dropout (Srivastava et al. 2014): y[i] = x[i] / (1 - rate), or 0 with the probability rate, by
 * the number first + i of the key (engine/kernels/random.h). rate in steps of 1/65,536. The
 * gradient is the same function of dy. y may be x. */
void   eng_drop                   (guint64            key,
                                   gsize              first,
                                   float              rate,
                                   const float       *x,
                                   gsize              n,
                                   float             *y);
/* y = a ⊙ b; all [n]. y may be a. */
void   eng_multiply_rows          (const float       *a,
                                   const float       *b,
                                   gsize              n,
                                   float             *y);
float  eng_sum                    (const float       *x,
                                   gsize              n);
double eng_sum_squares            (const float       *x,
                                   gsize              n);
/* y [n_columns, n_rows] = x [n_rows, n_columns]ᵀ */
void   eng_transpose              (const float       *x,
                                   gsize              x_stride,
                                   int                n_rows,
                                   int                n_columns,
                                   float             *y,
                                   gsize              y_stride);

/* A step of AdamW (Loshchilov and Hutter 2019) as torch takes it:
 *   w ← w · keep - rate · m / (√v · correction + eps)
 * with the running means m of the gradient g · scale and v of its square. */
typedef struct {
  float scale;        /* of gradients: clipping */
  float mean_share;   /* 1 - β1: of the new gradient in m */
  float square_share; /* 1 - β2: of its square in v */
  float keep;         /* 1 - learning rate · decay */
  float rate;         /* learning rate / (1 - β1^t) */
  float correction;   /* 1 / √(1 - β2^t) */
  float eps;
} EngAdamStep;

/* All [n]; values, means and squares are changed. */
void   eng_adam                   (const EngAdamStep *step,
                                   gsize              n,
                                   float             *values,
                                   const float       *gradients,
                                   float             *means,
                                   float             *squares);

G_END_DECLS
