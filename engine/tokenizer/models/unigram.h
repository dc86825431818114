/* SPDX-License-Identifier: MIT */
/* Unigram: of all ways to cut a word into pieces the one with the largest sum of scores (Viterbi).
 * A character that no piece spells is an unknown one, at a price; unknown neighbours are one token,
 * or their bytes where the vocabulary has pieces for these. */
#pragma once

#include "engine/tokenizer/base/token-model.h"

G_BEGIN_DECLS

/* What words are cut into. */
typedef struct {
  EngVocabulary *pieces;       /* sealed; numbers are indices into scores */
  GArray        *scores;       /* of double */
  int            unknown;      /* the piece for what no piece spells; -1 = none of them */
  double         unknown_score;
  /* Sums are kept in single precision, as sentencepiece does; the tokenizers library keeps them in
   * double. The two differ where paths are nearly as good. */
  gboolean       single_precision;
} EngUnigramPieces;

void           eng_unigram_pieces_clear  (EngUnigramPieces  *self);

/* Takes vocabulary and, its fields moved, pieces. vocabulary: the ids that pieces get, by their
 * text; NULL = the numbers of the pieces themselves. unknown_id: of what has no id there. */
EngTokenModel *eng_unigram_new           (EngVocabulary     *vocabulary,
                                          EngUnigramPieces  *pieces,
                                          int                unknown_id,
                                          gboolean           byte_fallback);
EngTokenModel *eng_unigram_new_from_json (const EngModelSource  *source,
                                          GError               **error);

/* The price of an unknown character where the lowest score of a vocabulary is this one. */
double         eng_unigram_get_unknown_score (double lowest);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EngUnigramPieces, eng_unigram_pieces_clear)

G_END_DECLS
