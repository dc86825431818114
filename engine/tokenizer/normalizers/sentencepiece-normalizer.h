/* SPDX-License-Identifier: MIT */
/* What sentencepiece itself does to a text before it cuts it: the longest replacement at each
 * place, spaces at the ends and repeated ones gone, a mark in front, spaces as marks. (The
 * tokenizers library does it in another way: precompiled.h.) */
#pragma once

#include "engine/tokenizer/base/normalizer.h"
#include "engine/tokenizer/base/sentencepiece-file.h"

G_BEGIN_DECLS

/* Takes what it needs out of file. what names it in messages. */
EngNormalizer *eng_sentencepiece_normalizer_new (const EngSentencepieceFile  *file,
                                                 const char                  *what,
                                                 GError                     **error);

G_END_DECLS
