/* SPDX-License-Identifier: MIT */
/* The learning rate of each step: it rises in a straight line from 0 over the first steps, then
 * decays. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ENG_DECAY_NONE,
  ENG_DECAY_LINEAR,      /* to 0 at the last step */
  ENG_DECAY_COSINE,      /* the same, half a cosine */
  ENG_DECAY_INVERSE_SQRT /* with 1/√step, from the end of the rise on (Vaswani et al. 2017) */
} EngDecay;

typedef struct {
  double   rate;    /* the highest */
  EngDecay decay;
  gint64   n_rising;
  gint64   n_steps; /* of all, for a decay that ends */
} EngSchedule;

/* step counts from 0. */
double eng_schedule_get_rate (const EngSchedule *self,
                              gint64             step);

G_END_DECLS
