/* SPDX-License-Identifier: MIT */
#include "engine/kernels/nn-kernels.h"

#include <math.h>

#include "engine/kernels/vector-math.h"

ENG_INLINE EngVec
vec_gelu (EngVec x)
{
  return 0.5f * x * (1.0f + eng_vec_erf (x * 0.70710678f));
}

/* tanh (log (1 + e)) = e (e + 2) / (e (e + 2) + 2), which is 1 long before it overflows. */
ENG_INLINE EngVec
vec_mish (EngVec x)
{
  EngVec e = eng_vec_exp (eng_vec_min (x, eng_vec_set (20)));
  EngVec product = e * (e + 2.0f);

  return x * (product / (product + 2.0f));
}

ENG_INLINE EngVec
vec_square (EngVec x)
{
  return x * x;
}

ENG_INLINE EngVec
vec_activate (const EngActivation activation,
              EngVec              x)
{
  switch (activation) {
  case ENG_ACTIVATION_GELU:
    return vec_gelu (x);
  case ENG_ACTIVATION_GELU_TANH:
    return 0.5f * x * (1.0f + eng_vec_tanh (0.79788456f * (x + 0.044715f * x * x * x)));
  case ENG_ACTIVATION_QUICK_GELU:
    return x * eng_vec_sigmoid (1.702f * x);
  case ENG_ACTIVATION_RELU:
    return eng_vec_max (x, eng_vec_set (0));
  case ENG_ACTIVATION_SILU:
    return x * eng_vec_sigmoid (x);
  case ENG_ACTIVATION_TANH:
    return eng_vec_tanh (x);
  case ENG_ACTIVATION_GELU_10:
    return eng_vec_max (eng_vec_min (vec_gelu (x), eng_vec_set (10)), eng_vec_set (-10));
  case ENG_ACTIVATION_MISH:
    return vec_mish (x);
  case ENG_ACTIVATION_RELU_SQUARED:
    return vec_square (eng_vec_max (x, eng_vec_set (0)));
  case ENG_ACTIVATION_LINEAR:
  default:
    return x;
  }
}

ENG_INLINE void
activate_all (const EngActivation activation,
              float              *x,
              gsize               n)
{
  gsize i = 0;

  for (; i + ENG_LANES <= n; i += ENG_LANES)
    eng_vec_store (x + i, vec_activate (activation, eng_vec_load (x + i)));
  if (i < n) {
    EngVec rest = eng_vec_load_part (x + i, (int) (n - i), eng_vec_set (0));

    eng_vec_store_part (x + i, (int) (n - i), vec_activate (activation, rest));
  }
}

/* The choice stands outside of the loops. */
static void
activate (EngActivation activation,
          float        *x,
          gsize         n)
{
  switch (activation) {
  case ENG_ACTIVATION_GELU:
    activate_all (ENG_ACTIVATION_GELU, x, n);
    break;
  case ENG_ACTIVATION_GELU_TANH:
    activate_all (ENG_ACTIVATION_GELU_TANH, x, n);
    break;
  case ENG_ACTIVATION_QUICK_GELU:
    activate_all (ENG_ACTIVATION_QUICK_GELU, x, n);
    break;
  case ENG_ACTIVATION_RELU:
    activate_all (ENG_ACTIVATION_RELU, x, n);
    break;
  case ENG_ACTIVATION_SILU:
    activate_all (ENG_ACTIVATION_SILU, x, n);
    break;
  case ENG_ACTIVATION_TANH:
    activate_all (ENG_ACTIVATION_TANH, x, n);
    break;
  case ENG_ACTIVATION_GELU_10:
    activate_all (ENG_ACTIVATION_GELU_10, x, n);
    break;
  case ENG_ACTIVATION_MISH:
    activate_all (ENG_ACTIVATION_MISH, x, n);
    break;
  case ENG_ACTIVATION_RELU_SQUARED:
    activate_all (ENG_ACTIVATION_RELU_SQUARED, x, n);
    break;
  case ENG_ACTIVATION_LINEAR:
  default:
    break;
  }
}

/* scale · row + bias, -∞ where it is not visible; a whole vector. */
ENG_INLINE EngVec
load_scores (const float  *row,
             float         scale,
             const float  *bias,
             const guint8 *visible)
{
  EngVec scores = bias != NULL ? eng_vec_scale_add (eng_vec_load (row), scale, eng_vec_load (bias))
                               : eng_vec_load (row) * scale;

  if (visible != NULL) {
    EngByteVec bytes;

    memcpy (&bytes, visible, sizeof bytes);
    scores = eng_vec_select (__builtin_convertvector (bytes, EngIntVec) != 0, scores,
                             eng_vec_set (-INFINITY));
  }
  return scores;
}

/* The same for the last n < ENG_LANES entries of a row; the lanes behind them are not visible. */
static EngVec
load_last_scores (const float  *row,
                  int           n,
                  float         scale,
                  const float  *bias,
                  const guint8 *visible)
{
  float padded_row[ENG_LANES] = { 0 };
  float padded_bias[ENG_LANES] = { 0 };
  guint8 padded_visible[ENG_LANES] = { 0 };

  for (int i = 0; i < n; i++) {
    padded_row[i] = row[i];
    padded_bias[i] = bias != NULL ? bias[i] : 0;
    padded_visible[i] = visible == NULL || visible[i];
  }
  return load_scores (padded_row, scale, padded_bias, padded_visible);
}

static void
softmax (float        *row,
         int           n,
         float         scale,
         const float  *bias,
         const guint8 *visible)
{
  int whole = n / ENG_LANES * ENG_LANES;
  EngVec last = eng_vec_set (-INFINITY);
  EngVec sums = { 0 };

  if (whole < n)
    last = load_last_scores (row + whole, n - whole, scale, bias != NULL ? bias + whole : NULL,
                             visible != NULL ? visible + whole : NULL);

  EngVec largest = last;

  for (int i = 0; i < whole; i += ENG_LANES) {
    EngVec scores = load_scores (row + i, scale, bias != NULL ? bias + i : NULL,
                                 visible != NULL ? visible + i : NULL);

    largest = eng_vec_max (scores, largest);
    eng_vec_store (row + i, scores);
  }

  float max = eng_vec_largest (largest);

  if (max == -INFINITY) {
    memset (row, 0, n * sizeof (float));
    return;
  }
  for (int i = 0; i < whole; i += ENG_LANES) {
    EngVec e = eng_vec_exp (eng_vec_load (row + i) - max);

    sums += e;
    eng_vec_store (row + i, e);
  }
  last = eng_vec_exp (last - max);

  float factor = 1 / eng_vec_sum (sums + last);

  for (int i = 0; i < whole; i += ENG_LANES)
    eng_vec_store (row + i, eng_vec_load (row + i) * factor);
  eng_vec_store_part (row + whole, n - whole, last * factor);
}

/* y = x + residual; returns the sum of y. */
ENG_INLINE float
add_residual (const float *x,
              const float *residual,
              int          size,
              float       *y)
{
  EngVec sums = { 0 };
  float sum = 0;
  int i = 0;

  for (; i + ENG_LANES <= size; i += ENG_LANES) {
    EngVec value = eng_vec_load (x + i);

    if (residual != NULL)
      value += eng_vec_load (residual + i);
    eng_vec_store (y + i, value);
    sums += value;
  }
  for (; i < size; i++) {
    y[i] = x[i] + (residual != NULL ? residual[i] : 0);
    sum += y[i];
  }
  return sum + eng_vec_sum (sums);
}

ENG_INLINE float
sum_squares (const float *y,
             int          size,
             float        mean)
{
  EngVec sums = { 0 };
  float sum = 0;
  int i = 0;

  for (; i + ENG_LANES <= size; i += ENG_LANES) {
    EngVec difference = eng_vec_load (y + i) - mean;

    sums = eng_vec_multiply_add (difference, difference, sums);
  }
  for (; i < size; i++)
    sum += (y[i] - mean) * (y[i] - mean);
  return sum + eng_vec_sum (sums);
}

static void
norm_row (EngNormKind    kind,
          float          eps,
          const EngNorm *norm,
          const float   *x,
          const float   *residual,
          int            size,
          float         *y)
{
  float sum = add_residual (x, residual, size, y);
  float mean = kind == ENG_NORM_LAYER ? sum / size : 0;
  float factor = 1 / sqrtf (sum_squares (y, size, mean) / size + eps);
  int i = 0;

  for (; i + ENG_LANES <= size; i += ENG_LANES) {
    EngVec value = (eng_vec_load (y + i) - mean) * factor;
    EngVec weight = eng_vec_load (norm->weight + i);

    eng_vec_store (y + i, norm->bias != NULL
                            ? eng_vec_multiply_add (value, weight, eng_vec_load (norm->bias + i))
                            : value * weight);
  }
  for (; i < size; i++)
    y[i] = (y[i] - mean) * factor * norm->weight[i] + (norm->bias != NULL ? norm->bias[i] : 0);
}

static void
add (const float *a,
     const float *b,
     gsize        n,
     float       *y)
{
  gsize i = 0;

  for (; i + ENG_LANES <= n; i += ENG_LANES)
    eng_vec_store (y + i, eng_vec_load (a + i) + eng_vec_load (b + i));
  for (; i < n; i++)
    y[i] = a[i] + b[i];
}

const EngNnKernels ENG_ISA_NAME (eng_nn_kernels) = { softmax, activate, norm_row, add };
