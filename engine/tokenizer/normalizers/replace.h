/* SPDX-License-Identifier: MIT */
/* Replace: every match of a pattern gives way to a text, as a normalizer and as a decoder. A
 * pattern is a string, or one of the few regular expressions that tokenizers have; another one is
 * refused with its text. */
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
