/* SPDX-License-Identifier: MIT */
/* Weights by role. Pointers are into the mapped file or into memory that the model owns; F32
 * throughout. Sizes are those of engine/spec/spec.h: D hidden size, E of the embedding's tables, H
 * heads of d. */
#pragma once

#include "engine/base/kinds.h"
#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

/* The stacks, by the kind of their own attention: ENG_KIND_ENCODER, ENG_KIND_DECODER. */
#define ENG_N_STACKS 2

/* query [H · d, D], key and value [kv heads · d, D], output [D, H · d]. */
typedef struct {
  EngLinear query, key, value, output;
  EngNorm   norm;
  EngNorm   output_norm;          /* norm' where there are two */
  EngNorm   query_norm, key_norm; /* weight [d], or [H · d] and [kv heads · d]; NULL = not normed */
  EngLinear position_query, position_key; /* [H · d, D]; weight NULL where there is no such term or
                                           * query and key serve for it */
} EngAttentionWeights;

typedef struct {
  EngAttentionWeights self;
  EngAttentionWeights cross;          /* zeroed in a stack without */
  EngLinear           gate;           /* weight NULL where the feed-forward is not gated */
  EngLinear           up, down;
  EngNorm             feed_forward_norm;
  EngNorm             feed_forward_output_norm;
} EngLayerWeights;

/* Those that are not in memory before they are needed: engine/families/lazy-weights.h. */
typedef struct _EngLazyWeights EngLazyWeights;

typedef struct {
  EngLazyWeights  *lazy;          /* NULL = all are there */
  const float     *word;          /* [vocab_size, E] */
  const float     *position;      /* [n_positions, E] or NULL */
  const float     *type;          /* [n_types, E] or NULL */
  const float     *language;      /* [n_languages, E] or NULL */
  EngNorm          embedding_norm;
  EngLinear        projection;    /* [D, E]; weight NULL where the tables have the hidden size */
  EngLayerWeights *layers;        /* [n_layers] */
  EngNorm          final_norm;
  const float     *relative_bias; /* [n_buckets, n_heads] or NULL */
  const float     *relative_positions; /* [2 span, D] or NULL */
  EngNorm          relative_norm;      /* of their rows */
  EngLinear        convolution;   /* [D, D / groups · kernel size], taps of a feature together;
                                   * weight NULL = none */
  EngNorm          convolution_norm;
  const float     *frequencies;   /* of rotary positions, [size / 2]; NULL = by base and scaling */
} EngStackWeights;

typedef struct {
  EngLinear transform;
  EngLinear reduce;  /* [D, features behind the transform], where x is added */
  EngNorm   norm;
  EngLinear output;
} EngHeadWeights;

typedef struct {
  EngLazyWeights *lazy;      /* that of the stacks */
  EngStackWeights stacks[ENG_N_STACKS];
  EngLinear       pooler;    /* weight NULL when there is none */
  EngHeadWeights  heads[ENG_N_TASKS];
} EngWeights;

G_END_DECLS
