/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/weights.h"

#include <math.h>
#include <string.h>

#include "engine/trace/measure.h"

#define N_LANES     16
#define ROUNDING    1e-6       /* of a sum of floats */
#define HIGHEST_BIT (1u << 30) /* of a float but for its sign */

static const float *
get_row (const UiWeights *self,
         int              head,
         int              query)
{
  const EngAttention *attention = self->attention;

  return attention->weights + ((gsize) head * attention->n_queries + query) * attention->n_keys;
}

static gboolean
passes (const EngTokens *tokens,
        int              token,
        gboolean         all,
        int              segment,
        gboolean         hide_special)
{
  return (all || tokens->segments[token] == segment) && !(hide_special && tokens->special[token]);
}

/* ab = rows of A, columns of B. */
static void
mark_passing (UiWeights *self,
              UiFilter   filter,
              gboolean   hide_special)
{
  int query_segment = filter == UI_FILTER_BA || filter == UI_FILTER_BB;
  int key_segment = filter == UI_FILTER_AB || filter == UI_FILTER_BB;
  gboolean all = filter == UI_FILTER_ALL;

  for (int i = 0; i < self->attention->n_queries; i++)
    self->query_passes[i] = passes (self->block.queries, i, all, query_segment, hide_special);
  for (int i = 0; i < self->attention->n_keys; i++)
    self->key_passes[i] = passes (self->block.keys, i, all, key_segment, hide_special);
}

/* What padding reads is no part of what the model does; who wants to see it pins the token. */
static void
leave_out_padding (UiWeights    *self,
                   const UiPins *pins)
{
  g_autofree guint8 *padding =
    eng_measure_mark_padding (self->attention, self->block.queries, self->block.keys);

  for (int i = 0; i < self->attention->n_queries && padding != NULL; i++) {
    if (!padding[i] || ui_pins_has (pins, FALSE, ui_block_get_token (&self->block, FALSE, i)))
      continue;
    self->query_passes[i] = FALSE;
    self->n_left_out++;
  }
}

/* A row that the filter leaves nothing of stays 0. What is drawn are parts of a row then, whatever
 * the measure. */
static void
find_row_scales (UiWeights *self)
{
  const EngAttention *attention = self->attention;
  gsize n = 0;

  self->row_scale = g_new0 (float, (gsize) attention->n_heads * attention->n_queries);
  for (int head = 0; head < attention->n_heads; head++) {
    for (int query = 0; query < attention->n_queries; query++, n++) {
      const float *row = get_row (self, head, query);
      double sum = 0;

      for (int key = 0; key < attention->n_keys; key++)
        sum += self->key_passes[key] ? row[key] : 0;
      self->row_scale[n] = sum > 0 ? (float) (1 / sum) : 0;
    }
  }
  self->block.unit = 1;
}

/* A sum in as many parts as a processor adds at once. n: a multiple of N_LANES. */
static double
sum_from (const float *values,
          int          n,
          float        floor)
{
  float lanes[N_LANES] = { 0 };
  double sum = 0;

  for (int i = 0; i < n; i += N_LANES)
    for (int lane = 0; lane < N_LANES; lane++)
      lanes[lane] += values[i + lane] >= floor ? values[i + lane] : 0.0f;
  for (int lane = 0; lane < N_LANES; lane++)
    sum += lanes[lane];
  return sum;
}

/* Positive floats are in the order of their bits. */
static float
float_from_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* The value of the weakest key that is needed to reach the part of the row that is kept; equal ones
 * are kept with it. Found bit by bit, which takes as long for every row. values: room for n_keys
 * and N_LANES more. */
static float
find_floor (const UiWeights *self,
            int              head,
            int              query,
            double           mass,
            float           *values)
{
  const float *row = get_row (self, head, query);
  int n_keys = self->attention->n_keys;
  int n = (n_keys + N_LANES - 1) / N_LANES * N_LANES;
  guint32 bits = 0;
  double wanted;

  for (int key = 0; key < n; key++)
    values[key] = key < n_keys && self->key_passes[key] ? row[key] : 0;
  wanted = mass * sum_from (values, n, 0) * (1 - ROUNDING);
  for (guint32 bit = HIGHEST_BIT; bit != 0 && wanted > 0; bit >>= 1) {
    float floor = float_from_bits (bits | bit);

    if (isfinite (floor) && sum_from (values, n, floor) >= wanted)
      bits |= bit;
  }
  return float_from_bits (bits);
}

static void
find_row_floors (UiWeights *self,
                 double     mass)
{
  const EngAttention *attention = self->attention;
  g_autofree float *values = g_new (float, attention->n_keys + N_LANES);

  self->row_floor = g_new0 (float, (gsize) attention->n_heads * attention->n_queries);
  for (int i = 0; i < self->n_heads; i++) {
    for (int query = 0; query < attention->n_queries; query++) {
      gsize row = (gsize) self->heads[i] * attention->n_queries + query;
      double floor = find_floor (self, self->heads[i], query, mass, values);

      /* Of the values that are drawn, as ui_weights_draws() rounds them. */
      if (self->row_scale != NULL)
        floor *= self->row_scale[row];
      self->row_floor[row] = (float) floor;
    }
  }
}

/* What is masked is so for the heads that are shown. */
static void
see_heads (UiWeights *self)
{
  EngAttention *seen = eng_attention_dup_seen (self->block.attention, self->heads, self->n_heads);

  eng_attention_unref (self->block.attention);
  self->attention = self->block.attention = seen;
}

gboolean
ui_weights_init (UiWeights         *self,
                 EngTrace          *trace,
                 const UiDocument  *document,
                 EngKind            kind,
                 int                layer,
                 const UiWatch     *watch,
                 GError           **error)
{
  gboolean one_head = ui_view_get (document->view)->has_one_head;
  const EngAttention *attention;

  *self = (UiWeights) {
    .threshold = document->threshold,
    .gain = document->gain,
  };
  if (!ui_block_compute (&self->block, trace, document, kind, layer, watch, error))
    return FALSE;

  attention = self->attention = self->block.attention;
  self->heads = g_new (int, attention->n_heads);
  self->query_passes = g_new (guint8, attention->n_queries);
  self->key_passes = g_new (guint8, attention->n_keys);
  for (int head = 0; head < attention->n_heads; head++) {
    if ((self->block.is_aggregate || ui_head_set_has (&document->heads, head)) &&
        !(one_head && self->n_heads == 1))
      self->heads[self->n_heads++] = head;
  }
  see_heads (self);
  mark_passing (self, one_head ? UI_FILTER_ALL : document->filter,
                document->hide_special && !one_head);
  leave_out_padding (self, &document->pins);
  if (document->renormalise && !one_head &&
      (document->filter != UI_FILTER_ALL || document->hide_special))
    find_row_scales (self);
  self->threshold *= self->block.unit;
  if (document->mass < 1 && !one_head)
    find_row_floors (self, document->mass);

  return TRUE;
}

void
ui_weights_clear (UiWeights *self)
{
  ui_block_clear (&self->block);
  g_clear_pointer (&self->heads, g_free);
  g_clear_pointer (&self->query_passes, g_free);
  g_clear_pointer (&self->key_passes, g_free);
  g_clear_pointer (&self->row_scale, g_free);
  g_clear_pointer (&self->row_floor, g_free);
}

double
ui_weights_get (const UiWeights *self,
                int              head,
                int              query,
                int              key)
{
  double weight;

  if (!self->query_passes[query] || !self->key_passes[key])
    return 0;
  weight = get_row (self, head, query)[key];
  if (self->row_scale != NULL)
    weight *= self->row_scale[(gsize) head * self->attention->n_queries + query];
  return weight;
}

gboolean
ui_weights_draws (const UiWeights *self,
                  int              head,
                  int              query,
                  double           value)
{
  return value > 0 && value >= self->threshold && ui_weights_keeps (self, head, query, value);
}

gboolean
ui_weights_keeps (const UiWeights *self,
                  int              head,
                  int              query,
                  double           value)
{
  gsize row = (gsize) head * self->attention->n_queries + query;

  return self->row_floor == NULL || (value > 0 && (float) value >= self->row_floor[row]);
}

double
ui_weights_get_strength (const UiWeights *self,
                         double           value)
{
  return value / self->block.unit;
}

guint8
ui_weights_get_alpha (const UiWeights *self,
                      double           value)
{
  double opacity = ui_weights_get_strength (self, value) * self->gain;

  return (guint8) (CLAMP (opacity, 0.0, 1.0) * 255.0 + 0.5);
}

double
ui_weights_sum (const UiWeights *self,
                const UiPins    *pins,
                int              head,
                gboolean         key,
                int              token)
{
  gboolean own_pins = (key ? pins->n_keys : pins->n_queries) > 0;
  const int *others = key ? pins->queries : pins->keys;
  int n_others = key ? pins->n_queries : pins->n_keys;
  double sum = 0;

  if (own_pins && !ui_pins_has (pins, key, token))
    return 0;
  for (int i = 0; i < n_others; i++)
    sum += key ? ui_weights_get (self, head, others[i], token)
               : ui_weights_get (self, head, token, others[i]);
  return sum;
}

double
ui_weights_mean (const UiWeights *self,
                 const UiPins    *pins,
                 gboolean         key,
                 int              token)
{
  double sum = 0;

  for (int i = 0; i < self->n_heads; i++)
    sum += ui_weights_sum (self, pins, self->heads[i], key, token);
  return sum / MAX (self->n_heads, 1);
}
