/* SPDX-License-Identifier: MIT */
/* Pre-tokenizers that cut at single characters and drop them: WhitespaceSplit at white space,
 * CharDelimiterSplit at one given character. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/pretokenizer.h"

G_BEGIN_DECLS

EngPretokenizer *eng_whitespace_split_new               (void);
EngPretokenizer *eng_whitespace_split_new_from_json     (const cJSON  *json,
                                                         const char   *what,
                                                         GError      **error);
/* {"delimiter": "_"} */
EngPretokenizer *eng_char_delimiter_split_new_from_json (const cJSON  *json,
                                                         const char   *what,
                                                         GError      **error);

G_END_DECLS
