/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/raster-kernels.h"

#include <math.h>

#if defined (__x86_64__) || defined (__i386__)
#define HAVE_AVX2_KERNELS
#include <immintrin.h>
#endif

/* Across a stroke of width w, a pixel at a distance is covered by (w + s) / 2 - distance, at least
 * 0 and at most the smaller of w and s, over s: the overlap of two boxes of width w and s. s is
 * what the pixel measures across the stroke: 1, or more in a broad column where the stroke climbs
 * while it crosses. The distance across is the vertical one times the cosine of the slope. */

static void
stroke_plain (float               *column,
              int                  height,
              const UiLinkStrokes *strokes,
              int                  first,
              int                  n,
              float                along,
              float                slope,
              float                breadth,
              UiRowRange          *touched)
{
  *touched = (UiRowRange) { height, 0 };
  for (int i = first; i < first + n; i++) {
    float center = strokes->y[i] + strokes->climb[i] * along;
    float steepness = strokes->climb[i] * slope;
    float secant = sqrtf (1 + steepness * steepness);
    float cosine = 1 / secant;
    float pixel = MAX (fabsf (steepness) * cosine * breadth, 1.0f);
    float half = 0.5f * (strokes->width[i] + pixel);
    float most = MIN (strokes->width[i], pixel);
    float alpha = strokes->alpha[i] / pixel;
    int start = (int) MAX (center - half * secant + 0.5f, 0.0f);
    int end = (int) MIN (center + half * secant + 0.5f, (float) height);

    if (start >= end)
      continue;
    touched->first = MIN (touched->first, start);
    touched->end = MAX (touched->end, end);
    for (int y = start; y < end; y++) {
      float coverage = half - fabsf (y + 0.5f - center) * cosine;

      column[y] *= 1 - alpha * CLAMP (coverage, 0.0f, most);
    }
  }
}

static void
composite_plain (float            *column,
                 int               height,
                 const UiRowRange *rows,
                 const float      *rgb,
                 float             covered,
                 float            *sums)
{
  int stride = height + UI_COLUMN_PADDING;

  for (int y = rows->first; y < rows->end; y++) {
    float alpha = (1 - column[y]) * covered;
    float through = 1 - alpha;

    sums[y] = sums[y] * through + rgb[0] * alpha;
    sums[stride + y] = sums[stride + y] * through + rgb[1] * alpha;
    sums[2 * stride + y] = sums[2 * stride + y] * through + rgb[2] * alpha;
    sums[3 * stride + y] = sums[3 * stride + y] * through + alpha;
    column[y] = 1;
  }
}

static const UiRasterKernels plain_kernels = { stroke_plain, composite_plain };

#ifdef HAVE_AVX2_KERNELS

#define LANES 8

/* What stroke_plain() computes before its inner loop, for LANES links. */
typedef struct {
  __m256i lowest;      /* of all starts and ends so far */
  __m256i highest;
  float offset[LANES]; /* of the middle of the first pixel from the center */
  float cosine[LANES];
  float half[LANES];
  float most[LANES];
  float alpha[LANES];
  int   start[LANES];
  int   end[LANES];
} Spans;

/* Reads LANES links from i on, the last of which may be padding. Returns a bit for each that
 * touches the column. */
__attribute__ ((target ("avx2,fma")))
static inline guint
find_spans (Spans               *spans,
            const UiLinkStrokes *strokes,
            int                  i,
            float                height,
            float                along,
            float                slope,
            float                breadth)
{
  const __m256 one = _mm256_set1_ps (1), point_five = _mm256_set1_ps (0.5f);
  __m256 climb = _mm256_loadu_ps (strokes->climb + i);
  __m256 width = _mm256_loadu_ps (strokes->width + i);
  __m256 center = _mm256_fmadd_ps (climb, _mm256_set1_ps (along), _mm256_loadu_ps (strokes->y + i));
  __m256 steepness = _mm256_mul_ps (climb, _mm256_set1_ps (slope));
  __m256 secant = _mm256_sqrt_ps (_mm256_fmadd_ps (steepness, steepness, one));
  __m256 cosine = _mm256_div_ps (one, secant);
  __m256 rise = _mm256_andnot_ps (_mm256_set1_ps (-0.0f), _mm256_mul_ps (steepness, cosine));
  __m256 pixel = _mm256_max_ps (_mm256_mul_ps (rise, _mm256_set1_ps (breadth)), one);
  __m256 half = _mm256_mul_ps (point_five, _mm256_add_ps (width, pixel));
  __m256 low = _mm256_add_ps (_mm256_fnmadd_ps (half, secant, center), point_five);
  __m256 high = _mm256_add_ps (_mm256_fmadd_ps (half, secant, center), point_five);
  __m256i start = _mm256_cvttps_epi32 (_mm256_max_ps (low, _mm256_setzero_ps ()));
  __m256i end = _mm256_cvttps_epi32 (_mm256_min_ps (high, _mm256_set1_ps (height)));
  __m256i touching = _mm256_cmpgt_epi32 (end, start);

  spans->lowest = _mm256_blendv_epi8 (spans->lowest, _mm256_min_epi32 (spans->lowest, start),
                                      touching);
  spans->highest = _mm256_max_epi32 (spans->highest, _mm256_and_si256 (end, touching));
  _mm256_storeu_ps (spans->offset, _mm256_sub_ps (_mm256_cvtepi32_ps (start), center));
  _mm256_storeu_ps (spans->cosine, cosine);
  _mm256_storeu_ps (spans->half, half);
  _mm256_storeu_ps (spans->most, _mm256_min_ps (width, pixel));
  _mm256_storeu_ps (spans->alpha, _mm256_div_ps (_mm256_loadu_ps (strokes->alpha + i), pixel));
  _mm256_storeu_si256 ((__m256i *) spans->start, start);
  _mm256_storeu_si256 ((__m256i *) spans->end, end);
  return (guint) _mm256_movemask_ps (_mm256_castsi256_ps (touching));
}

__attribute__ ((target ("avx2,fma")))
static inline void
stroke_span (float       *column,
             const Spans *spans,
             int          lane)
{
  const __m256 steps = _mm256_setr_ps (0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f);
  const __m256 one = _mm256_set1_ps (1), zero = _mm256_setzero_ps ();
  __m256 offset = _mm256_add_ps (steps, _mm256_broadcast_ss (&spans->offset[lane]));
  __m256 cosine = _mm256_broadcast_ss (&spans->cosine[lane]);
  __m256 half = _mm256_broadcast_ss (&spans->half[lane]);
  __m256 most = _mm256_broadcast_ss (&spans->most[lane]);
  __m256 alpha = _mm256_broadcast_ss (&spans->alpha[lane]);
  float *end = column + spans->end[lane];

  for (float *pixel = column + spans->start[lane]; pixel < end; pixel += LANES) {
    __m256 distance = _mm256_andnot_ps (_mm256_set1_ps (-0.0f), offset);
    __m256 coverage = _mm256_fnmadd_ps (distance, cosine, half);
    __m256 through;

    coverage = _mm256_max_ps (_mm256_min_ps (coverage, most), zero);
    through = _mm256_fnmadd_ps (alpha, coverage, one);
    _mm256_storeu_ps (pixel, _mm256_mul_ps (_mm256_loadu_ps (pixel), through));
    offset = _mm256_add_ps (offset, _mm256_set1_ps (LANES));
  }
}

__attribute__ ((target ("avx2,fma")))
static void
stroke_avx2 (float               *column,
             int                  height,
             const UiLinkStrokes *strokes,
             int                  first,
             int                  n,
             float                along,
             float                slope,
             float                breadth,
             UiRowRange          *touched)
{
  Spans spans = { .lowest = _mm256_set1_epi32 (height), .highest = _mm256_setzero_si256 () };
  int lowest[LANES], highest[LANES];

  for (int i = 0; i < n; i += LANES) {
    guint touching = find_spans (&spans, strokes, first + i, (float) height, along, slope, breadth);

    if (n - i < LANES)
      touching &= (1u << (n - i)) - 1;
    for (; touching != 0; touching &= touching - 1)
      stroke_span (column, &spans, __builtin_ctz (touching));
  }

  _mm256_storeu_si256 ((__m256i *) lowest, spans.lowest);
  _mm256_storeu_si256 ((__m256i *) highest, spans.highest);
  *touched = (UiRowRange) { height, 0 };
  for (int lane = 0; lane < LANES; lane++) {
    touched->first = MIN (touched->first, lowest[lane]);
    touched->end = MAX (touched->end, highest[lane]);
  }
}

__attribute__ ((target ("avx2,fma")))
static void
composite_avx2 (float            *column,
                int               height,
                const UiRowRange *rows,
                const float      *rgb,
                float             covered,
                float            *sums)
{
  const __m256 one = _mm256_set1_ps (1), part = _mm256_set1_ps (covered);
  const __m256 over[4] = {
    _mm256_set1_ps (rgb[0]), _mm256_set1_ps (rgb[1]), _mm256_set1_ps (rgb[2]), one
  };
  int stride = height + UI_COLUMN_PADDING;

  for (int y = rows->first; y < rows->end; y += LANES) {
    __m256 left = _mm256_loadu_ps (column + y);
    __m256 alpha, through;

    if (_mm256_movemask_ps (_mm256_cmp_ps (left, one, _CMP_NEQ_OQ)) == 0)
      continue;
    alpha = _mm256_mul_ps (_mm256_sub_ps (one, left), part);
    through = _mm256_sub_ps (one, alpha);
    for (int channel = 0; channel < 4; channel++) {
      float *sum = sums + channel * stride + y;
      __m256 own = _mm256_mul_ps (over[channel], alpha);

      _mm256_storeu_ps (sum, _mm256_fmadd_ps (_mm256_loadu_ps (sum), through, own));
    }
    _mm256_storeu_ps (column + y, one);
  }
}

static const UiRasterKernels avx2_kernels = { stroke_avx2, composite_avx2 };

#endif

const UiRasterKernels *
ui_raster_kernels_get (void)
{
#ifdef HAVE_AVX2_KERNELS
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"))
    return &avx2_kernels;
#endif
  return &plain_kernels;
}

const UiRasterKernels *
ui_raster_kernels_get_plain (void)
{
  return &plain_kernels;
}
