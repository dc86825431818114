/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/word-pieces.h"

#include <string.h>

static gboolean
mark_starts (const EngTokens *tokens)
{
  for (int i = 0; i < tokens->n; i++)
    if (tokens->texts[i][0] == ' ' && tokens->texts[i][1] != '\0' && tokens->texts[i][1] != ' ')
      return TRUE;
  return FALSE;
}

/* Letters and digits of scripts that put spaces between words. */
static gboolean
is_of_word (gunichar c)
{
  switch (g_unichar_get_script (c)) {
  case G_UNICODE_SCRIPT_HAN:
  case G_UNICODE_SCRIPT_HIRAGANA:
  case G_UNICODE_SCRIPT_KATAKANA:
  case G_UNICODE_SCRIPT_THAI:
  case G_UNICODE_SCRIPT_LAO:
  case G_UNICODE_SCRIPT_KHMER:
  case G_UNICODE_SCRIPT_MYANMAR:
  case G_UNICODE_SCRIPT_TIBETAN:
    return FALSE;
  default:
    return g_unichar_isalnum (c) || g_unichar_ismark (c);
  }
}

/* Whether the text goes on where the one before it ended in the middle of a word. */
static gboolean
runs_on (const char *before,
         const char *text)
{
  const char *last = g_utf8_find_prev_char (before, before + strlen (before));

  return last != NULL && is_of_word (g_utf8_get_char (last))
         && is_of_word (g_utf8_get_char (text));
}

static gboolean
continues_word (const EngTokens *tokens,
                gboolean         starts_are_marked,
                int              i)
{
  const char *text = tokens->texts[i];

  if (i == 0 || tokens->special[i] || tokens->special[i - 1]
      || tokens->segments[i] != tokens->segments[i - 1])
    return FALSE;
  if (!starts_are_marked && ui_word_pieces_has_mark (text))
    return TRUE;
  if (!runs_on (tokens->texts[i - 1], text))
    return FALSE;
  return starts_are_marked
         || (tokens->words[i] >= 0 && tokens->words[i] == tokens->words[i - 1]);
}

guint8 *
ui_word_pieces_mark_rest (const EngTokens *tokens)
{
  guint8 *marks = g_new (guint8, MAX (tokens->n, 1));
  gboolean starts_are_marked = mark_starts (tokens);

  for (int i = 0; i < tokens->n; i++)
    marks[i] = (guint8) continues_word (tokens, starts_are_marked, i);
  return marks;
}

gboolean
ui_word_pieces_has_mark (const char *text)
{
  return g_str_has_prefix (text, "##") && text[2] != '\0' && text[2] != '#';
}
