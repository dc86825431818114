/* SPDX-License-Identifier: MIT */
/* A task head: [scale · x →] [transform → activation →] [norm →] output [→ cap], or with a feed-forward
 * of its own [scale · x →] norm (x + reduce · activation (transform · x)) → output. It reads the last
 * stack. */
#pragma once

#include "engine/kernels/shapes.h"

G_BEGIN_DECLS

/* What a task head reads. */
typedef enum {
  ENG_HEAD_POOLED, /* the pooler's tanh (W · x[0]) */
  ENG_HEAD_TOKENS, /* every token's hidden state */
  ENG_HEAD_FIRST,  /* the first token's */
  ENG_HEAD_LAST,   /* the last token's that has not the padding's id */
  ENG_HEAD_END,    /* that of the last end-of-text token of the encoder's tokens, which stand
                    * shifted by one in the decoder */
  ENG_HEAD_MEAN    /* the mean over all tokens but padding */
} EngHeadInput;

typedef struct {
  gboolean      present;
  EngHeadInput  input;
  gboolean      has_transform;
  int           size;       /* features behind the transform; 0 = the hidden size */
  gboolean      has_residual; /* what is behind the transform is reduced and x added */
  gboolean      has_norm;   /* behind the transform */
  EngActivation activation; /* behind the transform */
  double        scale;      /* of what it reads; 0 = none, as 1 */
  double        soft_cap;   /* c: logits become c tanh (logits / c); 0 = none */
  int           n_classes;
} EngHeadSpec;

G_END_DECLS
