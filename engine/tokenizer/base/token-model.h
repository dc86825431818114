/* SPDX-License-Identifier: MIT */
/* A token model: cuts one word into pieces of its vocabulary. Immutable after it was made; used by
 * several threads. A kind of model embeds this struct first. */
#pragma once

#include "engine/tokenizer/base/normalized.h"
#include "engine/tokenizer/base/vocabulary.h"

G_BEGIN_DECLS

typedef struct {
  int     id;
  EngSpan span; /* bytes of the typed text */
  int     word; /* number of the word that it was cut from; the pipeline counts them */
} EngPiece;

/* What a model of tokenizer.json is made from. */
typedef struct {
  const cJSON *json;       /* the model; vocab and merges, which are large, are null in it */
  EngJsonText  vocabulary; /* vocab */
  EngJsonText  merges;
  const char  *what;       /* names the file in messages */
} EngModelSource;

typedef struct _EngTokenModel EngTokenModel;

struct _EngTokenModel {
  const char    *name;       /* "WordPiece"; a constant */
  EngVocabulary *vocabulary; /* owned */
  int            unknown_id;   /* of the piece for what the vocabulary cannot spell; -1 = none */
  /* Appends EngPieces to pieces. word: [n], n > 0. */
  void (*cut)  (const EngTokenModel     *self,
                const EngNormalizedChar *word,
                int                      n,
                GArray                  *pieces);
  void (*free) (EngTokenModel           *self);
};

static inline void
eng_token_model_free (EngTokenModel *self)
{
  self->free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngTokenModel, eng_token_model_free)

G_END_DECLS
