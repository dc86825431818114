/* SPDX-License-Identifier: MIT */
/* Regular expressions of tokenizer.json are written for Oniguruma; GLib's are those of PCRE2. Most
 * of both is the same. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The expression for PCRE2; refuses what means something else there and is seldom said: classes
 * that are taken from each other or have names, options but i and x, \X, {n}+. what names it in
 * messages. */
char *eng_regex_syntax_translate (const char  *pattern,
                                  const char  *what,
                                  GError     **error);

G_END_DECLS
