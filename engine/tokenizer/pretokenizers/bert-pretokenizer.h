/* SPDX-License-Identifier: MIT */
/* BertPreTokenizer: cuts at white space, which it drops, and makes each punctuation character a
 * word. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/pretokenizer.h"

G_BEGIN_DECLS

EngPretokenizer *eng_bert_pretokenizer_new           (void);
EngPretokenizer *eng_bert_pretokenizer_new_from_json (const cJSON  *json,
                                                      const char   *what,
                                                      GError      **error);

G_END_DECLS
