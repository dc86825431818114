/* SPDX-License-Identifier: MIT */
#include "engine/metrics/ngrams.h"

gboolean
eng_is_blank (gunichar character)
{
  return (character >= 0x09 && character <= 0x0d) || (character >= 0x1c && character <= 0x20) ||
         character == 0x85 || character == 0xa0 || character == 0x1680 ||
         (character >= 0x2000 && character <= 0x200a) || character == 0x2028 ||
         character == 0x2029 || character == 0x202f || character == 0x205f || character == 0x3000;
}

GPtrArray *
eng_split_blanks (const char *text)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  const char *word = NULL;

  for (const char *p = text;; p = g_utf8_next_char (p)) {
    gboolean ends = !*p || eng_is_blank (g_utf8_get_char (p));

    if (ends && word)
      g_ptr_array_add (words, g_strndup (word, (gsize) (p - word)));
    word = ends ? NULL : word ? word : p;
    if (!*p)
      return words;
  }
}

static char *
dup_ngram (const GPtrArray *strings,
           guint            first,
           guint            n)
{
  GString *key = g_string_new (NULL);

  for (guint i = first; i < first + n; i++) {
    g_string_append (key, strings->pdata[i]);
    g_string_append_c (key, '\n');
  }

  return g_string_free (key, FALSE);
}

static gint64
count (const GPtrArray *strings,
       guint            n)
{
  return strings->len < n ? 0 : strings->len - n + 1;
}

void
eng_ngrams_compare (const GPtrArray *a,
                    const GPtrArray *b,
                    guint            n,
                    gint64          *n_a,
                    gint64          *n_b,
                    gint64          *n_common)
{
  /* Those of b that none of a stands against yet. */
  g_autoptr (GHashTable) left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *n_a = count (a, n);
  *n_b = count (b, n);
  *n_common = 0;
  for (gint64 i = 0; i < *n_b; i++) {
    char *key = dup_ngram (b, (guint) i, n);
    guint so_far = GPOINTER_TO_UINT (g_hash_table_lookup (left, key));

    g_hash_table_insert (left, key, GUINT_TO_POINTER (so_far + 1));
  }
  for (gint64 i = 0; i < *n_a; i++) {
    g_autofree char *key = dup_ngram (a, (guint) i, n);
    guint free = GPOINTER_TO_UINT (g_hash_table_lookup (left, key));

    if (free == 0)
      continue;
    g_hash_table_insert (left, g_steal_pointer (&key), GUINT_TO_POINTER (free - 1));
    ++*n_common;
  }
}
