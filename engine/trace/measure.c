/* SPDX-License-Identifier: MIT */
#include "engine/trace/measure.h"

#include <string.h>

#define N_LANES        8
#define MANTISSA_BITS  23         /* of a float */
#define SQRT_HALF_BITS 0x3f3504f3 /* √½ as a float */
#define LOG2_E         (1 / G_LN2)

/* w log2 w without a call or a branch, so that a processor takes several at once: w = 2^e m with m
 * from √½ to √2 and ln m = 2 artanh t, t = (m - 1) / (m + 1), of whose series seven terms leave
 * less than 1e-11. 0 gives 0, as 0 log 0 is, and so does what is less. */
static inline double
weigh_bits (float weight)
{
  gint32 bits, e;
  double t, square, series;
  float m;

  weight = MAX (weight, 0);
  memcpy (&bits, &weight, sizeof bits);
  e = (bits - SQRT_HALF_BITS) >> MANTISSA_BITS;
  bits -= e * (1 << MANTISSA_BITS);
  memcpy (&m, &bits, sizeof m);
  t = ((double) m - 1) / ((double) m + 1);
  square = t * t;
  series = 1.0 / 9 + square * (1.0 / 11 + square / 13);
  series = 1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * series)));

  return weight * (e + 2 * LOG2_E * t * series);
}

gboolean
eng_measure_has_pair (const EngTokens *queries,
                      const EngTokens *keys)
{
  gboolean has[2] = { FALSE, FALSE };

  for (int i = 0; i < queries->n; i++)
    has[queries->segments[i] != 0] = TRUE;
  for (int i = 0; i < keys->n; i++)
    has[keys->segments[i] != 0] = TRUE;

  return has[0] && has[1];
}

gboolean
eng_measure_pair_share (const EngAttention *attention,
                        const EngTokens    *queries,
                        const EngTokens    *keys,
                        float              *share)
{
  gsize n_cells = (gsize) attention->n_queries * attention->n_keys;
  g_autofree guint8 *padding = NULL;
  int n_rows = 0;

  if (!eng_measure_has_pair (queries, keys))
    return FALSE;

  padding = eng_measure_mark_padding (attention, queries, keys);
  for (int query = 0; query < attention->n_queries; query++)
    n_rows += !padding || !padding[query];
  for (int head = 0; head < attention->n_heads; head++) {
    const float *weights = attention->weights + head * n_cells;
    double across = 0;

    for (int query = 0; query < attention->n_queries; query++, weights += attention->n_keys)
      for (int key = 0; key < attention->n_keys && (!padding || !padding[query]); key++)
        if (keys->segments[key] != queries->segments[query])
          across += weights[key];
    share[head] = (float) (across / MAX (n_rows, 1));
  }

  return TRUE;
}

double
eng_measure_entropy (const float *weights,
                     gsize        n)
{
  double lanes[N_LANES] = { 0 };
  double sum = 0;
  gsize i = 0;

  for (; i + N_LANES <= n; i += N_LANES)
    for (int lane = 0; lane < N_LANES; lane++)
      lanes[lane] += weigh_bits (weights[i + lane]);
  for (; i < n; i++)
    sum += weigh_bits (weights[i]);
  for (int lane = 0; lane < N_LANES; lane++)
    sum += lanes[lane];

  /* No -0 of a row that gives all to one key. */
  return 0 - sum;
}

guint8 *
eng_measure_mark_padding (const EngAttention *attention,
                          const EngTokens    *queries,
                          const EngTokens    *keys)
{
  gsize n = (gsize) attention->n_keys;
  g_autofree guint8 *padding = NULL;

  if (!attention->mask || queries != keys)
    return NULL;

  padding = g_memdup2 (queries->special, n);
  /* The last token of a causal stack sees all others: most often one row decides. */
  for (gsize query = n; query-- > 0 && memchr (padding, 1, n);)
    for (gsize key = 0; key < n; key++)
      padding[key] &= attention->mask[query * n + key] == 0;

  return memchr (padding, 1, n) ? g_steal_pointer (&padding) : NULL;
}
