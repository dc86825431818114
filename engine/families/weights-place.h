/* SPDX-License-Identifier: MIT */
/* Puts tensors where the forward reads them: aligned float32 tensors stay in the mapped file, the
 * others are widened, turned or made up in one block of memory. For engine/families/weights.c
 * alone. */
#pragma once

#include "engine/families/loaded-weights.h"

G_BEGIN_DECLS

/* A pointer to be set once all tensors are known to be right. */
typedef struct {
  const float     **slot;
  const EngTensor  *tensor;     /* data NULL: of a model that was never trained */
  gboolean          transposed; /* the tensor is [in, out]; the same for all bindings of a tensor */
  /* Not 0: the tensor has the n_slices parts of each head together; put in their place are the
   * parts, each with the rows of all heads. The same for all bindings of a tensor. */
  int               n_heads;
  int               n_slices;
  gint64            first;      /* element, after both, that is pointed to */
  gboolean          one_less;   /* 1 is to be added to what a file holds */
} EngBinding;

/* bindings of EngBinding. Fills the counts of self, and the position tables that no file holds.
 * seed: of tensors that no file holds; NULL = these are zeroed. */
gboolean eng_weights_place (EngLoadedWeights  *self,
                            const EngConfig   *config,
                            const GArray      *bindings,
                            const guint32     *seed,
                            const char        *what,
                            GError           **error);

G_END_DECLS
