/* SPDX-License-Identifier: MIT */
/* Heads, tokens and numbers of a line. */
#include "app/lessons/scanner.h"

#include <math.h>
#include <string.h>

#define MOST_TOKENS 999999

/* The words for sets of tokens, in the order of AppTokensType from APP_TOKENS_ALL on. */
static const char *const token_words[] = {
  "*", "typed", "special", "padding", "a", "b", "itself", "previous", "next", "earlier", "later",
};

static gboolean
is_name (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_';
}

void
app_scanner_init (AppScanner *self,
                  const char *text,
                  AppPlace    place,
                  AppPlace   *fault)
{
  *self = (AppScanner) { .p = text, .place = place, .fault = fault };
}

void
app_scanner_advance (AppScanner *self,
                     gsize       n_bytes)
{
  self->place.column += (int) g_utf8_strlen (self->p, (gssize) n_bytes);
  self->p += n_bytes;
}

void
app_scanner_skip (AppScanner *self)
{
  app_scanner_advance (self, strspn (self->p, " \t"));
}

gboolean
app_scanner_refuse (AppScanner  *self,
                    GError     **error,
                    const char  *expected)
{
  gsize length = strcspn (self->p, " \t,()");
  g_autofree char *found = NULL;

  if (*self->p == '\0')
    return app_place_refuse (self->place, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the line ends here, expected %s", expected);
  found = g_utf8_substring (self->p, 0, g_utf8_strlen (self->p, (gssize) MAX (length, 1)));

  return app_place_refuse (self->place, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                           "“%s” stands here, expected %s", found, expected);
}

/* “a”, „a“, «a», ‘a’: the word in them, up to the next such quote. (transfer full) NULL = there is
 * none. */
static char *
peek_curved (AppScanner *self)
{
  static const char quotes[] = "“”„‟«»‘’‚‹›";
  const char *begin = g_utf8_next_char (self->p);
  const char *end = begin;

  if (*self->p == '\0' || g_utf8_strchr (quotes, -1, g_utf8_get_char (self->p)) == NULL)
    return NULL;
  while (*end != '\0' && g_utf8_strchr (quotes, -1, g_utf8_get_char (end)) == NULL)
    end = g_utf8_next_char (end);

  return g_strndup (begin, (gsize) (end - begin));
}

gboolean
app_scanner_refuse_word (AppScanner  *self,
                         GError     **error,
                         const char  *expected)
{
  g_autofree char *word = peek_curved (self);

  if (word == NULL)
    return app_scanner_refuse (self, error, expected);

  return app_place_refuse (self->place, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                           "the quotes are curved, expected straight ones: \"%s\"", word);
}

gboolean
app_scanner_end (AppScanner  *self,
                 GError     **error)
{
  app_scanner_skip (self);

  return *self->p == '\0' || app_scanner_refuse (self, error, "the end of the line");
}

gboolean
app_scanner_takes (AppScanner *self,
                   char        sign)
{
  app_scanner_skip (self);
  if (*self->p != sign)
    return FALSE;
  app_scanner_advance (self, 1);

  return TRUE;
}

gboolean
app_scanner_expect (AppScanner  *self,
                    char         sign,
                    GError     **error)
{
  const char expected[] = { '"', sign, '"', '\0' };

  return app_scanner_takes (self, sign) || app_scanner_refuse (self, error, expected);
}

char *
app_scanner_peek_name (AppScanner *self)
{
  gsize length = 0;

  app_scanner_skip (self);
  if (!g_ascii_isalpha (*self->p))
    return NULL;
  while (is_name (self->p[length]))
    length++;

  return g_strndup (self->p, length);
}

/* Digits, a point with digits behind it, an exponent; no sign. */
static gsize
measure_number (const char *text)
{
  gsize n = strspn (text, "0123456789");

  if (n == 0)
    return 0;
  if (text[n] == '.' && g_ascii_isdigit (text[n + 1]))
    n += 1 + strspn (text + n + 1, "0123456789");
  if (text[n] == 'e' || text[n] == 'E') {
    gsize sign = text[n + 1] == '-' || text[n + 1] == '+';

    if (g_ascii_isdigit (text[n + 1 + sign]))
      n += 1 + sign + strspn (text + n + 1 + sign, "0123456789");
  }

  return n;
}

gboolean
app_scanner_read_number (AppScanner  *self,
                         double      *number,
                         GError     **error)
{
  AppPlace start;
  gboolean is_negative;
  gsize length;

  app_scanner_skip (self);
  start = self->place;
  is_negative = app_scanner_takes (self, '-');
  app_scanner_skip (self);
  length = measure_number (self->p);
  if (length == 0)
    return app_scanner_refuse (self, error, "a number");
  *number = g_ascii_strtod (self->p, NULL);
  app_scanner_advance (self, length);
  if (!isfinite (*number))
    return app_place_refuse (start, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the number is too large");
  if (is_negative)
    *number = -*number;

  return TRUE;
}

gboolean
app_scanner_read_index (AppScanner  *self,
                        const char  *expected,
                        int         *number,
                        GError     **error)
{
  gsize length;
  guint64 value;

  app_scanner_skip (self);
  length = strspn (self->p, "0123456789");
  value = length > 0 && length < 10 ? g_ascii_strtoull (self->p, NULL, 10) : G_MAXUINT64;
  if (value > MOST_TOKENS)
    return app_scanner_refuse (self, error, expected);
  *number = (int) value;
  app_scanner_advance (self, length);

  return TRUE;
}

/* A number, or "*" for all. */
static gboolean
read_index_or_all (AppScanner  *self,
                   const char  *expected,
                   int         *number,
                   GError     **error)
{
  if (*self->p == '*') {
    app_scanner_advance (self, 1);
    *number = APP_ALL;
    return TRUE;
  }

  return app_scanner_read_index (self, expected, number, error);
}

gboolean
app_scanner_read_heads (AppScanner  *self,
                        AppHeads    *heads,
                        GError     **error)
{
  static const char expected[] = "a head, such as 3.11, 3.* or *.*";

  app_scanner_skip (self);
  heads->place = self->place;
  if (!read_index_or_all (self, expected, &heads->layer, error))
    return FALSE;
  if (*self->p != '.')
    return app_scanner_refuse (self, error, "\".\" and a head, such as 3.11");
  app_scanner_advance (self, 1);

  return read_index_or_all (self, expected, &heads->head, error);
}

gboolean
app_scanner_read_run (AppScanner  *self,
                      AppClaimRun *run)
{
  app_scanner_skip (self);
  for (int i = APP_RUN_OTHER; i < APP_N_RUNS; i++) {
    const char *name = app_claim_get_run_name (i);
    gsize length = strlen (name);

    if (strncmp (self->p, name, length) == 0 && self->p[length] == '.') {
      app_scanner_advance (self, length + 1);
      *run = i;
      return TRUE;
    }
  }
  *run = APP_RUN_THIS;

  return FALSE;
}

gboolean
app_scanner_read_word (AppScanner  *self,
                       char       **word,
                       GError     **error)
{
  const char *end;

  app_scanner_skip (self);
  end = *self->p == '"' ? strchr (self->p + 1, '"') : NULL;
  if (end == NULL && *self->p == '"')
    return app_place_refuse (self->place, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the quote is not closed, expected \" behind the word");
  if (end == NULL || end == self->p + 1)
    return app_scanner_refuse_word (self, error, "a word in quotes");
  *word = g_strndup (self->p + 1, (gsize) (end - self->p - 1));
  app_scanner_advance (self, (gsize) (end + 1 - self->p));

  return TRUE;
}

/* "cat"#2 */
static gboolean
read_word_token (AppScanner  *self,
                 AppTokens   *tokens,
                 GError     **error)
{
  tokens->type = APP_TOKENS_WORD;
  if (!app_scanner_read_word (self, &tokens->word, error))
    return FALSE;
  if (*self->p != '#')
    return TRUE;
  app_scanner_advance (self, 1);
  if (*self->p == '0')
    return app_scanner_refuse (self, error, "1 for the first one of that word");

  return app_scanner_read_index (self, "1 for the first one of that word, 2 for the second",
                                 &tokens->nth, error);
}

gboolean
app_scanner_read_tokens (AppScanner  *self,
                         AppTokens   *tokens,
                         GError     **error)
{
  g_autofree char *name = NULL;

  app_scanner_skip (self);
  tokens->place = self->place;
  app_scanner_read_run (self, &tokens->run);
  if (*self->p == '"')
    return read_word_token (self, tokens, error);
  if (g_ascii_isdigit (*self->p)) {
    tokens->type = APP_TOKENS_NUMBER;
    return app_scanner_read_index (self, "the number of a token", &tokens->index, error);
  }

  name = *self->p == '*' ? g_strdup ("*") : app_scanner_peek_name (self);
  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS (token_words); i++)
    if (g_str_equal (name, token_words[i])) {
      tokens->type = APP_TOKENS_ALL + i;
      app_scanner_advance (self, strlen (name));
      return TRUE;
    }

  return app_scanner_refuse_word (self, error, "a token: a word in quotes, a number, *, typed, "
                                  "special, padding, a, b, itself, previous, next, earlier or "
                                  "later");
}

gboolean
app_scanner_read_tolerance (AppScanner  *self,
                            double      *tolerance,
                            GError     **error)
{
  AppPlace start;

  *tolerance = 0;
  app_scanner_skip (self);
  start = self->place;
  if (g_str_has_prefix (self->p, "±"))
    app_scanner_advance (self, strlen ("±"));
  else if (g_str_has_prefix (self->p, "+-"))
    app_scanner_advance (self, 2);
  else
    return TRUE;
  if (!app_scanner_read_number (self, tolerance, error))
    return FALSE;
  if (*tolerance < 0)
    return app_place_refuse (start, self->fault, error, APP_LESSON_ERROR_SYNTAX,
                             "the tolerance is below 0");

  return TRUE;
}
