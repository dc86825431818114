/* SPDX-License-Identifier: MIT */
#include "engine/nn.h"

#include <math.h>

void
eng_softmax (float        *row,
             int           n,
             float         scale,
             const float  *bias,
             const guint8 *visible)
{
  float max = -INFINITY;
  float sum = 0;

  for (int i = 0; i < n; i++)
    {
      row[i] = scale * row[i] + (bias != NULL ? bias[i] : 0);
      if (visible != NULL && !visible[i])
        row[i] = -INFINITY;
      max = MAX (max, row[i]);
    }
  for (int i = 0; i < n; i++)
    {
      row[i] = max == -INFINITY ? 0 : expf (row[i] - max);
      sum += row[i];
    }
  for (int i = 0; i < n && sum > 0; i++)
    row[i] /= sum;
}

static float
activate (EngActivation activation,
          float         x)
{
  switch (activation)
    {
    case ENG_ACTIVATION_GELU:
      return 0.5f * x * (1 + erff (x * 0.70710678f));
    case ENG_ACTIVATION_GELU_TANH:
      return 0.5f * x * (1 + tanhf (0.79788456f * (x + 0.044715f * x * x * x)));
    case ENG_ACTIVATION_QUICK_GELU:
      return x / (1 + expf (-1.702f * x));
    case ENG_ACTIVATION_RELU:
      return MAX (x, 0);
    case ENG_ACTIVATION_SILU:
      return x / (1 + expf (-x));
    case ENG_ACTIVATION_TANH:
      return tanhf (x);
    case ENG_ACTIVATION_LINEAR:
    default:
      return x;
    }
}

void
eng_activate (EngActivation activation,
              float        *x,
              gsize         n)
{
  for (gsize i = 0; i < n; i++)
    x[i] = activate (activation, x[i]);
}

void
eng_norm (EngNormKind    kind,
          float          eps,
          const EngNorm *norm,
          const float   *x,
          const float   *residual,
          int            size,
          float         *y)
{
  float mean = 0;
  float squares = 0;

  for (int i = 0; i < size; i++)
    {
      y[i] = x[i] + (residual != NULL ? residual[i] : 0);
      mean += y[i];
    }
  mean = kind == ENG_NORM_LAYER ? mean / size : 0;
  for (int i = 0; i < size; i++)
    squares += (y[i] - mean) * (y[i] - mean);

  float factor = 1 / sqrtf (squares / size + eps);

  for (int i = 0; i < size; i++)
    y[i] = (y[i] - mean) * factor * norm->weight[i] + (norm->bias != NULL ? norm->bias[i] : 0);
}

void
eng_add (const float *a,
         const float *b,
         gsize        n,
         float       *y)
{
  for (gsize i = 0; i < n; i++)
    y[i] = a[i] + b[i];
}
