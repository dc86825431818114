/* SPDX-License-Identifier: MIT */
/* The rules by which Moses rewrites a text before it cuts it: patterns that give way to texts, each
 * over the whole text from left to right. A character that stands for another keeps the bytes that
 * this came from. */
#pragma once

#include "engine/tokenizer/base/normalized.h"

G_BEGIN_DECLS

typedef enum {
  ENG_MOSES_PUNCTUATION, /* of other scripts, as their like in ASCII; quotes, brackets, spaces */
  ENG_MOSES_SPACES,      /* any white space to one space */
  ENG_MOSES_SIGNS,       /* spaces around what is no letter and no number */
  ENG_MOSES_WORDS,       /* spaces around commas and, as in English, before apostrophes */
  ENG_MOSES_END,         /* a full stop and an apostrophe at the end */
  ENG_N_MOSES_STEPS
} EngMosesStep;

void     eng_moses_rules_apply (EngMosesStep   step,
                                EngNormalized *text);
/* White space as Python has it. */
gboolean eng_moses_is_blank    (gunichar       c);

G_END_DECLS
