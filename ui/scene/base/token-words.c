/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/token-words.h"

#include "ui/document/bidi.h"
#include "ui/scene/sinks/text.h"

/* Of a word that the vocabulary lacks, where "[UNK]" has no room; with a narrow space. */
#define BRIEF_MARK "?\u2009"
#define SUBSCRIPT_ZERO 0x2080 /* ₀, which the other digits follow */

char *
ui_describe_quoted (const char *text)
{
  g_autofree char *visible = ui_text_make_visible (text);

  return ui_bidi_quote (visible);
}

/* “[UNK] Łódź”; what was typed keeps its direction to itself. */
static char *
describe_typed (const EngTokens *tokens,
                int              token)
{
  g_autofree char *text = ui_text_make_visible (tokens->texts[token]);
  g_autofree char *typed = ui_text_make_visible (tokens->typed[token]);

  return ui_bidi_has_direction (typed)
         ? g_strdup_printf ("“%s " UI_BIDI_FIRST_STRONG "%s" UI_BIDI_CLOSE "”", text, typed)
         : g_strdup_printf ("“%s %s”", text, typed);
}

char *
ui_describe_name (const EngTokens *tokens,
                  int              token)
{
  return tokens->typed[token] != NULL ? describe_typed (tokens, token)
                                      : ui_describe_quoted (tokens->texts[token]);
}

char *
ui_describe_token (const EngTokens *tokens,
                   int              token)
{
  g_autofree char *quoted = ui_describe_name (tokens, token);

  return g_strdup_printf ("%s (%d)", quoted, eng_tokens_get_number (tokens, token));
}

char *
ui_describe_distinct (const EngTokens *tokens,
                      int              token)
{
  for (int i = 0; i < tokens->n; i++)
    if (i != token && g_str_equal (tokens->texts[i], tokens->texts[token])
        && g_strcmp0 (tokens->typed[i], tokens->typed[token]) == 0)
      return ui_describe_token (tokens, token);
  return ui_describe_name (tokens, token);
}

char *
ui_describe_piece (const EngTokens *tokens,
                   int              token)
{
  g_autofree char *visible = ui_text_make_visible (tokens->texts[token]);

  if (tokens->pieces == NULL || g_str_equal (tokens->pieces[token], visible))
    return NULL;
  return ui_describe_quoted (tokens->pieces[token]);
}

char *
ui_tokens_write_place (const char *name,
                       int         number)
{
  g_autofree char *digits = g_strdup_printf ("%d", number);
  GString *place = g_string_new (name);

  g_string_append_c (place, ' ');
  for (const char *digit = digits; *digit != '\0'; digit++)
    g_string_append_unichar (place, SUBSCRIPT_ZERO + (gunichar) (*digit - '0'));
  return g_string_free (place, FALSE);
}

char *
ui_tokens_dup_shown (const EngTokens *tokens,
                     int              token)
{
  const char *typed = tokens->typed[token];
  g_autofree char *text = g_strconcat (tokens->texts[token], typed != NULL ? " " : NULL, typed,
                                       NULL);

  return ui_text_make_visible (text);
}

char **
ui_tokens_make_shown (const EngTokens *tokens)
{
  char **texts = g_new0 (char *, tokens->n + 1);

  for (int i = 0; i < tokens->n; i++)
    texts[i] = ui_tokens_dup_shown (tokens, i);
  return texts;
}

gboolean
ui_tokens_have_typed (const EngTokens *tokens)
{
  for (int i = 0; i < tokens->n; i++)
    if (tokens->typed[i] != NULL)
      return TRUE;
  return FALSE;
}

char *
ui_tokens_dup_typed (const EngTokens *tokens,
                     int              token)
{
  const char *typed = tokens->typed[token];

  return typed != NULL ? ui_text_make_visible (typed) : NULL;
}

char *
ui_tokens_dup_brief (const EngTokens *tokens,
                     int              token)
{
  g_autofree char *typed = ui_tokens_dup_typed (tokens, token);

  return typed != NULL ? g_strconcat (BRIEF_MARK, typed, NULL) : NULL;
}

GPtrArray *
ui_tokens_make_brief (const EngTokens *tokens)
{
  GPtrArray *texts = g_ptr_array_new_full ((guint) tokens->n, g_free);

  for (int i = 0; i < tokens->n; i++)
    g_ptr_array_add (texts, ui_tokens_dup_brief (tokens, i));
  return texts;
}

char **
ui_tokens_make_visible (const EngTokens *tokens)
{
  char **texts = g_new0 (char *, tokens->n + 1);

  for (int i = 0; i < tokens->n; i++)
    texts[i] = ui_text_make_visible (tokens->texts[i]);
  return texts;
}
