/* SPDX-License-Identifier: MIT */
#include "engine/writing/top-k.h"

#include <math.h>

/* Whether index a comes behind index b. */
static inline gboolean
comes_behind (const float *values,
              int          a,
              int          b)
{
  float first = values[a];
  float second = values[b];

  if (first != second && !(isnan (first) && isnan (second)))
    return first < second || isnan (first);

  return a > b;
}

/* Restores the heap, whose root comes behind all others, below a place. */
static void
sink (const float *values,
      int         *heap,
      int          n,
      int          place)
{
  int index = heap[place];

  for (int child = 2 * place + 1; child < n; child = 2 * place + 1) {
    if (child + 1 < n && comes_behind (values, heap[child + 1], heap[child]))
      child++;
    if (!comes_behind (values, heap[child], index))
      break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = index;
}

void
eng_top_k (const float *values,
           int          n,
           int          k,
           int         *indices)
{
  if (k == 0)
    return;

  for (int i = 0; i < k; i++)
    indices[i] = i;
  for (int i = k / 2 - 1; i >= 0; i--)
    sink (values, indices, k, i);

  for (int i = k; i < n; i++)
    if (comes_behind (values, indices[0], i)) {
      indices[0] = i;
      sink (values, indices, k, 0);
    }

  for (int end = k - 1; end > 0; end--) {
    int last = indices[0];

    indices[0] = indices[end];
    indices[end] = last;
    sink (values, indices, end, 0);
  }
}
