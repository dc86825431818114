/* SPDX-License-Identifier: MIT */
#include "engine/spec/positions.h"

#include <math.h>
#include <string.h>

#define SINUSOID_BASE 10000.0

void
eng_positions_fill (const EngSpec *spec,
                    const gint32  *ids,
                    int            n,
                    gint32        *positions)
{
  const EngEmbeddingSpec *embedding = &spec->embedding;
  int next = embedding->position_offset;

  for (int i = 0; i < n; i++) {
    gboolean padding = embedding->positions == ENG_POSITIONS_SKIP_PADDING &&
                       ids[i] == spec->pad_id;

    positions[i] = padding ? embedding->position_offset - 1 : next++;
  }
}

/* Of column c of half ones. All but open ones are float32 in the reference, which is visible in the
 * last rows of a long table. */
static double
get_angle (EngSinusoid sinusoid,
           int         row,
           int         c,
           int         half,
           int         n_columns)
{
  float step = (float) (log (SINUSOID_BASE) / (half - 1));
  float exponent = (float) (2 * c) / (float) n_columns;

  if (sinusoid == ENG_SINUSOID_OPEN)
    return row / pow (SINUSOID_BASE, 2.0 * c / n_columns);
  if (sinusoid == ENG_SINUSOID_SINGLE)
    return (double) ((float) row * (1 / powf ((float) SINUSOID_BASE, exponent)));

  return (double) ((float) row * expf ((float) c * -step));
}

void
eng_positions_fill_sinusoid (EngSinusoid sinusoid,
                             int         first_row,
                             int         n_rows,
                             int         n_columns,
                             float      *table)
{
  gboolean closed = sinusoid == ENG_SINUSOID_CLOSED;
  int n_sines = closed ? n_columns / 2 : (n_columns + 1) / 2;
  int n_used = closed ? 2 * n_sines : n_columns;

  memset (table, 0, (gsize) n_rows * n_columns * sizeof *table);
  for (int row = first_row; row < n_rows; row++)
    for (int column = 0; column < n_used; column++) {
      int c = column < n_sines ? column : column - n_sines;
      double angle = get_angle (sinusoid, row, c, n_sines, n_columns);

      table[(gsize) row * n_columns + column] = (float) (column < n_sines ? sin (angle)
                                                                           : cos (angle));
    }
}

/* Frequencies of long wavelengths are divided by factor, those of short ones kept, between the two
 * they are mixed (Llama 3). */
static float
stretch_by_length (const EngRotary *rotary,
                   float            frequency)
{
  float wavelength = (float) (2 * G_PI) / frequency;
  float n = (float) rotary->original_positions;
  float factor = (float) rotary->factor;
  float low = (float) rotary->low_frequency_factor;
  float range = (float) (rotary->high_frequency_factor - rotary->low_frequency_factor);
  float smooth;

  if (wavelength < (float) (rotary->original_positions / rotary->high_frequency_factor))
    return frequency;
  if (wavelength > (float) (rotary->original_positions / rotary->low_frequency_factor))
    return frequency / factor;

  smooth = (n / wavelength - low) / range;
  return (1 - smooth) * frequency / factor + smooth * frequency;
}

/* wave: 1 / frequency */
static float
stretch_by_ramp (const EngRotary *rotary,
                 float            wave,
                 int              c)
{
  float width = (float) (rotary->ramp_end - rotary->ramp_begin);
  float way = ((float) c - (float) rotary->ramp_begin) / width;
  float kept = 1 - CLAMP (way, 0, 1);

  return 1.0f / ((float) rotary->factor * wave) * (1 - kept) + 1.0f / wave * kept;
}

static float
get_base (const EngRotary *rotary,
          int              n_tokens)
{
  float n = (float) rotary->original_positions;
  float exponent = (float) ((double) rotary->size / (rotary->size - 2));
  float stretch;

  if (rotary->scaling != ENG_ROTARY_DYNAMIC || n_tokens <= rotary->original_positions)
    return (float) rotary->base;

  stretch = (float) rotary->factor * (float) n_tokens / n - (float) (rotary->factor - 1);
  return (float) rotary->base * (float) pow ((double) stretch, (double) exponent);
}

static float
get_frequency (const EngRotary        *rotary,
               const EngRotaryFactors *factors,
               int                     n_tokens,
               float                   base,
               int                     c)
{
  const float *divisors = n_tokens > rotary->original_positions ? factors->beyond
                                                                : factors->within;
  float exponent = (float) (2 * c) / (float) rotary->size;
  float wave = (float) pow ((double) base, (double) exponent);
  float frequency = 1.0f / wave;

  switch (rotary->scaling) {
  case ENG_ROTARY_LINEAR:
    return frequency / (float) rotary->factor;
  case ENG_ROTARY_BY_LENGTH:
    return stretch_by_length (rotary, frequency);
  case ENG_ROTARY_LONG:
    return 1.0f / (divisors[c] * wave);
  case ENG_ROTARY_BY_RAMP:
    return stretch_by_ramp (rotary, wave, c);
  case ENG_ROTARY_PLAIN:
  case ENG_ROTARY_DYNAMIC:
  default:
    return frequency;
  }
}

static float
choose_frequency (const EngRotary        *rotary,
                  const EngRotaryFactors *factors,
                  const float            *given,
                  int                     n_tokens,
                  float                   base,
                  int                     c)
{
  return given != NULL ? given[c] : get_frequency (rotary, factors, n_tokens, base, c);
}

void
eng_rotary_fill_frequencies (const EngRotary        *rotary,
                             const EngRotaryFactors *factors,
                             const float            *given,
                             int                     n_tokens,
                             float                  *frequencies)
{
  float base = get_base (rotary, n_tokens);

  for (int c = 0; c < rotary->size / 2; c++)
    frequencies[c] = choose_frequency (rotary, factors, given, n_tokens, base, c);
}

void
eng_rotary_fill (const EngRotary        *rotary,
                 const EngRotaryFactors *factors,
                 const float            *frequencies,
                 const gint32           *positions,
                 int                     n,
                 int                     n_tokens,
                 float                  *turns)
{
  int half = rotary->size / 2;
  float base = get_base (rotary, n_tokens);
  float factor = rotary->attention_factor != 0 ? (float) rotary->attention_factor : 1;

  for (int c = 0; c < half; c++) {
    float frequency = choose_frequency (rotary, factors, frequencies, n_tokens, base, c);

    for (int i = 0; i < n; i++) {
      float angle = (float) positions[i] * frequency;

      turns[(gsize) i * rotary->size + c] = factor * (float) cos ((double) angle);
      turns[(gsize) i * rotary->size + half + c] = factor * (float) sin ((double) angle);
    }
  }
}

/* x [2 · n_pairs] in place: pair c begins at step · c, its features stand apart. */
static inline void
turn_pairs (const float *cosines,
            const float *sines,
            int          n_pairs,
            int          step,
            int          apart,
            float       *x)
{
  for (int c = 0; c < n_pairs; c++) {
    float *pair = x + step * c;
    float first = pair[0], second = pair[apart];

    pair[0] = first * cosines[c] - second * sines[c];
    pair[apart] = second * cosines[c] + first * sines[c];
  }
}

void
eng_rotary_turn (const EngRotary *rotary,
                 const float     *turns,
                 int              n,
                 int              n_heads,
                 int              head_size,
                 gsize            stride,
                 float           *rows)
{
  int half = rotary->size / 2;

  for (int i = 0; i < n; i++) {
    const float *cosines = turns + (gsize) i * rotary->size;
    const float *sines = cosines + half;

    for (int head = 0; head < n_heads; head++) {
      float *x = rows + i * stride + (gsize) head * head_size;

      if (rotary->adjacent)
        turn_pairs (cosines, sines, half, 2, 1, x);
      else
        turn_pairs (cosines, sines, half, 1, half, x);
    }
  }
}

/* In float32 as the reference: borders of rows may lie on whole numbers. */
static int
get_step (const EngRelativePositions *positions,
          int                         distance)
{
  int middle = positions->span / 2;
  int far = abs (distance);
  float step;

  if (positions->max_distance == 0 || far <= middle)
    return distance;

  step = logf ((float) far / (float) middle)
         / logf ((float) ((double) (positions->max_distance - 1) / middle))
         * (float) (middle - 1);
  return (distance < 0 ? -1 : 1) * ((int) ceilf (step) + middle);
}

/* Row of the whole table. */
static int
get_relative_row (const EngRelativePositions *positions,
                  int                         distance)
{
  return CLAMP (positions->span + get_step (positions, distance), 0, 2 * positions->span - 1);
}

int
eng_relative_positions_count_rows (const EngRelativePositions *positions,
                                   int                         n,
                                   int                        *first)
{
  *first = get_relative_row (positions, 1 - n);

  return get_relative_row (positions, n - 1) - *first + 1;
}

void
eng_relative_positions_fill (const EngRelativePositions *positions,
                             int                         n,
                             gint32                     *rows)
{
  int first = get_relative_row (positions, 1 - n);

  for (int distance = 1 - n; distance < n; distance++)
    rows[distance + n - 1] = get_relative_row (positions, distance) - first;
}

int
eng_relative_bias_get_bucket (const EngRelativeBias *bias,
                              int                    distance,
                              gboolean               two_sided)
{
  int n_buckets = two_sided ? bias->n_buckets / 2 : bias->n_buckets;
  int base = two_sided && distance > 0 ? n_buckets : 0;
  int far = two_sided ? abs (distance) : MAX (-distance, 0);
  int n_exact = n_buckets / 2;
  double step;

  if (far < n_exact)
    return base + far;

  /* In float32 as the reference: the borders of the buckets lie on whole numbers. */
  step = (double) (logf ((float) far / (float) n_exact)
                   / (float) log ((double) bias->max_distance / n_exact)
                   * (float) (n_buckets - n_exact));
  return base + (int) MIN (n_exact + floor (step), (double) (n_buckets - 1));
}

void
eng_relative_bias_fill (const EngRelativeBias *bias,
                        const float           *table,
                        int                    n_heads,
                        gboolean               two_sided,
                        int                    first,
                        int                    n,
                        float                 *out)
{
  gsize n_cells = (gsize) (n - first) * n;

  /* Along the diagonals, on which the distance is one. */
  for (int distance = 1 - n; distance < n - first; distance++) {
    const float *row = table + (gsize) eng_relative_bias_get_bucket (bias, distance, two_sided)
                               * n_heads;
    int last = MIN (n, n - distance);

    for (int query = MAX (first, -distance); query < last; query++)
      for (int head = 0; head < n_heads; head++)
        out[head * n_cells + (gsize) (query - first) * n + query + distance] = row[head];
  }
}
