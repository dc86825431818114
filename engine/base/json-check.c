/* SPDX-License-Identifier: MIT */
#include "engine/base/json.h"

#include <string.h>

/* What may stand next. */
typedef enum {
  WANT_VALUE,
  WANT_ITEM,      /* a value or the end of an empty list */
  WANT_FIRST_KEY, /* a key or the end of an empty object */
  WANT_KEY,
  WANT_COLON,
  WANT_COMMA,     /* or the end of what is open */
  WANT_NOTHING
} Want;

/* Goes over a text before cJSON does. cJSON is lenient about numbers and control characters, does
 * not bound nesting below its own 1,000 and does not say well where it stopped. */
typedef struct {
  const char *text;
  gsize       length;
  gsize       at;
  Want        want;
  GString    *open;      /* "{[" from the outside in */
  int         max_depth;
  const char *what;
} Scanner;

static gboolean
refuse_at (const Scanner  *self,
           gsize           at,
           const char     *found,
           GError        **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: not JSON at byte %" G_GSIZE_FORMAT ": %s",
               self->what, at, found);

  return FALSE;
}

/* The code unit of \uXXXX at at, or -1. */
static int
read_code_unit (const Scanner *self,
                gsize          at)
{
  int unit = 0;

  if (self->length - at < 6 || strncmp (self->text + at, "\\u", 2) != 0)
    return -1;
  for (gsize i = at + 2; i < at + 6; i++) {
    if (!g_ascii_isxdigit (self->text[i]))
      return -1;
    unit = unit * 16 + g_ascii_xdigit_value (self->text[i]);
  }

  return unit;
}

/* Bytes of the escape at the backslash here; 0 when it stands for no character. */
static gsize
measure_escape (const Scanner *self)
{
  int unit = read_code_unit (self, self->at);
  int low;

  if (unit < 0)
    return self->length - self->at >= 2 && strchr ("\"\\/bfnrt", self->text[self->at + 1]) ? 2 : 0;
  if (unit < 0xd800 || unit > 0xdfff)
    return 6;
  low = unit < 0xdc00 ? read_code_unit (self, self->at + 6) : -1;

  return low >= 0xdc00 && low <= 0xdfff ? 12 : 0;
}

static gboolean
scan_string (Scanner  *self,
             GError  **error)
{
  gsize start = self->at++;
  gsize n_escape;

  for (; self->at < self->length; self->at++) {
    guchar byte = (guchar) self->text[self->at];

    if (byte == '"') {
      self->at++;
      return TRUE;
    }
    if (byte < 0x20)
      return refuse_at (self, self->at, "a control character inside a string", error);
    if (byte != '\\')
      continue;
    /* A C string cannot hold it, and a key cut short there could pass for another one. */
    if (read_code_unit (self, self->at) == 0)
      return refuse_at (self, self->at,
                        "the character \\u0000, which no name or text here may hold", error);
    n_escape = measure_escape (self);
    if (n_escape == 0 && self->at + 1 < self->length)
      return refuse_at (self, self->at, "an escape that stands for no character", error);
    self->at += MAX (n_escape, 1) - 1;
  }

  return refuse_at (self, start, "a string without an end", error);
}

static gboolean
skip_digits (Scanner *self)
{
  gsize start = self->at;

  while (self->at < self->length && g_ascii_isdigit (self->text[self->at]))
    self->at++;

  return self->at > start;
}

static gboolean
skip_any (Scanner    *self,
          const char *bytes)
{
  if (self->at >= self->length || !strchr (bytes, self->text[self->at]))
    return FALSE;
  self->at++;

  return TRUE;
}

/* cJSON leaves numbers to strtod(), which takes more than JSON does: 01, 1., +1. */
static gboolean
scan_number (Scanner  *self,
             GError  **error)
{
  gsize start = self->at;
  gboolean valid;

  skip_any (self, "-");
  valid = skip_any (self, "0") || skip_digits (self);
  if (valid && skip_any (self, "."))
    valid = skip_digits (self);
  if (valid && skip_any (self, "eE")) {
    skip_any (self, "+-");
    valid = skip_digits (self);
  }
  if (!valid || skip_any (self, "0123456789+-.eE"))
    return refuse_at (self, start, "a number that is not spelt as JSON spells numbers", error);

  return TRUE;
}

static void
end_value (Scanner *self)
{
  self->want = self->open->len > 0 ? WANT_COMMA : WANT_NOTHING;
}

static gboolean
scan_open (Scanner  *self,
           GError  **error)
{
  char bracket = self->text[self->at];

  if ((int) self->open->len == self->max_depth) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: JSON nested deeper than %d levels at byte %"
                 G_GSIZE_FORMAT, self->what, self->max_depth, self->at);
    return FALSE;
  }
  g_string_append_c (self->open, bracket);
  self->want = bracket == '{' ? WANT_FIRST_KEY : WANT_ITEM;
  self->at++;

  return TRUE;
}

/* Whether the byte here closes what was opened last. */
static gboolean
skip_close (Scanner *self)
{
  char opened = self->open->len > 0 ? self->open->str[self->open->len - 1] : '\0';

  if (!skip_any (self, opened == '{' ? "}" : "]"))
    return FALSE;
  g_string_truncate (self->open, self->open->len - 1);
  end_value (self);

  return TRUE;
}

static gboolean
scan_value (Scanner  *self,
            GError  **error)
{
  static const char *const words[] = { "true", "false", "null" };
  char byte = self->text[self->at];

  if (byte == '{' || byte == '[')
    return scan_open (self, error);
  if (self->want == WANT_ITEM && byte == ']')
    return skip_close (self);

  end_value (self);
  if (byte == '"')
    return scan_string (self, error);
  if (byte == '-' || g_ascii_isdigit (byte))
    return scan_number (self, error);
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (strncmp (self->text + self->at, words[i], strlen (words[i])) == 0) {
      self->at += strlen (words[i]);
      return TRUE;
    }

  return refuse_at (self, self->at, "expected a value", error);
}

static gboolean
scan_key (Scanner  *self,
          GError  **error)
{
  if (self->want == WANT_FIRST_KEY && skip_close (self))
    return TRUE;
  if (self->text[self->at] != '"')
    return refuse_at (self, self->at, "expected a key in quotes", error);
  self->want = WANT_COLON;

  return scan_string (self, error);
}

static gboolean
scan_token (Scanner  *self,
            GError  **error)
{
  switch (self->want) {
  case WANT_VALUE:
  case WANT_ITEM:
    return scan_value (self, error);
  case WANT_FIRST_KEY:
  case WANT_KEY:
    return scan_key (self, error);
  case WANT_COLON:
    self->want = WANT_VALUE;
    return skip_any (self, ":") || refuse_at (self, self->at, "expected a colon", error);
  case WANT_COMMA:
    if (skip_close (self))
      return TRUE;
    self->want = g_str_has_suffix (self->open->str, "{") ? WANT_KEY : WANT_VALUE;
    return skip_any (self, ",") ||
           refuse_at (self, self->at, "expected a comma or an end", error);
  case WANT_NOTHING:
  default:
    return refuse_at (self, self->at, "expected nothing behind the value", error);
  }
}

static gboolean
scan (Scanner  *self,
      GError  **error)
{
  self->at += strspn (self->text + self->at, " \t\r\n");
  while (self->at < self->length) {
    if (!scan_token (self, error))
      return FALSE;
    self->at += strspn (self->text + self->at, " \t\r\n");
  }

  return self->want == WANT_NOTHING || refuse_at (self, self->at, "the text breaks off", error);
}

gboolean
eng_json_check (const char  *text,
                gsize        length,
                int          max_depth,
                const char  *what,
                GError     **error)
{
  g_autoptr (GString) open_brackets = g_string_new (NULL);
  Scanner scanner = { text, length, 0, WANT_VALUE, open_brackets, max_depth, what };
  const char *end;

  if (!g_utf8_validate_len (text, length, &end)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: not UTF-8 at byte %" G_GSIZE_FORMAT,
                 what, (gsize) (end - text));
    return FALSE;
  }

  return scan (&scanner, error);
}
