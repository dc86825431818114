/* SPDX-License-Identifier: MIT */
#include "ui/scene/raster-kernels.h"

#include <math.h>

#if defined (__x86_64__) || defined (__i386__)
#define HAVE_AVX2_KERNELS
#include <immintrin.h>
#endif

/* Across a stroke of width w, a pixel is covered by w/2 + 1/2 - distance, at most by the smaller of 1 and w: the
 * overlap of two boxes of width 1 and w. Distance across is vertical distance times the cosine of the slope. */

static void
stroke_plain (float               *column,
              int                  height,
              const UiLinkStrokes *strokes,
              int                  first,
              int                  n,
              float                along,
              float                slope,
              float                covered)
{
  for (int i = first; i < first + n; i++) {
    float center = strokes->y[i] + strokes->climb[i] * along;
    float steepness = strokes->climb[i] * slope;
    float secant = sqrtf (1 + steepness * steepness);
    float cosine = 1 / secant;
    float half = 0.5f * strokes->width[i] + 0.5f;
    float most = MIN (strokes->width[i], 1.0f);
    float alpha = strokes->alpha[i] * covered;
    int start = (int) MAX (center - half * secant + 0.5f, 0.0f);
    int end = (int) MIN (center + half * secant + 0.5f, (float) height);

    for (int y = start; y < end; y++) {
      float coverage = half - fabsf (y + 0.5f - center) * cosine;

      column[y] *= 1 - alpha * CLAMP (coverage, 0.0f, most);
    }
  }
}

static void
composite_plain (float       *column,
                 int          height,
                 const float *rgb,
                 float       *sums)
{
  int stride = height + UI_COLUMN_PADDING;

  for (int y = 0; y < height; y++) {
    float through = column[y];
    float alpha = 1 - through;

    sums[y] = sums[y] * through + rgb[0] * alpha;
    sums[stride + y] = sums[stride + y] * through + rgb[1] * alpha;
    sums[2 * stride + y] = sums[2 * stride + y] * through + rgb[2] * alpha;
    sums[3 * stride + y] = sums[3 * stride + y] * through + alpha;
  }
  for (int y = 0; y < stride; y++)
    column[y] = 1;
}

static const UiRasterKernels plain_kernels = { stroke_plain, composite_plain };

#ifdef HAVE_AVX2_KERNELS

#define LANES 8

/* What stroke_plain() computes before its inner loop, for LANES links. */
typedef struct {
  float center[LANES];
  float cosine[LANES];
  float half[LANES];
  float most[LANES];
  float alpha[LANES];
  int   start[LANES];
  int   end[LANES];
} Spans;

/* Reads LANES links from i on; behind the last one they are of no consequence. */
__attribute__ ((target ("avx2,fma")))
static inline void
find_spans (Spans               *spans,
            const UiLinkStrokes *strokes,
            int                  i,
            int                  height,
            __m256               along,
            __m256               slope,
            __m256               covered)
{
  const __m256 one = _mm256_set1_ps (1), point_five = _mm256_set1_ps (0.5f);
  __m256 climb = _mm256_loadu_ps (strokes->climb + i);
  __m256 width = _mm256_loadu_ps (strokes->width + i);
  __m256 center = _mm256_fmadd_ps (climb, along, _mm256_loadu_ps (strokes->y + i));
  __m256 steepness = _mm256_mul_ps (climb, slope);
  __m256 secant = _mm256_sqrt_ps (_mm256_fmadd_ps (steepness, steepness, one));
  __m256 half = _mm256_fmadd_ps (point_five, width, point_five);
  __m256 start = _mm256_add_ps (_mm256_fnmadd_ps (half, secant, center), point_five);
  __m256 end = _mm256_add_ps (_mm256_fmadd_ps (half, secant, center), point_five);

  start = _mm256_max_ps (start, _mm256_setzero_ps ());
  end = _mm256_min_ps (end, _mm256_set1_ps ((float) height));
  _mm256_storeu_ps (spans->center, center);
  _mm256_storeu_ps (spans->cosine, _mm256_div_ps (one, secant));
  _mm256_storeu_ps (spans->half, half);
  _mm256_storeu_ps (spans->most, _mm256_min_ps (width, one));
  _mm256_storeu_ps (spans->alpha, _mm256_mul_ps (_mm256_loadu_ps (strokes->alpha + i), covered));
  _mm256_storeu_si256 ((__m256i *) spans->start, _mm256_cvttps_epi32 (start));
  _mm256_storeu_si256 ((__m256i *) spans->end, _mm256_cvttps_epi32 (end));
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
             float                covered)
{
  const __m256 steps = _mm256_setr_ps (0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f);
  const __m256 sign = _mm256_set1_ps (-0.0f), one = _mm256_set1_ps (1), zero = _mm256_setzero_ps ();
  Spans spans;

  for (int i = 0; i < n; i++) {
    int lane = i % LANES;
    __m256 cosine, half, most, alpha, offset;

    if (lane == 0)
      find_spans (&spans, strokes, first + i, height,
                  _mm256_set1_ps (along), _mm256_set1_ps (slope), _mm256_set1_ps (covered));
    if (spans.start[lane] >= spans.end[lane])
      continue;
    cosine = _mm256_broadcast_ss (&spans.cosine[lane]);
    half = _mm256_broadcast_ss (&spans.half[lane]);
    most = _mm256_broadcast_ss (&spans.most[lane]);
    alpha = _mm256_broadcast_ss (&spans.alpha[lane]);
    offset = _mm256_sub_ps (steps, _mm256_broadcast_ss (&spans.center[lane]));
    for (int y = spans.start[lane]; y < spans.end[lane]; y += LANES) {
      __m256 distance = _mm256_andnot_ps (sign, _mm256_add_ps (offset, _mm256_set1_ps ((float) y)));
      __m256 coverage = _mm256_fnmadd_ps (distance, cosine, half);
      __m256 through;

      coverage = _mm256_max_ps (_mm256_min_ps (coverage, most), zero);
      through = _mm256_fnmadd_ps (alpha, coverage, one);
      _mm256_storeu_ps (column + y, _mm256_mul_ps (_mm256_loadu_ps (column + y), through));
    }
  }
}

__attribute__ ((target ("avx2,fma")))
static void
composite_avx2 (float       *column,
                int          height,
                const float *rgb,
                float       *sums)
{
  const __m256 one = _mm256_set1_ps (1);
  const __m256 over[4] = {
    _mm256_set1_ps (rgb[0]), _mm256_set1_ps (rgb[1]), _mm256_set1_ps (rgb[2]), one
  };
  int stride = height + UI_COLUMN_PADDING;

  for (int y = 0; y < height; y += LANES) {
    __m256 through = _mm256_loadu_ps (column + y);
    __m256 alpha = _mm256_sub_ps (one, through);

    if (_mm256_movemask_ps (_mm256_cmp_ps (through, one, _CMP_NEQ_OQ)) == 0)
      continue;
    for (int channel = 0; channel < 4; channel++) {
      float *sum = sums + channel * stride + y;

      _mm256_storeu_ps (sum, _mm256_fmadd_ps (_mm256_loadu_ps (sum), through, _mm256_mul_ps (over[channel], alpha)));
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
