/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/pretokenizers/word-patterns.h"

#include "engine/tokenizer/base/unicode.h"

#define LONG_S 0x17f /* what is left of case, "'\u017f" is "'s" */

typedef gboolean (*HasProperty) (gunichar c);

static gboolean
is_other (gunichar c)
{
  return !eng_unicode_is_whitespace (c) && !eng_unicode_is_letter (c) && !eng_unicode_is_number (c);
}

static gboolean
is_line_end (gunichar c)
{
  return c == '\r' || c == '\n';
}

/* Not white space and no part of \w. */
static gboolean
is_sign (gunichar c)
{
  return !eng_unicode_is_whitespace (c) && !eng_unicode_is_word (c);
}

static int
count_run (const EngNormalizedChar *chars,
           int                      first,
           int                      n,
           HasProperty              has)
{
  int end = first;

  while (end < n && has (chars[end].c))
    end++;

  return end - first;
}

/* 's|'t|'re|'ve|'m|'ll|'d */
static int
match_contraction (const EngNormalizedChar *chars,
                   int                      n,
                   gboolean                 any_case)
{
  gunichar letters[2] = { 0, 0 };

  if (chars[0].c != '\'')
    return 0;
  for (int i = 1; i < MIN (n, 3); i++) {
    letters[i - 1] = chars[i].c;
    if (any_case)
      letters[i - 1] = chars[i].c == LONG_S ? 's'
                     : chars[i].c < 0x80    ? (guchar) g_ascii_tolower ((char) chars[i].c) : 0;
  }
  if (letters[0] == 's' || letters[0] == 't' || letters[0] == 'm' || letters[0] == 'd')
    return 2;
  if ((letters[0] == 'r' && letters[1] == 'e') || (letters[0] == 'v' && letters[1] == 'e') ||
      (letters[0] == 'l' && letters[1] == 'l'))
    return 3;

  return 0;
}

/* \s+(?!\S)|\s+ */
static int
match_blanks (const EngNormalizedChar *chars,
              int                      n)
{
  int run = count_run (chars, 0, n, eng_unicode_is_whitespace);

  /* Before a word the last blank is left to it, if there are two or more. */
  return run < n && run > 1 ? run - 1 : run;
}

int
eng_match_gpt2_word (const EngNormalizedChar *chars,
                     int                      n)
{
  static const HasProperty classes[] = { eng_unicode_is_letter, eng_unicode_is_number, is_other };
  int contraction = match_contraction (chars, n, FALSE);
  int first = chars[0].c == ' ';

  if (contraction)
    return contraction;
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++) {
    int run = count_run (chars, first, n, classes[i]);

    if (run > 0)
      return first + run;
  }

  return match_blanks (chars, n);
}

/* [^\r\n\p{L}\p{N}]?\p{L}+ */
static int
match_letters (const EngNormalizedChar *chars,
               int                      n)
{
  int first = !eng_unicode_is_letter (chars[0].c) && !eng_unicode_is_number (chars[0].c) &&
              !is_line_end (chars[0].c);
  int run = count_run (chars, first, n, eng_unicode_is_letter);

  return run > 0 ? first + run : 0;
}

/* ?[^\s\p{L}\p{N}]+[\r\n]* with a space in front */
static int
match_signs (const EngNormalizedChar *chars,
             int                      n)
{
  int first = chars[0].c == ' ';
  int run = count_run (chars, first, n, is_other);

  return run > 0 ? first + run + count_run (chars, first + run, n, is_line_end) : 0;
}

/* \s*[\r\n]+ */
static int
match_line_ends (const EngNormalizedChar *chars,
                 int                      n)
{
  int end = count_run (chars, 0, n, eng_unicode_is_whitespace);

  while (end > 0 && !is_line_end (chars[end - 1].c))
    end--;

  return end;
}

static int
match_llama3_like (const EngNormalizedChar *chars,
                   int                      n,
                   int                      max_digits)
{
  int match = match_contraction (chars, n, TRUE);

  if (!match)
    match = match_letters (chars, n);
  if (!match)
    match = count_run (chars, 0, MIN (n, max_digits), eng_unicode_is_number);
  if (!match)
    match = match_signs (chars, n);
  if (!match)
    match = match_line_ends (chars, n);
  if (!match)
    match = match_blanks (chars, n);

  return match;
}

static int
match_llama3_word (const EngNormalizedChar *chars,
                   int                      n)
{
  return match_llama3_like (chars, n, 3);
}

static int
match_qwen2_word (const EngNormalizedChar *chars,
                  int                      n)
{
  return match_llama3_like (chars, n, 1);
}

int
eng_match_whitespace_word (const EngNormalizedChar *chars,
                           int                      n)
{
  int run = count_run (chars, 0, n, eng_unicode_is_word);

  return run > 0 ? run : count_run (chars, 0, n, is_sign);
}

static gboolean
is_dark (gunichar c)
{
  return !eng_unicode_is_whitespace (c);
}

static int
match_line_word (const EngNormalizedChar *chars,
                 int                      n)
{
  int length = count_run (chars, 0, n, is_dark);

  return length > 0 && length < n && chars[length].c == '\n' ? length + 1 : length;
}

EngMatchWord
eng_find_word_pattern (const char *regex)
{
  static const struct {
    const char  *regex;
    EngMatchWord match;
  } patterns[] = {
    { "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
      eng_match_gpt2_word },
    { ENG_LLAMA3_WORDS, match_llama3_word },
    { ENG_QWEN2_WORDS, match_qwen2_word },
    { ENG_LINE_WORDS, match_line_word },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (g_str_equal (regex, patterns[i].regex))
      return patterns[i].match;

  return NULL;
}
