/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/telling-query.h"

#include "ui/scene/numbers/mask.h"

typedef struct {
  const EngAttention *attention;
  int                 head;
  const EngTokens    *queries;
  const EngTokens    *keys;
} Block;

static double
get_weight (const Block *self,
            int          query,
            int          key)
{
  const EngAttention *attention = self->attention;
  const gsize row = (gsize) self->head * (gsize) attention->n_queries + (gsize) query;

  return (double) attention->weights[row * (gsize) attention->n_keys + (gsize) key];
}

/* The key that a query reads most, -1 where all are hidden from it. */
static int
find_read (const Block *self,
           int          query)
{
  int best = -1;

  for (int key = 0; key < self->attention->n_keys; key++)
    if (!ui_mask_hides_in (self->attention, self->head, query, key)
        && (best < 0 || get_weight (self, query, key) > get_weight (self, query, best)))
      best = key;
  return best;
}

/* The query that reads a key most, -1 where the key is hidden from all. */
static int
find_reader (const Block *self,
             int          key)
{
  int best = -1;

  for (int query = 0; query < self->attention->n_queries; query++)
    if (!ui_mask_hides_in (self->attention, self->head, query, key)
        && (best < 0 || get_weight (self, query, key) > get_weight (self, best, key)))
      best = query;
  return best;
}

/* -1 where no token of the kind that is asked for reads another of it most, though it could read
 * others. */
static int
find_strongest_row (const Block *self,
                    gboolean     words_only)
{
  double strongest = 0;
  int best = -1;

  for (int query = 0; query < self->attention->n_queries; query++) {
    int key = find_read (self, query);

    if (key < 0 || !ui_mask_leaves_choice (self->attention, query)
        || get_weight (self, query, key) <= strongest
        || (words_only && (self->queries->special[query] || self->keys->special[key])))
      continue;
    strongest = get_weight (self, query, key);
    best = query;
  }
  return best;
}

int
ui_telling_query_find (const EngAttention *attention,
                       int                 head,
                       const EngTokens    *queries,
                       const EngTokens    *keys,
                       const UiPins       *pins)
{
  const Block block = { attention, head, queries, keys };
  int query = pins->n_keys > 0 ? find_reader (&block, pins->keys[0]) : -1;

  if (query >= 0)
    return query;
  query = find_strongest_row (&block, TRUE);
  return query >= 0 ? query : MAX (find_strongest_row (&block, FALSE), 0);
}
