/* SPDX-License-Identifier: MIT */
/* The inner loops of the link rasteriser, for this machine: with AVX2 where there is, else in plain
 * C. Both compute the same up to the rounding of floats. A column of pixels is height floats, top
 * to bottom. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Links in device pixels, below the top of the clip; one element a link in each array. */
typedef struct {
  float *y;     /* at the left end */
  float *climb; /* height of the right end over the left one, y downwards */
  float *width; /* of the stroke */
  float *alpha; /* 0 to 1 */
} UiLinkStrokes;

/* Floats behind the last pixel of a column that the kernels may touch. */
#define UI_COLUMN_PADDING 8

/* Rows first … end - 1. */
typedef struct { int first, end; } UiRowRange;

typedef struct {
  /* column[i] *= 1 - alpha · coverage, for links first … first + n - 1. along and slope: of the
   * curves at the column's middle, see link-curve.h, slope by pixel. breadth: of the column in
   * pixels, at least 1. */
  void (*stroke)    (float               *column,
                     int                  height,
                     const UiLinkStrokes *strokes,
                     int                  first,
                     int                  n,
                     float                along,
                     float                slope,
                     float                breadth,
                     UiRowRange          *touched); /* out: every row that is not 1 any more */
  /* Puts a layer of one colour over sums, [4, height + UI_COLUMN_PADDING]: red, green, blue
   * premultiplied, alpha. rows: the touched ones, which are set back to 1. covered: part of the
   * column's breadth that has links. */
  void (*composite) (float               *column,
                     int                  height,
                     const UiRowRange    *rows,
                     const float         *rgb,
                     float                covered,
                     float               *sums);
} UiRasterKernels;

const UiRasterKernels *ui_raster_kernels_get       (void);
/* The plain ones, to compare with. */
const UiRasterKernels *ui_raster_kernels_get_plain (void);

G_END_DECLS
