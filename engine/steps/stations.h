/* SPDX-License-Identifier: MIT */
/* One token's vector over the whole model, beside its way through one layer: its length at every
 * station, and what the word head would answer if the model ended after a layer. Values of their
 * own: they keep neither model nor trace. Blocking, any thread but the main one: a way
 * (engine/steps/make.h) a layer, and a task head a layer. */
#pragma once

#include "engine/spec/layer.h"
#include "engine/steps/make.h"

G_BEGIN_DECLS

/* Where the vector stands: what a stage left of it, or what it adds. */
typedef struct {
  int         layer;
  EngWayPart  part;     /* ENG_PART_INPUT: the embedding, of layer 0 */
  /* STATES and LEFT: on the residual stream, before and behind the layer; OUTPUT and DOWN: what a
   * sub-layer makes; RESIDUAL and, of the embedding, SUM: the sum; NORM: normed; WIDEN:
   * projected. */
  EngStageId  stage;
  const char *name;     /* in words */
  double      length;   /* √Σx² */
  double      before;   /* of what a norm reads; -1 elsewhere */
  gboolean    is_stream; /* what goes on from here: not what a sub-layer reads or makes */
  gboolean    reads_stream; /* of a norm: it reads the stream, not what a sub-layer makes */
} EngStation;

/* (transfer full) An array of EngStation, in the order of the way, of a token of a stack
 * (encoder or decoder). cancel nullable. */
GArray *eng_stations_new (EngModel    *model,
                          EngTrace    *trace,
                          EngKind      kind,
                          int          token,
                          const gint  *cancel,
                          GError     **error);

/* Where norms stand around the sub-layers of a stack. */
EngNormPlacement eng_stations_get_norms (const EngModel *model,
                                         EngKind         kind);

/* The answer that is read off the states before each layer and behind the last. */
typedef struct {
  int           n_layers;     /* layers + 1 */
  int           n_candidates; /* of each */
  EngCandidate *candidates;   /* [n_layers, n_candidates], the likeliest first */
} EngLayerAnswers;

/* task: fill-mask or language-model, of a token of the stack that the head reads. */
EngLayerAnswers *eng_layer_answers_new  (EngModel         *model,
                                         EngTrace         *trace,
                                         EngTask           task,
                                         int               token,
                                         int               n_candidates,
                                         const gint       *cancel,
                                         GError          **error);
void             eng_layer_answers_free (EngLayerAnswers  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngLayerAnswers, eng_layer_answers_free)

G_END_DECLS
