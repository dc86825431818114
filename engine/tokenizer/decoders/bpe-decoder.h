/* SPDX-License-Identifier: MIT */
/* The decoder of byte-pair encodings that mark the end of a word ("</w>"): the mark becomes a
 * space, behind the last token nothing. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/decoder.h"

G_BEGIN_DECLS

EngDecoder *eng_bpe_decoder_new_from_json (const cJSON  *json,
                                           const char   *what,
                                           GError      **error);

G_END_DECLS
