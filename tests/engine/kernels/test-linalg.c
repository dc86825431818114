/* SPDX-License-Identifier: MIT */
/* The products against sums in double precision, at sizes around every edge of the tiles. */
#include "engine/kernels/linalg.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "engine/kernels/arena.h"
#include "engine/kernels/isa.h"
#include "tests/support/random-model.h"

/* A float product may differ by this part of Σ |a · b|. */
#define TOLERANCE 1e-6

static float *
make_numbers (gsize    n,
              guint32 *state)
{
  float *numbers = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    numbers[i] = test_random_uniform (state);
  return numbers;
}

/* n floats, aligned as scratch has to be. */
static float *
make_scratch (EngArena *arena,
              gsize     n)
{
  eng_arena_measure (arena);
  eng_arena_floats (arena, n);
  g_assert_true (eng_arena_allocate (arena, NULL));
  return eng_arena_floats (arena, n);
}

/* Σ a b over k in double and, in *size, Σ |a b|. */
static double
multiply_row (const float *a,
              const float *b,
              gsize        b_stride,
              int          k,
              double      *size)
{
  double sum = 0;

  *size = 0;
  for (int i = 0; i < k; i++) {
    sum += (double) a[i] * b[i * b_stride];
    *size += fabs ((double) a[i] * b[i * b_stride]);
  }
  return sum;
}

static void
check_product (const EngProduct *product,
               const float      *x,
               int               n)
{
  const EngLinear *linear = product->linear;

  for (int row = 0; row < n; row++)
    for (int out = 0; out < linear->out; out++) {
      double size;
      double expected = multiply_row (x + (gsize) row * linear->in,
                                      linear->weight + (gsize) out * linear->in, 1,
                                      linear->in, &size);
      double found = product->y[(gsize) row * linear->out + out];

      if (linear->bias != NULL)
        expected += linear->bias[out];
      g_assert_cmpfloat (fabs (found - expected), <=, TOLERANCE * (size + fabs (expected)));
    }
}

static void
check_products (int      n,
                int      in,
                int      out_a,
                int      out_b,
                guint32 *state)
{
  g_autofree float *x = make_numbers ((gsize) n * in, state);
  g_autofree float *weight = make_numbers ((gsize) MAX (out_a, out_b) * in, state);
  g_autofree float *bias = make_numbers (out_a, state);
  g_autofree float *y_a = g_new (float, (gsize) n * out_a);
  g_autofree float *y_b = g_new (float, (gsize) n * out_b);
  g_autoptr (EngArena) arena = eng_arena_new ();
  EngLinear a = { weight, bias, out_a, in };
  EngLinear b = { weight, NULL, out_b, in };
  EngProduct products[] = { { &a, y_a }, { &b, y_b } };
  float *scratch;

  scratch = make_scratch (arena, eng_products_n_scratch (n, in));

  eng_products (products, 2, x, n, ENG_ACTIVATION_LINEAR, scratch, NULL);
  check_product (&products[0], x, n);
  check_product (&products[1], x, n);

  /* The activation works on what the product gives, nothing else. */
  g_autofree float *plain = g_memdup2 (y_a, (gsize) n * out_a * sizeof (float));

  eng_products (products, 1, x, n, ENG_ACTIVATION_RELU, scratch, NULL);
  for (gsize i = 0; i < (gsize) n * out_a; i++)
    g_assert_cmpfloat (y_a[i], ==, MAX (plain[i], 0));
}

static void
test_products (void)
{
  static const int tokens[] = { 1, 2, 3, 5, 15, 16, 17, 20, 31, 33, 47, 48, 49, 63, 64, 65, 97 };
  static const int depths[] = { 1, 3, 4, 15, 16, 17, 63, 100 };
  static const int outputs[] = { 1, 2, 3, 5, 7, 11, 12, 13, 23, 25, 95, 97 };
  guint32 state = 7;

  for (gsize i = 0; i < 120; i++)
    check_products (tokens[i % G_N_ELEMENTS (tokens)], depths[i % G_N_ELEMENTS (depths)],
                    outputs[i % G_N_ELEMENTS (outputs)],
                    outputs[(i + 5) % G_N_ELEMENTS (outputs)], &state);
  check_products (193, 100, 97, 1, &state);   /* a second block of tokens with a single one */
  check_products (400, 33, 30, 200, &state);
  check_products (20, 1700, 50, 13, &state);  /* several steps of depth */
  check_products (3, 769, 2, 600, &state);
}

static void
check_pair (int      n,
            int      in,
            int      between,
            int      out,
            guint32 *state)
{
  g_autofree float *x = make_numbers ((gsize) n * in, state);
  g_autofree float *up = make_numbers ((gsize) between * in, state);
  g_autofree float *down = make_numbers ((gsize) between * out, state);
  g_autofree float *bias = make_numbers (MAX (between, out), state);
  g_autofree float *y = g_new (float, (gsize) n * out);
  g_autofree float *inner = g_new (float, (gsize) n * between);
  g_autofree float *expected = g_new (float, (gsize) n * out);
  g_autoptr (EngArena) arena = eng_arena_new ();
  EngLinear first = { up, bias, between, in };
  EngLinear second = { down, bias, out, between };
  EngProduct one_by_one[] = { { &first, inner }, { &second, expected } };
  float *scratch = make_scratch (arena, MAX (eng_product_pair_n_scratch (n, &first),
                                             eng_products_n_scratch (n, between)));

  eng_product_pair (&first, ENG_ACTIVATION_SILU, &second, x, n, scratch, y, NULL);
  eng_products (&one_by_one[0], 1, x, n, ENG_ACTIVATION_SILU, scratch, NULL);
  eng_products (&one_by_one[1], 1, inner, n, ENG_ACTIVATION_LINEAR, scratch, NULL);
  g_assert_cmpmem (y, sizeof (float) * n * out, expected, sizeof (float) * n * out);
}

/* A pair is two products, whose numbers test_products() checks. */
static void
test_pairs (void)
{
  guint32 state = 19;

  for (int n = 1; n < 60; n += 7)
    check_pair (n, 10 + n, 31 * n % 130 + 1, 97 - n, &state);
  check_pair (300, 33, 100, 41, &state);
  check_pair (17, 20, 1000, 5, &state);
}

static void
check_head_product (int      m,
                    int      n,
                    int      k,
                    guint32 *state)
{
  int a_stride = k + 3, b_stride = MAX (n, k) + 5, c_stride = n + 2;
  g_autofree float *a = make_numbers ((gsize) m * a_stride, state);
  g_autofree float *b = make_numbers ((gsize) MAX (n, k) * b_stride, state);
  g_autofree float *plain = g_new (float, (gsize) m * c_stride);
  g_autofree float *transposed = g_new (float, (gsize) m * c_stride);
  g_autoptr (EngArena) arena = eng_arena_new ();
  float *packed = make_scratch (arena, eng_packed_n_floats (k, n));
  const float untouched = 123;

  for (int i = 0; i < m * c_stride; i++)
    plain[i] = transposed[i] = untouched;
  eng_pack (b, b_stride, k, n, packed);
  eng_multiply (a, a_stride, packed, m, n, k, plain, c_stride);
  eng_pack_transposed (b, b_stride, k, n, packed);
  eng_multiply (a, a_stride, packed, m, n, k, transposed, c_stride);

  for (int row = 0; row < m; row++)
    for (int col = 0; col < c_stride; col++) {
      const float *a_row = a + row * a_stride;
      gsize place = (gsize) row * c_stride + col;
      double size, expected;

      if (col >= n) {
        g_assert_cmpfloat (plain[place], ==, untouched);
        g_assert_cmpfloat (transposed[place], ==, untouched);
        continue;
      }
      expected = multiply_row (a_row, b + col, b_stride, k, &size);
      g_assert_cmpfloat (fabs (plain[place] - expected), <=, TOLERANCE * size);
      expected = multiply_row (a_row, b + (gsize) col * b_stride, 1, k, &size);
      g_assert_cmpfloat (fabs (transposed[place] - expected), <=, TOLERANCE * size);
    }
}

static void
test_head_products (void)
{
  static const int sizes[] = { 1, 2, 4, 7, 13, 16, 24, 31, 47, 49, 64, 80, 129, 300 };
  guint32 state = 3;

  for (gsize i = 0; i < 60; i++)
    check_head_product (sizes[i % 14], sizes[(i * 5 + 3) % 14], sizes[(i * 3 + 1) % 14], &state);
}

/* A layer of BERT-base's size against OpenBLAS, at more tokens than a block has. */
static void
test_against_openblas (void)
{
  const int n = 200, in = 768, out = 3072;
  guint32 state = 17;
  g_autofree float *x = make_numbers (n * in, &state);
  g_autofree float *weight = make_numbers ((gsize) out * in, &state);
  g_autofree float *found = g_new (float, n * out);
  g_autofree float *expected = g_new (float, n * out);
  g_autoptr (EngArena) arena = eng_arena_new ();
  EngLinear linear = { weight, NULL, out, in };
  EngProduct product = { &linear, found };
  double worst = 0;

  eng_products (&product, 1, x, n, ENG_ACTIVATION_LINEAR,
                make_scratch (arena, eng_products_n_scratch (n, in)), NULL);
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, n, out, in, 1, x, in, weight, in,
               0, expected, out);
  for (int i = 0; i < n * out; i++)
    worst = MAX (worst, fabs (found[i] - expected[i]));
  g_test_message ("largest difference %.2e", worst);

  /* Σ |a · b| of 768 products of numbers up to 1 is around 768 / 4. */
  g_assert_cmpfloat (worst, <=, TOLERANCE * in / 4);
}

/* A token's numbers do not depend on the tokens beside it, so padding and splitting change no bit:
 * a promise of our own kernels. OpenBLAS chooses another order of the sums for another number of
 * rows. */
static void
test_row_alone (void)
{
  const int n = 53, in = 900, out = 130;
  guint32 state = 11;
  g_autofree float *x = make_numbers (n * in, &state);
  g_autofree float *weight = make_numbers (out * in, &state);
  g_autofree float *together = g_new (float, n * out);
  g_autofree float *alone = g_new (float, out);
  g_autoptr (EngArena) arena = eng_arena_new ();
  EngLinear linear = { weight, NULL, out, in };
  EngProduct product = { &linear, together };
  float *scratch;

  if (eng_isa_get () == ENG_ISA_PORTABLE) {
    g_test_skip ("OpenBLAS multiplies here");
    return;
  }
  scratch = make_scratch (arena, eng_products_n_scratch (n, in));

  eng_products (&product, 1, x, n, ENG_ACTIVATION_GELU, scratch, NULL);
  product.y = alone;
  for (int row = 0; row < n; row++) {
    eng_products (&product, 1, x + row * in, 1, ENG_ACTIVATION_GELU, scratch, NULL);
    g_assert_cmpmem (alone, out * sizeof (float), together + row * out, out * sizeof (float));
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/linalg/products", test_products);
  g_test_add_func ("/linalg/pairs", test_pairs);
  g_test_add_func ("/linalg/head-products", test_head_products);
  g_test_add_func ("/linalg/against-openblas", test_against_openblas);
  g_test_add_func ("/linalg/row-alone", test_row_alone);
  return g_test_run ();
}
