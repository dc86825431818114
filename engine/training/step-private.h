/* SPDX-License-Identifier: MIT */
/* A step at work: what its layers and its head share. R = B · n rows, D hidden size, F intermediate
 * size, H heads of d, K key heads, L rows that are asked something. For engine/training/ alone. */
#pragma once

#include "engine/training/attention-piece.h"
#include "engine/training/step.h"

G_BEGIN_DECLS

/* What the forward of a layer leaves for its backward. */
typedef struct {
  const float *input;             /* [R, D] */
  float       *attention_read;    /* [R, D] behind a norm that stands before; else NULL */
  float       *q;                 /* [R, H·d] turned */
  float       *k, *v;             /* [R, K·d] */
  float       *weights;           /* [B, H, n, n] */
  float       *context;           /* [R, H·d] */
  float       *attention_sum;     /* [R, D] input + what attention adds */
  float       *middle;            /* [R, D] that, behind a norm that stands behind */
  float       *feed_forward_read; /* as attention_read */
  float       *gate, *up, *active; /* [R, F]; gate NULL where there is none */
  float       *feed_forward_sum;
  float       *output;
} EngStepLayer;

/* The task head, and the rows that it reads: those that have a label, of answers all tokens of
 * their texts. */
typedef struct {
  int     n;           /* L */
  int    *rows;        /* [L] of R */
  gint32 *labels;      /* [L] */
  float  *gathered;    /* [L, D] */
  float  *pooler_sum;  /* [L, D] before its tanh; NULL where the head reads no pooler */
  float  *pooled;      /* [L, D] */
  float  *transformed; /* [L, E] before the activation; NULL where there is no transform */
  float  *active;      /* [L, E] */
  float  *normed;      /* [L, E]; NULL where there is no norm */
  float  *logits;      /* [block, classes] */
  float  *gradients;   /* [L, max (D, E)] */
  double *losses;      /* [block] */
  EngPieces pieces;    /* with scratch for the output */
} EngStepHead;

struct _EngStep {
  const EngSpec         *spec;
  const EngStackSpec    *stack;
  const EngStackWeights *weights;
  const EngHeadSpec     *head_spec;
  const EngHeadWeights  *head_weights;
  const EngLinear       *pooler;    /* NULL where the head does not read it */
  EngStepSettings        settings;
  EngArena               arena;
  EngPieces              pieces;

  /* Of the batch at hand. */
  const EngBatch        *batch;
  gboolean               learns;    /* else it is evaluated */
  guint64                seed;
  double                 factor;    /* of gradients */

  gint32                *positions; /* [R] */
  float                 *turns[ENG_MAX_LAYER_SORTS]; /* [R, rotary size] */
  float                 *reversed;  /* the same of a layer at a time, the other way */
  float                 *embedded;  /* [R, D] before the norm */
  float                 *stream;    /* [R, D] what the first layer reads */
  EngStepLayer          *layers;    /* [n_layers] on the heap */
  float                 *final;     /* [R, D] behind the final norm; NULL where there is none */
  EngStepHead            head;

  float                 *heads;     /* scratch of attention */
  float                 *branch;    /* [R, D] what a sub-layer adds, and the gradient of that */
  float                 *d;         /* [R, D] gradient of the hidden states */
  float                 *d_read;    /* [R, D] of what a sub-layer reads */
  float                 *d_heads[4]; /* [R, H·d] of the context, q, k, v */
  float                 *d_wide[2]; /* [R, F] */
};

/* L of the batch. */
int    eng_step_head_count   (const EngStep *self);
void   eng_step_head_lay_out (EngStep     *self);
/* The sum of the losses of hidden [R, D]; where the step learns, d [R, D] becomes its gradient. */
double eng_step_head_run     (EngStep     *self,
                              const float *hidden,
                              float       *d);

G_END_DECLS
