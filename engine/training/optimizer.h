/* SPDX-License-Identifier: MIT */
/* AdamW (Loshchilov and Hutter 2019), as torch takes its steps: decay apart from the gradient, none
 * of norms and biases, gradients clipped by their norm over all parameters. Changes the values of
 * parameters; one thread uses it, its work is spread over the pool, and the values are the same
 * however many threads there are. A tensor that never had a gradient, as that of a head that is not
 * trained, is left as it is. */
#pragma once

#include "engine/training/parameters.h"

G_BEGIN_DECLS

typedef struct _EngOptimizer EngOptimizer;

typedef struct {
  double beta1;   /* of the running mean of gradients */
  double beta2;   /* of that of their squares */
  double eps;
  double decay;
  double longest; /* norm that longer gradients are shortened to; 0 = none are */
} EngOptimizerSettings;

/* What is usual: 0.9, 0.999, 1e-8, 0.01, 1. */
void          eng_optimizer_settings_init (EngOptimizerSettings        *self);

/* parameters is borrowed. Takes as much memory again as values and gradients. */
EngOptimizer *eng_optimizer_new           (EngParameters               *parameters,
                                           const EngOptimizerSettings  *settings,
                                           GError                     **error);
void          eng_optimizer_free          (EngOptimizer                *self);

/* A step by the gradients that were added up, which are 0 then. *norm (nullable out): of the
 * gradients before they were clipped. FALSE with ENG_ERROR_RANGE, nothing changed, where that is
 * no number: the rate was too high. */
gboolean      eng_optimizer_step          (EngOptimizer                *self,
                                           double                       rate,
                                           double                      *norm,
                                           GError                     **error);

/* Its state: the steps that were taken, and the running means of gradients and of their squares,
 * laid out as the values of the parameters (EngGradients.n numbers). */
gint64        eng_optimizer_get_n_steps   (const EngOptimizer          *self);
float        *eng_optimizer_get_means     (EngOptimizer                *self);
float        *eng_optimizer_get_squares   (EngOptimizer                *self);
/* When the means are filled. */
void          eng_optimizer_set_n_steps   (EngOptimizer                *self,
                                           gint64                       n_steps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngOptimizer, eng_optimizer_free)

G_END_DECLS
