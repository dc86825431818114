/* SPDX-License-Identifier: MIT */
/* The task heads of a checkpoint: which of them a file has whole. For engine/families/weights.c
 * alone. */
#pragma once

#include "engine/families/family.h"
#include "engine/families/loaded-weights.h"

G_BEGIN_DECLS

/* What is found while the weights of a model are looked for. */
typedef struct {
  EngLoadedWeights   *loaded;
  const EngConfig    *config;
  const EngStackSpec *stack;    /* that is being filled */
  const EngLayerSpec *layer;    /* that is being filled, else the stack's first */
  const char         *path;
  GHashTable         *names;    /* normalised name → EngTensor */
  GArray             *bindings; /* of EngBinding */
  GPtrArray          *made;     /* NULL, or the tensors of a model that has no file: with no data */
  gboolean            lays_out; /* a model whose weights will be written */
} EngWeightsLoader;

/* Names of tensors without their prefix; base is the struct that the parts' offsets count in. */
gboolean eng_weights_bind_parts  (EngWeightsLoader  *self,
                                  const EngPart     *parts,
                                  int                n_parts,
                                  const char        *prefix,
                                  gpointer           base,
                                  GError           **error);
void     eng_weights_begin_stack (EngWeightsLoader  *self,
                                  EngKind            kind);

/* Binds the heads, and the pooler where it is there or one of them reads it. A head that lacks a
 * part, or has one of another shape, is left out with a sentence that says why: files have heads
 * that their class does not use, and what the layers look at does not depend on any. */
void     eng_weights_bind_heads  (EngWeightsLoader  *self);

G_END_DECLS
