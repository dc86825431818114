/* SPDX-License-Identifier: MIT */
/* The decoder of byte-pair encodings that mark the pieces behind which a word goes on ("@@"): tokens
 * stand with spaces between, but behind such a mark, which is dropped; white space around the text is
 * dropped, too. */
#pragma once

#include "engine/tokenizer/base/decoder.h"

G_BEGIN_DECLS

EngDecoder *eng_continued_decoder_new (void);

G_END_DECLS
