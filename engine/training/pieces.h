/* SPDX-License-Identifier: MIT */
/* The pieces of a model that learns, forward and backward beside each other. A backward function
 * is given what the forward read and the gradient of the loss by what it wrote (dy), gives that
 * by what it read (dx), and adds those by its weights to the gradients. Nothing is allocated;
 * work is spread over the pool, and every result is the same however many threads there are.
 * Rows are row-major: n rows, D hidden size, F intermediate size. After a raised cancel flag
 * results are incomplete. */
#pragma once

#include "engine/kernels/arena.h"
#include "engine/kernels/linalg.h"
#include "engine/spec/spec.h"
#include "engine/training/gradients.h"

G_BEGIN_DECLS

/* What all pieces of a step share. Zeroed but for its inputs, laid out once. */
typedef struct {
  const EngGradients *gradients;
  const gint         *cancel;    /* nullable */

  float              *products;  /* scratch of the products */
  float              *sums;      /* scratch of the norms' weights */
} EngPieces;

/* Which numbers are dropped: those of a key, the same in both directions. */
typedef struct {
  double  rate; /* 0 = none are */
  guint64 key;  /* engine/kernels/random.h */
} EngDropout;

/* Layers that read the same at most: query, key and value. */
#define ENG_PIECES_TOGETHER 3

/* Scratch for pieces over at most n rows, linear layers of at most out and in features, so many of
 * which are one piece of work. */
void eng_pieces_lay_out            (EngPieces              *self,
                                    int                     n,
                                    int                     out,
                                    int                     in,
                                    int                     n_together,
                                    EngArena               *arena);

/* y [n, out] = x [n, in] · weightᵀ + bias */
void eng_piece_linear              (const EngPieces        *self,
                                    const EngLinear        *linear,
                                    const float            *x,
                                    int                     n,
                                    float                  *y);
/* The same of several layers that read the same, in one piece of work. */
void eng_piece_linears             (const EngPieces        *self,
                                    const EngProduct       *products,
                                    int                     n_products,
                                    const float            *x,
                                    int                     n);
/* dx [n, in], NULL = not wanted; with add it is added to. */
void eng_piece_linear_backward     (const EngPieces        *self,
                                    const EngLinear        *linear,
                                    const float            *x,
                                    const float            *dy,
                                    int                     n,
                                    gboolean                add,
                                    float                  *dx);

/* y = norm (x), all [n, size] */
void eng_piece_norm                (const EngPieces        *self,
                                    const EngNormSpec      *spec,
                                    const EngNorm          *norm,
                                    const float            *x,
                                    int                     n,
                                    int                     size,
                                    float                  *y);
/* dx may be dy. */
void eng_piece_norm_backward       (const EngPieces        *self,
                                    const EngNormSpec      *spec,
                                    const EngNorm          *norm,
                                    const float            *x,
                                    const float            *dy,
                                    int                     n,
                                    int                     size,
                                    float                  *dx);

/* y [n, size] = activation (x), or, gated, activation (gate) ⊙ x; gate NULL = not gated. */
void eng_piece_activate            (const EngPieces        *self,
                                    EngActivation           activation,
                                    const float            *gate,
                                    const float            *x,
                                    int                     n,
                                    int                     size,
                                    float                  *y);
/* dgate: NULL = not gated; dx may be dy. */
void eng_piece_activate_backward   (const EngPieces        *self,
                                    EngActivation           activation,
                                    const float            *gate,
                                    const float            *x,
                                    const float            *dy,
                                    int                     n,
                                    int                     size,
                                    float                  *dgate,
                                    float                  *dx);

/* y [n, size] = x with numbers dropped; y may be x. The backward is the same of dy. */
void eng_piece_drop                (const EngPieces        *self,
                                    const EngDropout       *dropout,
                                    const float            *x,
                                    int                     n,
                                    int                     size,
                                    float                  *y);
/* y = a + b, all [n, size]; y may be a. Its backward is dy for both. */
void eng_piece_add                 (const EngPieces        *self,
                                    const float            *a,
                                    const float            *b,
                                    int                     n,
                                    int                     size,
                                    float                  *y);

/* x [n, size] = scale · word[ids] + type[type_ids] + position[positions]; tables that are NULL
 * count 0, type_ids NULL = all 0. */
void eng_piece_embed               (const EngPieces        *self,
                                    const EngStackWeights  *weights,
                                    double                  scale,
                                    const gint32           *ids,
                                    const gint32           *type_ids,
                                    const gint32           *positions,
                                    int                     n,
                                    int                     size,
                                    float                  *x);
void eng_piece_embed_backward      (const EngPieces        *self,
                                    const EngStackWeights  *weights,
                                    double                  scale,
                                    const gint32           *ids,
                                    const gint32           *type_ids,
                                    const gint32           *positions,
                                    const float            *dx,
                                    int                     n,
                                    int                     size);

/* A label that asks nothing. */
#define ENG_NO_LABEL (-100)

/* The sum of the cross-entropies of the rows of logits [n, classes] that have a label (labels [n],
 * ENG_NO_LABEL = none). logits become factor · the gradient of that sum, 0 where there is no label.
 * losses [n] is scratch. */
double eng_piece_cross_entropy     (const EngPieces        *self,
                                    float                  *logits,
                                    const gint32           *labels,
                                    int                     n,
                                    int                     n_classes,
                                    double                  smoothing,
                                    double                  factor,
                                    double                 *losses);

G_END_DECLS
