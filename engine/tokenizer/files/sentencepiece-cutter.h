/* SPDX-License-Identifier: MIT */
/* A token model that cuts as sentencepiece itself does, for tokenizers that hand it the text as it
 * was typed and look the ids of its pieces up in a vocabulary of their own. */
#pragma once

#include "engine/tokenizer/base/sentencepiece-file.h"
#include "engine/tokenizer/base/token-model.h"

G_BEGIN_DECLS

/* Takes vocabulary, whose token unknown is for all that has no id. Refuses, naming what: a
 * vocabulary without it, a model that is neither unigram nor BPE, and of BPE pieces that are found
 * as a whole or taken apart again. */
EngTokenModel *eng_sentencepiece_cutter_new (const EngSentencepieceFile  *file,
                                             EngVocabulary               *vocabulary,
                                             const char                  *unknown,
                                             const char                  *what,
                                             GError                     **error);
/* vocab.json: {piece: id}. */
EngVocabulary *eng_vocabulary_read          (const char                  *path,
                                             GError                     **error);

G_END_DECLS
