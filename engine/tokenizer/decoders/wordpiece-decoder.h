/* SPDX-License-Identifier: MIT */
/* The decoder of WordPiece: a space before every token but the first and those that go on with a
 * word, which lose their prefix. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/decoder.h"

G_BEGIN_DECLS

EngDecoder *eng_wordpiece_decoder_new           (const char   *prefix,
                                                 gboolean      clean_up);
EngDecoder *eng_wordpiece_decoder_new_from_json (const cJSON  *json,
                                                 const char   *what,
                                                 GError      **error);

/* Takes the spaces out of text that stand before signs and inside of contractions: "is n't ." is
 * "isn't.". */
void        eng_clean_up_spaces                 (GString      *text);

G_END_DECLS
