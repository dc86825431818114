/* SPDX-License-Identifier: MIT */
/* The architecture of a model as data: one forward (engine/forward.c) reads it, a family
 * (engine/families/) fills it from config.json. A new family is a new file there; where a family
 * needs something that no other has, it becomes a member here with a name of its own, never the
 * family's name. */
#pragma once

#include "engine/trace.h"

G_BEGIN_DECLS

/* Where the norm stands around a sub-layer f: post norm(x + f(x)), pre x + f(norm(x)), mixed
 * x + norm(f(x)). */
typedef enum { ENG_NORM_POST, ENG_NORM_PRE, ENG_NORM_MIXED } EngNormPlacement;

typedef enum { ENG_NORM_LAYER, ENG_NORM_RMS } EngNormKind;

typedef enum {
  ENG_ACTIVATION_GELU,       /* x/2 · (1 + erf (x/√2)) */
  ENG_ACTIVATION_GELU_TANH,  /* x/2 · (1 + tanh (√(2/π) (x + 0.044715 x³))) */
  ENG_ACTIVATION_QUICK_GELU, /* x · sigmoid (1.702 x) */
  ENG_ACTIVATION_RELU,
  ENG_ACTIVATION_SILU,
  ENG_ACTIVATION_TANH,
  ENG_ACTIVATION_LINEAR
} EngActivation;

/* What a task head reads: the pooled vector tanh(W · x[0]) or every token's hidden state. */
typedef enum { ENG_HEAD_POOLED, ENG_HEAD_TOKENS } EngHeadInput;

/* A task head: [transform → activation → norm →] output. */
typedef struct {
  gboolean      present;
  EngHeadInput  input;
  gboolean      has_transform;
  EngActivation activation;
  int           n_classes;
} EngHeadSpec;

typedef struct {
  int              n_layers;
  int              n_heads;
  int              head_size;
  int              hidden_size;
  int              intermediate_size;
  int              vocab_size;
  int              n_positions;      /* rows of the position table */
  int              position_offset;  /* row of the first token */
  int              n_types;          /* rows of the token type table; 0 = no types */

  EngNormKind      norm_kind;
  EngNormPlacement attention_norm;
  EngNormPlacement feed_forward_norm;
  float            norm_eps;
  gboolean         embedding_norm;
  gboolean         final_norm;
  EngActivation    activation;
  double           scale;            /* of q·k: 1/√d */
  gboolean         causal;
  EngKind          kind;             /* of the one stack */

  EngHeadSpec      heads[ENG_N_TASKS];
} EngSpec;

/* y = x · weightᵀ + bias; weight [out, in] row-major as torch stores a Linear; bias [out] or
 * NULL. */
typedef struct {
  const float *weight;
  const float *bias;
  int          out;
  int          in;
} EngLinear;

typedef struct {
  const float *weight; /* [hidden size] */
  const float *bias;   /* or NULL */
} EngNorm;

typedef struct {
  EngLinear query, key, value, output;
  EngNorm   attention_norm;
  EngLinear up, down;
  EngNorm   feed_forward_norm;
} EngLayerWeights;

typedef struct {
  EngLinear transform;
  EngNorm   norm;
  EngLinear output;
} EngHeadWeights;

/* Weights by role. Pointers are into the mapped file or into memory that the model owns; F32
 * throughout. */
typedef struct {
  const float     *word;      /* [vocab_size, hidden_size] */
  const float     *position;  /* [n_positions, hidden_size] */
  const float     *type;      /* [n_types, hidden_size] or NULL */
  EngNorm          embedding_norm;
  EngLayerWeights *layers;    /* [n_layers] */
  EngNorm          final_norm;
  EngLinear        pooler;    /* weight NULL when there is none */
  EngHeadWeights   heads[ENG_N_TASKS];
} EngWeights;

G_END_DECLS
