/* SPDX-License-Identifier: MIT */
#include "engine/trace/induction.h"

#include <math.h>
#include <string.h>

#include "engine/trace/measure.h"

/* What followed the token where it stood before. */
static gboolean
is_target (const EngTokens *tokens,
           int              query,
           int              key)
{
  return key > 0 && key < query && !tokens->special[key - 1]
         && strcmp (tokens->texts[key - 1], tokens->texts[query]) == 0;
}

/* (transfer full) [n, n] bytes: 1 = the row counts and reads a target there. */
static guint8 *
mark_targets (const EngAttention *attention,
              const EngTokens    *tokens,
              int                *n_rows)
{
  g_autofree guint8 *padding = eng_measure_mark_padding (attention, tokens, tokens);
  const gsize n = (gsize) tokens->n;
  guint8 *targets = g_new0 (guint8, MAX (n * n, 1));

  *n_rows = 0;
  for (int query = 0; query < tokens->n; query++) {
    gboolean counts = FALSE;

    if (tokens->special[query] || (padding != NULL && padding[query]))
      continue;
    for (int key = 1; key < query; key++)
      if (is_target (tokens, query, key))
        counts = targets[(gsize) query * n + (gsize) key] = TRUE;
    *n_rows += counts;
  }

  return targets;
}

int
eng_induction_measure (const EngAttention *attention,
                       const EngTokens    *queries,
                       const EngTokens    *keys,
                       float              *scores)
{
  const gsize n_cells = (gsize) attention->n_queries * (gsize) attention->n_keys;
  g_autofree guint8 *targets = NULL;
  int n_rows = 0;

  if (queries == keys)
    targets = mark_targets (attention, queries, &n_rows);
  for (int head = 0; head < attention->n_heads; head++) {
    const float *weights = attention->weights + (gsize) head * n_cells;
    double sum = 0;

    for (gsize i = 0; n_rows > 0 && i < n_cells; i++)
      sum += targets[i] ? (double) weights[i] : 0;
    scores[head] = n_rows > 0 ? (float) MIN (sum / n_rows, 1) : NAN;
  }

  return n_rows;
}
