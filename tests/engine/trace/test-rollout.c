/* SPDX-License-Identifier: MIT */
/* Laws of the attention rollout. */
#include "tests/engine/trace/rollout-case.h"

#include <math.h>
#include <string.h>

#include "engine/trace/trace-private.h"

/* An encoder that keeps its weights, every head the same: token i reads token i + shift. */
static EngTrace *
new_shifting_trace (int n,
                    int n_heads,
                    int n_layers,
                    int shift)
{
  EngTrace *trace = made_trace_new (n - 1, 1, n_heads, n_layers);

  for (int layer = 0; layer < n_layers; layer++)
    for (int head = 0; head < n_heads; head++)
      for (int i = 0; i < n * n; i++)
        made_trace_falsify (trace, layer, head, i / n, i % n,
                            i % n == (i / n + shift) % n ? 1 : 0);

  return trace;
}

/* Heads that read the token itself leave everything where it is, in every layer. */
static void
test_identity (void)
{
  g_autoptr (EngTrace) trace = new_shifting_trace (7, 3, 5, 0);
  g_autoptr (EngAttention) rollout = roll (trace, 4);

  for (int i = 0; i < 49; i++)
    g_assert_cmpfloat (rollout->weights[i], ==, i / 7 == i % 7 ? 1 : 0);
}

/* Heads that read the next token walk: after l + 1 layers token i holds k steps with the weight of
 * the binomial distribution, C (l + 1, k) / 2^(l + 1). */
static void
test_binomial (void)
{
  g_autoptr (EngTrace) trace = new_shifting_trace (9, 2, 4, 1);
  g_autoptr (EngAttention) rollout = roll (trace, 3);
  g_autoptr (EngAttention) first = roll (trace, 0);
  const double binomial[9] = { 1 / 16.0, 4 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0 };

  for (int i = 0; i < 81; i++) {
    int steps = (i % 9 - i / 9 + 9) % 9;

    g_assert_cmpfloat (fabs (rollout->weights[i] - binomial[steps]), <, 1e-6);
    g_assert_cmpfloat (first->weights[i], ==, steps < 2 ? 0.5f : 0);
  }
}

/* Rows that sum to 1 do so through all layers; a row that an edit left short does not, and one that
 * reads nothing at all keeps half of itself. Sizes that no kernel's tile divides, more than one
 * chunk of rows. */
static void
test_sums (void)
{
  const int n = 67;
  g_autoptr (EngTrace) trace = made_trace_new (n - 9, 9, 3, 4);
  g_autoptr (EngTrace) empty = new_shifting_trace (5, 2, 2, 1);
  g_autoptr (EngAttention) whole = roll (trace, 3);
  g_autoptr (EngAttention) rest = NULL;

  for (int row = 0; row < n; row++) {
    double sum = 0;

    for (int column = 0; column < n; column++)
      sum += (double) whole->weights[row * n + column];
    g_assert_cmpfloat (fabs (sum - 1), <, 1e-5);
  }

  for (int layer = 0; layer < 2; layer++)
    for (int i = 0; i < 10; i++)
      made_trace_falsify (empty, layer, i / 5, 2, i % 5, 0);
  rest = roll (empty, 1);
  for (int column = 0; column < 5; column++) {
    g_assert_cmpfloat (rest->weights[2 * 5 + column], ==, column == 2 ? 0.25f : 0);
    /* Token 1 read half of what token 2 had kept of itself. */
    g_assert_cmpfloat (rest->weights[1 * 5 + column], ==,
                       column == 1 ? 0.25f : column == 2 ? 0.5f * 0.5f + 0.25f : 0);
  }
}

/* What is kept and what is computed anew are the same numbers. */
static void
test_kept (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (20, 13, 4, 6);
  g_autoptr (EngTrace) other = made_trace_new (20, 13, 4, 6);
  g_autoptr (EngAttention) top = roll (trace, 5);
  g_autoptr (EngAttention) middle = roll (trace, 2);
  g_autoptr (EngAttention) again = roll (trace, 5);

  g_assert_true (top == again);
  for (int layer = 0; layer < 6; layer++) {
    g_autoptr (EngAttention) own = roll (other, layer);

    if (layer == 2)
      g_assert_cmpmem (own->weights, 33 * 33 * sizeof (float), middle->weights,
                       33 * 33 * sizeof (float));
    if (layer == 5)
      g_assert_cmpmem (own->weights, 33 * 33 * sizeof (float), top->weights,
                       33 * 33 * sizeof (float));
  }
}

/* Padding stays what nobody sees; a token that may only read back reaches more with every layer of
 * a window. */
static void
test_mask (void)
{
  g_autoptr (EngTrace) trace = new_shifting_trace (6, 1, 2, 0);
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];
  g_autofree guint8 *window = g_new0 (guint8, 36);
  g_autoptr (EngAttention) first = NULL;
  g_autoptr (EngAttention) second = NULL;

  /* Everybody sees the token before; the last one, of the template, is seen by nobody. */
  for (int row = 0; row < 6; row++)
    for (int column = MAX (row - 1, 0); column <= MIN (row, 4); column++)
      window[row * 6 + column] = 1;
  for (int layer = 0; layer < 2; layer++) {
    block->layers[layer].mask = window;
    for (int row = 1; row < 6; row++) {
      made_trace_falsify (trace, layer, 0, row, row - 1, row == 5 ? 1 : 0.5f);
      made_trace_falsify (trace, layer, 0, row, row, row == 5 ? 0 : 0.5f);
    }
  }

  first = roll (trace, 0);
  second = roll (trace, 1);
  for (int row = 0; row < 6; row++)
    for (int column = 0; column < 6; column++) {
      int i = row * 6 + column;
      gboolean padding = column == 5;

      g_assert_cmpint (first->mask[i], ==, !padding && column <= row && column >= row - 1);
      g_assert_cmpint (second->mask[i], ==, !padding && column <= row && column >= row - 2);
      g_assert_true (second->mask[i] || second->weights[i] == 0 || (padding && row == 5));
    }
}

/* A key that is read three times with a third of the weight each time is as one with all of it. */
static void
test_readings (void)
{
  g_autoptr (EngTrace) once = new_shifting_trace (9, 2, 4, 1);
  g_autoptr (EngTrace) often = new_shifting_trace (9, 2, 4, 1);
  g_autofree guint8 *readings = g_malloc (81);
  g_autoptr (EngAttention) whole = roll (once, 3);
  g_autoptr (EngAttention) thirds = NULL;

  memset (readings, 3, 81);
  for (int layer = 0; layer < 4; layer++) {
    often->blocks[ENG_KIND_ENCODER].layers[layer].mask = readings;
    for (int head = 0; head < 2; head++)
      for (int row = 0; row < 9; row++)
        made_trace_falsify (often, layer, head, row, (row + 1) % 9, 1 / 3.0f);
  }
  thirds = roll (often, 3);
  for (int i = 0; i < 81; i++)
    g_assert_cmpfloat (fabs (whole->weights[i] - thirds->weights[i]), <, 1e-6);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/rollout/identity", test_identity);
  g_test_add_func ("/rollout/binomial", test_binomial);
  g_test_add_func ("/rollout/sums", test_sums);
  g_test_add_func ("/rollout/kept", test_kept);
  g_test_add_func ("/rollout/mask", test_mask);
  g_test_add_func ("/rollout/readings", test_readings);

  return g_test_run ();
}
