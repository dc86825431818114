/* SPDX-License-Identifier: MIT */
/* Split: cuts words at the matches of a pattern, a string or a regular expression; what becomes of
 * the matches is its behaviour. Digits, Punctuation and Whitespace are the same with patterns of
 * their own. */
#pragma once

#include "engine/base/json.h"
#include "engine/tokenizer/base/pretokenizer.h"
#include "engine/tokenizer/pretokenizers/word-patterns.h"

G_BEGIN_DECLS

typedef enum {
  ENG_SPLIT_REMOVED,              /* matches are left out */
  ENG_SPLIT_ISOLATED,             /* each is a word */
  ENG_SPLIT_MERGED_WITH_PREVIOUS, /* each ends the word before it */
  ENG_SPLIT_MERGED_WITH_NEXT,     /* each begins the word behind it */
  ENG_SPLIT_CONTIGUOUS            /* matches in a row are one word */
} EngSplitBehavior;

EngPretokenizer *eng_split_new                   (EngMatchWord       match,
                                                  EngSplitBehavior   behavior,
                                                  gboolean           invert);
/* Refuses a regular expression that cannot be run, with its text. */
EngPretokenizer *eng_split_new_from_json         (const cJSON       *json,
                                                  const char        *what,
                                                  GError           **error);
EngPretokenizer *eng_digits_new_from_json        (const cJSON       *json,
                                                  const char        *what,
                                                  GError           **error);
EngPretokenizer *eng_punctuation_new_from_json   (const cJSON       *json,
                                                  const char        *what,
                                                  GError           **error);
EngPretokenizer *eng_whitespace_new_from_json    (const cJSON       *json,
                                                  const char        *what,
                                                  GError           **error);

G_END_DECLS
