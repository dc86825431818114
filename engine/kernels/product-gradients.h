/* SPDX-License-Identifier: MIT */
/* Linear layers y = x · weightᵀ + bias over n rows, forward and backward, as training has them: many
 * rows, and weights that change after each step. What is multiplied together is one piece of work,
 * spread over the pool. Results are the same from run to run, however many threads there are. With
 * a cancel flag that is raised meanwhile they are incomplete. */
#pragma once

#include "engine/kernels/linalg.h"

G_BEGIN_DECLS

/* Floats of scratch of n_products layers [out, in]. */
gsize eng_product_outputs_n_scratch   (int               out,
                                       int               in,
                                       int               n_products);
/* The y [n, out] of at most three layers that read the same x [n, in]. */
void  eng_product_outputs             (const EngProduct *products,
                                       int               n_products,
                                       const float      *x,
                                       int               n,
                                       float            *scratch,
                                       const gint       *cancel);

/* Floats of scratch of a layer [out, in]. */
gsize eng_product_gradients_n_scratch (int               n,
                                       int               out,
                                       int               in);
/* Of dy [n, out], the gradient of the loss by y: dweight [out, in] += dyᵀ · x [n, in]; dbias [out]
 * += the sum of the rows of dy; dx [n, in] = dy · weight, or with add, dx + that. Each of the
 * three may be NULL; dx may be x, but not dy. */
void  eng_product_gradients           (const EngLinear  *linear,
                                       const float      *x,
                                       const float      *dy,
                                       int               n,
                                       gboolean          add,
                                       float            *scratch,
                                       float            *dweight,
                                       float            *dbias,
                                       float            *dx,
                                       const gint       *cancel);

G_END_DECLS
