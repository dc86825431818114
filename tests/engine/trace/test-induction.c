/* SPDX-License-Identifier: MIT */
/* The score of induction in a block small enough to count by hand. */
#include "engine/trace/induction.h"

#include <math.h>
#include <string.h>

static EngTokens *
make_tokens (const char *letters)
{
  EngTokens *tokens = eng_tokens_new ((int) strlen (letters));

  for (int i = 0; i < tokens->n; i++) {
    tokens->texts[i] = g_strndup (letters + i, 1);
    tokens->special[i] = letters[i] == '^';
  }

  return tokens;
}

/* reads: for each row the column that has its whole weight. */
static float
measure (const char *letters,
         const int  *reads,
         int        *n_rows)
{
  g_autoptr (EngTokens) tokens = make_tokens (letters);
  const int n = tokens->n;
  g_autofree float *weights = g_new0 (float, (gsize) (n * n));
  EngAttention attention = { 1, n, n, weights, NULL };
  float score;

  for (int i = 0; i < n; i++)
    weights[i * n + reads[i]] = 1;
  *n_rows = eng_induction_measure (&attention, tokens, tokens, &score);

  return score;
}

/* ^ a b c a b c: three rows count, whose targets are b, c and the second a. */
static void
test_counted (void)
{
  static const int all[] = { 0, 0, 0, 0, 2, 3, 4 };
  static const int itself[] = { 0, 1, 2, 3, 4, 5, 6 };
  static const int same[] = { 0, 0, 0, 0, 1, 2, 3 };
  static const int one[] = { 0, 0, 0, 0, 2, 2, 3 };
  int n_rows;

  g_assert_cmpfloat (measure ("^abcabc", all, &n_rows), ==, 1);
  g_assert_cmpint (n_rows, ==, 3);
  g_assert_cmpfloat (measure ("^abcabc", itself, &n_rows), ==, 0);
  g_assert_cmpfloat (measure ("^abcabc", same, &n_rows), ==, 0);
  g_assert_cmpfloat ((float) fabs ((double) measure ("^abcabc", one, &n_rows) - 1 / 3.0), <, 1e-6f);
}

/* Each place where it stood before is a target: a b a c a reads b or c. */
static void
test_several (void)
{
  static const int first[] = { 0, 0, 1, 0, 1 }, second[] = { 0, 0, 1, 0, 3 };
  int n_rows;

  g_assert_cmpfloat (measure ("abaca", first, &n_rows), ==, 1);
  g_assert_cmpint (n_rows, ==, 2);
  g_assert_cmpfloat (measure ("abaca", second, &n_rows), ==, 1);
}

/* Nothing comes again, or only right behind itself, or it is of the template. */
static void
test_none (void)
{
  static const int reads[] = { 0, 0, 0, 0 };
  int n_rows;

  g_assert_true (isnan (measure ("abcd", reads, &n_rows)));
  g_assert_cmpint (n_rows, ==, 0);
  g_assert_true (isnan (measure ("aabc", reads, &n_rows)));
  g_assert_true (isnan (measure ("^a^b", reads, &n_rows)));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/induction/counted", test_counted);
  g_test_add_func ("/induction/several", test_several);
  g_test_add_func ("/induction/none", test_none);
  return g_test_run ();
}
