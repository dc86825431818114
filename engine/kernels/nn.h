/* SPDX-License-Identifier: MIT */
/* The parts of a layer that are no matrix products, on rows of floats. Vectorised for the machine
 * that runs them (engine/kernels/nn-kernels.h). Serial: callers spread rows over the pool. No
 * -ffast-math: infinities and NaN behave, and every result is the same from run to run. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

/* In place: softmax over the visible entries of scale · row + bias. bias [n] or NULL; visible [n],
 * 1 = visible, or NULL when all are. Entries that are not visible become exactly 0, and so does a
 * row without any that is. */
void eng_softmax  (float        *row,
                   int           n,
                   float         scale,
                   const float  *bias,
                   const guint8 *visible);

/* In place. The exact GELU is right to 5e-7 · max (1, |x|). */
void eng_activate (EngActivation activation,
                   float        *x,
                   gsize         n);

/* In place: row = tanh (scale · row / cap), so that cap · row is the soft-capped one. */
void eng_soft_cap (float  *row,
                   gsize   n,
                   double  scale,
                   double  cap);

/* y = norm (x + residual), residual NULL = 0; all [size]. y may be x. */
void eng_norm     (EngNormKind    kind,
                   float          eps,
                   const EngNorm *norm,
                   const float   *x,
                   const float   *residual,
                   int            size,
                   float         *y);

/* Whether none of x [n] is infinite or no number. */
gboolean eng_is_finite (const float *x,
                        gsize        n);

/* y = a + b; all [n]. y may be a. */
void eng_add      (const float *a,
                   const float *b,
                   gsize        n,
                   float       *y);

G_END_DECLS
