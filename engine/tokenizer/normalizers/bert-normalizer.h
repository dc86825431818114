/* SPDX-License-Identifier: MIT */
/* BertNormalizer: cleans up blanks and control characters, puts blanks around CJK characters, takes
 * accents off and makes lower case, in this order, each step if asked for. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/normalizer.h"

G_BEGIN_DECLS

typedef struct {
  gboolean clean_text;           /* drop control characters and U+FFFD; white space is blanks */
  gboolean handle_chinese_chars; /* a blank on both sides of an ideograph, not of kana or hangul */
  gboolean strip_accents;        /* canonical decomposition, then drop nonspacing marks */
  gboolean lowercase;            /* of each character on its own: a final sigma stays σ */
} EngBertNormalizerOptions;

EngNormalizer *eng_bert_normalizer_new           (const EngBertNormalizerOptions  *options);
EngNormalizer *eng_bert_normalizer_new_from_json (const cJSON                     *json,
                                                  const char                      *what,
                                                  GError                         **error);

G_END_DECLS
