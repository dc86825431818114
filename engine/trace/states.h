/* SPDX-License-Identifier: MIT */
/* Hidden states of two tokens beside each other: how alike a word is to itself in another text,
 * layer by layer. Cheap; any thread. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef enum {
  ENG_STATES_COSINE,
  ENG_STATES_DOT,
  ENG_STATES_LENGTH,   /* of the first alone */
  ENG_STATES_DISTANCE  /* largest difference of a dimension */
} EngStatesMeasure;

/* One token of a stack of a trace; kind encoder or decoder. */
typedef struct {
  EngTrace *trace;
  EngKind   kind;
  int       token;
} EngStatesToken;

/* a and b [n] */
double eng_states_measure (EngStatesMeasure      measure,
                           const float          *a,
                           const float          *b,
                           int                   n);
/* Into values [layers + 1]: of the states that enter layer i, the last of those that leave the last
 * layer. Returns how many: 0 where one has no states, or of another size. */
int    eng_states_compare (EngStatesMeasure      measure,
                           const EngStatesToken *a,
                           const EngStatesToken *b,
                           double               *values);

G_END_DECLS
