/* SPDX-License-Identifier: MIT */
#include "engine/metrics/bleu.h"

#include <math.h>
#include <string.h>

#include "engine/metrics/ngrams.h"

static gboolean
is_digit (char byte)
{
  return byte >= '0' && byte <= '9';
}

static gboolean
is_stop (char byte)
{
  return byte == '.' || byte == ',';
}

/* Signs that always stand by themselves. */
static gboolean
stands_alone (char byte)
{
  static const char signs[] = "{|}~[\\]^_` !\"#$%&()*+:;<=>?@/";

  return byte != '\0' && strchr (signs, byte);
}

static char *
cut_signs (const char *text)
{
  GString *cut = g_string_new (NULL);

  for (const char *p = text; *p; p++)
    if (stands_alone (*p))
      g_string_append_printf (cut, " %c ", *p);
    else
      g_string_append_c (cut, *p);

  return g_string_free (cut, FALSE);
}

/* Stops and commas behind what is no digit. Of a letter of several bytes the last stands for all,
 * in the next function the first: none of them is a stop or a digit. */
static char *
cut_before_stops (const char *text)
{
  GString *cut = g_string_new (NULL);

  for (const char *p = text; *p; p++)
    if (!is_digit (p[0]) && is_stop (p[1])) {
      g_string_append_printf (cut, "%c %c ", p[0], p[1]);
      p++;
    } else
      g_string_append_c (cut, *p);

  return g_string_free (cut, FALSE);
}

/* Those before what is no digit. */
static char *
cut_behind_stops (const char *text)
{
  GString *cut = g_string_new (NULL);

  for (const char *p = text; *p; p++)
    if (is_stop (p[0]) && p[1] && !is_digit (p[1])) {
      g_string_append_printf (cut, " %c %c", p[0], p[1]);
      p++;
    } else
      g_string_append_c (cut, *p);

  return g_string_free (cut, FALSE);
}

/* Dashes behind digits. */
static char *
cut_dashes (const char *text)
{
  GString *cut = g_string_new (NULL);

  for (const char *p = text; *p; p++)
    if (is_digit (p[0]) && p[1] == '-') {
      g_string_append_printf (cut, "%c - ", p[0]);
      p++;
    } else
      g_string_append_c (cut, *p);

  return g_string_free (cut, FALSE);
}

static void
strip_end (GString *text)
{
  while (text->len > 0) {
    const char *last = g_utf8_find_prev_char (text->str, text->str + text->len);

    if (!eng_is_blank (g_utf8_get_char (last)))
      return;
    g_string_truncate (text, (gsize) (last - text->str));
  }
}

GPtrArray *
eng_bleu_tokenise (const char *text)
{
  static const char *const replaced[][2] = {
    { "<skipped>", "" }, { "-\n", "" }, { "\n", " " }, { "&quot;", "\"" }, { "&amp;", "&" },
    { "&lt;", "<" }, { "&gt;", ">" },
  };
  g_autoptr (GString) line = g_string_new (text);
  g_autofree char *signs = NULL, *before = NULL, *behind = NULL, *dashes = NULL;

  strip_end (line);
  for (guint i = 0; i < G_N_ELEMENTS (replaced); i++)
    g_string_replace (line, replaced[i][0], replaced[i][1], 0);
  g_string_prepend_c (line, ' ');
  g_string_append_c (line, ' ');
  signs = cut_signs (line->str);
  before = cut_before_stops (signs);
  behind = cut_behind_stops (before);
  dashes = cut_dashes (behind);

  return eng_split_blanks (dashes);
}

void
eng_bleu_add (EngBleu    *self,
              const char *written,
              const char *reference)
{
  g_autoptr (GPtrArray) words = eng_bleu_tokenise (written);
  g_autoptr (GPtrArray) expected = eng_bleu_tokenise (reference);

  self->n_words += words->len;
  self->n_reference_words += expected->len;
  for (guint i = 0; i < ENG_BLEU_ORDER; i++) {
    gint64 all, wanted, right;

    eng_ngrams_compare (words, expected, i + 1, &all, &wanted, &right);
    self->all[i] += all;
    self->right[i] += right;
  }
}

double
eng_bleu_get_score (const EngBleu *self)
{
  double logs = 0, halves = 1, penalty = 0;
  gboolean any = FALSE;

  for (int i = 0; i < ENG_BLEU_ORDER; i++) {
    /* Sentences without so many words in a row. */
    if (self->all[i] == 0)
      return 0;
    any |= self->right[i] > 0;
    if (self->right[i] == 0)
      halves *= 2;
    logs += log (100 * (self->right[i] > 0 ? (double) self->right[i] : 1 / halves) /
                 (double) self->all[i]);
  }
  if (self->n_words < self->n_reference_words)
    penalty = 1 - (double) self->n_reference_words / (double) self->n_words;

  return any ? exp (penalty + logs / ENG_BLEU_ORDER) : 0;
}
