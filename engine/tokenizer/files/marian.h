/* SPDX-License-Identifier: MIT */
/* Marian's tokenizers: two models of SentencePiece, one for the texts that are read and one for
 * those that are written, cut by sentencepiece's own rules; the ids are those of vocab.json, which
 * both share unless the settings say separate_vocabs: then the target's are in target_vocab.json.
 * A language such as >>fra<< at the begin of a text is one token. */
#pragma once

#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/pipeline/pipeline.h"

G_BEGIN_DECLS

/* path: of source.spm; the other files lie beside it. The pipeline has a target. */
EngPipeline *eng_marian_read (const char                  *path,
                              const EngTokenizerSettings  *settings,
                              GError                     **error);

G_END_DECLS
