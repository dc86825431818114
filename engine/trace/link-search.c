/* SPDX-License-Identifier: MIT */
#include "engine/trace/link-search.h"

#include "engine/base/error.h"

int
eng_links_compare (gconstpointer a,
                   gconstpointer b)
{
  const EngFoundLink *first = a;
  const EngFoundLink *second = b;

  if (first->value != second->value)
    return first->value > second->value ? -1 : 1;
  if (first->layer != second->layer)
    return first->layer < second->layer ? -1 : 1;
  if (first->head != second->head)
    return first->head < second->head ? -1 : 1;

  return (first->query > second->query) - (first->query < second->query);
}

static void
add_links (GArray             *links,
           const EngAttention *block,
           EngMeasure          measure,
           int                 layer,
           int                 query,
           int                 key)
{
  for (int head = 0; head < block->n_heads; head++) {
    gsize row = (gsize) head * (gsize) block->n_queries + (gsize) query;
    EngFoundLink link = {
      .layer = layer,
      .head = measure == ENG_MEASURE_ROLLOUT ? ENG_ALL_HEADS : head,
      .query = query,
      .key = key,
      .value = (double) block->weights[row * (gsize) block->n_keys + (gsize) key],
    };

    if (link.value > 0)
      g_array_append_val (links, link);
  }
}

static gboolean
check_token (const char  *what,
             int          token,
             int          n_tokens,
             GError     **error)
{
  if (token >= 0 && token < n_tokens)
    return TRUE;

  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "there is no token %d among the %d %s, which count from 0", token, n_tokens, what);

  return FALSE;
}

/* FALSE with the sentence of the first layer that there is. */
static gboolean
check_measure (EngTrace    *trace,
               EngKind      kind,
               EngMeasure   measure,
               const gint  *cancel,
               GError     **error)
{
  g_autoptr (EngAttention) block = NULL;
  int layer = 0;

  for (int i = 0; i < eng_trace_get_n_layers (trace, kind); i++)
    if (eng_measures_has (trace, kind, i, measure))
      return TRUE;

  while (layer + 1 < eng_trace_get_n_layers (trace, kind)
         && !eng_trace_has_layer (trace, kind, layer))
    layer++;
  block = eng_measures_dup_block (trace, kind, layer, measure, cancel, error);

  return block != NULL;
}

GArray *
eng_links_search (EngTrace    *trace,
                  EngKind      kind,
                  int          token_a,
                  int          token_b,
                  EngMeasure   measure,
                  const gint  *cancel,
                  GError     **error)
{
  gboolean reads_itself = eng_trace_get_query_tokens (trace, kind)
                       == eng_trace_get_key_tokens (trace, kind);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (EngFoundLink));

  if (!check_token ("queries", token_a, eng_trace_get_n_queries (trace, kind), error)
      || !check_token ("keys", token_b, eng_trace_get_n_keys (trace, kind), error)
      || !check_measure (trace, kind, measure, cancel, error))
    return NULL;

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++) {
    g_autoptr (EngAttention) block = NULL;

    if (cancel && g_atomic_int_get (cancel)) {
      g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the search was cancelled");
      return NULL;
    }
    if (!eng_measures_has (trace, kind, layer, measure))
      continue;
    block = eng_measures_dup_block (trace, kind, layer, measure, cancel, error);
    if (!block)
      return NULL;
    add_links (links, block, measure, layer, token_a, token_b);
    if (reads_itself && token_a != token_b)
      add_links (links, block, measure, layer, token_b, token_a);
  }
  g_array_sort (links, eng_links_compare);

  return g_steal_pointer (&links);
}
