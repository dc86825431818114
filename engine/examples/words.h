/* SPDX-License-Identifier: MIT */
/* Words as people count them, whatever the tokenizer: what stands between blanks and has a letter
 * or a digit, and every sign of writing that has no blanks (Chinese, Japanese). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of n bytes of UTF-8. */
int eng_words_count (const char *text,
                     int         n);

G_END_DECLS
