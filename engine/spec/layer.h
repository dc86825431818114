/* SPDX-License-Identifier: MIT */
/* One layer: attention of the stack's own tokens, in some decoders attention of the encoder's, and
 * a feed-forward, each a sub-layer f with a residual connection and a norm. What a family has that
 * no other has becomes a member of the part that it is about, so that layers of one stack may
 * differ in it. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

/* Where the norm stands around a sub-layer f: post norm(x + f(x)), pre x + f(norm(x)), mixed
 * x + norm(f(x)), both x + norm'(f(norm(x))), none x + f(x). What is added to x is multiplied with
 * the layer's residual_scale. */
typedef enum {
  ENG_NORM_POST,
  ENG_NORM_PRE,
  ENG_NORM_MIXED,
  ENG_NORM_BOTH,
  ENG_NORM_NONE
} EngNormPlacement;

typedef struct {
  EngNormKind kind;
  float       eps;
  gboolean    has_bias; /* where a family leaves biases to the config */
} EngNormSpec;

/* How the frequencies of rotary positions are stretched beyond the lengths of the training. */
typedef enum {
  ENG_ROTARY_PLAIN,
  ENG_ROTARY_LINEAR,   /* every frequency divided by factor */
  ENG_ROTARY_DYNAMIC,  /* a larger base for a text of more than original_positions tokens */
  ENG_ROTARY_BY_LENGTH, /* long wavelengths divided by factor, short ones kept (Llama 3) */
  ENG_ROTARY_LONG,     /* every frequency divided by a factor of its own, of EngRotaryFactors */
  ENG_ROTARY_BY_RAMP   /* the first pairs of features keep theirs, the last ones are divided by
                        * factor, from ramp_begin to ramp_end they are mixed (YaRN, Peng et al.
                        * 2023) */
} EngRotaryScaling;

#define ENG_MAX_ROTARY_PAIRS 256

/* Factors of the pairs of features c (Ding et al. 2024, LongRoPE), for all tokens of a text of at
 * most original_positions tokens, and of a longer one. */
typedef struct {
  float within[ENG_MAX_ROTARY_PAIRS];
  float beyond[ENG_MAX_ROTARY_PAIRS];
} EngRotaryFactors;

/* Rotary positions (Su et al. 2021): features c and c + size/2 of each query and key are turned by
 * the angle position · base^(-2c/size), or features 2c and 2c + 1. */
typedef struct {
  int              size;  /* leading features of a head that are turned; 0 = none */
  gboolean         adjacent; /* features that are turned together stand beside each other */
  double           base;
  EngRotaryScaling scaling;
  double           factor;
  double           low_frequency_factor;
  double           high_frequency_factor;
  double           ramp_begin;  /* numbers of pairs, not always whole ones */
  double           ramp_end;
  int              original_positions;
  double           attention_factor; /* of what is turned, its angle left alone; 0 = none, as 1 */
  gboolean         long_anew; /* a text that is written beyond original_positions is read anew */
} EngRotary;

/* A norm of queries and keys, of the kind of the layer's norms, before they are turned (Henry et al.
 * 2020). */
typedef enum {
  ENG_QK_NORM_NONE,
  ENG_QK_NORM_HEAD, /* of each head by itself, with the same weights for all */
  ENG_QK_NORM_ALL   /* of the features of all heads together */
} EngQkNorm;

/* Block-sparse attention (Zaheer et al. 2020, section 2) of texts of more than 5 + 2 n_random blocks
 * of size tokens: those of the first and the last block read all; those between read these two, their
 * own block and the ones beside it, and the first block n_random times more: in training those are
 * blocks that are drawn. */
typedef struct {
  int size;     /* 0 = all is read */
  int n_random;
} EngBlocks;

/* Multi-head attention (Vaswani et al. 2017, section 3.2.2): per head
 *   softmax over the visible keys of (cap (scale · q·k) + bias) · v
 * with cap (s) = c tanh (s / c) where there is a soft cap c (Bello et al. 2016), else s, and W_O over
 * all heads; a key that is read n times is n keys. Query head h reads key head h div (n_heads /
 * n_kv_heads). Counts and size of the heads are the same in all layers of a stack, because a trace
 * has one of each. */
typedef struct {
  int              n_heads;        /* 0 = there is no such attention */
  int              n_kv_heads;
  int              head_size;
  double           scale;          /* of q·k: 1/√d */
  double           soft_cap;       /* 0 = none */
  gboolean         scale_by_layer; /* and divided by the layer's number, counted from 1 */
  gboolean         causal;         /* no query reads a later key */
  int              window;         /* a query reads keys less than so far before it and, where
                                    * it is not causal, behind it; 0 = all */
  EngBlocks        blocks;
  gboolean         has_bias;       /* where a family leaves biases to the config */
  EngQkNorm        qk_norm;        /* not where an encoder is read */
  EngRotary        rotary;
} EngAttentionSpec;

/* W_2 (activation (W_1 · x)), or, gated, W_2 (activation (gate · x) ⊙ W_1 · x). */
typedef struct {
  int              intermediate_size;
  EngActivation    activation;
  gboolean         gated;
  gboolean         has_bias;       /* where a family leaves biases to the config */
} EngFeedForwardSpec;

typedef struct {
  EngAttentionSpec   self;
  EngAttentionSpec   cross;             /* reads the encoder's last hidden states */
  EngFeedForwardSpec feed_forward;
  EngNormSpec        norm;              /* of all its sub-layers */
  EngNormPlacement   attention_norm;    /* of both attentions */
  EngNormPlacement   feed_forward_norm;
  /* Each sub-layer reads what the layer reads, through its own norm, not what the sub-layer before
   * it left (Wang and Komatsuzaki 2021): pre x + attention (norm (x)) + feed_forward (norm' (x)). */
  gboolean           parallel;
  double             residual_scale;    /* of what a sub-layer adds; 0 = none, as 1 */
} EngLayerSpec;

/* Whether a text of n tokens is long enough for blocks to count. */
static inline gboolean
eng_blocks_are_sparse (const EngBlocks *self,
                       int              n)
{
  return self->size > 0 && n > (5 + 2 * self->n_random) * self->size;
}

/* How often a query of a text of n tokens reads a key for the sake of their blocks alone. */
static inline int
eng_blocks_count_readings (const EngBlocks *self,
                           int              n,
                           int              query,
                           int              key)
{
  int last, query_block, key_block;

  if (!eng_blocks_are_sparse (self, n))
    return 1;

  last = (n - 1) / self->size;
  query_block = query / self->size;
  key_block = key / self->size;
  if (query_block == 0 || query_block == last)
    return 1;
  if (key_block == 0)
    return 1 + self->n_random;
  return key_block == last || ABS (query_block - key_block) <= 1;
}

/* What a layer's scores are multiplied with. */
static inline double
eng_attention_spec_get_scale (const EngAttentionSpec *self,
                              int                     layer)
{
  return self->scale_by_layer ? self->scale / (layer + 1) : self->scale;
}

/* How many tokens a query reads at most, itself among them; 0 = all. */
static inline int
eng_attention_spec_get_span (const EngAttentionSpec *self)
{
  return self->causal || self->window == 0 ? self->window : 2 * self->window - 1;
}

/* Features of all heads' queries, and of their keys or values. */
static inline int
eng_attention_spec_get_size (const EngAttentionSpec *self)
{
  return self->n_heads * self->head_size;
}

static inline int
eng_attention_spec_get_kv_size (const EngAttentionSpec *self)
{
  return self->n_kv_heads * self->head_size;
}

/* Gives the layer cross-attention with heads like those of its own attention. */
static inline void
eng_layer_spec_cross (EngLayerSpec *self)
{
  self->cross = (EngAttentionSpec) {
    .n_heads = self->self.n_heads,
    .n_kv_heads = self->self.n_kv_heads,
    .head_size = self->self.head_size,
    .scale = self->self.scale,
    .scale_by_layer = self->self.scale_by_layer,
    .has_bias = self->self.has_bias,
  };
}

G_END_DECLS
