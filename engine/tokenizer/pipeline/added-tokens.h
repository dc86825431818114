/* SPDX-License-Identifier: MIT */
/* Added tokens: texts such as [MASK] that are found in the typed text before it is cut, and are one
 * token each. Those that are not "normalized" are looked for in the text as it was typed, the
 * others, in their normalised form, in what the normalizers made of the rest. Of those that begin
 * at the same place the longest wins. Filled once, then immutable and safe to read from every
 * thread. */
#pragma once

#include "engine/tokenizer/base/normalizer.h"
#include "engine/tokenizer/base/vocabulary.h"

G_BEGIN_DECLS

typedef struct _EngAddedTokens EngAddedTokens;

typedef struct {
  const char *content;
  gboolean    single_word; /* not beside a letter, digit, mark or _ */
  gboolean    lstrip;      /* white space to its left belongs to it */
  gboolean    rstrip;      /* and to its right */
  gboolean    normalized;
  gboolean    special;     /* goes first where two have the same normalised form */
} EngAddedToken;

/* Characters [first, end) of a text: an added token, or, with id -1, the text between two. */
typedef struct {
  int first;
  int end;
  int id;
} EngSection;

/* {"content": "[MASK]", "lstrip": true, ...}; a flag that is absent stays as it is in token.
 * content is borrowed from json. */
gboolean        eng_added_token_read           (const cJSON             *json,
                                                const char              *what,
                                                EngAddedToken           *token,
                                                GError                 **error);

/* vocabulary must live as long. A token that it has keeps the id, another gets the next free
 * one. */
EngAddedTokens *eng_added_tokens_new           (const EngVocabulary     *vocabulary);
void            eng_added_tokens_free          (EngAddedTokens          *self);
/* A content that is there already takes the new flags; an empty one is passed over. */
void            eng_added_tokens_add           (EngAddedTokens          *self,
                                                const EngAddedToken     *token);
/* After the last one. Refuses, naming what: a token that the normalizers leave nothing of, an id
 * that the vocabulary has given to another piece. */
gboolean        eng_added_tokens_seal          (EngAddedTokens          *self,
                                                const GPtrArray         *normalizers,
                                                const char              *what,
                                                GError                 **error);

/* -1 when unknown. */
int             eng_added_tokens_find          (const EngAddedTokens    *self,
                                                const char              *content);
/* NULL when unknown. */
const char     *eng_added_tokens_get_content   (const EngAddedTokens    *self,
                                                int                      id);
/* How it is decoded: normalised where it is normalized. NULL when unknown. */
const char     *eng_added_tokens_get_spelling  (const EngAddedTokens    *self,
                                                int                      id);
/* An added token that is special. */
gboolean        eng_added_tokens_is_special    (const EngAddedTokens    *self,
                                                int                      id);
/* 1 + the largest id. */
int             eng_added_tokens_get_n_entries (const EngAddedTokens    *self);
/* Appends EngSections that cover chars to sections. */
void            eng_added_tokens_split         (const EngAddedTokens    *self,
                                                gboolean                 normalized,
                                                const EngNormalizedChar *chars,
                                                int                      n,
                                                GArray                  *sections);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngAddedTokens, eng_added_tokens_free)

G_END_DECLS
