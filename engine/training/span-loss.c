/* SPDX-License-Identifier: MIT */
#include "engine/training/span-loss.h"

#include <math.h>

/* logits of the one or the other, each second number. */
static double
compute_one (float  *logits,
             int     n,
             int     label,
             double  factor)
{
  double most = logits[0], sum = 0, loss;

  for (int i = 1; i < n; i++)
    most = MAX (most, (double) logits[2 * i]);
  for (int i = 0; i < n; i++)
    sum += exp ((double) logits[2 * i] - most);
  loss = most + log (sum) - (double) logits[2 * label];
  for (int i = 0; i < n; i++)
    logits[2 * i] = (float) (factor * (exp ((double) logits[2 * i] - most) / sum - (i == label)));

  return loss;
}

double
eng_span_loss (float  *logits,
               int     n,
               int     start,
               int     end,
               double  factor)
{
  return (compute_one (logits, n, start, factor / 2) +
          compute_one (logits + 1, n, end, factor / 2)) / 2;
}
