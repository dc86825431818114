/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding: a word starts as its characters; of all neighbours that may be merged those
 * of the lowest rank are, the leftmost first, until none may. A character that is no piece becomes
 * its bytes (<0xE2>), else the unknown token, else it is dropped. What a character is the
 * pre-tokenizers decide: after ByteLevel it is a byte. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/token-model.h"

G_BEGIN_DECLS

typedef struct {
  const char *unknown_token; /* NULL = none */
  const char *continuation;  /* before all characters of a word but the first; "" = nothing */
  const char *word_end;      /* behind the last character of a word; "" = nothing */
  gboolean    fuse_unknown;  /* unknown characters in a row are one token */
  gboolean    byte_fallback;
  gboolean    ignore_merges; /* a word that is a piece is not cut */
} EngBpeOptions;

/* Two pieces of a file that merge; borrowed, and not empty. */
typedef struct {
  EngJsonText left;
  EngJsonText right;
} EngMergePair;

/* Takes the sealed vocabulary, and frees it when it is refused: without the unknown token. what
 * names it in messages. No merges yet. */
EngTokenModel *eng_bpe_new           (EngVocabulary         *vocabulary,
                                      const EngBpeOptions   *options,
                                      const char            *what,
                                      GError               **error);
/* Ranks count from 0 in the order of the calls; of a pair that comes again the last rank holds.
 * Refuses a merge of, or into, what is no piece. */
gboolean       eng_bpe_add_merge     (EngTokenModel         *model,
                                      const char            *left,
                                      gsize                  left_length,
                                      const char            *right,
                                      gsize                  right_length,
                                      const char            *what,
                                      GError               **error);
/* The merges of any two pieces that make up this one, for files that have no list of merges. */
gboolean       eng_bpe_add_merges_of (EngTokenModel         *model,
                                      const char            *piece,
                                      const char            *what,
                                      GError               **error);
EngTokenModel *eng_bpe_new_from_json (const EngModelSource  *source,
                                      GError               **error);

G_END_DECLS
