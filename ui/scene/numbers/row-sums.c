/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/row-sums.h"

#include <math.h>

#define N_LANES 8

/* In as many parts as a processor adds at once. */
static double
sum_row (const float *values,
         int          n)
{
  float lanes[N_LANES] = { 0 };
  double sum = 0;
  int i = 0;

  for (; i + N_LANES <= n; i += N_LANES)
    for (int lane = 0; lane < N_LANES; lane++)
      lanes[lane] += values[i + lane];
  for (int lane = 0; lane < N_LANES; lane++)
    sum += lanes[lane];
  for (; i < n; i++)
    sum += values[i];
  return sum;
}

static gboolean
are_shares (const UiWeights *weights)
{
  const UiBlock *block = &weights->block;

  return block->measure == ENG_MEASURE_WEIGHT && block->heads != UI_AGGREGATE_MAX
         && block->layers != UI_AGGREGATE_MAX && weights->row_scale == NULL;
}

/* How often a row reads the key that it reads most often; 0 = it sees nothing. */
static int
count_readings (const EngAttention *attention,
                int                 head,
                int                 query)
{
  const guint8 *readings = eng_attention_get_mask (attention, head, query);
  int most = readings == NULL;

  for (int key = 0; readings != NULL && key < attention->n_keys; key++)
    most = MAX (most, readings[key]);
  return most;
}

void
ui_row_sums_init (UiRowSums *self)
{
  *self = (UiRowSums) { .least = INFINITY, .most = -INFINITY };
}

void
ui_row_sums_add (UiRowSums       *self,
                 const UiWeights *weights)
{
  const EngAttention *attention = weights->attention;
  gsize n_keys = (gsize) attention->n_keys;

  if (!are_shares (weights))
    return;
  for (int query = 0; query < attention->n_queries; query++) {
    if (!weights->query_passes[query])
      continue;
    for (int i = 0; i < weights->n_heads; i++) {
      gsize row = (gsize) weights->heads[i] * (gsize) attention->n_queries + (gsize) query;
      int n_readings = count_readings (attention, weights->heads[i], query);
      double sum;

      if (n_readings == 0)
        continue;
      self->is_part |= n_readings > 1;
      sum = sum_row (attention->weights + row * n_keys, attention->n_keys);
      self->least = MIN (self->least, sum);
      self->most = MAX (self->most, sum);
    }
  }
}

gboolean
ui_row_sums_are_one (const UiRowSums *self)
{
  return self->least > self->most
         || (self->least >= 1 - UI_ROW_SUM_TOLERANCE && self->most <= 1 + UI_ROW_SUM_TOLERANCE);
}
