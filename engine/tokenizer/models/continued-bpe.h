/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding whose merges mark the last piece of a word ("</w>"), but whose vocabulary marks
 * the others, behind which a word goes on ("@@"; Sennrich et al. 2016). A word of one character is
 * looked up as it is. */
#pragma once

#include "engine/tokenizer/models/bpe.h"

G_BEGIN_DECLS

/* Takes the sealed vocabulary, and frees it when it is refused: without the unknown token. merges: of
 * EngMergePair, in the order of their ranks. what names the file in messages. */
EngTokenModel *eng_continued_bpe_new (EngVocabulary  *vocabulary,
                                      const char     *unknown_token,
                                      const GArray   *merges,
                                      const char     *what,
                                      GError        **error);

G_END_DECLS
