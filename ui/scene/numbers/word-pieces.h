/* SPDX-License-Identifier: MIT */
/* Where words begin among the pieces of a vocabulary. WordPiece marks what continues a word with
 * ##; other vocabularies mark where a word begins, which is drawn as a leading space; where neither
 * mark is to be seen, what the tokenizer says of its words counts. A template token is a word of
 * its own, and so is punctuation, and each sign of a script that puts no spaces between words. */
#pragma once

#include "engine/tokenizer/base/tokens.h"

G_BEGIN_DECLS

/* (transfer full) [n] 1 = continues the word of the token before it. */
guint8   *ui_word_pieces_mark_rest (const EngTokens *tokens);
/* Whether the text of a piece opens with the ## of WordPiece; a typed heading like ### does not. */
gboolean  ui_word_pieces_has_mark  (const char      *text);

G_END_DECLS
