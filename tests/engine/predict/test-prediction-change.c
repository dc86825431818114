/* SPDX-License-Identifier: MIT */
#include "engine/predict/prediction-change.h"

#include <math.h>

/* p = (1/2, 1/4, 1/8, 1/8), q = (1/4, 1/2, 1/8, 1/8): KL = ½·log₂ 2 + ¼·log₂ ½ = ¼ bit. */
static const float before[] = { 0.69314718f, 0, -0.69314718f, -0.69314718f };
static const float after[] = { 3, 3.69314718f, 2.30685282f, 2.30685282f };

/* What numpy 2.4.6 makes of these rows in double precision stands in test_recorded(). */
static const float old_row[] = { 2.5f, -1.25f, 0.3f, 7.75f, -3, 7.5f };
static const float new_row[] = { -0.5f, 4.25f, 0.3f, 1.75f, 60, 7.5f };

static void
test_by_hand (void)
{
  double p[4];
  const double expected[] = { 0.5, 0.25, 0.125, 0.125 };

  eng_prediction_change_probabilities (before, 4, ENG_CHANGE_ONE_OF_ALL, p);
  for (int i = 0; i < 4; i++) {
    g_assert_cmpfloat_with_epsilon (p[i], expected[i], 1e-7);
    g_assert_cmpfloat (eng_prediction_change_get_probability (before, 4, ENG_CHANGE_ONE_OF_ALL, i),
                       ==, p[i]);
  }
  g_assert_cmpfloat_with_epsilon (
    eng_prediction_change_divergence (before, after, 4, ENG_CHANGE_ONE_OF_ALL), 0.25, 1e-6);
  g_assert_cmpfloat (eng_prediction_change_divergence (before, before, 4, ENG_CHANGE_ONE_OF_ALL),
                     ==, 0);
  g_assert_cmpint (eng_prediction_change_find_best (before, 4), ==, 0);
  g_assert_cmpint (eng_prediction_change_find_best (after, 4), ==, 1);
  g_assert_cmpint (eng_prediction_change_find_best (before + 2, 2), ==, 0);

  /* A coin of 1/2 beside one of 1/4, twice: ½·log₂ 2 + ½·log₂ ⅔ each. */
  g_assert_cmpfloat_with_epsilon (
    eng_prediction_change_divergence ((float[]) { 0, 0 }, (float[]) { -1.0986123f, -1.0986123f }, 2,
                                      ENG_CHANGE_EACH),
    2 * (0.5 + 0.5 * log2 (2.0 / 3)), 1e-6);
}

static void
assert_move (const GArray *moves,
             guint         i,
             int           id,
             int           rank_before,
             int           rank_after)
{
  const EngPredictionMove *move = &g_array_index (moves, EngPredictionMove, i);

  g_assert_cmpint (move->id, ==, id);
  g_assert_cmpint (move->rank_before, ==, rank_before);
  g_assert_cmpint (move->rank_after, ==, rank_after);
}

static void
test_moves (void)
{
  g_autoptr (GArray) two =
    eng_prediction_change_list_moves (before, after, 4, ENG_CHANGE_ONE_OF_ALL, 2);
  g_autoptr (GArray) other =
    eng_prediction_change_list_moves (old_row, new_row, 6, ENG_CHANGE_ONE_OF_ALL, 2);
  g_autoptr (GArray) all = eng_prediction_change_list_moves (before, after, 4, ENG_CHANGE_EACH, 9);
  g_autoptr (GArray) none = eng_prediction_change_list_moves (before, after, 4, ENG_CHANGE_EACH, 0);

  g_assert_cmpint (two->len, ==, 2);
  assert_move (two, 0, 0, 0, 1);
  assert_move (two, 1, 1, 1, 0);
  g_assert_cmpfloat_with_epsilon (g_array_index (two, EngPredictionMove, 0).before, 0.5, 1e-7);
  g_assert_cmpfloat_with_epsilon (g_array_index (two, EngPredictionMove, 0).after, 0.25, 1e-7);

  /* Old order 3 5 0 2 1 4, new order 4 5 1 3 2 0. */
  g_assert_cmpint (other->len, ==, 3);
  assert_move (other, 0, 3, 0, 3);
  assert_move (other, 1, 5, 1, 1);
  assert_move (other, 2, 4, 5, 0);

  /* Of equal ones the lower id is first. */
  g_assert_cmpint (all->len, ==, 4);
  assert_move (all, 2, 2, 2, 2);
  assert_move (all, 3, 3, 3, 3);
  g_assert_cmpfloat_with_epsilon (g_array_index (all, EngPredictionMove, 1).before, 0.5, 1e-7);
  g_assert_cmpint (none->len, ==, 0);
}

/* As functions of numpy give them. */
static void
test_recorded (void)
{
  static const double shared_old[] = {
    2.9401574877709682e-03, 6.9145876574039852e-05, 3.2577873961127352e-04,
    5.6029484112521344e-01, 1.2015751645608657e-05, 4.3635806101918462e-01,
  };
  static const double shared_new[] = {
    5.3110922496790952e-27, 6.1387879773704979e-25, 1.1820053317565978e-26,
    5.0390240267486375e-26, 1, 1.5832142861596321e-23,
  };
  static const double each_old[] = {
    0.9241418199787566, 0.22270013882530884, 0.574442519725829, 0.9995694429186754,
    0.04742587317756678, 0.9994472213630764,
  };
  double p[6], q[6], each[6];

  eng_prediction_change_probabilities (old_row, 6, ENG_CHANGE_ONE_OF_ALL, p);
  eng_prediction_change_probabilities (new_row, 6, ENG_CHANGE_ONE_OF_ALL, q);
  eng_prediction_change_probabilities (old_row, 6, ENG_CHANGE_EACH, each);
  for (int i = 0; i < 6; i++) {
    g_assert_cmpfloat_with_epsilon (p[i], shared_old[i], 1e-14);
    g_assert_cmpfloat_with_epsilon (q[i] / shared_new[i], 1, 1e-12);
    g_assert_cmpfloat_with_epsilon (each[i], each_old[i], 1e-14);
  }
  g_assert_cmpfloat_with_epsilon (
    eng_prediction_change_divergence (old_row, new_row, 6, ENG_CHANGE_ONE_OF_ALL),
    79.40616601553435, 1e-11);
  g_assert_cmpfloat_with_epsilon (
    eng_prediction_change_divergence (old_row, new_row, 6, ENG_CHANGE_EACH), 87.3923905588534,
    1e-11);
}

/* Where a probability is 0 as a double the divergence is a number all the same. */
static void
test_far_apart (void)
{
  const float a[] = { 0, 2000 }, b[] = { 2000, 0 };

  g_assert_cmpfloat_with_epsilon (
    eng_prediction_change_divergence (a, b, 2, ENG_CHANGE_ONE_OF_ALL), 2000 / G_LN2, 1e-9);
  /* ½ ln ½ + ½ (ln ½ + 2000), and ln 1 - ln ½. */
  g_assert_cmpfloat_with_epsilon (eng_prediction_change_divergence (a, b, 2, ENG_CHANGE_EACH),
                                  1000 / G_LN2, 1e-9);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/prediction-change/by-hand", test_by_hand);
  g_test_add_func ("/prediction-change/moves", test_moves);
  g_test_add_func ("/prediction-change/recorded", test_recorded);
  g_test_add_func ("/prediction-change/far-apart", test_far_apart);

  return g_test_run ();
}
