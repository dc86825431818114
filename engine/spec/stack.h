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

/* Positions apart from content (He et al. 2020, section 3.1). Of the stack's table of distances,
 * normed or not, each layer makes keys PK and queries PQ of its heads, and query i scores key j by
 *   scale · q_i·k_j + scale · q_i·PK[row] + scale · k_j·PQ[row]
 *   row = clamp (span + step (i - j), 0, 2 span - 1)
 * A step is the distance itself or, where far distances share a row (He et al. 2021, "log
 * buckets"), with m = span div 2: beyond m
 *   m + ceil (ln (distance / m) / ln ((max_distance - 1) / m) · (m - 1))
 * Of stacks that read whole texts, instead of a bias by distance. */
typedef struct {
  int      span;               /* half the rows of the table; 0 = positions are not apart */
  int      max_distance;       /* 0 = no distances share a row */
  gboolean content_position;   /* whether q·PK counts */
  gboolean position_content;   /* whether k·PQ counts */
  gboolean shares_projections; /* PK and PQ by the projections of the layer's keys and queries */
  gboolean has_norm;           /* of the table */
} EngRelativePositions;

/* Beside the first layer, of what it reads (He et al. 2021, "nGiE"):
 *   x_1 = norm (layer (x_0) + activation (convolution (x_0))) · hidden
 * with hidden = 0 for padding, else 1, over kernel_size tokens around each, which are 0 beyond the
 * text. Of stacks that read whole texts. */
typedef struct {
  int           kernel_size; /* odd; 0 = no convolution */
  int           n_groups;    /* features of a group read those of the same group alone */
  EngActivation activation;
} EngConvolution;

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
  EngRelativePositions relative_positions;
  EngConvolution   convolution;
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

/* How many layers have the weights of a layer, itself among them. */
static inline int
eng_stack_spec_count_uses (const EngStackSpec *self,
                           int                 layer)
{
  int n_inner = self->sharing.n_inner;
  int n = 0;

  if (self->sharing.n_groups == 0)
    return 1;
  for (int other = layer % n_inner; other < self->n_layers; other += n_inner)
    n += eng_stack_spec_get_group (self, other) == eng_stack_spec_get_group (self, layer);

  return n;
}

/* The attention that counts and sizes of heads are read from, which all layers have in common. */
static inline const EngAttentionSpec *
eng_stack_spec_get_heads (const EngStackSpec *self)
{
  return &self->sorts[0].self;
}

/* Whether positions have scores of their own. */
static inline gboolean
eng_stack_spec_sets_positions_apart (const EngStackSpec *self)
{
  return self->relative_positions.span > 0;
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
