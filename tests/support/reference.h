/* SPDX-License-Identifier: MIT */
/* How near our numbers must be to recorded ones: attention 1e-5; anything else 1e-5 · max (1,
 * largest magnitude recorded). */
#pragma once

#include "engine/trace/trace.h"

#include <math.h>

#define REFERENCE_TOLERANCE 1e-5

static inline double
reference_get_tolerance (const float *reference,
                         gsize        n)
{
  double largest = 1.0;

  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, fabs ((double) reference[i]));

  return REFERENCE_TOLERANCE * largest;
}

/* reference [rows, cols] holds every (matrix->cols / cols)th column; INFINITY where we have NaN. */
static inline double
reference_find_largest_difference (const EngMatrix *matrix,
                                   const float     *reference,
                                   int              rows,
                                   int              cols)
{
  int step = matrix->cols / cols;
  double largest = 0.0;

  g_assert_cmpint (matrix->rows, ==, rows);
  g_assert_cmpint ((matrix->cols + step - 1) / step, ==, cols);
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < cols; c++) {
      double ours = (double) matrix->data[(gsize) r * matrix->stride + (gsize) (c * step)];
      double difference = fabs (ours - (double) reference[r * cols + c]);

      /* Written so that NaN counts as the largest of all. */
      if (!(difference <= largest))
        largest = isnan (difference) ? INFINITY : difference;
    }

  return largest;
}
