/* SPDX-License-Identifier: MIT */
/* What a tokenizer of SentencePiece's kind is made of while it is made, and the pieces that
 * families list; for the reader of its files. */
#pragma once

#include "engine/tokenizer/base/sentencepiece-file.h"
#include "engine/tokenizer/files/components.h"
#include "engine/tokenizer/files/translators.h"
#include "engine/tokenizer/models/unigram.h"

G_BEGIN_DECLS

#define ENG_SENTENCEPIECE_MAX_SPECIAL 7

/* A special token of a family if the settings do not say. */
typedef struct {
  EngRole       role;
  EngAddedToken token;
} EngSentencepieceSpecial;

typedef struct _EngSentencepieceFamily EngSentencepieceFamily;

/* All that a tokenizer is made of. */
typedef struct {
  const EngSentencepieceFamily *family;
  const EngSentencepieceFile   *file;
  const EngTokenizerSettings   *settings;
  const char                   *what;
  gboolean                      add_prefix_space;
  EngUnigramPieces              pieces;
  EngComponents                 components;
  const char                   *single; /* see eng_components_build() */
  const char                   *pair;
} EngSentencepieceSource;

struct _EngSentencepieceFamily {
  EngSentencepieceModel   algorithm;
  EngSentencepieceSpecial special[ENG_SENTENCEPIECE_MAX_SPECIAL];
  gboolean              (*list_pieces)    (EngSentencepieceSource   *source,
                                           GError                  **error);
  gboolean              (*add_components) (EngSentencepieceSource   *source,
                                           GError                  **error);
  const char             *single; /* NULL: add_components says */
  const char             *pair;
  gboolean                byte_fallback; /* of BPE; else there is the unknown token */
  EngTranslator           translator;    /* whose languages the pieces have */
};

/* The pieces with their scores, in the order of their ids, and the added tokens among them. Refuse
 * settings that cannot be. */
gboolean eng_sentencepiece_list_plain       (EngSentencepieceSource  *source,
                                             GError                 **error);
gboolean eng_sentencepiece_list_t5          (EngSentencepieceSource  *source,
                                             GError                 **error);
gboolean eng_sentencepiece_list_xlm_roberta (EngSentencepieceSource  *source,
                                             GError                 **error);
gboolean eng_sentencepiece_list_translator  (EngSentencepieceSource  *source,
                                             GError                 **error);
gboolean eng_sentencepiece_list_pegasus     (EngSentencepieceSource  *source,
                                             GError                 **error);
gboolean eng_sentencepiece_list_albert      (EngSentencepieceSource  *source,
                                             GError                 **error);

G_END_DECLS
