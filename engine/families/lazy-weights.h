/* SPDX-License-Identifier: MIT */
/* Weights that are not used where they lie in the file, because they are no float32 or lie in
 * another order: widened and put in order a layer at a time, when it is first computed, so that a
 * model of many files shows its first layer before the last file is read. Where they go is fixed
 * when they are placed. For engine/ alone. */
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

/* Whether elements of its tensor go to other places than they have in the file. */
gboolean        eng_binding_moves     (const EngBinding       *self);

/* loaded: with its spec and its layers; must live as long. */
EngLazyWeights *eng_lazy_weights_new  (const EngLoadedWeights *loaded);
void            eng_lazy_weights_free (EngLazyWeights         *self);
/* The whole tensor goes to to, once, when what binding's slot is a part of is needed. */
void            eng_lazy_weights_add  (EngLazyWeights         *self,
                                       const EngBinding       *binding,
                                       float                  *to);

/* Before the weights of a layer are read; layer -1: what comes before the first, the number of
 * layers: what comes behind the last. Any thread. self NULL = all are there. */
void            eng_lazy_weights_need (EngLazyWeights         *self,
                                       EngKind                 kind,
                                       int                     layer);
/* The same for a task head and the pooler that it reads. */
void            eng_lazy_weights_need_head (EngLazyWeights    *self,
                                            EngTask            task);
/* eng_tensor_set_check_files() where something was widened from a file that had changed by then. */
gboolean        eng_lazy_weights_check (const EngLazyWeights  *self,
                                        GError               **error);
/* Elements that were widened so far. */
gsize           eng_lazy_weights_get_n_widened (const EngLazyWeights *self);

G_END_DECLS
