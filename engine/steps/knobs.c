/* SPDX-License-Identifier: MIT */
#include "engine/steps/knobs.h"

gboolean
eng_knobs_are_turned (const EngKnobs *self)
{
  return self->has_scale || (self->temperature != 0 && self->temperature != 1)
         || self->mask != ENG_KNOB_MASK_MODELS || self->projections_off || self->zeroes
         || self->positions_off || self->segments_off;
}
