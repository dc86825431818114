/* SPDX-License-Identifier: MIT */
#include "engine/trace/measure.h"

#include <math.h>
#include <string.h>

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
  double entropy = 0;

  /* 0 log 0 is 0. */
  for (gsize i = 0; i < n; i++)
    if (weights[i] > 0)
      entropy -= weights[i] * log2 (weights[i]);

  return entropy;
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
