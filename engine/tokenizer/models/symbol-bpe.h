/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding whose merges mark the last piece of a word ("</w>") and go through pieces that
 * the vocabulary need not have: the unknown token stands for one that is left over. */
#pragma once

#include "engine/tokenizer/models/bpe.h"

G_BEGIN_DECLS

/* How the vocabulary spells the merges' pieces. */
typedef enum {
  ENG_SYMBOL_MARKS_END,  /* as they do */
  ENG_SYMBOL_MARKS_OTHER /* the last one bare, the others, behind which a word goes on, with a mark
                          * ("@@"; Sennrich et al. 2016); so a word of one character is bare */
} EngSymbolMarks;

/* Takes the sealed vocabulary, and frees it when it is refused: without the unknown token. merges: of
 * EngMergePair, in the order of their ranks. what names the file in messages. */
EngTokenModel *eng_symbol_bpe_new (EngVocabulary   *vocabulary,
                                   EngSymbolMarks   marks,
                                   const char      *unknown_token,
                                   const GArray    *merges,
                                   const char      *what,
                                   GError         **error);

G_END_DECLS
