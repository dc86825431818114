/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/changes.h"

#include <math.h>
#include <string.h>

#include "ui/scene/numbers/alignment.h"

int *
ui_partners_find (const EngTokens *first,
                  const EngTokens *second,
                  gboolean         swapped)
{
  const int n = swapped ? second->n : first->n;
  g_autoptr (GArray) aligned = ui_alignment_new (first, second);
  int *partners = g_new (int, MAX (n, 1));

  for (int i = 0; i < n; i++)
    partners[i] = -1;
  for (guint i = 0; i < aligned->len; i++) {
    const UiAlignedToken *pair = &g_array_index (aligned, UiAlignedToken, i);

    if (pair->first >= 0 && pair->second >= 0)
      partners[swapped ? pair->second : pair->first] = swapped ? pair->first : pair->second;
  }
  return partners;
}

void
ui_partners_init (UiPartners      *self,
                  const UiWeights *first,
                  const UiWeights *second,
                  gboolean         swapped)
{
  self->queries = ui_partners_find (first->block.queries, second->block.queries, swapped);
  self->keys = ui_partners_find (first->block.keys, second->block.keys, swapped);
}

void
ui_partners_clear (UiPartners *self)
{
  g_clear_pointer (&self->queries, g_free);
  g_clear_pointer (&self->keys, g_free);
}

gboolean
ui_changes_are_comparable (const UiWeights *first,
                           const UiWeights *second)
{
  return first->n_heads == second->n_heads
         && memcmp (first->heads, second->heads, first->n_heads * sizeof *first->heads) == 0
         && first->block.is_aggregate == second->block.is_aggregate
         && first->block.heads == second->block.heads
         && first->block.layers == second->block.layers
         && first->block.measure == second->block.measure;
}

double
ui_changes_get_small (const UiWeights *first,
                      const UiWeights *second)
{
  return UI_SMALL_CHANGE * MAX (first->block.unit, second->block.unit);
}

GBytes *
ui_changes_mark_small (const UiWeights  *own,
                       const UiWeights  *other,
                       const UiPartners *partners)
{
  const int n_queries = own->attention->n_queries, n_keys = own->attention->n_keys;
  const double small = ui_changes_get_small (own, other);
  const gsize n = (gsize) own->n_heads * n_queries * n_keys;
  guint8 *marks = g_malloc0 (MAX (n, 1));
  guint8 *row = marks;

  for (int i = 0; i < own->n_heads; i++)
    for (int query = 0; query < n_queries; query++, row += n_keys)
      for (int key = 0; key < n_keys && partners->queries[query] >= 0; key++)
        row[key] = partners->keys[key] >= 0
                   && fabs (ui_weights_get (own, own->heads[i], query, key)
                            - ui_weights_get (other, own->heads[i], partners->queries[query],
                                              partners->keys[key])) < small;
  return g_bytes_new_take (marks, n);
}

static double
get_change (const UiLinkChange *change)
{
  return fabs (change->values[0] - change->values[1]);
}

/* Keeps the list in order, and as short as is wanted. */
static void
insert_change (GArray             *changes,
               const UiLinkChange *change,
               int                 n)
{
  guint at = changes->len;

  while (at > 0 && get_change (&g_array_index (changes, UiLinkChange, at - 1)) < get_change (change))
    at--;
  if (at >= (guint) n)
    return;
  g_array_insert_val (changes, at, *change);
  if (changes->len > (guint) n)
    g_array_set_size (changes, n);
}

static void
list_row (const UiWeights    *weights[2],
          const UiLinkChange *row,
          const int          *key_partners,
          int                 n,
          GArray             *changes)
{
  UiLinkChange change = *row;

  for (int key = 0; key < weights[0]->attention->n_keys; key++) {
    if (key_partners[key] < 0)
      continue;
    change.keys[0] = key;
    change.keys[1] = key_partners[key];
    for (int side = 0; side < 2; side++)
      change.values[side] = ui_weights_get (weights[side], change.heads[side],
                                            change.queries[side], change.keys[side]);
    if (change.values[0] != change.values[1])
      insert_change (changes, &change, n);
  }
}

GArray *
ui_changes_list_links (const UiWeights *first,
                       const UiWeights *second,
                       int              n)
{
  const UiWeights *weights[] = { first, second };
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (UiLinkChange));
  UiPartners partners;

  if (first->n_heads != second->n_heads)
    return changes;
  ui_partners_init (&partners, first, second, FALSE);
  for (int i = 0; i < first->n_heads; i++)
    for (int query = 0; query < first->attention->n_queries; query++) {
      const UiLinkChange row = {
        .heads = { first->heads[i], second->heads[i] },
        .queries = { query, partners.queries[query] },
      };

      if (row.queries[1] >= 0)
        list_row (weights, &row, partners.keys, n, changes);
    }
  ui_partners_clear (&partners);
  return changes;
}
