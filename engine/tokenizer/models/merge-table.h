/* SPDX-License-Identifier: MIT */
/* The merges of byte-pair encoding: which two pieces in a row make which one, and how early. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int     left;
  int     right;
  int     id;   /* of the piece that they make; -1 = a free place */
  guint32 rank; /* the lower the earlier */
} EngMerge;

typedef struct {
  EngMerge *merges; /* [n_places] hashed by the pair; a power of two, at most half of it taken */
  guint     n_places;
  guint     n_taken;
} EngMergeTable;

void            eng_merge_table_clear (EngMergeTable       *self);
/* Replaces the merge of the same pair. */
void            eng_merge_table_add   (EngMergeTable       *self,
                                       const EngMerge      *merge);
/* NULL when the two do not merge. */
const EngMerge *eng_merge_table_find  (const EngMergeTable *self,
                                       int                  left,
                                       int                  right);

G_END_DECLS
