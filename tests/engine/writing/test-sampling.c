/* SPDX-License-Identifier: MIT */
#include "engine/writing/sampling.h"

#include "engine/writing/top-k.h"
#include "tests/support/random-model.h"

#include <math.h>

#define N_DRAWS 50000

/* SplitMix64's published sequence of the seed 1234567. */
static void
test_uniform (void)
{
  static const guint64 published[] = {
    G_GUINT64_CONSTANT (6457827717110365317), G_GUINT64_CONSTANT (3203168211198807973),
    G_GUINT64_CONSTANT (9817491932198370423), G_GUINT64_CONSTANT (4593380528125082431),
    G_GUINT64_CONSTANT (16408922859458223821),
  };

  for (guint i = 0; i < G_N_ELEMENTS (published); i++)
    g_assert_cmpfloat (eng_sampling_get_uniform (1234567, (int) i), ==,
                       (double) (published[i] >> 11) / 9007199254740992.0);
}

/* Pearson's χ² of draws from the four likeliest of eight tokens: a value over 16.27 has one
 * chance in a thousand at 3 degrees of freedom. */
static void
test_distribution (void)
{
  static const float logits[] = { 0.5f, -1, 2, 1.25f, -3, 0.75f, -0.25f, 0.1f };
  static const int kept[] = { 0, 2, 3, 5 };
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  int counts[G_N_ELEMENTS (logits)] = { 0 };
  float probabilities[G_N_ELEMENTS (logits)];
  int scratch[G_N_ELEMENTS (logits)];
  double sum = 0;
  double chi = 0;
  int n_kept = 0;

  settings->temperature = 1.5;
  settings->top_k = 4;
  for (guint i = 0; i < G_N_ELEMENTS (logits); i++)
    probabilities[i] = logits[i];
  g_assert_true (eng_sampling_narrow (settings, probabilities, G_N_ELEMENTS (logits), scratch));
  for (int i = 0; i < N_DRAWS; i++)
    counts[eng_sampling_draw (probabilities, G_N_ELEMENTS (logits),
                              eng_sampling_get_uniform (3, i))]++;

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    sum += exp (logits[kept[i]] / 1.5);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
    double expected = N_DRAWS * exp (logits[kept[i]] / 1.5) / sum;

    chi += pow (counts[kept[i]] - expected, 2) / expected;
    n_kept += counts[kept[i]];
  }
  g_test_message ("chi squared: %g", chi);
  g_assert_cmpint (n_kept, ==, N_DRAWS);
  g_assert_cmpfloat (chi, <, 16.27);
}

/* No uniform number leads to a token that has no share. */
static void
test_ends (void)
{
  static const float probabilities[] = { 0, 0.25f, 0, 0.75f, 0 };

  g_assert_cmpint (eng_sampling_draw (probabilities, 5, 0), ==, 1);
  g_assert_cmpint (eng_sampling_draw (probabilities, 5, 0.2499999), ==, 1);
  g_assert_cmpint (eng_sampling_draw (probabilities, 5, 0.25), ==, 3);
  g_assert_cmpint (eng_sampling_draw (probabilities, 5, 1 - 0x1p-53), ==, 3);
}

static void
test_nothing (void)
{
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  float banned[] = { -INFINITY, -INFINITY, -INFINITY };
  float unknown[] = { NAN, NAN, NAN };
  int scratch[3];

  g_assert_false (eng_sampling_narrow (settings, banned, 3, scratch));
  g_assert_false (eng_sampling_narrow (settings, unknown, 3, scratch));
}

/* Of equally likely tokens the first ones make up the mass. */
static void
test_equal (void)
{
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  float probabilities[] = { 0, 1, 0, -2, 0, 0 };
  int scratch[6];

  /* Each of the four has e^0 / (4 e^0 + e + e^-2) = 0.146 of the whole, the largest 0.397. */
  settings->top_p = 0.6;
  g_assert_true (eng_sampling_narrow (settings, probabilities, 6, scratch));
  for (int i = 0; i < 6; i++)
    g_assert_cmpint (probabilities[i] > 0, ==, i <= 2);
}

static gboolean
stands_before (const float *values,
               int          a,
               int          b)
{
  if (isnan (values[a]) || isnan (values[b]))
    return isnan (values[a]) == isnan (values[b]) ? a < b : isnan (values[b]);

  return values[a] > values[b] || (values[a] == values[b] && a < b);
}

/* Against a search for the next largest, with many equal numbers. */
static void
test_top_k (void)
{
  guint32 state = 9;

  for (int round = 0; round < 500; round++) {
    int n = test_random_range (&state, 1, 40);
    int k = test_random_range (&state, 0, n);
    g_autofree float *values = g_new (float, n);
    g_autofree int *indices = g_new (int, n);
    int last = -1;

    for (int i = 0; i < n; i++) {
      int value = test_random_range (&state, -3, 6);

      values[i] = value == -3 ? -INFINITY : value == 6 ? NAN : (float) value;
    }
    eng_top_k (values, n, k, indices);

    for (int i = 0; i < k; i++) {
      int next = -1;

      for (int j = 0; j < n; j++)
        if ((last < 0 || (j != last && stands_before (values, last, j))) &&
            (next < 0 || stands_before (values, j, next)))
          next = j;
      g_assert_cmpint (indices[i], ==, next);
      last = next;
    }
  }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sampling/uniform", test_uniform);
  g_test_add_func ("/sampling/distribution", test_distribution);
  g_test_add_func ("/sampling/ends", test_ends);
  g_test_add_func ("/sampling/nothing", test_nothing);
  g_test_add_func ("/sampling/equal", test_equal);
  g_test_add_func ("/sampling/top-k", test_top_k);

  return g_test_run ();
}
