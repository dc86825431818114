/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/changes.h"

#include <math.h>
#include <string.h>

#include "ui/scene/numbers/alignment.h"

static int *
find_partners (const EngTokens *first,
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
  self->queries = find_partners (first->block.queries, second->block.queries, swapped);
  self->keys = find_partners (first->block.keys, second->block.keys, swapped);
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
