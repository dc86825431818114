/* SPDX-License-Identifier: MIT */
/* The one forward: reads the architecture from the spec and writes what it sees into a trace. The
 * trace's storage and the scratch are laid out before it runs; nothing is allocated in the loop
 * over the layers. Shapes: n tokens, D hidden size, H heads of d, F intermediate size, L layers. */
#pragma once

#include "engine/arena.h"
#include "engine/model-private.h"
#include "engine/session.h"
#include "engine/trace-private.h"

G_BEGIN_DECLS

typedef struct {
  const EngSpec       *spec;
  const EngWeights    *weights;
  const EngRunRequest *request;
  int                  mask_id;        /* of the tokenizer; -1 when it has none */
  EngTrace            *trace;
  EngBlockTrace       *block;          /* of the spec's kind, in the trace */
  int                  n;
  gboolean             keep_attention;

  /* In the trace, writable while it is computed. */
  float               *queries;        /* [L, n, H * d] */
  float               *keys;           /* [L, n, H * d] */
  float               *values;         /* [L, n, H * d] */
  float               *attention;      /* [L, H, n, n] when kept, else NULL */
  float               *hidden_states;  /* [L + 1, n, D] */
  guint8              *mask;           /* [n, n] or NULL = all visible */
  float               *logits[ENG_N_TASKS]; /* [positions, classes] or NULL */

  /* Scratch. */
  /* [n, D] a sub-layer's input after its norm, if that is first */
  float               *normed;
  float               *context;        /* [n, H * d] α · V of all heads */
  float               *output;         /* [n, D] what a sub-layer adds */
  float               *between;        /* [n, D] hidden state between attention and feed-forward */
  float               *gathered;       /* [n, D] rows that a task head reads */
  float               *transformed;    /* [n, D] the same after the head's transform */
  float               *products;       /* scratch of eng_products() and eng_product_pair() */
  float               *heads;          /* scratch of eng_attention_read() */
} EngPass;

/* Fill the pass's block and positions of logits, without their storage. */
void     eng_forward_describe        (EngPass  *self);
/* Take the storage from the arenas, see engine/arena.h. */
void     eng_forward_lay_out_trace   (EngPass  *self,
                                      EngArena *arena);
void     eng_forward_lay_out_scratch (EngPass  *self,
                                      EngArena *arena);
/* FALSE when it was cancelled. */
gboolean eng_forward_run             (EngPass  *self);

/* Whether the request's flag was raised; numbers computed since are incomplete. */
gboolean eng_pass_is_cancelled       (const EngPass *self);

G_END_DECLS
