/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/found-links.h"

#include "engine/base/error.h"
#include "ui/scene/numbers/block.h"

static void
add_links (GArray        *links,
           const UiBlock *block,
           int            layer,
           int            query,
           int            key)
{
  const EngAttention *attention = block->attention;
  const int row = block->query_rows != NULL ? block->query_rows[query] : query;
  const int column = block->key_columns != NULL ? block->key_columns[key] : key;

  for (int head = 0; head < attention->n_heads; head++) {
    const gsize at = ((gsize) head * (gsize) attention->n_queries + (gsize) row)
                     * (gsize) attention->n_keys + (gsize) column;
    const EngFoundLink link = {
      .layer = layer,
      .head = block->measure == ENG_MEASURE_ROLLOUT ? ENG_ALL_HEADS : head,
      .query = query,
      .key = key,
      .value = (double) attention->weights[at],
    };

    if (link.value > 0)
      g_array_append_val (links, link);
  }
}

static gboolean
is_one_word (const UiBlock *block,
             int            token_a,
             int            token_b)
{
  return token_a == token_b
         || (block->query_rows != NULL && block->query_rows[token_a] == block->query_rows[token_b]);
}

/* Each head of each layer by itself, its pieces put together. */
static GArray *
find_words (EngTrace          *trace,
            const UiDocument  *document,
            EngKind            kind,
            int                token_a,
            int                token_b,
            const gint        *cancel,
            GError           **error)
{
  g_autoptr (UiDocument) single = ui_document_copy (document);
  g_autoptr (GArray) links = g_array_new (FALSE, FALSE, sizeof (EngFoundLink));

  single->aggregate = UI_AGGREGATE_EACH;
  single->layers = UI_AGGREGATE_EACH;
  for (int layer = 0; layer < eng_trace_get_n_layers (trace, kind); layer++) {
    UiBlock block = { 0 };

    if (cancel != NULL && g_atomic_int_get (cancel)) {
      g_set_error_literal (error, ENG_ERROR, ENG_ERROR_CANCELLED, "the search was cancelled");
      return NULL;
    }
    if (!eng_measures_has (trace, kind, layer, document->measure))
      continue;
    if (!ui_block_init (&block, trace, single, kind, layer, error))
      return NULL;
    add_links (links, &block, layer, token_a, token_b);
    if (kind != ENG_KIND_CROSS && !is_one_word (&block, token_a, token_b))
      add_links (links, &block, layer, token_b, token_a);
    ui_block_clear (&block);
  }
  g_array_sort (links, eng_links_compare);

  return g_steal_pointer (&links);
}

GArray *
ui_links_find (EngTrace          *trace,
               const UiDocument  *document,
               EngKind            kind,
               int                token_a,
               int                token_b,
               const gint        *cancel,
               GError           **error)
{
  const gboolean are_there = token_a >= 0 && token_a < eng_trace_get_n_queries (trace, kind)
                             && token_b >= 0 && token_b < eng_trace_get_n_keys (trace, kind);

  /* What the engine refuses it names. */
  if (document->words && are_there)
    return find_words (trace, document, kind, token_a, token_b, cancel, error);

  return eng_links_search (trace, kind, token_a, token_b, document->measure, cancel, error);
}
