/* SPDX-License-Identifier: MIT */
/* The architecture of a model as data: one forward (engine/forward.c) reads it, a family
 * (engine/families/) fills it from config.json. A new family is a new file there; where a family
 * needs something that no other has, it becomes a member here with a name of its own, never the
 * family's name. */
#pragma once

#include "engine/trace/trace.h"

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

/* Where a token's place enters its embedding. */
typedef enum {
  ENG_POSITIONS_NONE,     /* nowhere: rotary positions, a bias or the causal mask tell the order */
  ENG_POSITIONS_TABLE,    /* row position_offset + i of the position table */
  ENG_POSITIONS_SKIP_PADDING /* the same, where i counts the earlier tokens that are no padding;
                              * padding has the row before the first */
} EngPositions;

/* How the frequencies of rotary positions are stretched beyond the lengths of the training. */
typedef enum {
  ENG_ROTARY_PLAIN,
  ENG_ROTARY_LINEAR,   /* every frequency divided by factor */
  ENG_ROTARY_DYNAMIC,  /* a larger base for a text of more than original_positions tokens */
  ENG_ROTARY_BY_LENGTH /* long wavelengths divided by factor, short ones kept (Llama 3) */
} EngRotaryScaling;

/* Rotary positions (Su et al. 2021): features c and c + size/2 of each query and key are turned by
 * the angle position · base^(-2c/size). */
typedef struct {
  int              size;  /* leading features of a head that are turned; 0 = none */
  double           base;
  EngRotaryScaling scaling;
  double           factor;
  double           low_frequency_factor;
  double           high_frequency_factor;
  int              original_positions;
} EngRotary;

/* A learned bias by distance of key and query (Raffel et al. 2020, section 2.1): near distances
 * have a bucket each, far ones share one, in logarithmic steps up to max_distance. One table a
 * stack, added in each of its layers' self-attention. */
typedef struct {
  int n_buckets;    /* 0 = no such bias */
  int max_distance;
} EngRelativeBias;

/* What a task head reads. */
typedef enum {
  ENG_HEAD_POOLED, /* the pooler's tanh (W · x[0]) */
  ENG_HEAD_TOKENS, /* every token's hidden state */
  ENG_HEAD_FIRST,  /* the first token's */
  ENG_HEAD_LAST,   /* the last token's that has not the padding's id */
  ENG_HEAD_END     /* that of the last end-of-text token of the encoder's tokens, which stand
                    * shifted by one in the decoder */
} EngHeadInput;

/* A task head: [scale · x →] [transform → activation →] [norm →] output. It reads the last stack.
 * */
typedef struct {
  gboolean      present;
  EngHeadInput  input;
  gboolean      has_transform;
  gboolean      has_norm;   /* behind the transform */
  EngActivation activation; /* behind the transform */
  double        scale;      /* of what it reads; 0 = none, as 1 */
  int           n_classes;
} EngHeadSpec;

#define ENG_MAX_LAYERS 1024

/* One stack of layers. */
typedef struct {
  int      n_layers;          /* 0 = the model has no such stack */
  int      n_heads;
  int      n_kv_heads;        /* query head h reads key head h div (n_heads / n_kv_heads) */
  int      head_size;
  int      intermediate_size;
  int      vocab_size;
  double   scale;             /* of q·k: 1/√d */
  gboolean scale_by_layer;    /* and divided by the layer's number, counted from 1 */
  gboolean causal;
  gboolean cross_attention;   /* each layer also reads the encoder's last hidden states */
  int      window;            /* in windowed layers a query reads so many keys, itself the last */
  guint64  windowed[ENG_MAX_LAYERS / 64]; /* bit by layer */
} EngStackSpec;

/* The stacks, by the kind of their own attention: ENG_KIND_ENCODER, ENG_KIND_DECODER. */
#define ENG_N_STACKS 2

typedef struct {
  EngStackSpec     stacks[ENG_N_STACKS];
  int              hidden_size;

  EngPositions     positions;
  int              n_positions;      /* rows of the position table, or the longest text that the
                                      * model was made for; 0 = unknown */
  int              position_offset;  /* row of the first token */
  int              n_types;          /* rows of the token type table; 0 = no types */
  double           embedding_scale;  /* of a token's vector; 0 = none, as 1 */
  gboolean         separate_words;   /* two stacks do not share their word embedding */
  EngRotary        rotary;
  EngRelativeBias  relative_bias;

  EngNormKind      norm_kind;
  EngNormPlacement attention_norm;
  EngNormPlacement feed_forward_norm;
  float            norm_eps;
  gboolean         embedding_norm;
  gboolean         final_norm;
  EngActivation    activation;
  gboolean         attention_bias;   /* where a family leaves biases to the config */
  gboolean         feed_forward_bias;
  gboolean         gated;            /* feed-forward: W_2 (activation (gate · x) ⊙ W_1 · x) */

  int              pad_id;           /* -1 = none */
  int              end_id;           /* end of text; -1 = none */
  int              decoder_start_id; /* first token of the decoder of two stacks; -1 = none */

  EngHeadSpec      heads[ENG_N_TASKS];
} EngSpec;

/* The stack whose hidden states the task heads read. */
static inline EngKind
eng_spec_get_last_kind (const EngSpec *self)
{
  return self->stacks[ENG_KIND_DECODER].n_layers > 0 ? ENG_KIND_DECODER : ENG_KIND_ENCODER;
}

/* The stack that the text is given to. */
static inline EngKind
eng_spec_get_first_kind (const EngSpec *self)
{
  return self->stacks[ENG_KIND_ENCODER].n_layers > 0 ? ENG_KIND_ENCODER : ENG_KIND_DECODER;
}

/* Whether an encoder's text is read by a decoder. */
static inline gboolean
eng_spec_has_cross (const EngSpec *self)
{
  return self->stacks[ENG_KIND_DECODER].cross_attention;
}

static inline gboolean
eng_stack_spec_is_windowed (const EngStackSpec *self,
                            int                 layer)
{
  return (self->windowed[layer / 64] >> (layer % 64) & 1) != 0;
}

static inline void
eng_stack_spec_set_windowed (EngStackSpec *self,
                             int           layer,
                             gboolean      windowed)
{
  guint64 bit = G_GUINT64_CONSTANT (1) << (layer % 64);

  if (windowed)
    self->windowed[layer / 64] |= bit;
  else
    self->windowed[layer / 64] &= ~bit;
}

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

/* query [H · d, D], key and value [kv heads · d, D], output [D, H · d]. */
typedef struct {
  EngLinear query, key, value, output;
  EngNorm   norm;
} EngAttentionWeights;

typedef struct {
  EngAttentionWeights self;
  EngAttentionWeights cross;          /* zeroed in a stack without */
  EngLinear           gate;           /* weight NULL where the feed-forward is not gated */
  EngLinear           up, down;
  EngNorm             feed_forward_norm;
} EngLayerWeights;

typedef struct {
  const float     *word;          /* [vocab_size, hidden_size] */
  const float     *position;      /* [n_positions, hidden_size] or NULL */
  const float     *type;          /* [n_types, hidden_size] or NULL */
  EngNorm          embedding_norm;
  EngLayerWeights *layers;        /* [n_layers] */
  EngNorm          final_norm;
  const float     *relative_bias; /* [n_buckets, n_heads] or NULL */
} EngStackWeights;

typedef struct {
  EngLinear transform;
  EngNorm   norm;
  EngLinear output;
} EngHeadWeights;

/* Weights by role. Pointers are into the mapped file or into memory that the model owns; F32
 * throughout. */
typedef struct {
  EngStackWeights stacks[ENG_N_STACKS];
  EngLinear       pooler;    /* weight NULL when there is none */
  EngHeadWeights  heads[ENG_N_TASKS];
} EngWeights;

G_END_DECLS
