/* SPDX-License-Identifier: MIT */
#include "engine/training/schedule.h"

#include <math.h>

/* Steps after which a rate that never rose is as high as at first. */
#define SQRT_STEPS 10000

double
eng_schedule_get_rate (const EngSchedule *self,
                       gint64             step)
{
  double rising = (double) self->n_rising, unit = rising > 0 ? rising : SQRT_STEPS;
  double falling = MAX ((double) self->n_steps - rising, 1);
  double way = MIN (((double) step - rising) / falling, 1);

  if (step < self->n_rising)
    return self->rate * (double) step / rising;

  switch (self->decay) {
  case ENG_DECAY_LINEAR:
    return self->rate * (1 - way);
  case ENG_DECAY_COSINE:
    return self->rate * 0.5 * (1 + cos (G_PI * way));
  case ENG_DECAY_INVERSE_SQRT:
    return self->rate / sqrt (((double) step + unit - rising) / unit);
  case ENG_DECAY_NONE:
  default:
    return self->rate;
  }
}
