/* SPDX-License-Identifier: MIT */
/* Drawing the next token: temperature, top-k, top-p (Holtzman et al. 2020) and min-p, in this order
 * as in transformers 5.23, and a sequence of random numbers that is the same on every machine. */
#pragma once

#include "engine/families/generation-config.h"

G_BEGIN_DECLS

/* In place: scores [n] become the probabilities with which each token is drawn; tokens that the
 * settings leave out get 0. FALSE when there is nothing to draw from: no token is left, or the
 * scores are no numbers. scratch [n]. */
gboolean eng_sampling_narrow      (const EngGeneration *settings,
                                   float               *scores,
                                   int                  n,
                                   int                 *scratch);

/* The number with this index in the sequence of a seed, uniform in [0, 1). */
double   eng_sampling_get_uniform (guint64              seed,
                                   int                  index);

/* The token that a uniform number falls on; probabilities [n], at least one of them above 0. */
int      eng_sampling_draw        (const float         *probabilities,
                                   int                  n,
                                   double               uniform);

G_END_DECLS
