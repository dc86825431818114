/* SPDX-License-Identifier: MIT */
#include "engine/trace/states.h"

#include <math.h>

static double
multiply (const float *a,
          const float *b,
          int          n)
{
  double sum = 0;

  for (int i = 0; i < n; i++)
    sum += (double) a[i] * (double) b[i];

  return sum;
}

double
eng_states_measure (EngStatesMeasure  measure,
                    const float      *a,
                    const float      *b,
                    int               n)
{
  double largest = 0;

  switch (measure) {
  case ENG_STATES_COSINE:
    return multiply (a, b, n) / sqrt (multiply (a, a, n) * multiply (b, b, n));
  case ENG_STATES_DOT:
    return multiply (a, b, n);
  case ENG_STATES_LENGTH:
    return sqrt (multiply (a, a, n));
  case ENG_STATES_DISTANCE:
  default:
    for (int i = 0; i < n; i++)
      largest = fmax (largest, fabs ((double) a[i] - (double) b[i]));
    return largest;
  }
}

int
eng_states_compare (EngStatesMeasure      measure,
                    const EngStatesToken *a,
                    const EngStatesToken *b,
                    double               *values)
{
  int n = 1 + MIN (eng_trace_get_n_layers (a->trace, a->kind),
                   eng_trace_get_n_layers (b->trace, b->kind));

  for (int i = 0; i < n; i++) {
    EngMatrix first, second;

    if (!eng_trace_get_hidden_states (a->trace, a->kind, i, &first)
        || !eng_trace_get_hidden_states (b->trace, b->kind, i, &second) || first.cols != second.cols
        || a->token >= first.rows || b->token >= second.rows)
      return 0;
    values[i] = eng_states_measure (measure, first.data + (gsize) a->token * first.stride,
                                    second.data + (gsize) b->token * second.stride, first.cols);
  }

  return n;
}
