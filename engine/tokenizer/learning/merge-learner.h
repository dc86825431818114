/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding learnt from words (Sennrich et al. 2016, section 3.2): each word begins as its
 * characters; of all neighbours those that stand together most often become one piece, again and
 * again, until the vocabulary is full. Of pairs that are as frequent the one whose pieces are older
 * comes first, so that the same words in the same order give the same pieces. Used by one thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _EngMergeLearner EngMergeLearner;

/* Numbers of pieces. */
typedef struct {
  int left;
  int right;
  int merged;
} EngLearntMerge;

/* continuation: before all characters of a word but the first; "" = nothing. */
EngMergeLearner *eng_merge_learner_new        (const char       *continuation);
void             eng_merge_learner_free       (EngMergeLearner  *self);

/* A piece that is there from the beginning: spelt as in the vocabulary, not yet there. Returns its
 * number; they count from 0. */
int              eng_merge_learner_add_piece  (EngMergeLearner  *self,
                                               const char       *piece);
/* A word, valid UTF-8 and not empty, as often as it is added. */
void             eng_merge_learner_add_word   (EngMergeLearner  *self,
                                               const char       *word);
/* Learns until there are n_pieces, or no two pieces stand together twice. Of the characters of the
 * words that are no pieces at most n_characters, the most frequent, become some first; words with
 * others teach nothing. Once. FALSE, and nothing of use, when cancel (nullable) is raised
 * meanwhile. */
gboolean         eng_merge_learner_run        (EngMergeLearner  *self,
                                               int               n_pieces,
                                               int               n_characters,
                                               const gint       *cancel);

int              eng_merge_learner_get_n      (const EngMergeLearner *self);
const char      *eng_merge_learner_get_piece  (const EngMergeLearner *self,
                                               int                    i);
/* (element-type EngLearntMerge) In the order in which they were learnt; borrowed. */
const GArray    *eng_merge_learner_get_merges (const EngMergeLearner *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngMergeLearner, eng_merge_learner_free)

G_END_DECLS
