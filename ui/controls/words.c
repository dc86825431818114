/* SPDX-License-Identifier: MIT */
#include "ui/controls/words.h"

#include <math.h>

#include "ui/document/bidi.h"
#include "ui/scene/sinks/text.h"

static char *
dup_visible (const EngTokens *tokens,
             int              token)
{
  return g_strstrip (ui_tokens_dup_shown (tokens, token));
}

static char *
dup_brief (const EngTokens *tokens,
           int              token)
{
  char *typed = ui_tokens_dup_brief (tokens, token);

  return typed != NULL ? g_strstrip (typed) : dup_visible (tokens, token);
}

char *
ui_words_name (const EngTokens *tokens,
               int              token)
{
  g_autofree char *text = dup_visible (tokens, token);

  return ui_bidi_isolate (text);
}

char *
ui_words_brief_name (const EngTokens *tokens,
                     int              token)
{
  g_autofree char *text = dup_brief (tokens, token);

  return ui_bidi_isolate (text);
}

char *
ui_words_link (const EngTokens *queries,
               int              query,
               const EngTokens *keys,
               int              key)
{
  g_autofree char *reader = dup_visible (queries, query);
  g_autofree char *read = dup_visible (keys, key);
  g_autofree char *reader_quoted = ui_bidi_quote (reader);
  g_autofree char *read_quoted = ui_bidi_quote (read);

  return g_strdup_printf ("%s reads %s", reader_quoted, read_quoted);
}

char *
ui_words_place (const EngTokens *tokens,
                int              token)
{
  g_autofree char *name = ui_words_name (tokens, token);

  return ui_tokens_write_place (name, token);
}

char *
ui_words_brief_place (const EngTokens *tokens,
                      int              token)
{
  g_autofree char *name = ui_words_brief_name (tokens, token);

  return ui_tokens_write_place (name, token);
}

char *
ui_words_title (const EngTokens *tokens,
                int              token,
                const char      *noun,
                const char      *sentence)
{
  g_autofree char *text = dup_visible (tokens, token);
  g_autofree char *quoted = ui_bidi_quote (text);

  return g_strdup_printf ("%s · %s %d%s%s", quoted, noun, token,
                          sentence != NULL ? " · " : "", sentence != NULL ? sentence : "");
}

char *
ui_words_number (const char *pattern,
                 double      value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, pattern, value);
  return buffer[0] == '-' ? g_strconcat ("−", buffer + 1, NULL) : g_strdup (buffer);
}

char *
ui_words_change (double difference)
{
  if (difference == 0)
    return g_strdup ("unchanged");
  /* Not "−0.000": too small for a sign to mean anything. */
  if (fabs (difference) < 0.0005)
    return g_strdup ("<0.001");
  return ui_words_number (fabs (difference) >= 0.0995 ? "%+.2f" : "%+.3f", difference);
}

GtkWidget *
ui_words_label_new (const char *text,
                    const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, css_class);
  return label;
}
