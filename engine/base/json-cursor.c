/* SPDX-License-Identifier: MIT */
#include "engine/base/json-cursor.h"

#include <string.h>

/* Digits that a double surely holds. */
#define MAX_PLAIN_DIGITS 15

static gboolean
is_between (char byte)
{
  return byte == ' ' || byte == '\n' || byte == ',' || byte == ':' || byte == '\t' || byte == '\r';
}

static void
skip_blanks (EngJsonCursor *self)
{
  while (self->at < self->end && is_between (*self->at))
    self->at++;
}

/* at stands on the opening quote; returns what stands behind the closing one. */
static const char *
skip_string (const char *at)
{
  for (at++; *at != '"'; at++)
    if (*at == '\\')
      at++;

  return at + 1;
}

/* A number or a word ends where a list, an object or the text goes on. */
static const char *
skip_scalar (const char *at,
             const char *end)
{
  while (at < end && !is_between (*at) && *at != ']' && *at != '}')
    at++;

  return at;
}

/* The four digits of \uXXXX; at stands on the u. */
static gunichar
read_code_unit (const char *at)
{
  gunichar unit = 0;

  for (int i = 1; i <= 4; i++)
    unit = unit * 16 + (gunichar) g_ascii_xdigit_value (at[i]);

  return unit;
}

/* at stands behind a backslash; returns what stands behind the escape. */
static const char *
append_escaped (GString    *text,
                const char *at)
{
  static const char names[] = "bfnrt";
  static const char values[] = "\b\f\n\r\t";
  const char *name;
  gunichar c;

  if (*at != 'u') {
    name = strchr (names, *at);
    g_string_append_c (text, name ? values[name - names] : *at);
    return at + 1;
  }
  c = read_code_unit (at);
  at += 5;
  if (c >= 0xd800 && c <= 0xdbff) {
    c = 0x10000 + ((c - 0xd800) << 10) + (read_code_unit (at + 1) - 0xdc00);
    at += 6;
  }
  g_string_append_unichar (text, c);

  return at;
}

/* at stands behind the opening quote. Without escapes the string is the text itself. */
static void
read_string (EngJsonCursor *self)
{
  const char *first = self->at;
  const char *at = first;

  while (*at != '"' && *at != '\\')
    at++;
  self->string = first;
  self->length = (gsize) (at - first);
  self->at = at + 1;
  if (*at == '"')
    return;

  g_string_truncate (self->unescaped, 0);
  for (; *at != '"'; first = at) {
    while (*at != '"' && *at != '\\')
      at++;
    g_string_append_len (self->unescaped, first, at - first);
    if (*at == '\\')
      at = append_escaped (self->unescaped, at + 1);
  }
  self->string = self->unescaped->str;
  self->length = self->unescaped->len;
  self->at = at + 1;
}

static void
read_number (EngJsonCursor *self)
{
  const char *at = self->at;
  gint64 digits = 0;
  char *end;

  while (at < self->end && g_ascii_isdigit (*at) && at - self->at < MAX_PLAIN_DIGITS)
    digits = digits * 10 + (*at++ - '0');
  if (at > self->at && (at == self->end || !strchr ("0123456789.eE", *at))) {
    self->number = (double) digits;
    self->at = at;
    return;
  }
  self->number = g_ascii_strtod (self->at, &end);
  self->at = end;
}

void
eng_json_cursor_init (EngJsonCursor *self,
                      EngJsonText    value)
{
  *self = (EngJsonCursor) { 0 };
  self->at = value.text;
  self->end = value.text + value.length;
  self->unescaped = g_string_new (NULL);
}

void
eng_json_cursor_clear (EngJsonCursor *self)
{
  if (self->unescaped)
    g_string_free (self->unescaped, TRUE);
  self->unescaped = NULL;
}

EngJsonKind
eng_json_cursor_next (EngJsonCursor *self)
{
  skip_blanks (self);
  if (self->at == self->end)
    return ENG_JSON_END;

  switch (*self->at) {
  case '{':
    self->at++;
    return ENG_JSON_OBJECT;
  case '}':
    self->at++;
    return ENG_JSON_OBJECT_END;
  case '[':
    self->at++;
    return ENG_JSON_LIST;
  case ']':
    self->at++;
    return ENG_JSON_LIST_END;
  case '"':
    self->at++;
    read_string (self);
    return ENG_JSON_STRING;
  case 't': case 'n':
    self->at += strlen ("true");
    return ENG_JSON_WORD;
  case 'f':
    self->at += strlen ("false");
    return ENG_JSON_WORD;
  default:
    read_number (self);
    return ENG_JSON_NUMBER;
  }
}

EngJsonText
eng_json_cursor_skip (EngJsonCursor *self)
{
  EngJsonText value;
  int depth = 0;

  skip_blanks (self);
  value.text = self->at;
  do {
    skip_blanks (self);
    switch (*self->at) {
    case '{': case '[':
      self->at++;
      depth++;
      break;
    case '}': case ']':
      self->at++;
      depth--;
      break;
    case '"':
      self->at = skip_string (self->at);
      break;
    default:
      self->at = skip_scalar (self->at, self->end);
      break;
    }
  } while (depth > 0);
  value.length = (gsize) (self->at - value.text);

  return value;
}

gboolean
eng_json_cursor_find (EngJsonCursor *self,
                      const char    *key)
{
  while (eng_json_cursor_next (self) == ENG_JSON_STRING) {
    if (self->length == strlen (key) && memcmp (self->string, key, self->length) == 0)
      return TRUE;
    eng_json_cursor_skip (self);
  }

  return FALSE;
}
