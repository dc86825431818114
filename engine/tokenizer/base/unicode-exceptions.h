/* SPDX-License-Identifier: MIT */
/* Where the answers of the tokenizers library differ from those of utf8proc with Unicode 15.0.
 * Generated, see unicode-exceptions.c; ranges are inclusive and sorted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gunichar first;
  gunichar last;
} EngUnicodeRange;

typedef struct {
  const EngUnicodeRange *ranges;
  int                    n;
} EngUnicodeSet;

typedef struct {
  gunichar first;
  gunichar last;
  gint32   step; /* lower case = character + step */
  gunichar then; /* a second character behind it, or 0 */
} EngUnicodeLower;

/* Not assigned in Unicode 15.0: what a newer utf8proc says about these is not asked for. */
extern const EngUnicodeSet eng_unicode_unassigned;

/* The answer is the opposite of utf8proc's. */
extern const EngUnicodeSet eng_unicode_control_flips;
extern const EngUnicodeSet eng_unicode_punctuation_flips;
extern const EngUnicodeSet eng_unicode_nonspacing_mark_flips;
extern const EngUnicodeSet eng_unicode_mark_flips;
extern const EngUnicodeSet eng_unicode_word_flips;
extern const EngUnicodeSet eng_unicode_letter_flips;
extern const EngUnicodeSet eng_unicode_number_flips;
extern const EngUnicodeSet eng_unicode_digit_flips;

/* Combining class 0 there, another one in utf8proc. */
extern const EngUnicodeSet eng_unicode_starters;
/* Decomposed by utf8proc, not there. */
extern const EngUnicodeSet eng_unicode_undecomposed;
/* Has a compatibility decomposition in utf8proc, none but the canonical one there. */
extern const EngUnicodeSet eng_unicode_incompatible;

extern const EngUnicodeLower eng_unicode_lower_exceptions[];
extern const int eng_unicode_n_lower_exceptions;

G_END_DECLS
