/* SPDX-License-Identifier: MIT */
/* One stack of layers. Most stacks have layers that are all alike, some have two sorts of them that
 * take turns: a layer is of a sort. */
#pragma once

#include "engine/spec/layer.h"

G_BEGIN_DECLS

#define ENG_MAX_LAYERS 1024
#define ENG_MAX_LAYER_SORTS 4

/* A learned bias by distance of key and query (Raffel et al. 2020, section 2.1): near distances
 * have a bucket each, far ones share one, in logarithmic steps up to max_distance. One table a
 * stack, added in each of its layers' self-attention. */
typedef struct {
  int n_buckets;    /* 0 = no such bias */
  int max_distance;
} EngRelativeBias;

/* Layers that share weights (Lan et al. 2019, section 3.1), n_inner of them one behind the other
 * with weights of their own: a group. Every group is passed through several times before the
 * next. */
typedef struct {
  int n_groups; /* 0 = every layer of the stack has weights of its own */
  int n_inner;
} EngSharing;

typedef struct {
  int              n_layers;       /* as often as there is attention; 0 = the model has no such stack */
  int              vocab_size;
  EngLayerSpec     sorts[ENG_MAX_LAYER_SORTS];
  guint8           sort_of_layer[ENG_MAX_LAYERS];
  EngSharing       sharing;
  EngRotaryFactors rotary_factors; /* of the layers whose rotary positions they scale */
  EngRelativeBias  relative_bias;
  gboolean         final_norm;     /* behind the last layer */
  gboolean         hides_padding;  /* behind every layer hidden = 0 for padding */
} EngStackSpec;

static inline const EngLayerSpec *
eng_stack_spec_get_layer (const EngStackSpec *self,
                          int                 layer)
{
  return &self->sorts[self->sort_of_layer[layer]];
}

/* The group whose weights a layer has; the stack has some. As the division falls in double
 * precision, in which who trained such models divided. */
static inline int
eng_stack_spec_get_group (const EngStackSpec *self,
                          int                 layer)
{
  double n_passes = (double) (self->n_layers / self->sharing.n_inner);

  return (int) (layer / self->sharing.n_inner / (n_passes / self->sharing.n_groups));
}

/* The attention that counts and sizes of heads are read from, which all layers have in common. */
static inline const EngAttentionSpec *
eng_stack_spec_get_heads (const EngStackSpec *self)
{
  return &self->sorts[0].self;
}

/* Whether its layers read an encoder. */
static inline gboolean
eng_stack_spec_crosses (const EngStackSpec *self)
{
  return self->sorts[0].cross.n_heads > 0;
}

/* Whether a layer is of the sort. */
static inline gboolean
eng_stack_spec_uses_sort (const EngStackSpec *self,
                          int                 sort)
{
  for (int layer = 0; layer < self->n_layers; layer++)
    if (self->sort_of_layer[layer] == sort)
      return TRUE;

  return FALSE;
}

G_END_DECLS
