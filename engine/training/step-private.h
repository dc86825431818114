/* SPDX-License-Identifier: MIT */
/* A step at work: what its stacks and its head share. Of a stack R = B · n rows, D hidden size, F
 * intermediate size, H heads of d, K key heads, M = B · m rows of the keys that it reads, which are
 * its own or the encoder's, L rows that are asked something. For engine/training/ alone. */
#pragma once

#include "engine/training/attention-piece.h"
#include "engine/training/step.h"

G_BEGIN_DECLS

/* What the forward of a sub-layer leaves for its backward. */
typedef struct {
  const float *input;  /* [R, D] what the residual connection reads */
  float       *read;   /* [R, D] the same behind a norm that stands before; else NULL */
  float       *sum;    /* [R, D] input + what the sub-layer adds */
  float       *output; /* [R, D] that, behind a norm that stands behind; else sum */
} EngStepRows;

typedef struct {
  EngStepRows  rows;
  float       *q;       /* [R, H·d] turned */
  float       *k, *v;   /* [M, K·d] */
  float       *weights; /* [B, H, n, m] */
  float       *context; /* [R, H·d] */
} EngStepAttention;

typedef struct {
  EngStepAttention self;
  EngStepAttention cross;            /* zeroed where there is none */
  EngStepRows      feed_forward;
  float           *gate, *up, *active; /* [R, F]; gate NULL where there is none */
} EngStepLayer;

/* A stack, and the tokens of the batch that it reads. */
typedef struct _EngStepStack EngStepStack;

struct _EngStepStack {
  const EngStackSpec    *spec;
  const EngStackWeights *weights;
  EngStepStack          *memory;    /* the encoder that a decoder reads, or NULL */
  guint64                seed;      /* of what is dropped in it */

  /* Of the batch at hand. */
  int                    n;
  const gint32          *ids;
  const gint32          *type_ids;
  const guint8          *visible;

  gint32                *positions; /* [R] */
  float                 *turns[ENG_MAX_LAYER_SORTS]; /* [R, rotary size] */
  float                 *reversed;  /* the same of a layer at a time, the other way */
  float                 *embedded;  /* [R, D] before the norm */
  float                 *stream;    /* [R, D] what the first layer reads */
  EngStepLayer          *layers;    /* [n_layers] on the heap */
  float                 *final;     /* [R, D] behind the final norm; NULL where there is none */
  const float           *output;    /* [R, D] the last hidden states */
  float                 *d;         /* [R, D] gradient of the hidden states */
};

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
  EngStepStack           stacks[ENG_N_STACKS];
  EngStepStack          *last;      /* that the head reads */
  const EngHeadSpec     *head_spec;
  const EngHeadWeights  *head_weights;
  const EngLinear       *pooler;    /* NULL where the head does not read it */
  EngStepSettings        settings;
  EngArena               arena;
  EngPieces              pieces;

  /* Of the batch at hand. */
  const EngBatch        *batch;
  gboolean               learns;    /* else it is evaluated */
  double                 factor;    /* of gradients */
  EngStepHead            head;

  /* Scratch of the stacks, as large as the larger one needs it. */
  float                 *heads;     /* of attention */
  float                 *branch;    /* [R, D] what a sub-layer adds, and the gradient of that */
  float                 *d_read;    /* [R, D] of what a sub-layer reads */
  float                 *d_heads[4]; /* [R or M, H·d] of the context, q, k, v */
  float                 *d_wide[2]; /* [R, F] */
};

/* B · n of the stack. */
static inline int
eng_step_stack_count_rows (const EngStep      *self,
                           const EngStepStack *stack)
{
  return self->batch->n_sequences * stack->n;
}

/* What the stack keeps from one direction to the other. */
void   eng_step_stack_lay_out      (EngStep      *self,
                                    EngStepStack *stack);
/* Floats of scratch of its attentions. */
gsize  eng_step_stack_n_scratch    (const EngStep      *self,
                                    const EngStepStack *stack);
/* Fills output; that of memory is there. */
void   eng_step_stack_run          (EngStep      *self,
                                    EngStepStack *stack);
/* d [R, D] by the output is there, and is of no use then; to d of memory that by its output is
 * added. */
void   eng_step_stack_run_backward (EngStep      *self,
                                    EngStepStack *stack);

/* L of the batch. */
int    eng_step_head_count         (const EngStep *self);
void   eng_step_head_lay_out       (EngStep      *self);
/* The sum of the losses of hidden [R, D]; where the step learns, d [R, D] becomes its gradient. */
double eng_step_head_run           (EngStep      *self,
                                    const float  *hidden,
                                    float        *d);

G_END_DECLS
