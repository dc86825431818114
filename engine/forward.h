/* SPDX-License-Identifier: MIT */
/* The forward of whole texts: the stacks of a model one after the other (engine/stack.h), then its
 * task heads, into a trace. The trace's storage and the scratch are laid out before it runs;
 * nothing is allocated in the loop over the layers. */
#pragma once

#include "engine/session.h"
#include "engine/stack.h"

G_BEGIN_DECLS

typedef struct {
  const EngSpec       *spec;
  const EngWeights    *weights;
  const EngRunRequest *request;
  int                  mask_id;        /* of the tokenizer; -1 when it has none */
  EngTrace            *trace;
  gboolean             keep_attention;

  EngTokens           *tokens[ENG_N_STACKS];    /* borrowed; NULL where there is no such stack */
  EngStackPass         stacks[ENG_N_STACKS];
  EngStackRows         rows[ENG_N_STACKS];      /* in the trace's memory */
  EngCrossRows         cross;                   /* in the trace's memory */
  float               *logits[ENG_N_TASKS];     /* [positions, classes] or NULL, the same */

  /* Scratch. */
  gint32              *positions[ENG_N_STACKS]; /* [n] */
  float               *gathered;       /* [n, D] rows that a task head reads */
  float               *transformed;    /* [n, D] the same after the head's transform */
} EngPass;

/* Fill the trace's blocks and positions of logits, without their storage. */
void     eng_forward_describe        (EngPass  *self);
/* Take the storage from the arenas, see engine/kernels/arena.h. */
void     eng_forward_lay_out_trace   (EngPass  *self,
                                      EngArena *arena);
void     eng_forward_lay_out_scratch (EngPass  *self,
                                      EngArena *arena);
/* FALSE when it was cancelled. */
gboolean eng_forward_run             (EngPass  *self);

/* Whether the request's flag was raised; numbers computed since are incomplete. */
gboolean eng_pass_is_cancelled       (const EngPass *self);

G_END_DECLS
