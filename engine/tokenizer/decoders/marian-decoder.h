/* SPDX-License-Identifier: MIT */
/* From the tokens of Marian or M2M-100 to text: what stands between special tokens is joined as
 * sentencepiece joins pieces. */
#pragma once

#include "engine/tokenizer/base/decoder.h"
#include "engine/tokenizer/base/sentencepiece-file.h"

G_BEGIN_DECLS

/* file: the model whose pieces lose the mark of a space in front; special: texts of special tokens,
 * ended by NULL; behind: follows each of these in the text, a constant. The others are copied. */
EngDecoder *eng_marian_decoder_new (const EngSentencepieceFile *file,
                                    const char *const          *special,
                                    const char                 *behind);

G_END_DECLS
