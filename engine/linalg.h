/* SPDX-License-Identifier: MIT */
/* Matrix products at the sizes of a transformer: few rows (tokens), large weights that lie in a mapped
 * file as [out, in] and are read as they lie. All matrices are row-major; a stride is the distance of two
 * rows in floats. Each result is the same from run to run, however many threads there are. */
#pragma once

#include "engine/nn.h"

G_BEGIN_DECLS

/* y = activation (x · weightᵀ + bias); y [n, linear->out] */
typedef struct {
  const EngLinear *linear;
  float           *y;
} EngProduct;

/* Scratch that eng_products() needs for an input of n rows with in columns, in floats. */
gsize eng_products_n_scratch (int n,
                              int in);

/* One or more products of the same x [n, in], spread over the pool as one piece of work. With a cancel flag
 * that is raised meanwhile the results are incomplete; the caller has to look at the flag. */
void  eng_products           (const EngProduct *products,
                              int               n_products,
                              const float      *x,
                              int               n,
                              EngActivation     activation,
                              float            *scratch,
                              const gint       *cancel);

/* Serial, for one head: c [m, n] = a [m, k] · bᵀ with b [n, k]. */
void  eng_multiply_transposed (const float *a,
                               gsize        a_stride,
                               const float *b,
                               gsize        b_stride,
                               int          m,
                               int          n,
                               int          k,
                               float       *c,
                               gsize        c_stride);

/* Serial, for one head: c [m, n] = a [m, k] · b [k, n]. */
void  eng_multiply            (const float *a,
                               gsize        a_stride,
                               const float *b,
                               gsize        b_stride,
                               int          m,
                               int          n,
                               int          k,
                               float       *c,
                               gsize        c_stride);

G_END_DECLS
