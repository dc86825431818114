/* SPDX-License-Identifier: MIT */
/* The pieces of a token model and their ids: a hash table made for longest-match searches, where
 * the hash of every prefix of a word comes from one walk over its bytes. Filled once, then
 * immutable and safe to read from every thread. Ids may have gaps. */
#pragma once

#include "engine/base/json-cursor.h"

G_BEGIN_DECLS

typedef struct _EngVocabulary EngVocabulary;

#define ENG_HASH_START 2166136261u

/* FNV-1a, one byte more. */
static inline guint32
eng_hash_byte (guint32 hash,
               guint8  byte)
{
  return (hash ^ byte) * 16777619u;
}

EngVocabulary *eng_vocabulary_new             (void);
void           eng_vocabulary_free            (EngVocabulary        *self);
/* piece: length bytes without NUL. A piece that is there already moves to the new id; the old id
 * keeps its text. After the last one call eng_vocabulary_seal(). */
void           eng_vocabulary_add             (EngVocabulary        *self,
                                               const char           *piece,
                                               gsize                 length,
                                               int                   id);
/* Refuses a vocabulary without entries and one id for two pieces. what names it in messages. */
gboolean       eng_vocabulary_seal            (EngVocabulary        *self,
                                               const char           *what,
                                               GError              **error);

/* Sealed, from an object of piece: id, in which no piece may stand twice. */
EngVocabulary *eng_vocabulary_new_from_json   (EngJsonText           json,
                                               const char           *what,
                                               GError              **error);

/* Pieces that can be found; an id that lost its piece to a later one does not count. */
int            eng_vocabulary_get_n_pieces    (const EngVocabulary  *self);
/* 1 + the largest id. */
int            eng_vocabulary_get_n_entries   (const EngVocabulary  *self);
/* Bytes of the longest piece. */
gsize          eng_vocabulary_get_max_length  (const EngVocabulary  *self);
/* NULL when unknown. */
const char    *eng_vocabulary_get_piece       (const EngVocabulary  *self,
                                               int                   id);
/* -1 when unknown. */
int            eng_vocabulary_find            (const EngVocabulary  *self,
                                               const char           *piece);
/* The same for length bytes. */
int            eng_vocabulary_find_length     (const EngVocabulary  *self,
                                               const char           *piece,
                                               gsize                 length);
/* The same for bytes whose hash the caller built with eng_hash_byte() from ENG_HASH_START. */
int            eng_vocabulary_find_hashed     (const EngVocabulary  *self,
                                               const char           *piece,
                                               gsize                 length,
                                               guint32               hash);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngVocabulary, eng_vocabulary_free)

G_END_DECLS
