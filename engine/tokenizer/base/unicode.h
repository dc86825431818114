/* SPDX-License-Identifier: MIT */
/* Properties of characters as the HuggingFace tokenizers library sees them. Its tables are of
 * several Unicode versions, none of them utf8proc's; unicode-exceptions.c lists where the two
 * differ. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ENG_MAX_DECOMPOSITION 18 /* characters of the longest decomposition */
#define ENG_MAX_LOWER_CASE     2 /* characters of the longest lower case */

gboolean eng_unicode_is_whitespace      (gunichar c); /* White_Space */
/* Without the white space around it, to which Python counts the separators of ASCII, too. */
char    *eng_unicode_dup_stripped       (const char *text);
gboolean eng_unicode_is_control         (gunichar c); /* categories Cc, Cf, Co */
gboolean eng_unicode_is_punctuation     (gunichar c); /* categories P*, and the signs of ASCII */
gboolean eng_unicode_is_nonspacing_mark (gunichar c); /* category Mn */
gboolean eng_unicode_is_mark            (gunichar c); /* categories M* */
gboolean eng_unicode_is_word            (gunichar c); /* what \w of a regular expression matches */
gboolean eng_unicode_is_letter          (gunichar c); /* what \p{L} matches */
gboolean eng_unicode_is_number          (gunichar c); /* what \p{N} matches */
gboolean eng_unicode_is_digit           (gunichar c); /* N*, of a newer Unicode than \p{N} */

/* "Lu": as Unicode 15.0 itself has it. */
const char *eng_unicode_get_category    (gunichar c);

/* 0 = a starter, which no mark moves across. */
int      eng_unicode_get_combining_class (gunichar c);
/* Full decomposition, canonical or also that of compatibility; returns its length, c itself when
 * there is none. */
int      eng_unicode_decompose          (gunichar c,
                                         gboolean compatible,
                                         gunichar decomposed[ENG_MAX_DECOMPOSITION]);
/* The character that two in a row are composed to; 0 when they are not. */
gunichar eng_unicode_compose            (gunichar first,
                                         gunichar second);
/* Full mapping without context; returns its length. */
int      eng_unicode_lower              (gunichar c,
                                         gunichar lower[ENG_MAX_LOWER_CASE]);

G_END_DECLS
