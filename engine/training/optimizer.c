/* SPDX-License-Identifier: MIT */
#include "engine/training/optimizer.h"

#include <math.h>

#include "engine/kernels/gradient.h"
#include "engine/kernels/pool.h"

#define PIECE 32768
/* Added to the norm that gradients are divided by, as torch does. */
#define NORM_EPS 1e-6

/* Some numbers of one tensor. */
typedef struct {
  int      tensor;
  gsize    first;
  gsize    n;
  gboolean decays;
} Piece;

struct _EngOptimizer {
  EngParameters       *parameters;
  EngOptimizerSettings settings;
  gint64               n_steps;
  float               *means;
  float               *squares;
  GArray              *pieces;
  double              *sums;   /* [pieces] of squares of gradients */
  gboolean            *learns; /* [tensors] whether it ever had a gradient */
  EngAdamStep          step;   /* the one at hand */
  double               decay;  /* learning rate · decay */
};

void
eng_optimizer_settings_init (EngOptimizerSettings *self)
{
  *self = (EngOptimizerSettings) { 0.9, 0.999, 1e-8, 0.01, 1 };
}

static void
cut (EngOptimizer *self)
{
  const float *values = eng_parameters_get_gradients (self->parameters)->values;

  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  for (int i = 0; i < eng_parameters_get_n_tensors (self->parameters); i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (self->parameters, i);

    for (gsize first = 0; first < tensor->n_elements; first += PIECE) {
      Piece piece = { i, (gsize) (tensor->values - values) + first,
                      MIN (PIECE, tensor->n_elements - first), tensor->decays };

      g_array_append_val (self->pieces, piece);
    }
  }
  self->sums = g_new0 (double, self->pieces->len);
  self->learns = g_new0 (gboolean, eng_parameters_get_n_tensors (self->parameters));
}

EngOptimizer *
eng_optimizer_new (EngParameters               *parameters,
                   const EngOptimizerSettings  *settings,
                   GError                     **error)
{
  g_autoptr (EngOptimizer) self = g_new0 (EngOptimizer, 1);
  gsize n = eng_parameters_get_gradients (parameters)->n;

  self->parameters = parameters;
  self->settings = *settings;
  self->means = g_try_new0 (float, n);
  self->squares = g_try_new0 (float, n);
  if (!self->means || !self->squares) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "there is no memory for the state of the optimiser of %" G_GINT64_FORMAT
                 " parameters", eng_parameters_count (parameters));
    return NULL;
  }
  cut (self);

  return g_steal_pointer (&self);
}

void
eng_optimizer_free (EngOptimizer *self)
{
  g_clear_pointer (&self->pieces, g_array_unref);
  g_free (self->sums);
  g_free (self->learns);
  g_free (self->means);
  g_free (self->squares);
  g_free (self);
}

static const Piece *
get_piece (const EngOptimizer *self,
           guint               i)
{
  return &g_array_index (self->pieces, Piece, i);
}

static void
sum_piece (int      chunk,
           int      worker,
           gpointer data)
{
  const EngOptimizer *self = data;
  const Piece *piece = get_piece (self, (guint) chunk);
  const float *gradients = eng_parameters_get_gradients (self->parameters)->gradients;

  self->sums[chunk] = eng_sum_squares (gradients + piece->first, piece->n);
}

/* The norm of all gradients, their squares added up in the order of the pieces. */
static double
measure (EngOptimizer *self)
{
  double sum = 0;

  eng_pool_run ((int) self->pieces->len, sum_piece, self, NULL);
  for (guint i = 0; i < self->pieces->len; i++) {
    sum += self->sums[i];
    if (self->sums[i] > 0)
      self->learns[get_piece (self, i)->tensor] = TRUE;
  }

  return sqrt (sum);
}

static void
step_piece (int      chunk,
            int      worker,
            gpointer data)
{
  const EngOptimizer *self = data;
  const Piece *piece = get_piece (self, (guint) chunk);
  const EngGradients *block = eng_parameters_get_gradients (self->parameters);
  float *values = (float *) block->values + piece->first;
  EngAdamStep step = self->step;

  if (!self->learns[piece->tensor])
    return;
  step.keep = piece->decays ? (float) (1 - self->decay) : 1;
  eng_adam (&step, piece->n, values, block->gradients + piece->first, self->means + piece->first,
            self->squares + piece->first);
}

gboolean
eng_optimizer_step (EngOptimizer  *self,
                    double         rate,
                    double        *norm,
                    GError       **error)
{
  const EngOptimizerSettings *settings = &self->settings;
  double length = measure (self), t = (double) self->n_steps + 1;
  double scale = settings->longest > 0 ? MIN (settings->longest / (length + NORM_EPS), 1) : 1;

  if (norm)
    *norm = length;
  if (!isfinite (length)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "the gradients of step %" G_GINT64_FORMAT " are no numbers any more, expected "
                 "finite ones; a lower learning rate keeps them so", self->n_steps + 1);
    return FALSE;
  }

  self->n_steps++;
  self->decay = rate * settings->decay;
  self->step = (EngAdamStep) {
    .scale = (float) scale,
    .mean_share = (float) (1 - settings->beta1),
    .square_share = (float) (1 - settings->beta2),
    .rate = (float) (rate / (1 - pow (settings->beta1, t))),
    .correction = (float) (1 / sqrt (1 - pow (settings->beta2, t))),
    .eps = (float) settings->eps,
  };
  eng_pool_run ((int) self->pieces->len, step_piece, self, NULL);
  eng_parameters_clear_gradients (self->parameters);

  return TRUE;
}

gint64
eng_optimizer_get_n_steps (const EngOptimizer *self)
{
  return self->n_steps;
}

float *
eng_optimizer_get_means (EngOptimizer *self)
{
  return self->means;
}

float *
eng_optimizer_get_squares (EngOptimizer *self)
{
  return self->squares;
}

void
eng_optimizer_set_n_steps (EngOptimizer *self,
                           gint64        n_steps)
{
  self->n_steps = n_steps;
  for (guint i = 0; i < self->pieces->len; i++) {
    const Piece *piece = get_piece (self, i);

    if (eng_sum_squares (self->squares + piece->first, piece->n) > 0)
      self->learns[piece->tensor] = TRUE;
  }
}
