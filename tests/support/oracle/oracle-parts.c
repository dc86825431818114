/* SPDX-License-Identifier: MIT */
#include "tests/support/oracle/oracle-parts.h"

#include <math.h>
#include <stdlib.h>

/* Of the features c and c + size / 2. In float32, step by step: a frequency that is off by half a
 * unit of float32 turns the sixtieth token by more than the tests allow, and the models were
 * trained with these. */
static float
get_frequency (const EngRotary        *rotary,
               const EngRotaryFactors *factors,
               int                     c,
               int                     n_tokens)
{
  float base = (float) rotary->base, factor = (float) rotary->factor;
  float n_trained = (float) rotary->original_positions;
  float low = (float) rotary->low_frequency_factor, high = (float) rotary->high_frequency_factor;
  float frequency, turns;

  if (rotary->scaling == ENG_ROTARY_DYNAMIC && n_tokens > rotary->original_positions)
    base *= (float) pow (factor * (float) n_tokens / n_trained - (factor - 1),
                         (float) (rotary->size / (rotary->size - 2.0)));
  frequency = 1 / (float) pow (base, (float) (2 * c) / (float) rotary->size);

  if (rotary->scaling == ENG_ROTARY_LONG)
    return 1 / ((n_tokens <= rotary->original_positions ? factors->within
                                                        : factors->beyond)[c] *
                (float) pow (base, (float) (2 * c) / (float) rotary->size));
  if (rotary->scaling == ENG_ROTARY_LINEAR)
    return frequency / factor;
  if (rotary->scaling == ENG_ROTARY_BY_RAMP) {
    float wave = (float) pow (base, (float) (2 * c) / (float) rotary->size);
    float width = (float) (rotary->ramp_end - rotary->ramp_begin);
    float kept = 1 - fminf (fmaxf (((float) c - (float) rotary->ramp_begin) / width, 0), 1);

    return 1 / (factor * wave) * (1 - kept) + frequency * kept;
  }
  if (rotary->scaling != ENG_ROTARY_BY_LENGTH)
    return frequency;

  /* How often the feature turns round within the lengths of the training. */
  turns = n_trained / ((float) (2 * G_PI) / frequency);
  if (turns > high)
    return frequency;
  if (turns < low)
    return frequency / factor;
  turns = (turns - low) / (high - low);
  return (1 - turns) * frequency / factor + turns * frequency;
}

int
oracle_get_position (const EngSpec   *spec,
                     const EngTokens *tokens,
                     int              token)
{
  int first = spec->embedding.position_offset, n_before = 0;

  if (spec->embedding.positions != ENG_POSITIONS_SKIP_PADDING)
    return first + token;
  if (tokens->ids[token] == spec->pad_id)
    return first - 1;

  for (int i = 0; i < token; i++)
    n_before += tokens->ids[i] != spec->pad_id;
  return first + n_before;
}

double
oracle_activate (EngActivation which,
                 double        x)
{
  switch (which) {
  case ENG_ACTIVATION_GELU:
    return x * 0.5 * erfc (-x / sqrt (2));
  case ENG_ACTIVATION_GELU_TANH:
    return x / 2 * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * pow (x, 3))));
  case ENG_ACTIVATION_QUICK_GELU:
    return x / (1 + exp (-1.702 * x));
  case ENG_ACTIVATION_RELU:
    return x > 0 ? x : 0;
  case ENG_ACTIVATION_SILU:
    return x / (1 + exp (-x));
  case ENG_ACTIVATION_GELU_10:
    return fmin (fmax (x * 0.5 * (1 + erf (x / sqrt (2))), -10), 10);
  case ENG_ACTIVATION_MISH:
    return x * tanh (log1p (exp (x)));
  case ENG_ACTIVATION_RELU_SQUARED:
    return x > 0 ? x * x : 0;
  case ENG_ACTIVATION_TANH:
    return tanh (x);
  case ENG_ACTIVATION_LINEAR:
    return x;
  default:
    g_assert_not_reached ();
  }
}

void
oracle_linear (const EngLinear *layer,
               const double    *x,
               double          *y)
{
  for (int o = 0; o < layer->out; o++) {
    y[o] = layer->bias ? layer->bias[o] : 0;
    for (int i = 0; i < layer->in; i++)
      y[o] += (double) layer->weight[(gsize) o * layer->in + i] * x[i];
  }
}

void
oracle_norm (const EngNormSpec *spec,
             const EngNorm     *weights,
             int                size,
             double            *x)
{
  double mean = 0, variance = 0;

  if (spec->kind == ENG_NORM_LAYER)
    for (int i = 0; i < size; i++)
      mean += x[i] / size;
  for (int i = 0; i < size; i++)
    variance += pow (x[i] - mean, 2) / size;
  for (int i = 0; i < size; i++)
    x[i] = (x[i] - mean) / sqrt (variance + (double) spec->eps) * weights->weight[i] +
           (weights->bias ? weights->bias[i] : 0);
}

void
oracle_turn (const EngRotary        *rotary,
             const EngRotaryFactors *factors,
             const float            *frequencies,
             int                     position,
             int                     n_tokens,
             double                 *x)
{
  int half = rotary->size / 2;
  double length = rotary->attention_factor == 0 ? 1 : rotary->attention_factor;

  for (int c = 0; c < half; c++) {
    float frequency = frequencies ? frequencies[c] : get_frequency (rotary, factors, c, n_tokens);
    double angle = (float) position * frequency;
    int one = rotary->adjacent ? 2 * c : c;
    int other = rotary->adjacent ? one + 1 : half + c;
    double first = length * x[one], second = length * x[other];

    x[one] = first * cos (angle) - second * sin (angle);
    x[other] = first * sin (angle) + second * cos (angle);
  }
}

int
oracle_get_bucket (const EngRelativeBias *bias,
                   int                    distance,
                   gboolean               two_sided)
{
  int n = bias->n_buckets, first = 0, exact, bucket;

  if (two_sided) {
    n /= 2;
    first = distance > 0 ? n : 0;
    distance = abs (distance);
  } else {
    distance = distance < 0 ? -distance : 0;
  }
  exact = n / 2;
  if (distance < exact)
    return first + distance;

  /* The border between two buckets belongs to the farther. */
  for (bucket = exact; bucket < n - 1; bucket++)
    if (distance < exact * pow ((double) bias->max_distance / exact,
                                (double) (bucket + 1 - exact) / (n - exact)))
      break;
  return first + bucket;
}

int
oracle_get_distance_row (const EngRelativePositions *positions,
                         int                         distance)
{
  int near = positions->span / 2, far = abs (distance), row = positions->span;

  /* The border between two rows belongs to the nearer. */
  if (positions->max_distance > 0 && far > near) {
    double whole = (double) (positions->max_distance - 1) / near;
    int n = 0;

    while (near > 1 && near * pow (whole, n / (near - 1.0)) < far * (1 - 1e-9))
      n++;
    far = near + n;
  }
  row += distance < 0 ? -far : far;
  return row < 0 ? 0 : row > 2 * positions->span - 1 ? 2 * positions->span - 1 : row;
}
