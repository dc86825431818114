/* SPDX-License-Identifier: MIT */
#include "engine/kernels/gradient-kernels.h"

#include <math.h>

#include "engine/kernels/random.h"
#include "engine/kernels/vector-math.h"

#if ENG_LANES >= 8
#include "engine/kernels/transpose.h"
#endif

/* Numbers of a key's that are cut from one draw. */
#define DROPS_PER_DRAW 4
#define DROP_UNITS 65536
/* Vectors whose squares are summed as floats before they go into a double. */
#define SQUARES_TOGETHER 64

/* Lanes from i on of rows of n; those behind the end are 0. */
ENG_INLINE EngVec
load (const float *x,
      gsize        i,
      gsize        n)
{
  return i + ENG_LANES <= n ? eng_vec_load (x + i)
                            : eng_vec_load_part (x + i, (int) (n - i), (EngVec) { 0 });
}

ENG_INLINE void
store (float  *x,
       gsize   i,
       gsize   n,
       EngVec  value)
{
  if (i + ENG_LANES <= n)
    eng_vec_store (x + i, value);
  else
    eng_vec_store_part (x + i, (int) (n - i), value);
}

/* Φ (x) + x φ (x), with the distribution Φ and the density φ of the normal distribution. */
ENG_INLINE EngVec
gelu_slope (EngVec x)
{
  EngVec below = 0.5f * (1.0f + eng_vec_erf (x * 0.70710678f));

  return below + x * 0.39894228f * eng_vec_exp (-0.5f * x * x);
}

ENG_INLINE EngVec
gelu_tanh_slope (EngVec x)
{
  EngVec square = x * x;
  EngVec t = eng_vec_tanh (0.79788456f * (x + 0.044715f * square * x));

  return 0.5f * (1.0f + t) +
         0.5f * x * (1.0f - t * t) * 0.79788456f * (1.0f + 0.134145f * square);
}

/* Of x · sigmoid (factor · x). */
ENG_INLINE EngVec
silu_slope (EngVec x,
            float  factor)
{
  EngVec s = eng_vec_sigmoid (factor * x);

  return s * (1.0f + factor * x * (1.0f - s));
}

ENG_INLINE EngVec
tanh_slope (EngVec x)
{
  EngVec t = eng_vec_tanh (x);

  return 1.0f - t * t;
}

ENG_INLINE EngVec
slope (const EngActivation activation,
       EngVec              x)
{
  switch (activation) {
  case ENG_ACTIVATION_GELU:
    return gelu_slope (x);
  case ENG_ACTIVATION_GELU_TANH:
    return gelu_tanh_slope (x);
  case ENG_ACTIVATION_QUICK_GELU:
    return silu_slope (x, 1.702f);
  case ENG_ACTIVATION_SILU:
    return silu_slope (x, 1);
  case ENG_ACTIVATION_RELU:
    return eng_vec_select (x > 0, eng_vec_set (1), (EngVec) { 0 });
  case ENG_ACTIVATION_TANH:
    return tanh_slope (x);
  default:
    return eng_vec_set (1);
  }
}

ENG_INLINE void
activation_all (const EngActivation  activation,
                const float         *x,
                const float         *dy,
                gsize                n,
                float               *dx)
{
  for (gsize i = 0; i < n; i += ENG_LANES)
    store (dx, i, n, load (dy, i, n) * slope (activation, load (x, i, n)));
}

/* The choice stands outside of the loops. */
static void
activation (EngActivation  which,
            const float   *x,
            const float   *dy,
            gsize          n,
            float         *dx)
{
  switch (which) {
  case ENG_ACTIVATION_GELU:
    activation_all (ENG_ACTIVATION_GELU, x, dy, n, dx);
    break;
  case ENG_ACTIVATION_GELU_TANH:
    activation_all (ENG_ACTIVATION_GELU_TANH, x, dy, n, dx);
    break;
  case ENG_ACTIVATION_QUICK_GELU:
    activation_all (ENG_ACTIVATION_QUICK_GELU, x, dy, n, dx);
    break;
  case ENG_ACTIVATION_SILU:
    activation_all (ENG_ACTIVATION_SILU, x, dy, n, dx);
    break;
  case ENG_ACTIVATION_RELU:
    activation_all (ENG_ACTIVATION_RELU, x, dy, n, dx);
    break;
  case ENG_ACTIVATION_TANH:
    activation_all (ENG_ACTIVATION_TANH, x, dy, n, dx);
    break;
  default:
    activation_all (ENG_ACTIVATION_LINEAR, x, dy, n, dx);
    break;
  }
}

static float
sum (const float *x,
     gsize        n)
{
  EngVec sums = { 0 };

  for (gsize i = 0; i < n; i += ENG_LANES)
    sums += load (x, i, n);

  return eng_vec_sum (sums);
}

/* Around mean; the lanes behind the end count nothing. */
static float
sum_deviations (const float *x,
                gsize        n,
                float        mean)
{
  EngVec sums = { 0 };
  gsize whole = n / ENG_LANES * ENG_LANES;
  float rest = 0;

  for (gsize i = 0; i < whole; i += ENG_LANES) {
    EngVec deviation = eng_vec_load (x + i) - mean;

    sums = eng_vec_multiply_add (deviation, deviation, sums);
  }
  for (gsize i = whole; i < n; i++)
    rest += (x[i] - mean) * (x[i] - mean);

  return eng_vec_sum (sums) + rest;
}

/* With x̂ = (x - mean) · factor and g = dy ⊙ weight:
 *   dx = factor · (g - mean of g - x̂ · mean of g x̂)
 * of an RMS norm with mean = 0 and without the mean of g. */
static void
norm_row (EngNormKind    kind,
          float          eps,
          const EngNorm *norm,
          const float   *x,
          const float   *dy,
          int            size,
          float         *dx,
          float         *dweight,
          float         *dbias)
{
  gsize n = (gsize) size;
  float mean = kind == ENG_NORM_LAYER ? sum (x, n) / size : 0;
  float factor = 1 / sqrtf (sum_deviations (x, n, mean) / size + eps);
  EngVec sums = { 0 }, products = { 0 };

  for (gsize i = 0; i < n; i += ENG_LANES) {
    EngVec normed = (load (x, i, n) - mean) * factor;
    EngVec d = load (dy, i, n);
    EngVec g = d * load (norm->weight, i, n);

    sums += g;
    products = eng_vec_multiply_add (g, normed, products);
    store (dweight, i, n, eng_vec_multiply_add (d, normed, load (dweight, i, n)));
    if (dbias != NULL)
      store (dbias, i, n, load (dbias, i, n) + d);
  }

  float mean_gradient = kind == ENG_NORM_LAYER ? eng_vec_sum (sums) / size : 0;
  float mean_product = eng_vec_sum (products) / size;

  for (gsize i = 0; i < n; i += ENG_LANES) {
    EngVec normed = (load (x, i, n) - mean) * factor;
    EngVec g = load (dy, i, n) * load (norm->weight, i, n);

    store (dx, i, n, factor * (g - mean_gradient - normed * mean_product));
  }
}

static void
softmax (const float *p,
         int          size,
         float        scale,
         float       *d)
{
  gsize n = (gsize) size;
  EngVec sums = { 0 };

  for (gsize i = 0; i < n; i += ENG_LANES)
    sums = eng_vec_multiply_add (load (p, i, n), load (d, i, n), sums);

  float total = eng_vec_sum (sums);

  for (gsize i = 0; i < n; i += ENG_LANES)
    store (d, i, n, scale * load (p, i, n) * (load (d, i, n) - total));
}

static double
cross_entropy (float *row,
               int    size,
               int    target,
               float  smoothing,
               float  factor)
{
  gsize n = (gsize) size;
  EngVec largest = eng_vec_set (row[0]);
  EngVec exponentials = { 0 };
  gsize whole = n / ENG_LANES * ENG_LANES;
  float rest = 0, wanted = row[target];
  float mean = smoothing > 0 ? sum (row, n) / size : 0;

  for (gsize i = 0; i < whole; i += ENG_LANES)
    largest = eng_vec_max (largest, eng_vec_load (row + i));

  float max = eng_vec_largest (largest);

  for (gsize i = whole; i < n; i++)
    max = MAX (max, row[i]);
  for (gsize i = 0; i < n; i += ENG_LANES) {
    EngVec e = eng_vec_exp (load (row, i, n) - max);

    store (row, i, n, e);
    if (i < whole)
      exponentials += e;
  }
  for (gsize i = whole; i < n; i++)
    rest += row[i];

  float total = eng_vec_sum (exponentials) + rest;
  EngVec share = eng_vec_set (factor / total);
  EngVec spread = eng_vec_set (factor * smoothing / size);
  double log_total = (double) max + log ((double) total);

  for (gsize i = 0; i < n; i += ENG_LANES)
    store (row, i, n, load (row, i, n) * share - spread);
  row[target] -= factor * (1 - smoothing);

  return log_total - (1 - (double) smoothing) * (double) wanted -
         (double) smoothing * (double) mean;
}

static void
drop (guint64      key,
      gsize        first,
      float        rate,
      const float *x,
      gsize        n,
      float       *y)
{
  guint threshold = (guint) lrint ((double) rate * DROP_UNITS);
  float factor = (float) DROP_UNITS / (float) (DROP_UNITS - threshold);
  gsize i = 0;

  while (i < n) {
    gsize place = first + i;
    guint64 bits = eng_random_bits (key, place / DROPS_PER_DRAW) >> 16 * (place % DROPS_PER_DRAW);

    for (gsize k = place % DROPS_PER_DRAW; k < DROPS_PER_DRAW && i < n; k++, i++, bits >>= 16)
      y[i] = (bits & (DROP_UNITS - 1)) < threshold ? 0 : x[i] * factor;
  }
}

static void
multiply (const float *a,
          const float *b,
          gsize        n,
          float       *y)
{
  for (gsize i = 0; i < n; i += ENG_LANES)
    store (y, i, n, load (a, i, n) * load (b, i, n));
}

static double
sum_squares (const float *x,
             gsize        n)
{
  double total = 0;

  for (gsize first = 0; first < n; first += SQUARES_TOGETHER * ENG_LANES) {
    gsize last = MIN (first + SQUARES_TOGETHER * ENG_LANES, n);
    EngVec sums = { 0 };

    for (gsize i = first; i < last; i += ENG_LANES) {
      EngVec value = load (x, i, n);

      sums = eng_vec_multiply_add (value, value, sums);
    }
    total += (double) eng_vec_sum (sums);
  }

  return total;
}

static void
transpose_rest (const float *x,
                gsize        x_stride,
                gsize        first_row,
                gsize        last_row,
                gsize        first_column,
                gsize        last_column,
                float       *y,
                gsize        y_stride)
{
  for (gsize column = first_column; column < last_column; column++)
    for (gsize row = first_row; row < last_row; row++)
      y[column * y_stride + row] = x[row * x_stride + column];
}

static void
transpose (const float *x,
           gsize        x_stride,
           int          n_rows,
           int          n_columns,
           float       *y,
           gsize        y_stride)
{
  gsize rows = (gsize) n_rows, columns = (gsize) n_columns;
  gsize whole_rows = 0, whole_columns = 0;

#if ENG_LANES >= 8
  whole_rows = rows / ENG_LANES * ENG_LANES;
  whole_columns = columns / ENG_LANES * ENG_LANES;
  for (gsize row = 0; row < whole_rows; row += ENG_LANES)
    for (gsize column = 0; column < whole_columns; column += ENG_LANES) {
      EngVec block[ENG_LANES];

      ENG_UNROLL
      for (gsize i = 0; i < ENG_LANES; i++)
        block[i] = eng_vec_load (x + (row + i) * x_stride + column);
      eng_vec_transpose (block);
      ENG_UNROLL
      for (gsize i = 0; i < ENG_LANES; i++)
        eng_vec_store (y + (column + i) * y_stride + row, block[i]);
    }
#endif
  transpose_rest (x, x_stride, 0, whole_rows, whole_columns, columns, y, y_stride);
  transpose_rest (x, x_stride, whole_rows, rows, 0, columns, y, y_stride);
}

static void
adam (const EngAdamStep *step,
      gsize              n,
      float             *values,
      const float       *gradients,
      float             *means,
      float             *squares)
{
  for (gsize i = 0; i < n; i++) {
    float g = gradients[i] * step->scale;
    float mean = means[i] + (g - means[i]) * step->mean_share;
    float square = squares[i] + (g * g - squares[i]) * step->square_share;

    means[i] = mean;
    squares[i] = square;
    values[i] = values[i] * step->keep -
                step->rate * mean / (sqrtf (square) * step->correction + step->eps);
  }
}

const EngGradientKernels ENG_ISA_NAME (eng_gradient_kernels) = {
  activation, norm_row, softmax, cross_entropy, drop, multiply, sum, sum_squares, transpose, adam,
};
