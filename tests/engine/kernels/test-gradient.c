/* SPDX-License-Identifier: MIT */
/* Gradients and products of the instruction set at hand against plain formulas in double precision.
 * That the formulas are gradients, tests/engine/training/test-piece-gradients.c shows. */
#include "engine/kernels/gradient.h"

#include <math.h>
#include <string.h>

#include "engine/kernels/linalg.h"
#include "engine/kernels/product-gradients.h"
#include "engine/kernels/random.h"

static float *
draw (guint64 key,
      gsize   n,
      float   reach)
{
  float *x = g_aligned_alloc (MAX (n, 1), sizeof (float), 64);

  for (gsize i = 0; i < n; i++)
    x[i] = reach * (float) (2 * eng_random_uniform (eng_random_key (11, key), i) - 1);

  return x;
}

typedef float *Floats;

static void
floats_free (Floats *self)
{
  g_aligned_free (*self);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Floats, floats_free)

static void
assert_near (double found,
             double expected,
             double scale)
{
  g_assert_cmpfloat_with_epsilon (found, expected, 1e-6 * MAX (scale, 1));
}

static double
get_slope (EngActivation which,
           double        x)
{
  double s, t;

  switch (which) {
  case ENG_ACTIVATION_GELU:
    return 0.5 * erfc (-x / sqrt (2)) + x * exp (-x * x / 2) / sqrt (2 * G_PI);
  case ENG_ACTIVATION_GELU_TANH:
    t = tanh (sqrt (2 / G_PI) * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) +
           0.5 * x * (1 - t * t) * sqrt (2 / G_PI) * (1 + 3 * 0.044715 * x * x);
  case ENG_ACTIVATION_QUICK_GELU:
    s = 1 / (1 + exp (-1.702 * x));
    return s + 1.702 * x * s * (1 - s);
  case ENG_ACTIVATION_SILU:
    s = 1 / (1 + exp (-x));
    return s + x * s * (1 - s);
  case ENG_ACTIVATION_RELU:
    return x > 0;
  case ENG_ACTIVATION_TANH:
    return 1 - tanh (x) * tanh (x);
  default:
    return 1;
  }
}

static void
test_activations (void)
{
  static const EngActivation activations[] = {
    ENG_ACTIVATION_GELU, ENG_ACTIVATION_GELU_TANH, ENG_ACTIVATION_QUICK_GELU, ENG_ACTIVATION_RELU,
    ENG_ACTIVATION_SILU, ENG_ACTIVATION_TANH, ENG_ACTIVATION_LINEAR,
  };
  const gsize n = 4003;
  g_auto (Floats) x = draw (1, n, 12);
  g_auto (Floats) dy = draw (2, n, 1);
  g_auto (Floats) dx = draw (3, n, 1);

  for (guint a = 0; a < G_N_ELEMENTS (activations); a++) {
    eng_activation_gradient (activations[a], x, dy, n, dx);
    for (gsize i = 0; i < n; i++)
      assert_near ((double) dx[i], (double) dy[i] * get_slope (activations[a], (double) x[i]), 2);
  }
}

static void
test_norms (void)
{
  const EngNormKind kinds[] = { ENG_NORM_LAYER, ENG_NORM_RMS };

  for (int size = 1; size < 70; size++)
    for (int k = 0; k < 2; k++) {
      g_auto (Floats) x = draw (1, (gsize) size, 3);
      g_auto (Floats) dy = draw (2, (gsize) size, 1);
      g_auto (Floats) weight = draw (3, (gsize) size, 1);
      g_auto (Floats) dweight = draw (4, (gsize) size, 1);
      g_auto (Floats) dbias = draw (5, (gsize) size, 1);
      g_auto (Floats) before = draw (4, (gsize) size, 1);
      g_auto (Floats) dx = draw (6, (gsize) size, 1);
      EngNorm norm = { weight, NULL };
      double mean = 0, square = 0, sum = 0, product = 0, factor;

      for (int i = 0; i < size && k == 0; i++)
        mean += (double) x[i] / size;
      for (int i = 0; i < size; i++)
        square += ((double) x[i] - mean) * ((double) x[i] - mean) / size;
      factor = 1 / sqrt (square + 1e-2);
      for (int i = 0; i < size; i++) {
        double g = (double) dy[i] * (double) weight[i];

        sum += k == 0 ? g / size : 0;
        product += g * ((double) x[i] - mean) * factor / size;
      }
      eng_norm_gradient (kinds[k], 1e-2f, &norm, x, dy, size, dx, dweight, dbias);
      for (int i = 0; i < size; i++) {
        double normed = ((double) x[i] - mean) * factor;

        assert_near ((double) dx[i],
                     factor * ((double) dy[i] * (double) weight[i] - sum - normed * product),
                     4 * factor);
        assert_near ((double) dweight[i], (double) before[i] + (double) dy[i] * normed, 4);
      }
    }
}

static void
test_softmax (void)
{
  for (int n = 1; n < 70; n++) {
    g_auto (Floats) p = draw (1, (gsize) n, 1);
    g_auto (Floats) d = draw (2, (gsize) n, 1);
    g_auto (Floats) before = draw (2, (gsize) n, 1);
    double sum = 0;

    for (int i = 0; i < n; i++)
      sum += (double) p[i] * (double) d[i];
    eng_softmax_gradient (p, n, 0.3f, d);
    for (int i = 0; i < n; i++)
      assert_near ((double) d[i], 0.3 * (double) p[i] * ((double) before[i] - sum), 10);
  }
}

/* Logits far apart, too. */
static void
test_cross_entropy (void)
{
  const float reaches[] = { 1, 20, 300 };

  for (int n = 2; n < 300; n = n * 3 / 2 + 1)
    for (guint r = 0; r < G_N_ELEMENTS (reaches); r++) {
      g_auto (Floats) row = draw (1, (gsize) n, reaches[r]);
      g_auto (Floats) before = draw (1, (gsize) n, reaches[r]);
      int target = n / 2;
      double max = -INFINITY, total = 0, mean = 0, loss;

      for (int i = 0; i < n; i++)
        max = MAX (max, (double) row[i]);
      for (int i = 0; i < n; i++) {
        total += exp ((double) row[i] - max);
        mean += (double) row[i] / n;
      }
      loss = max + log (total) - 0.9 * (double) row[target] - 0.1 * mean;
      assert_near (eng_cross_entropy (row, n, target, 0.1f, 0.5f), loss, (double) reaches[r]);
      for (int i = 0; i < n; i++)
        assert_near ((double) row[i],
                     0.5 * (exp ((double) before[i] - max) / total -
                            0.9 * (i == target) - 0.1 / n), 1);
    }
}

static void
test_rows (void)
{
  for (int n = 1; n < 70; n++) {
    g_auto (Floats) a = draw (1, (gsize) n, 1);
    g_auto (Floats) b = draw (2, (gsize) n, 1);
    g_auto (Floats) y = draw (3, (gsize) n, 1);
    double sum = 0, squares = 0;

    eng_multiply_rows (a, b, (gsize) n, y);
    for (int i = 0; i < n; i++) {
      g_assert_true (y[i] == a[i] * b[i]);
      sum += (double) a[i];
      squares += (double) a[i] * (double) a[i];
    }
    assert_near ((double) eng_sum (a, (gsize) n), sum, 4);
    assert_near (eng_sum_squares (a, (gsize) n), squares, 4);
  }
}

/* Whatever piece of the row is asked for. */
static void
test_drop (void)
{
  const gsize n = 1000;
  g_auto (Floats) x = draw (1, n, 1);
  g_auto (Floats) all = draw (2, n, 1);
  g_auto (Floats) some = draw (3, n, 1);

  eng_drop (99, 0, 0.25f, x, n, all);
  for (gsize first = 0; first < n; first += 7)
    eng_drop (99, first, 0.25f, x + first, MIN (7, n - first), some + first);
  g_assert_cmpmem (all, n * sizeof (float), some, n * sizeof (float));
}

static void
test_transpose (void)
{
  for (int rows = 1; rows < 40; rows += 3)
    for (int columns = 1; columns < 40; columns++) {
      g_auto (Floats) x = draw (1, (gsize) (rows * (columns + 2)), 1);
      g_auto (Floats) y = draw (2, (gsize) (columns * (rows + 1)), 1);

      eng_transpose (x, (gsize) columns + 2, rows, columns, y, (gsize) rows + 1);
      for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
          g_assert_true (y[column * (rows + 1) + row] == x[row * (columns + 2) + column]);
    }
}

static void
check_products (int n,
                int out,
                int in)
{
  g_auto (Floats) dy = draw (1, (gsize) (n * out), 1);
  g_auto (Floats) x = draw (2, (gsize) (n * in), 1);
  g_auto (Floats) weight = draw (3, (gsize) (out * in), 1);
  g_auto (Floats) dweight = draw (4, (gsize) (out * in), 1);
  g_auto (Floats) dbias = draw (5, (gsize) out, 1);
  g_auto (Floats) dx = draw (6, (gsize) (n * in), 1);
  g_auto (Floats) before_weight = draw (4, (gsize) (out * in), 1);
  g_auto (Floats) before_bias = draw (5, (gsize) out, 1);
  g_auto (Floats) scratch = draw (7, eng_product_gradients_n_scratch (n, out, in), 1);
  EngLinear linear = { weight, NULL, out, in };

  eng_product_gradients (&linear, x, dy, n, FALSE, scratch, dweight, dbias, dx, NULL);
  for (int o = 0; o < out; o++) {
    double bias = (double) before_bias[o];

    for (int row = 0; row < n; row++)
      bias += (double) dy[row * out + o];
    assert_near ((double) dbias[o], bias, sqrt (n));
    for (int i = 0; i < in; i++) {
      double sum = (double) before_weight[o * in + i];

      for (int row = 0; row < n; row++)
        sum += (double) dy[row * out + o] * (double) x[row * in + i];
      assert_near ((double) dweight[o * in + i], sum, sqrt (n));
    }
  }
  for (int row = 0; row < n; row++)
    for (int i = 0; i < in; i++) {
      double sum = 0;

      for (int o = 0; o < out; o++)
        sum += (double) dy[row * out + o] * (double) weight[o * in + i];
      assert_near ((double) dx[row * in + i], sum, sqrt (out));
    }
}

/* Two layers that read the same, the second without a bias. */
static void
check_outputs (int n,
               int out,
               int in)
{
  g_auto (Floats) x = draw (1, (gsize) (n * in), 1);
  g_auto (Floats) weights = draw (2, (gsize) (2 * out * in), 1);
  g_auto (Floats) bias = draw (3, (gsize) out, 1);
  g_auto (Floats) y = draw (4, (gsize) (2 * n * out), 1);
  g_auto (Floats) scratch = draw (5, eng_product_outputs_n_scratch (out, in, 2), 1);
  EngLinear linears[] = { { weights, bias, out, in }, { weights + out * in, NULL, out, in } };
  EngProduct products[] = { { &linears[0], y }, { &linears[1], y + n * out } };

  eng_product_outputs (products, 2, x, n, scratch, NULL);
  for (int layer = 0; layer < 2; layer++)
    for (int row = 0; row < n; row++)
      for (int o = 0; o < out; o++) {
        double sum = layer == 0 ? (double) bias[o] : 0;

        for (int i = 0; i < in; i++)
          sum += (double) x[row * in + i] * (double) linears[layer].weight[o * in + i];
        assert_near ((double) products[layer].y[row * out + o], sum, sqrt (in));
      }
}

/* What is not wanted is not touched, and dx may take the place of x. */
static void
test_wanted (void)
{
  enum { N = 40, OUT = 30, IN = 20 };
  g_auto (Floats) dy = draw (1, N * OUT, 1);
  g_auto (Floats) x = draw (2, N * IN, 1);
  g_auto (Floats) weight = draw (3, OUT * IN, 1);
  g_auto (Floats) dweight = draw (4, OUT * IN, 1);
  g_auto (Floats) dweight_alone = draw (4, OUT * IN, 1);
  g_auto (Floats) dbias = draw (5, OUT, 1);
  g_auto (Floats) dbias_alone = draw (5, OUT, 1);
  g_auto (Floats) dx = draw (6, N * IN, 1);
  g_auto (Floats) scratch = draw (7, eng_product_gradients_n_scratch (N, OUT, IN), 1);
  EngLinear linear = { weight, NULL, OUT, IN };

  eng_product_gradients (&linear, x, dy, N, FALSE, scratch, dweight, dbias, dx, NULL);
  eng_product_gradients (&linear, x, dy, N, FALSE, scratch, dweight_alone, NULL, NULL, NULL);
  eng_product_gradients (&linear, x, dy, N, FALSE, scratch, NULL, dbias_alone, NULL, NULL);
  eng_product_gradients (&linear, x, dy, N, FALSE, scratch, NULL, NULL, x, NULL);
  g_assert_cmpmem (dweight, OUT * IN * sizeof (float), dweight_alone, OUT * IN * sizeof (float));
  g_assert_cmpmem (dbias, OUT * sizeof (float), dbias_alone, OUT * sizeof (float));
  g_assert_cmpmem (dx, N * IN * sizeof (float), x, N * IN * sizeof (float));
}

static void
test_products (void)
{
  check_products (1, 1, 1);
  check_products (7, 5, 3);
  check_products (33, 17, 49);
  check_products (100, 64, 145);
  check_products (1030, 40, 30);
  check_outputs (1, 1, 1);
  check_outputs (7, 5, 3);
  check_outputs (33, 17, 49);
  check_outputs (100, 150, 64);
  check_outputs (40, 30, 1030);
  check_products (40, 1030, 150);
}

/* A step that torch 2.13 takes from w = 0.5, g = 0.25 with learning rate 0.1 and decay 0.01 leaves
 * 0.3995: the first step is as long as the learning rate. */
static void
test_adam (void)
{
  EngAdamStep step = { .scale = 1, .mean_share = 0.1f, .square_share = 0.001f, .keep = 0.999f,
                       .rate = 0.1f / 0.1f, .correction = 1 / sqrtf (0.001f), .eps = 1e-8f };
  float values[19], gradients[19], means[19] = { 0 }, squares[19] = { 0 };

  for (int i = 0; i < 19; i++) {
    values[i] = 0.5f;
    gradients[i] = 0.25f;
  }
  eng_adam (&step, 19, values, gradients, means, squares);
  for (int i = 0; i < 19; i++) {
    g_assert_cmpfloat_with_epsilon (values[i], 0.3995f, 1e-6);
    g_assert_cmpfloat_with_epsilon (means[i], 0.025f, 1e-7);
    g_assert_cmpfloat_with_epsilon (squares[i], 0.0000625f, 1e-9);
  }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/kernels/gradient/activations", test_activations);
  g_test_add_func ("/engine/kernels/gradient/norms", test_norms);
  g_test_add_func ("/engine/kernels/gradient/softmax", test_softmax);
  g_test_add_func ("/engine/kernels/gradient/cross-entropy", test_cross_entropy);
  g_test_add_func ("/engine/kernels/gradient/rows", test_rows);
  g_test_add_func ("/engine/kernels/gradient/drop", test_drop);
  g_test_add_func ("/engine/kernels/gradient/transpose", test_transpose);
  g_test_add_func ("/engine/kernels/gradient/products", test_products);
  g_test_add_func ("/engine/kernels/gradient/wanted", test_wanted);
  g_test_add_func ("/engine/kernels/gradient/adam", test_adam);

  return g_test_run ();
}
