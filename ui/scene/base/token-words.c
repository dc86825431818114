/* SPDX-License-Identifier: MIT */
#include "ui/scene/base/token-words.h"

#include "ui/document/bidi.h"
#include "ui/scene/sinks/text.h"

char *
ui_describe_quoted (const char *text)
{
  g_autofree char *visible = ui_text_make_visible (text);

  return ui_bidi_quote (visible);
}

char *
ui_describe_token (const EngTokens *tokens,
                   int              token)
{
  g_autofree char *quoted = ui_describe_quoted (tokens->texts[token]);

  return g_strdup_printf ("%s (%d)", quoted, eng_tokens_get_number (tokens, token));
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

char **
ui_tokens_make_visible (const EngTokens *tokens)
{
  char **texts = g_new0 (char *, tokens->n + 1);

  for (int i = 0; i < tokens->n; i++)
    texts[i] = ui_text_make_visible (tokens->texts[i]);
  return texts;
}
