/* SPDX-License-Identifier: MIT */
/* The regular expressions by which most tokenizers cut texts into words, as matchers written by
 * hand: what they match is bounded by a look at each character. base/regex.h runs all others. */
#pragma once

#include "engine/tokenizer/base/normalized.h"

G_BEGIN_DECLS

/* How Llama 3 cuts words, and Qwen2: each digit alone. */
#define ENG_LLAMA3_WORDS \
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|" \
  " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define ENG_QWEN2_WORDS \
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|" \
  " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

/* Words between white space, each with the end of its line. */
#define ENG_LINE_WORDS "\\S+\\n?"

/* How many of the n characters at chars the expression matches, n > 0; 0 = it does not match
 * here. */
typedef int (*EngMatchWord) (const EngNormalizedChar *chars,
                             int                      n);

/* GPT-2's words: a run of letters, of digits, or of other signs, each with a space before it; "'s"
 * and the like; white space but for the last blank before a word. */
int          eng_match_gpt2_word       (const EngNormalizedChar *chars,
                                        int                      n);
/* \w+|[^\w\s]+, by which Whitespace cuts. */
int          eng_match_whitespace_word (const EngNormalizedChar *chars,
                                        int                      n);
/* The matcher of a regular expression; NULL when there is none. */
EngMatchWord eng_find_word_pattern     (const char              *regex);

G_END_DECLS
