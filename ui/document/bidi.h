/* SPDX-License-Identifier: MIT */
/* Tokens of right-to-left scripts in sentences that run from left to right. Left alone, an Arabic
 * word turns the numbers behind it around, and as the first word of a sentence all of it. A text
 * that holds nothing of such a script stays as it is, byte for byte; so must cells of a table that
 * are to equal a token. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FALSE for brackets and the like, which take that of the sentence and need no isolate: in one
 * FriBidi 1.0 gives them that of letters behind it, and mirrors a bracket before an Arabic word. */
gboolean ui_bidi_has_direction (const char *text);
/* Whether the first letter of the text runs from right to left: a line of it begins on the right. */
gboolean ui_bidi_begins_right  (const char *text);
/* U+200E, which says that a sentence runs from left to right to those who look for its first letter
 * inside of isolates, too; then the text between U+2068 and U+2069. (transfer full) */
#define UI_BIDI_LEFT_TO_RIGHT "\u200e"
#define UI_BIDI_FIRST_STRONG  "\u2068" /* an isolate in the direction of its first letter */
#define UI_BIDI_OPEN          UI_BIDI_LEFT_TO_RIGHT UI_BIDI_FIRST_STRONG
#define UI_BIDI_CLOSE         "\u2069"
char *ui_bidi_isolate (const char *text);
/* The same in quotation marks. (transfer full) */
char *ui_bidi_quote   (const char *text);

G_END_DECLS
