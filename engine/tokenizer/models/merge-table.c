/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/models/merge-table.h"

#define MIN_PLACES 64

static guint
hash_pair (int left,
           int right)
{
  guint64 pair = (guint64) (guint32) left << 32 | (guint32) right;

  /* Multiplied by 2^64 over the golden ratio the high bits depend on all of the pair. */
  return (guint) (pair * 0x9e3779b97f4a7c15u >> 32);
}

/* The place of the pair, or the free one where it belongs. */
static EngMerge *
find_place (const EngMergeTable *self,
            int                  left,
            int                  right)
{
  guint at = hash_pair (left, right) & (self->n_places - 1);

  while (self->merges[at].id >= 0 &&
         (self->merges[at].left != left || self->merges[at].right != right))
    at = (at + 1) & (self->n_places - 1);

  return &self->merges[at];
}

static void
grow (EngMergeTable *self)
{
  EngMergeTable larger = { .n_places = MAX (MIN_PLACES, self->n_places * 2) };

  larger.merges = g_new (EngMerge, larger.n_places);
  for (guint i = 0; i < larger.n_places; i++)
    larger.merges[i].id = -1;
  for (guint i = 0; i < self->n_places; i++)
    if (self->merges[i].id >= 0)
      *find_place (&larger, self->merges[i].left, self->merges[i].right) = self->merges[i];
  larger.n_taken = self->n_taken;
  g_free (self->merges);
  *self = larger;
}

void
eng_merge_table_clear (EngMergeTable *self)
{
  g_free (self->merges);
  *self = (EngMergeTable) { 0 };
}

void
eng_merge_table_add (EngMergeTable  *self,
                     const EngMerge *merge)
{
  EngMerge *place;

  if (self->n_taken >= self->n_places / 2)
    grow (self);
  place = find_place (self, merge->left, merge->right);
  self->n_taken += place->id < 0;
  *place = *merge;
}

const EngMerge *
eng_merge_table_find (const EngMergeTable *self,
                      int                  left,
                      int                  right)
{
  const EngMerge *place;

  if (self->n_places == 0)
    return NULL;
  place = find_place (self, left, right);

  return place->id >= 0 ? place : NULL;
}
