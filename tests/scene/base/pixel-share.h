/* SPDX-License-Identifier: MIT */
/* What a cell of n adds to a pixel of size, by where both lie on a line. */
#pragma once

#include <glib.h>

/* The part of the cell that lies in the pixel, n ≥ size. */
static inline double
pixel_share (int pixel,
             int size,
             int cell,
             int n)
{
  const int begin = MAX (pixel * n, cell * size);
  const int end = MIN ((pixel + 1) * n, (cell + 1) * size);

  return MAX (end - begin, 0) / (double) size;
}
