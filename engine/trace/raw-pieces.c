/* SPDX-License-Identifier: MIT */
#include "engine/trace/raw-pieces.h"

#include <string.h>

#include "engine/tokenizer/base/byte-text.h"
#include "engine/tokenizer/pretokenizers/byte-level.h"

#define WORD_START "▁"
#define WORD_END   "</w>"
#define MAX_UTF8   4

/* The byte that a character of a byte-level piece stands for, -1 for none. Whoever wrote the file
 * may have put spaces and line breaks back already. */
static int
get_byte (gunichar c)
{
  return c == ' ' || c == '\n' ? (int) c : eng_byte_level_get_byte (c);
}

/* Appends the bytes of a piece; FALSE, and nothing appended, where one of its characters is
 * none. */
static gboolean
append_bytes (GString    *bytes,
              const char *piece)
{
  gsize length = bytes->len;

  for (const char *p = piece; *p != '\0'; p = g_utf8_next_char (p)) {
    int byte = get_byte (g_utf8_get_char (p));

    if (byte < 0) {
      g_string_truncate (bytes, length);
      return FALSE;
    }
    g_string_append_c (bytes, (char) byte);
  }
  return TRUE;
}

/* Control characters that no text has are a sign that the characters were never bytes. */
static gboolean
is_text (const GString *bytes)
{
  const char *end;

  for (gsize i = 0; i < bytes->len; i++)
    if (g_ascii_iscntrl (bytes->str[i]) && strchr ("\t\n\r", bytes->str[i]) == NULL)
      return FALSE;
  /* A text that was cut off may end within a character. */
  return g_utf8_validate (bytes->str, (gssize) bytes->len, &end)
         || bytes->str + bytes->len - end < MAX_UTF8;
}

/* A template token, whether it is marked as one or only looks like one. */
static gboolean
is_template (const char *piece,
             guint8      special)
{
  gsize length = strlen (piece);

  return special || (length > 2 && piece[0] == '<' && piece[length - 1] == '>');
}

/* WordPiece's mark of a piece that continues a word. */
static gboolean
is_continuation (const char *piece)
{
  return g_str_has_prefix (piece, "##") && piece[2] != '\0' && piece[2] != '#';
}

static gboolean
has_stand_in (const char *piece)
{
  for (const char *p = piece; *p != '\0'; p++)
    if ((guint8) *p >= 0x80)
      return TRUE;
  return FALSE;
}

/* All characters stand for bytes, some of them not for themselves, and together they are a text. */
static gboolean
are_byte_level (char         *const *pieces,
                const guint8        *special,
                int                  n)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  gboolean any = FALSE;

  for (int i = 0; i < n; i++) {
    if (is_continuation (pieces[i]))
      return FALSE;
    if (is_template (pieces[i], special[i]))
      continue;
    if (!append_bytes (bytes, pieces[i]))
      return FALSE;
    any = any || has_stand_in (pieces[i]);
  }
  return any && is_text (bytes);
}

static gboolean
have_word_starts (char *const *pieces,
                  int          n)
{
  for (int i = 0; i < n; i++)
    if (g_str_has_prefix (pieces[i], WORD_START))
      return TRUE;
  return FALSE;
}

static gboolean
ends_word (const char *piece)
{
  return g_str_has_suffix (piece, WORD_END) && strlen (piece) > strlen (WORD_END);
}

static gboolean
have_word_ends (char *const *pieces,
                int          n)
{
  for (int i = 0; i < n; i++)
    if (ends_word (pieces[i]))
      return TRUE;
  return FALSE;
}

static char *
draw_bytes (const char *piece)
{
  g_autoptr (GString) bytes = g_string_new (NULL);

  return append_bytes (bytes, piece) ? eng_bytes_to_drawn (bytes->str, bytes->len)
                                     : g_strdup (piece);
}

/* "<0x41>" is the byte of a character that the vocabulary has not; a whole one is shown as such. */
static char *
draw_sentencepiece (const char *piece)
{
  g_autoptr (GString) text = g_string_new (piece);
  guint64 byte;

  if (strlen (piece) == strlen ("<0x41>") && g_str_has_prefix (piece, "<0x") && piece[5] == '>') {
    g_autofree char *digits = g_strndup (piece + 3, 2);

    if (g_ascii_string_to_unsigned (digits, 16, 1, 0x7f, &byte, NULL))
      return g_strdup_printf ("%c", (char) byte);
  }
  g_string_replace (text, WORD_START, " ", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
draw_ended (const char *piece,
            const char *previous)
{
  gsize length = strlen (piece) - (ends_word (piece) ? strlen (WORD_END) : 0);
  g_autofree char *text = g_strndup (piece, length);

  return g_strconcat (previous != NULL && ends_word (previous) ? " " : "", text, NULL);
}

char **
eng_raw_pieces_to_texts (char         *const *pieces,
                         const guint8        *special,
                         int                  n)
{
  gboolean starts = have_word_starts (pieces, n);
  gboolean ends = !starts && have_word_ends (pieces, n);
  char **texts;

  if (!starts && !ends && !are_byte_level (pieces, special, n))
    return NULL;

  texts = g_new0 (char *, n + 1);
  for (int i = 0; i < n; i++) {
    if (starts)
      texts[i] = draw_sentencepiece (pieces[i]);
    else if (ends)
      texts[i] = special[i] ? g_strdup (pieces[i])
                            : draw_ended (pieces[i], i > 0 ? pieces[i - 1] : NULL);
    else
      texts[i] = is_template (pieces[i], special[i]) ? g_strdup (pieces[i])
                                                     : draw_bytes (pieces[i]);
  }
  return texts;
}
