/* SPDX-License-Identifier: MIT */
/* The row functions against libm in double precision; the largest errors are printed. */
#include "engine/kernels/nn.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/support/random-model.h"

static double
reference (EngActivation which,
           double        x)
{
  switch (which) {
  case ENG_ACTIVATION_GELU:
    return x / 2 * erfc (-x / sqrt (2));
  case ENG_ACTIVATION_GELU_TANH:
    return x / 2 * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * x * x * x)));
  case ENG_ACTIVATION_QUICK_GELU:
    return x / (1 + exp (-1.702 * x));
  case ENG_ACTIVATION_RELU:
    return fmax (x, 0);
  case ENG_ACTIVATION_SILU:
    return x / (1 + exp (-x));
  case ENG_ACTIVATION_TANH:
    return tanh (x);
  case ENG_ACTIVATION_GELU_10:
    return fmin (fmax (x / 2 * erfc (-x / sqrt (2)), -10), 10);
  case ENG_ACTIVATION_MISH:
    return x * tanh (x > 20 ? x : log1p (exp (x)));
  case ENG_ACTIVATION_RELU_SQUARED:
    return fmax (x, 0) * fmax (x, 0);
  case ENG_ACTIVATION_LINEAR:
  default:
    return x;
  }
}

/* Every float from -30 to 30 in small steps, then some far out. */
static void
test_activations (void)
{
  static const char *const names[] = {
    "gelu", "gelu tanh", "quick gelu", "relu", "silu", "tanh", "gelu 10", "mish",
    "linear", "relu squared",
  };
  static const float far_out[] = {
    0, -0.0f, 1e-30f, -1e-30f, 100, -100, 1e4f, -1e4f, 1e20f, -1e20f,
  };
  const int n = 600001 + G_N_ELEMENTS (far_out);
  g_autofree float *x = g_new (float, n);
  g_autofree float *y = g_new (float, n);

  for (int i = 0; i < 600001; i++)
    x[i] = (i - 300000) * 1e-4f;
  memcpy (x + 600001, far_out, sizeof far_out);

  for (EngActivation which = 0; which <= ENG_ACTIVATION_RELU_SQUARED; which++) {
    double worst = 0, worst_at = 0;

    memcpy (y, x, n * sizeof (float));
    eng_activate (which, y, n);
    for (int i = 0; i < n; i++) {
      double expected = reference (which, x[i]);
      double error = fabs (y[i] - expected) / fmax (fmax (1, fabs (x[i])), fabs (expected));

      if (fabs (expected) > FLT_MAX)
        continue;
      g_assert_true (isfinite (y[i]));
      if (error > worst) {
        worst = error;
        worst_at = x[i];
      }
    }
    g_test_message ("%s: largest error / max (1, |x|, |y|) %.2e at %g", names[which], worst,
                    worst_at);
    g_assert_cmpfloat (worst, <=, 5e-7);
  }
}

/* Each length has its own rest behind the whole vectors; nothing behind the row may change. */
static void
test_activation_lengths (void)
{
  for (int n = 0; n < 70; n++) {
    float x[72];

    for (int i = 0; i < 72; i++)
      x[i] = -2;
    eng_activate (ENG_ACTIVATION_RELU, x, n);
    for (int i = 0; i < 72; i++)
      g_assert_cmpfloat (x[i], ==, i < n ? 0 : -2);
  }
}

static void
check_softmax (int      n,
               float    scale,
               gboolean has_bias,
               gboolean has_mask,
               guint32 *state,
               double  *worst)
{
  g_autofree float *row = g_new (float, n + 1);
  g_autofree float *bias = g_new (float, n);
  g_autofree guint8 *visible = g_new (guint8, n);
  g_autofree double *expected = g_new (double, n);
  double largest = -HUGE_VAL, total = 0, sum = 0;

  row[n] = 77;
  for (int i = 0; i < n; i++) {
    row[i] = 20 * test_random_uniform (state);
    bias[i] = has_bias ? 5 * test_random_uniform (state) : 0;
    visible[i] = !has_mask || test_random_range (state, 0, 2) > 0;
    expected[i] = (double) scale * row[i] + bias[i];
    if (visible[i])
      largest = fmax (largest, expected[i]);
  }
  for (int i = 0; i < n; i++) {
    expected[i] = visible[i] ? exp (expected[i] - largest) : 0;
    total += expected[i];
  }

  eng_softmax (row, n, scale, has_bias ? bias : NULL, has_mask ? visible : NULL);
  for (int i = 0; i < n; i++) {
    sum += row[i];
    if (!visible[i])
      g_assert_cmpfloat (row[i], ==, 0);
    else
      *worst = fmax (*worst, fabs (row[i] - expected[i] / total));
  }
  if (total > 0)
    g_assert_cmpfloat (fabs (sum - 1), <=, 1e-6);
  g_assert_cmpfloat (row[n], ==, 77);
}

static void
test_softmax (void)
{
  guint32 state = 5;
  double worst = 0;

  for (int n = 1; n < 100; n++)
    for (int variant = 0; variant < 4; variant++)
      check_softmax (n, 0.3f, (variant & 1) != 0, (variant & 2) != 0, &state, &worst);
  check_softmax (4096, 1, TRUE, TRUE, &state, &worst);
  g_test_message ("softmax: largest error %.2e", worst);

  /* A score of 25 carries a rounding of 1e-6, and a weight follows it. */
  g_assert_cmpfloat (worst, <=, 1e-6);
}

static void
test_softmax_extremes (void)
{
  float far[] = { 0, 200, -1e30f, 200 };
  float huge[] = { 3e38f, -3e38f, 0 };
  float hidden[40];
  guint8 none[40] = { 0 };

  eng_softmax (far, 4, 1, NULL, NULL);
  g_assert_cmpfloat (far[0], ==, 0);
  g_assert_cmpfloat (far[1], ==, 0.5f);
  g_assert_cmpfloat (far[2], ==, 0);
  eng_softmax (huge, 3, 1, NULL, NULL);
  g_assert_cmpfloat (huge[0], ==, 1);
  g_assert_cmpfloat (huge[1], ==, 0);

  for (int i = 0; i < 40; i++)
    hidden[i] = i;
  eng_softmax (hidden, 40, 1, NULL, none);
  for (int i = 0; i < 40; i++)
    g_assert_cmpfloat (hidden[i], ==, 0);
}

static void
check_norm (EngNormKind kind,
            int         size,
            gboolean    has_bias,
            gboolean    has_residual,
            guint32    *state,
            double     *worst)
{
  g_autofree float *numbers = g_new (float, 5 * size);
  float *x = numbers, *residual = numbers + size, *weight = numbers + 2 * size;
  float *bias = numbers + 3 * size, *y = numbers + 4 * size;
  EngNorm norm = { weight, has_bias ? bias : NULL };
  double mean = 0, squares = 0;

  for (int i = 0; i < 4 * size; i++)
    numbers[i] = 3 * test_random_uniform (state) + 1;
  eng_norm (kind, 1e-5f, &norm, x, has_residual ? residual : NULL, size, y);

  for (int i = 0; i < size; i++)
    mean += ((double) x[i] + (has_residual ? residual[i] : 0)) / size;
  mean = kind == ENG_NORM_LAYER ? mean : 0;
  for (int i = 0; i < size; i++)
    squares += pow (x[i] + (has_residual ? residual[i] : 0.0) - mean, 2);
  for (int i = 0; i < size; i++) {
    double value = (double) x[i] + (has_residual ? residual[i] : 0) - mean;
    double expected = value / sqrt (squares / size + 1e-5) * weight[i] + (has_bias ? bias[i] : 0);

    *worst = MAX (*worst, fabs (y[i] - expected) / fmax (1, fabs (expected)));
  }
}

static void
test_norms (void)
{
  guint32 state = 9;
  double worst = 0;

  for (int size = 4; size < 60; size++)
    for (int variant = 0; variant < 8; variant++)
      check_norm (variant & 1 ? ENG_NORM_RMS : ENG_NORM_LAYER, size, (variant & 2) != 0,
                  (variant & 4) != 0, &state, &worst);
  check_norm (ENG_NORM_LAYER, 768, TRUE, TRUE, &state, &worst);
  check_norm (ENG_NORM_RMS, 1023, FALSE, TRUE, &state, &worst);
  g_test_message ("norms: largest error %.2e", worst);
  g_assert_cmpfloat (worst, <=, 5e-6);
}

static void
test_norm_in_place (void)
{
  guint32 state = 13;
  float x[50], y[50], weight[50];
  EngNorm norm = { weight, NULL };

  for (int i = 0; i < 50; i++) {
    x[i] = test_random_uniform (&state);
    weight[i] = test_random_uniform (&state);
  }
  eng_norm (ENG_NORM_LAYER, 1e-12f, &norm, x, NULL, 50, y);
  eng_norm (ENG_NORM_LAYER, 1e-12f, &norm, x, NULL, 50, x);
  g_assert_cmpmem (x, sizeof x, y, sizeof y);
}

static void
test_add (void)
{
  for (int n = 0; n < 40; n++) {
    float a[41], b[41], y[41];

    for (int i = 0; i < 41; i++) {
      a[i] = i;
      b[i] = 1000;
      y[i] = -1;
    }
    eng_add (a, b, n, y);
    for (int i = 0; i < 41; i++)
      g_assert_cmpfloat (y[i], ==, i < n ? i + 1000 : -1);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nn/activations", test_activations);
  g_test_add_func ("/nn/activation-lengths", test_activation_lengths);
  g_test_add_func ("/nn/softmax", test_softmax);
  g_test_add_func ("/nn/softmax-extremes", test_softmax_extremes);
  g_test_add_func ("/nn/norms", test_norms);
  g_test_add_func ("/nn/norm-in-place", test_norm_in_place);
  g_test_add_func ("/nn/add", test_add);
  return g_test_run ();
}
