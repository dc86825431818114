/* SPDX-License-Identifier: MIT */
/* What a stack does to rows of activations one by one, spread over the pool where there are many. */
#pragma once

#include "engine/spec/layer.h"
#include "engine/spec/weights.h"

G_BEGIN_DECLS

typedef struct {
  int         n;
  int         size;   /* of a row */
  const gint *cancel; /* nullable */
} EngRows;

/* y = norm (x + residual); norm NULL = no norm, residual NULL = 0. All [n, size]; y may be x. */
void eng_rows_add_norm (const EngRows     *self,
                        const EngNormSpec *spec,
                        const EngNorm     *norm,
                        const float       *x,
                        const float       *residual,
                        float             *y);
/* rows [n, size] in place. */
void eng_rows_scale    (const EngRows     *self,
                        float              factor,
                        float             *rows);
/* up = gate ⊙ up, both [n, size]. */
void eng_rows_gate     (const EngRows     *self,
                        const float       *gate,
                        float             *up);

G_END_DECLS
