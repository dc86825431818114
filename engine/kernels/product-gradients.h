/* SPDX-License-Identifier: MIT */
/* Gradients of a linear layer y = x · weightᵀ + bias over n rows, spread over the pool: each of
 * the two is one product. dy [n, out] is the gradient of the loss by y. Results are the same
 * from run to run, however many threads there are. With a cancel flag that is raised meanwhile
 * they are incomplete. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

/* Floats of scratch of both, for a layer [out, in]. */
gsize eng_product_gradients_n_scratch (int              n,
                                       int              out,
                                       int              in);
/* dx [n, in] = dy · weight, or with add, dx + that. */
void  eng_product_input_gradient      (const EngLinear *linear,
                                       const float     *dy,
                                       int              n,
                                       gboolean         add,
                                       float           *scratch,
                                       float           *dx,
                                       const gint      *cancel);
/* dweight [out, in] += dyᵀ · x, x [n, in]; dbias [out] += the sum of the rows of dy; NULL where
 * they are not wanted. */
void  eng_product_weight_gradient     (const float     *dy,
                                       const float     *x,
                                       int              n,
                                       int              out,
                                       int              in,
                                       float           *scratch,
                                       float           *dweight,
                                       float           *dbias,
                                       const gint      *cancel);

G_END_DECLS
