/* SPDX-License-Identifier: MIT */
/* Reads SentencePiece's .model: a protobuf message of pieces with scores, how the model was trained
 * and how it normalises. A passive reader of its own: bounded, and every length is checked. */
#pragma once

#include "engine/tokenizer/base/charsmap.h"

G_BEGIN_DECLS

/* The numbers are the file's. */
typedef enum {
  ENG_SENTENCEPIECE_NORMAL = 1,
  ENG_SENTENCEPIECE_UNKNOWN,
  ENG_SENTENCEPIECE_CONTROL,
  ENG_SENTENCEPIECE_USER_DEFINED,
  ENG_SENTENCEPIECE_UNUSED,
  ENG_SENTENCEPIECE_BYTE
} EngSentencepieceType;

typedef enum {
  ENG_SENTENCEPIECE_UNIGRAM = 1,
  ENG_SENTENCEPIECE_BPE,
  ENG_SENTENCEPIECE_WORD,
  ENG_SENTENCEPIECE_CHARACTER
} EngSentencepieceModel;

typedef struct {
  char                *text; /* owned; not empty, UTF-8 */
  float                score;
  EngSentencepieceType type;
} EngSentencepiece;

typedef struct {
  GArray               *pieces;  /* of EngSentencepiece; the index is the piece's id */
  int                   unknown; /* the one piece of type UNKNOWN */
  EngSentencepieceModel model;
  gboolean              byte_fallback;
  gboolean              mark_behind;        /* the mark of a space ends a word */
  gboolean              add_dummy_prefix;   /* one before (or behind) the text */
  gboolean              remove_extra_spaces;
  gboolean              escape_spaces;      /* spaces become U+2581 */
  GBytes               *charsmap;           /* NULL = nothing is replaced */
} EngSentencepieceFile;

/* Refuses, naming what: more than 512 MiB, a message that ends too early, a piece that is empty or
 * not UTF-8 or has no number as its score, no piece or more than one for the unknown. */
EngSentencepieceFile *eng_sentencepiece_file_read  (const char            *path,
                                                    GError               **error);
EngSentencepieceFile *eng_sentencepiece_file_parse (const guint8          *data,
                                                    gsize                  length,
                                                    const char            *what,
                                                    GError               **error);
void                  eng_sentencepiece_file_free  (EngSentencepieceFile  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngSentencepieceFile, eng_sentencepiece_file_free)

G_END_DECLS
