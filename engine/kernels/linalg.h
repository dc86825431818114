/* SPDX-License-Identifier: MIT */
/* Matrix products at the sizes of a transformer: few rows (tokens), large weights that lie in a
 * mapped file as [out, in] and are read as they lie. All matrices are row-major; a stride is the
 * distance of two rows in floats. Each result is the same from run to run, however many threads
 * there are; with our own kernels (AVX2, AVX-512) a row of it does not depend on the other rows,
 * not even in rounding. On other machines OpenBLAS multiplies, any build of it: there rounding
 * depends on the processor that it takes the machine for and on the number of rows. Scratch and
 * packed matrices are aligned to a cache line. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

/* y = x · weightᵀ + bias, before the activation; y [n, linear->out] */
typedef struct {
  const EngLinear *linear;
  float           *y;
} EngProduct;

/* Floats of scratch for an input of n rows with in columns. */
gsize eng_products_n_scratch     (int n,
                                  int in);
/* One or more products of the same x [n, in], then the activation, spread over the pool as one
 * piece of work. With a cancel flag that is raised meanwhile the results are incomplete; look at
 * the flag. */
void  eng_products               (const EngProduct *products,
                                  int               n_products,
                                  const float      *x,
                                  int               n,
                                  EngActivation     activation,
                                  float            *scratch,
                                  const gint       *cancel);

gsize eng_product_pair_n_scratch (int              n,
                                  const EngLinear *first);
/* y [n, second->out] = second (activation (first (x))), x [n, first->in]. What stands between the
 * two is never unpacked. Spread over the pool, cancelled as above. */
void  eng_product_pair           (const EngLinear *first,
                                  EngActivation    activation,
                                  const EngLinear *second,
                                  const float     *x,
                                  int              n,
                                  float           *scratch,
                                  float           *y,
                                  const gint      *cancel);

/* A matrix [k, n] packed as the right factor of many products. All are serial, for one
 * head. */
gsize eng_packed_n_floats        (int          k,
                                  int          n);
void  eng_pack                   (const float *b,          /* [k, n] */
                                  gsize        b_stride,
                                  int          k,
                                  int          n,
                                  float       *packed);
void  eng_pack_transposed        (const float *b,          /* [n, k] */
                                  gsize        b_stride,
                                  int          k,
                                  int          n,
                                  float       *packed);
/* c [m, n] = a [m, k] · packed */
void  eng_multiply               (const float *a,
                                  gsize        a_stride,
                                  const float *packed,
                                  int          m,
                                  int          n,
                                  int          k,
                                  float       *c,
                                  gsize        c_stride);
/* c + that */
void  eng_multiply_add           (const float *a,
                                  gsize        a_stride,
                                  const float *packed,
                                  int          m,
                                  int          n,
                                  int          k,
                                  float       *c,
                                  gsize        c_stride);

G_END_DECLS
