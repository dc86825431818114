/* SPDX-License-Identifier: MIT */
/* Any regular expression of a tokenizer.json, run by GLib (PCRE2). Which characters are letters is
 * then a matter of GLib's Unicode and not of engine/tokenizer/base/unicode.h: the expressions that
 * most models have are matched by hand (word-patterns.h). Immutable; used by several threads. */
#pragma once

#include "engine/tokenizer/base/pretokenizer.h"

G_BEGIN_DECLS

typedef struct _EngWordRegex EngWordRegex;

/* Refuses an expression that PCRE2 does not take. */
EngWordRegex *eng_word_regex_new  (const char               *pattern,
                                   const char               *what,
                                   GError                  **error);
void          eng_word_regex_free (EngWordRegex             *self);

/* Appends the matches in n characters, as EngWords that count from the first; one may be empty.
 * FALSE when the search takes too many steps. */
gboolean      eng_word_regex_find (const EngWordRegex       *self,
                                   const EngNormalizedChar  *chars,
                                   int                       n,
                                   GArray                   *matches,
                                   GError                  **error);

G_END_DECLS
