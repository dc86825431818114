/* SPDX-License-Identifier: MIT */
/* The row functions of engine/kernels/nn.h for one instruction set; the same contracts. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

typedef struct {
  void (*softmax)  (float         *row,
                    int            n,
                    float          scale,
                    const float   *bias,
                    const guint8  *visible);
  void (*activate) (EngActivation  activation,
                    float         *x,
                    gsize          n);
  void (*norm)     (EngNormKind    kind,
                    float          eps,
                    const EngNorm *norm,
                    const float   *x,
                    const float   *residual,
                    int            size,
                    float         *y);
  void (*add)      (const float   *a,
                    const float   *b,
                    gsize          n,
                    float         *y);
} EngNnKernels;

extern const EngNnKernels eng_nn_kernels_portable;
extern const EngNnKernels eng_nn_kernels_avx2;
extern const EngNnKernels eng_nn_kernels_avx512;

G_END_DECLS
