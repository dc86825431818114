/* SPDX-License-Identifier: MIT */
/* Gradients against central differences, in a program that computes in double precision
 * (in-double.h). */
#pragma once

#include <glib.h>
#include <math.h>

#define DIFFERENCES_STEP 1e-5
#define DIFFERENCES_TOLERANCE 1e-6

/* The loss at the numbers as they are. */
typedef double (*DifferencesFunc) (gpointer data);

/* values [n] are moved one by one, every stride-th, and put back. gradient [n]: what is claimed.
 * Right to 1e-6 of the largest number of the two. */
static inline void
differences_check (const char      *what,
                   double          *values,
                   const double    *gradient,
                   gsize            n,
                   gsize            stride,
                   DifferencesFunc  func,
                   gpointer         data)
{
  double largest = 0, worst = 0;

  for (gsize i = 0; i < n; i += stride) {
    double value = values[i], above, difference;

    values[i] = value + DIFFERENCES_STEP;
    above = func (data);
    values[i] = value - DIFFERENCES_STEP;
    difference = (above - func (data)) / (2 * DIFFERENCES_STEP);
    values[i] = value;
    largest = MAX (largest, MAX (fabs (difference), fabs (gradient[i])));
    worst = MAX (worst, fabs (difference - gradient[i]));
    g_assert_false (isnan (difference) || isnan (gradient[i]));
  }
  g_test_message ("%s: %.1e of %.1e", what, worst, largest);
  /* Differences of a loss of about 1 are right to 1e-10 or so: 0 is not told from less. */
  g_assert_cmpfloat (worst, <=, DIFFERENCES_TOLERANCE * MAX (largest, 1e-3));
}
