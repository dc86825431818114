/* SPDX-License-Identifier: MIT */
#include "ui/scene/weights.h"

#include "engine/trace/measure.h"

static const float *
get_row (const UiWeights *self,
         int              head,
         int              query)
{
  const EngAttention *attention = self->attention;

  return attention->weights + ((gsize) head * attention->n_queries + query) * attention->n_keys;
}

/* ab = rows of A, columns of B. */
static void
mark_passing (UiWeights       *self,
              const EngTokens *queries,
              const EngTokens *keys,
              UiFilter         filter)
{
  int query_segment = filter == UI_FILTER_BA || filter == UI_FILTER_BB;
  int key_segment = filter == UI_FILTER_AB || filter == UI_FILTER_BB;

  for (int i = 0; i < self->attention->n_queries; i++)
    self->query_passes[i] = filter == UI_FILTER_ALL || queries->segments[i] == query_segment;
  for (int i = 0; i < self->attention->n_keys; i++)
    self->key_passes[i] = filter == UI_FILTER_ALL || keys->segments[i] == key_segment;
}

/* What padding reads is no part of what the model does; who wants to see it pins the token. */
static void
leave_out_padding (UiWeights       *self,
                   const EngTokens *queries,
                   const EngTokens *keys,
                   const UiPins    *pins)
{
  g_autofree guint8 *padding = eng_measure_mark_padding (self->attention, queries, keys);

  for (int i = 0; i < self->attention->n_queries && padding != NULL; i++) {
    if (!padding[i] || ui_pins_has (pins, FALSE, i))
      continue;
    self->query_passes[i] = FALSE;
    self->n_left_out++;
  }
}

/* A row that the filter leaves nothing of stays 0. */
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
}

void
ui_weights_init (UiWeights        *self,
                 EngAttention     *attention,
                 const EngTokens  *queries,
                 const EngTokens  *keys,
                 const UiDocument *document)
{
  gboolean one_head = document->view == UI_VIEW_NEURON;

  *self = (UiWeights) {
    .attention = eng_attention_ref (attention),
    .heads = g_new (int, attention->n_heads),
    .query_passes = g_new (guint8, attention->n_queries),
    .key_passes = g_new (guint8, attention->n_keys),
    .threshold = document->threshold,
  };

  for (int head = 0; head < attention->n_heads; head++) {
    if (ui_head_set_has (&document->heads, head) && !(one_head && self->n_heads == 1))
      self->heads[self->n_heads++] = head;
  }
  mark_passing (self, queries, keys, one_head ? UI_FILTER_ALL : document->filter);
  leave_out_padding (self, queries, keys, &document->pins);
  if (document->renormalise && document->filter != UI_FILTER_ALL && !one_head)
    find_row_scales (self);
}

void
ui_weights_clear (UiWeights *self)
{
  g_clear_pointer (&self->attention, eng_attention_unref);
  g_clear_pointer (&self->heads, g_free);
  g_clear_pointer (&self->query_passes, g_free);
  g_clear_pointer (&self->key_passes, g_free);
  g_clear_pointer (&self->row_scale, g_free);
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
