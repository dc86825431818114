/* SPDX-License-Identifier: MIT */
/* BertPreTokenizer: cuts at white space, which it drops, and makes each punctuation character a word. */
#pragma once

#include "engine/json.h"
#include "engine/tokenizer/pretokenizer.h"

G_BEGIN_DECLS

EngPreTokenizer *eng_bert_pre_tokenizer_new           (void);
EngPreTokenizer *eng_bert_pre_tokenizer_new_from_json (const cJSON  *json,
                                                       const char   *what,
                                                       GError      **error);

G_END_DECLS
