/* SPDX-License-Identifier: MIT */
/* Any regular expression of a tokenizer.json, run by GLib (PCRE2). Which characters are letters is
 * then a matter of GLib's Unicode and not of engine/tokenizer/base/unicode.h: the expressions that
 * most models have are matched by hand. Immutable; used by several threads. */
#pragma once

#include "engine/tokenizer/base/normalized.h"

G_BEGIN_DECLS

typedef struct _EngRegex EngRegex;

/* Refuses an expression that PCRE2 does not take. what names it in messages. */
EngRegex *eng_regex_new  (const char               *pattern,
                          const char               *what,
                          GError                  **error);
void      eng_regex_free (EngRegex                 *self);

/* Appends the matches in n characters, as EngWords that count from the first; one may be empty.
 * FALSE when the search takes too many steps. */
gboolean  eng_regex_find (const EngRegex           *self,
                          const EngNormalizedChar  *chars,
                          int                       n,
                          GArray                   *matches,
                          GError                  **error);

G_END_DECLS
