/* SPDX-License-Identifier: MIT */
/* Tokenizers from SentencePiece's .model where there is no tokenizer.json: the file has pieces and
 * scores; ids, special tokens and components are the family's, as transformers converts them. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* The family is tokenizer_class of the settings, else model_type. Refuses a family that Headlight
 * does not read so, and a model of another algorithm than the family's. */
EngPipeline *eng_sentencepiece_read  (const char                  *path,
                                                      const EngTokenizerSettings  *settings,
                                      GError                     **error);
EngPipeline *eng_sentencepiece_parse (const guint8                *data,
                                      gsize                        length,
                                      const char                  *what,
                                                      const EngTokenizerSettings  *settings,
                                      GError                     **error);

G_END_DECLS
