/* SPDX-License-Identifier: MIT */
/* One pass at work: what session, forward and task heads share. For engine/transformer/ alone. */
#pragma once

#include "engine/trace/trace-private.h"
#include "engine/transformer/model.h"
#include "engine/transformer/run-request.h"
#include "engine/transformer/stack.h"

G_BEGIN_DECLS

typedef struct {
  const EngSpec       *spec;
  const EngWeights    *weights;
  const EngRunRequest *request;
  const EngModel      *model;          /* whose files are asked whether they still are what they were */
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

/* Whether the request's flag was raised; numbers computed since are incomplete. */
static inline gboolean
eng_pass_is_cancelled (const EngPass *self)
{
  return self->request->cancel != NULL && g_atomic_int_get (self->request->cancel) != 0;
}

G_END_DECLS
