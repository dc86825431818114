/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/link-curve.h"

#include <math.h>

#include "ui/scene/sinks/sink.h"

/* Coefficients of x (t) = a t³ + b t² + c t, for control points at 0, r, 1 - r and 1. */
#define C (3 * UI_LINK_REACH)
#define B (3 - 9 * UI_LINK_REACH)
#define A (6 * UI_LINK_REACH - 2)

/* Newton's method; the slope of x is positive from 0 to 1, so that few steps are enough. */
static double
find_parameter (double across)
{
  double t = across;

  for (int i = 0; i < 20; i++) {
    double error = ((A * t + B) * t + C) * t - across;

    if (fabs (error) < 1e-12)
      break;
    t -= error / ((3 * A * t + 2 * B) * t + C);
  }
  return CLAMP (t, 0.0, 1.0);
}

void
ui_link_curve_at (double  across,
                  double *along,
                  double *slope)
{
  double t = find_parameter (CLAMP (across, 0.0, 1.0));

  /* Both control points at the height of their end: y (t) = 3 t² - 2 t³. */
  if (along != NULL)
    *along = (3 - 2 * t) * t * t;
  if (slope != NULL)
    *slope = 6 * t * (1 - t) / ((3 * A * t + 2 * B) * t + C);
}
