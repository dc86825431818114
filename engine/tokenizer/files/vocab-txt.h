/* SPDX-License-Identifier: MIT */
/* vocab.txt, the older file of BERT's WordPiece: one token a line, its id the number of the line
 * from 0. The other components follow from the settings, as transformers' BertTokenizer makes
 * them. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

EngPipeline   *eng_vocab_txt_read        (const char                  *path,
                                          const EngTokenizerSettings  *settings,
                                          GError                     **error);
/* The same from bytes in memory; what names them in messages. */
EngPipeline   *eng_vocab_txt_parse       (const char                  *text,
                                          gsize                        length,
                                          const char                  *what,
                                          const EngTokenizerSettings  *settings,
                                          GError                     **error);
/* (transfer full) The tokens of a file alone, sealed. */
EngVocabulary *eng_vocab_txt_read_pieces (const char                  *path,
                                          GError                     **error);

G_END_DECLS
