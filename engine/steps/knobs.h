/* SPDX-License-Identifier: MIT */
/* What a person may turn to see what a stage is for. Local: a way with a knob that is turned is
 * recomputed from what its layer reads alone (engine/steps/make.h) and fed forward to no other
 * layer until its knobs become edits. Knobs of scores act on the way's own head; the other heads of
 * the layer stay as the model has them, until positions or segments are turned off, which all heads
 * see, or projections, which heads see that share keys or a norm with it. What the layer has of the
 * token then is what a pass with the edits has, number by number. */
#pragma once

#include "engine/base/kinds.h"
#include "engine/edits/links.h"

G_BEGIN_DECLS

typedef enum {
  ENG_KNOB_SCALE,
  ENG_KNOB_TEMPERATURE,
  ENG_KNOB_MASK,
  ENG_KNOB_PROJECTIONS,
  ENG_KNOB_DIMENSION,
  ENG_KNOB_POSITIONS,
  ENG_KNOB_SEGMENTS
} EngKnob;
#define ENG_N_KNOBS 7

typedef enum {
  ENG_KNOB_MASK_MODELS,  /* as the model has it */
  ENG_KNOB_MASK_NONE,    /* every key is read once, padding too */
  ENG_KNOB_MASK_CAUSAL,  /* no later key, no padding */
  ENG_KNOB_MASK_PADDING  /* all but padding */
} EngKnobMask;

/* All zero = nothing is turned. */
typedef struct {
  gboolean      has_scale;       /* scale instead of the model's, 1 = off */
  double        scale;
  double        temperature;     /* scores are divided by it before the softmax; 0 = as 1 */
  EngKnobMask   mask;
  const GArray *hidden;          /* of EngLinks: a mask of one's own, which hides them besides;
                                  * nullable, borrowed while a way is made */
  gboolean      projections_off; /* q = k = v = the head's share of x: dimensions head · d … of it,
                                  * from the first again where it is shorter; norm and turn stay.
                                  * Where another stack is read, k and v are shares of its states */
  gboolean      zeroes;          /* a dimension of q and k is 0, behind norm and turn */
  int           dimension;
  gboolean      positions_off;   /* no position vectors where this layer is the first, no turn, no
                                  * bias by distance */
  gboolean      segments_off;    /* all tokens are of segment 0, where this layer is the first */
} EngKnobs;

gboolean  eng_knobs_are_turned (const EngKnobs *self);
/* (transfer full) The edits (engine/edits/edit.h) that feed the knobs of a way forward, ended by NULL,
 * of an attention's layer and head; first is the kind of the stack that reads A. Hidden links are
 * cuts that bring rows back to 1. What crosses knows no positions and segments: these are passed
 * over there. */
char    **eng_knobs_to_edits   (const EngKnobs *self,
                                EngKind         kind,
                                EngKind         first,
                                int             layer,
                                int             head);

G_END_DECLS
