/* SPDX-License-Identifier: MIT */
/* WordPiece: the longest piece of the vocabulary that a word begins with, then the longest that the
 * rest begins with, looked up behind a prefix ("##"); a word that cannot be cut to its end, or has
 * too many characters, is one unknown token. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/token-model.h"

G_BEGIN_DECLS

typedef struct {
  const char *unknown_token;      /* "[UNK]" */
  const char *continuation;       /* "##" */
  int         max_word_length;    /* characters, not bytes */
} EngWordpieceOptions;

/* Takes the sealed vocabulary, and frees it when it is refused: without the unknown token. what
 * names it in messages. */
EngTokenModel *eng_wordpiece_new           (EngVocabulary              *vocabulary,
                                            const EngWordpieceOptions  *options,
                                            const char                 *what,
                                            GError                    **error);
EngTokenModel *eng_wordpiece_new_from_json (const EngModelSource       *source,
                                            GError                    **error);

G_END_DECLS
