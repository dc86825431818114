/* SPDX-License-Identifier: MIT */
/* Replace: every match of a pattern gives way to a text, as a normalizer and as a decoder. A
 * pattern is a string or a regular expression; those that many tokenizers have are matched by hand,
 * all others by engine/tokenizer/base/regex.h. A decoder leaves a token as it is where the search
 * in it takes too many steps. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/decoder.h"
#include "engine/tokenizer/base/normalizer.h"

G_BEGIN_DECLS

EngNormalizer *eng_replace_new_from_json         (const cJSON  *json,
                                                  const char   *what,
                                                  GError      **error);
EngDecoder    *eng_replace_decoder_new_from_json (const cJSON  *json,
                                                  const char   *what,
                                                  GError      **error);

G_END_DECLS
