/* SPDX-License-Identifier: MIT */
/* Decoders of a few lines each: ByteFallback makes text of pieces such as <0xE2>, Fuse joins all
 * tokens into one, Strip takes a character off the ends of each token. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/decoder.h"

G_BEGIN_DECLS

EngDecoder *eng_byte_fallback_new_from_json (const cJSON  *json,
                                             const char   *what,
                                             GError      **error);
EngDecoder *eng_fuse_new_from_json          (const cJSON  *json,
                                             const char   *what,
                                             GError      **error);
/* {"content": " ", "start": 1, "stop": 0}: at most so many at either end */
EngDecoder *eng_strip_decoder_new_from_json (const cJSON  *json,
                                             const char   *what,
                                             GError      **error);

G_END_DECLS
