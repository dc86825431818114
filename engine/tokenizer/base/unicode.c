/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/unicode.h"

#include "engine/tokenizer/base/unicode-exceptions.h"

#include <utf8proc.h>
#include <string.h>

static gboolean
contains (const EngUnicodeSet *set,
          gunichar             c)
{
  int low = 0;
  int high = set->n;

  while (low < high) {
    int middle = (low + high) / 2;

    if (c > set->ranges[middle].last)
      low = middle + 1;
    else
      high = middle;
  }

  return low < set->n && c >= set->ranges[low].first;
}

/* utf8proc's answers are pinned to Unicode 15.0 so that tokens do not depend on the version
 * installed. */
static const utf8proc_property_t *
get_property (gunichar c)
{
  return utf8proc_get_property (contains (&eng_unicode_unassigned, c) ? -1 : (utf8proc_int32_t) c);
}

static utf8proc_category_t
get_category (gunichar c)
{
  return get_property (c)->category;
}

gboolean
eng_unicode_is_whitespace (gunichar c)
{
  switch (c) {
  case '\t': case '\n': case '\v': case '\f': case '\r': case ' ':
  case 0x85: case 0xa0: case 0x1680: case 0x2028: case 0x2029: case 0x202f: case 0x205f:
  case 0x3000:
    return TRUE;
  default:
    return c >= 0x2000 && c <= 0x200a;
  }
}

gboolean
eng_unicode_is_control (gunichar c)
{
  utf8proc_category_t category;

  if (c < 0x80)
    return g_ascii_iscntrl (c);

  category = get_category (c);

  return (category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
          category == UTF8PROC_CATEGORY_CO) != contains (&eng_unicode_control_flips, c);
}

gboolean
eng_unicode_is_punctuation (gunichar c)
{
  utf8proc_category_t category;

  if (c < 0x80)
    return g_ascii_ispunct (c);

  category = get_category (c);

  return (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO) !=
         contains (&eng_unicode_punctuation_flips, c);
}

gboolean
eng_unicode_is_nonspacing_mark (gunichar c)
{
  if (c < 0x80)
    return FALSE;

  return (get_category (c) == UTF8PROC_CATEGORY_MN) !=
         contains (&eng_unicode_nonspacing_mark_flips, c);
}

gboolean
eng_unicode_is_mark (gunichar c)
{
  utf8proc_category_t category;

  if (c < 0x300)
    return FALSE;

  category = get_category (c);

  return (category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME) !=
         contains (&eng_unicode_mark_flips, c);
}

gboolean
eng_unicode_is_word (gunichar c)
{
  utf8proc_category_t category;
  gboolean is_word;

  if (c < 0x80)
    return g_ascii_isalnum (c) || c == '_';

  /* Alphabetic is letters, marks and letter numbers, and the letters in circles and squares. */
  category = get_category (c);
  is_word = (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) ||
            category == UTF8PROC_CATEGORY_PC || c == 0x200c || c == 0x200d ||
            (c >= 0x24b6 && c <= 0x24e9) || (c >= 0x1f130 && c <= 0x1f149) ||
            (c >= 0x1f150 && c <= 0x1f169) || (c >= 0x1f170 && c <= 0x1f189);

  return is_word != contains (&eng_unicode_word_flips, c);
}

gboolean
eng_unicode_is_letter (gunichar c)
{
  utf8proc_category_t category;

  if (c < 0x80)
    return g_ascii_isalpha (c);

  category = get_category (c);

  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) !=
         contains (&eng_unicode_letter_flips, c);
}

gboolean
eng_unicode_is_number (gunichar c)
{
  utf8proc_category_t category;

  if (c < 0x80)
    return g_ascii_isdigit (c);

  category = get_category (c);

  return (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO) !=
         contains (&eng_unicode_number_flips, c);
}

gboolean
eng_unicode_is_digit (gunichar c)
{
  utf8proc_category_t category;

  if (c < 0x80)
    return g_ascii_isdigit (c);

  category = get_category (c);

  return (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO) !=
         contains (&eng_unicode_digit_flips, c);
}

const char *
eng_unicode_get_category (gunichar c)
{
  gboolean assigned = !contains (&eng_unicode_unassigned, c);

  return utf8proc_category_string (assigned ? (utf8proc_int32_t) c : -1);
}

int
eng_unicode_get_combining_class (gunichar c)
{
  if (c < 0x300 || contains (&eng_unicode_starters, c))
    return 0;

  return get_property (c)->combining_class;
}

int
eng_unicode_decompose (gunichar c,
                       gboolean compatible,
                       gunichar decomposed[ENG_MAX_DECOMPOSITION])
{
  utf8proc_int32_t buffer[ENG_MAX_DECOMPOSITION];
  int flags = UTF8PROC_DECOMPOSE | UTF8PROC_STABLE;
  utf8proc_ssize_t n;
  int boundary = 0;

  decomposed[0] = c;
  if (c < 0xa0 || contains (&eng_unicode_unassigned, c) || contains (&eng_unicode_undecomposed, c))
    return 1;

  if (compatible && !contains (&eng_unicode_incompatible, c))
    flags |= UTF8PROC_COMPAT;
  n = utf8proc_decompose_char ((utf8proc_int32_t) c, buffer, ENG_MAX_DECOMPOSITION,
                               (utf8proc_option_t) flags, &boundary);
  if (n < 1 || n > ENG_MAX_DECOMPOSITION)
    return 1;
  for (int i = 0; i < n; i++)
    decomposed[i] = (gunichar) buffer[i];

  return (int) n;
}

gunichar
eng_unicode_compose (gunichar first,
                     gunichar second)
{
  utf8proc_int32_t pair[3] = { (utf8proc_int32_t) first, (utf8proc_int32_t) second };

  /* Nothing below is the second half of a character. */
  if (second < 0x300 ||
      utf8proc_normalize_utf32 (pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE) != 1 ||
      contains (&eng_unicode_undecomposed, (gunichar) pair[0]))
    return 0;

  return (gunichar) pair[0];
}

int
eng_unicode_lower (gunichar c,
                   gunichar lower[ENG_MAX_LOWER_CASE])
{
  if (c < 0x80) {
    lower[0] = (guchar) g_ascii_tolower ((char) c);
    return 1;
  }

  for (int i = 0; i < eng_unicode_n_lower_exceptions; i++) {
    const EngUnicodeLower *exception = &eng_unicode_lower_exceptions[i];

    if (c < exception->first || c > exception->last)
      continue;
    lower[0] = c + (gunichar) exception->step;
    lower[1] = exception->then;
    return exception->then ? 2 : 1;
  }
  lower[0] = c;
  if (!contains (&eng_unicode_unassigned, c))
    lower[0] = (gunichar) utf8proc_tolower ((utf8proc_int32_t) c);

  return 1;
}

static gboolean
is_blank (gunichar c)
{
  return eng_unicode_is_whitespace (c) || (c >= 0x1c && c <= 0x1f);
}

char *
eng_unicode_dup_stripped (const char *text)
{
  const char *end = text + strlen (text);

  while (*text && is_blank (g_utf8_get_char (text)))
    text = g_utf8_next_char (text);
  while (end > text && is_blank (g_utf8_get_char (g_utf8_prev_char (end))))
    end = g_utf8_prev_char (end);

  return g_strndup (text, (gsize) (end - text));
}
