/* SPDX-License-Identifier: MIT */
/* From Marian's tokens to text: what stands between special tokens is joined as sentencepiece joins
 * pieces. */
#pragma once

#include "engine/tokenizer/base/decoder.h"
#include "engine/tokenizer/base/sentencepiece-file.h"

G_BEGIN_DECLS

/* file: the model whose pieces lose the mark of a space in front; special: texts of special tokens,
 * ended by NULL. Both are copied. */
EngDecoder *eng_marian_decoder_new (const EngSentencepieceFile *file,
                                    const char *const          *special);

G_END_DECLS
