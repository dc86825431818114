/* SPDX-License-Identifier: MIT */
/* Which way of a trace is asked for. */
#pragma once

#include "engine/base/kinds.h"
#include "engine/steps/knobs.h"

G_BEGIN_DECLS

#define ENG_WAY_ANY_TASK (-1)  /* the word head, else the first that the trace has logits of; none in
                                * an encoder that a decoder reads */
#define ENG_WAY_NO_ANSWER (-2) /* the way ends with the last layer */

typedef struct {
  EngKind     kind;
  int         layer;
  int         head;
  int         query;
  int         task;   /* EngTask whose head answers, or one of the two above */
  EngKnobs    knobs;
  const gint *cancel; /* nullable; polled with g_atomic_int_get() */
} EngWayRequest;

G_END_DECLS
