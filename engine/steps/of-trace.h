/* SPDX-License-Identifier: MIT */
/* Ways and diagrams of a trace whose pass was made here: it keeps the model that made it. For who
 * knows traces and no models. */
#pragma once

#include "engine/steps/diagram.h"
#include "engine/steps/knobs.h"
#include "engine/steps/way.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

#define ENG_WAY_ANY_TASK (-1)  /* the word head, else the first that the trace has logits of */
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

/* (transfer full) As eng_way_new() does; ENG_ERROR_MISSING for a trace that came from a file. */
EngWay     *eng_way_new_of_trace     (EngTrace             *trace,
                                      const EngWayRequest  *request,
                                      GError              **error);
/* (transfer full) NULL for a trace that came from a file. Cheap. */
EngDiagram *eng_diagram_new_of_trace (EngTrace             *trace);

G_END_DECLS
