/* SPDX-License-Identifier: MIT */
#include "engine/metrics/answers.h"

#include <string.h>

#include "engine/metrics/ngrams.h"

static gboolean
is_article (const char *word)
{
  return strcmp (word, "a") == 0 || strcmp (word, "an") == 0 || strcmp (word, "the") == 0;
}

/* (element-type utf8) The words that are compared. */
static GPtrArray *
reduce (const char *text)
{
  g_autofree char *lower = g_utf8_strdown (text, -1);
  g_autoptr (GString) plain = g_string_new (NULL);
  GPtrArray *words;

  for (const char *p = lower; *p; p++)
    if (!g_ascii_ispunct (*p))
      g_string_append_c (plain, *p);
  words = eng_split_blanks (plain->str);
  for (guint i = words->len; i > 0; i--)
    if (is_article (words->pdata[i - 1]))
      g_ptr_array_remove_index (words, i - 1);

  return words;
}

gboolean
eng_answer_matches (const char *answered,
                    const char *expected)
{
  g_autoptr (GPtrArray) a = reduce (answered), b = reduce (expected);

  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (strcmp (a->pdata[i], b->pdata[i]) != 0)
      return FALSE;

  return TRUE;
}

double
eng_answer_get_f1 (const char *answered,
                   const char *expected)
{
  g_autoptr (GPtrArray) a = reduce (answered), b = reduce (expected);
  gint64 n_a, n_b, common;

  if (a->len == 0 || b->len == 0)
    return a->len == b->len;
  eng_ngrams_compare (a, b, 1, &n_a, &n_b, &common);

  return 2.0 * (double) common / (double) (n_a + n_b);
}
