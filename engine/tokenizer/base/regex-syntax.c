/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/regex-syntax.h"

#include <string.h>

#include "engine/base/error.h"

/* Members of classes. White_Space is without U+180E, which PCRE2 counts; a word's character is
 * alphabetic, a mark, a decimal digit or a connector. */
#define SPACE "\\t-\\r\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}" \
  "\\x{202f}\\x{205f}\\x{3000}"
#define WORD "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}" \
  "\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{1f189}"
/* And outside of classes, so Oniguruma has it, the other digits of Latin-1. */
#define WORD_ALONE WORD "\\xb2\\xb3\\xb9\\xbc-\\xbe"
#define WORD_CLASS "[" WORD_ALONE "]"
#define HEXADECIMAL "0-9A-Fa-f"

typedef struct {
  const char *pattern;
  const char *at;
  const char *what;
  GString    *result;
} Translation;

static gboolean
refuse (const Translation  *self,
        const char         *reason,
        GError            **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: the regular expression %s has %s at “%.12s”, which is not supported",
               self->what, self->pattern, reason, self->at);

  return FALSE;
}

/* Copies n bytes as they are. */
static void
copy (Translation *self,
      gsize        n)
{
  g_string_append_len (self->result, self->at, (gssize) n);
  self->at += n;
}

/* \uHHHH, which PCRE2 has not. */
static gboolean
translate_code (Translation  *self,
                GError      **error)
{
  for (int i = 2; i < 6; i++)
    if (!g_ascii_isxdigit (self->at[i]))
      return refuse (self, "\\u without four digits", error);
  g_string_append_printf (self->result, "\\x{%.4s}", self->at + 2);
  self->at += 6;

  return TRUE;
}

/* \xHH is a byte for the one and a character for the other: the same in ASCII. */
static gboolean
check_byte (const Translation  *self,
            GError            **error)
{
  return !g_ascii_isxdigit (self->at[2]) || !g_ascii_isxdigit (self->at[3]) ||
         g_ascii_xdigit_value (self->at[2]) < 8 || refuse (self, "\\x of no ASCII", error);
}

/* What a letter behind \ stands for; NULL = the same in both. */
static const char *
find_class (char     letter,
            gboolean in_class)
{
  switch (g_ascii_tolower (letter)) {
  case 's':
    return SPACE;
  case 'w':
    return in_class ? WORD : WORD_ALONE;
  case 'h':
    return HEXADECIMAL;
  default:
    return NULL;
  }
}

static gboolean
translate_escape (Translation  *self,
                  gboolean      in_class,
                  GError      **error)
{
  char letter = self->at[1];
  const char *members = find_class (letter, in_class);
  gboolean negated = g_ascii_isupper (letter);

  if (letter == '\0')
    return refuse (self, "a \\ with nothing behind it", error);
  if (letter == 'u')
    return translate_code (self, error);
  if (letter == 'x' && !check_byte (self, error))
    return FALSE;
  if (strchr ("XKGRyYNOkg", letter) || (in_class && negated && members))
    return refuse (self, "an escape", error);
  if (members) {
    g_string_append_printf (self->result, in_class ? "%s" : negated ? "[^%s]" : "[%s]", members);
    self->at += 2;
  } else if (!in_class && g_ascii_tolower (letter) == 'b') {
    g_string_append_printf (self->result, "(?:(?<=%s)(?%c%s)|(?<!%s)(?%c%s))", WORD_CLASS,
                            negated ? '=' : '!', WORD_CLASS, WORD_CLASS, negated ? '!' : '=',
                            WORD_CLASS);
    self->at += 2;
  } else {
    copy (self, 1 + (gsize) (g_utf8_next_char (self->at + 1) - (self->at + 1)));
    /* What stands in braces belongs to it: \p{L}. */
    if (strchr ("pPx", letter) && *self->at == '{')
      copy (self, strcspn (self->at, "}"));
  }

  return TRUE;
}

/* From behind its [ to behind its ]. A class in a class is a union, whose brackets are left out; in
 * PCRE2 a [ there is a character. */
static gboolean
translate_class (Translation  *self,
                 int           depth,
                 GError      **error)
{
  const char *first = self->at;

  while (*self->at) {
    gboolean begins = self->at == first;

    if (*self->at == ']' && !begins) {
      self->at++;
      return TRUE;
    }
    if (*self->at == '[') {
      if (strchr ("^:", self->at[1]) || depth > 4)
        return refuse (self, "a class of its own in a class", error);
      self->at++;
      if (!translate_class (self, depth + 1, error))
        return FALSE;
    } else if (self->at[0] == '&' && self->at[1] == '&') {
      return refuse (self, "an intersection of classes", error);
    } else if (*self->at == '\\') {
      if (!translate_escape (self, TRUE, error))
        return FALSE;
    } else {
      if (*self->at == ']')
        g_string_append_c (self->result, '\\');
      copy (self, (gsize) (g_utf8_next_char (self->at) - self->at));
    }
  }

  return refuse (self, "a class without end", error);
}

/* (?ix-ix: and (?ix-ix); other letters mean different things, other signs the same. */
static gboolean
check_group (const Translation  *self,
             GError            **error)
{
  const char *option = self->at + 2;

  if (self->at[1] == '*')
    return refuse (self, "a verb", error);
  if (self->at[1] != '?' || !(g_ascii_isalpha (*option) || *option == '-'))
    return TRUE;
  for (; *option && *option != ':' && *option != ')'; option++)
    if (!strchr ("ix-", *option))
      return refuse (self, "an option", error);

  return TRUE;
}

/* {n,m}, {,m} and their like; + behind it repeats it for the one and binds it for the other. */
static gboolean
translate_count (Translation  *self,
                 GError      **error)
{
  gsize n = strspn (self->at + 1, "0123456789,");

  if (n == 0 || self->at[1 + n] != '}') {
    g_string_append_c (self->result, '\\');
    copy (self, 1);
    return TRUE;
  }
  if (self->at[n + 2] == '+')
    return refuse (self, "a count that is counted", error);
  if (self->at[1] == ',') {
    g_string_append (self->result, "{0");
    self->at++;
    n--;
    copy (self, n + 2);
  } else {
    copy (self, n + 2);
  }

  return TRUE;
}

static gboolean
translate_next (Translation  *self,
                GError      **error)
{
  switch (*self->at) {
  case '\\':
    return translate_escape (self, FALSE, error);
  case '[':
    copy (self, 1);
    if (*self->at == '^')
      copy (self, 1);
    if (!translate_class (self, 0, error))
      return FALSE;
    g_string_append_c (self->result, ']');
    return TRUE;
  case '{':
    return translate_count (self, error);
  case '(':
    if (!check_group (self, error))
      return FALSE;
    copy (self, 1);
    return TRUE;
  default:
    copy (self, (gsize) (g_utf8_next_char (self->at) - self->at));
    return TRUE;
  }
}

char *
eng_regex_syntax_translate (const char  *pattern,
                            const char  *what,
                            GError     **error)
{
  g_autoptr (GString) result = g_string_new (NULL);
  Translation self = { pattern, pattern, what, result };

  while (*self.at)
    if (!translate_next (&self, error))
      return NULL;

  return g_string_free (g_steal_pointer (&result), FALSE);
}
