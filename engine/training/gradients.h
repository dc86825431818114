/* SPDX-License-Identifier: MIT */
/* Where the gradient of a weight stands: weights that can be written lie in one block, their
 * gradients in another, in the same order. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const float *values;    /* [n] */
  float       *gradients; /* [n] */
  gsize        n;
  gsize        n_frozen;  /* the first so many are not learnt */
} EngGradients;

/* weight: a pointer of EngWeights into values. NULL where it is NULL, frozen or leads elsewhere, as
 * to a table that is computed: then there is nothing to learn. */
static inline float *
eng_gradients_find (const EngGradients *self,
                    const float        *weight)
{
  if (weight < self->values + self->n_frozen || weight >= self->values + self->n)
    return NULL;

  return self->gradients + (weight - self->values);
}

G_END_DECLS
