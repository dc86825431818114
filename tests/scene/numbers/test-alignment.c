/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/alignment.h"

#include <locale.h>

/* "[CLS] the cat | a dog [SEP]": words behind the bar are of sentence B, those in brackets of the
 * template. */
static EngTokens *
make_tokens (const char *words)
{
  g_auto (GStrv) parts = g_strsplit (words, " ", -1);
  EngTokens *tokens = eng_tokens_new ((int) g_strv_length (parts));
  int segment = 0, n = 0;

  for (int i = 0; parts[i] != NULL; i++) {
    if (g_str_equal (parts[i], "|")) {
      segment = 1;
      continue;
    }
    tokens->texts[n] = parts[i][0] == '_' ? g_strconcat (" ", parts[i] + 1, NULL)
                                          : g_strdup (parts[i]);
    tokens->segments[n] = (guint8) segment;
    tokens->special[n] = parts[i][0] == '[';
    n++;
  }
  tokens->n = n;
  return tokens;
}

/* "0=0 1- +1": pairs, what the first has alone, what the second has alone. */
static char *
align (const char *first,
       const char *second)
{
  g_autoptr (EngTokens) a = make_tokens (first);
  g_autoptr (EngTokens) b = make_tokens (second);
  g_autoptr (GArray) list = ui_alignment_new (a, b);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++) {
    const UiAlignedToken *token = &g_array_index (list, UiAlignedToken, i);

    if (token->second < 0)
      g_string_append_printf (text, "%s%d-", i > 0 ? " " : "", token->first);
    else if (token->first < 0)
      g_string_append_printf (text, "%s+%d", i > 0 ? " " : "", token->second);
    else
      g_string_append_printf (text, "%s%d=%d", i > 0 ? " " : "", token->first, token->second);
  }
  return g_string_free (text, FALSE);
}

static void
test_cases (void)
{
  static const struct { const char *first, *second, *expected; } cases[] = {
    { "the cat sat", "the cat sat", "0=0 1=1 2=2" },
    { "the cat sat", "the dog sat", "0=0 1=1 2=2" },
    { "the cat", "the big cat", "0=0 +1 1=2" },
    /* As many for as many were exchanged, of a sentence and of the template. */
    { "[CLS] a b c [SEP]", "[X] a x y [SEP]", "0=0 1=1 2=2 3=3 4=4" },
    { "[CLS] a b c [SEP]", "[CLS] a x [SEP]", "0=0 1=1 2- 3- +2 4=3" },
    { "a b | c", "a x | y", "0=0 1=1 2=2" },
    { "a b | c", "a | x c", "0=0 1- +1 2=2" },
    { "a b c", "x y", "0- 1- 2- +0 +1" },
    /* The exact text wins over the one that is alike. */
    { "The the", "the", "0- 1=0" },
    { "The cat", "the cat", "0=0 1=1" },
    { "x cat The y", "x the Cat y", "0=0 1- 2=1 +2 3=3" },
    /* A blank that marks a word is no difference. */
    { "the cat", "_the _cat", "0=0 1=1" },
    /* A sentence's words are its own, and what the template adds is not what was typed. */
    { "[CLS] a [SEP] | b [SEP]", "[CLS] a [SEP]", "0=0 1=1 2=2 3- 4-" },
    { "a | a", "| a", "0- 1=0" },
    /* A longest one, not the first that is found. */
    { "a x b c", "b a x c", "+0 0=1 1=2 2- 3=3" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *found = align (cases[i].first, cases[i].second);

    g_assert_cmpstr (found, ==, cases[i].expected);
  }
}

/* Length of a longest common subsequence, by the definition. */
static int
measure (const char *const *a,
         int                n,
         const char *const *b,
         int                m)
{
  if (n == 0 || m == 0)
    return 0;
  if (g_str_equal (a[0], b[0]))
    return 1 + measure (a + 1, n - 1, b + 1, m - 1);
  return MAX (measure (a + 1, n - 1, b, m), measure (a, n, b + 1, m - 1));
}

/* Each token once and in order, as many pairs of equal texts as can be. */
static void
test_random (void)
{
  static const char *const letters[] = { "a", "b", "c", "d" };

  for (int round = 0; round < 300; round++) {
    int n = g_test_rand_int_range (0, 9);
    int m = g_test_rand_int_range (0, 9);
    g_autoptr (EngTokens) a = eng_tokens_new (n);
    g_autoptr (EngTokens) b = eng_tokens_new (m);
    g_autoptr (GArray) list = NULL;
    int n_first = 0, n_second = 0, n_pairs = 0;

    for (int i = 0; i < n; i++)
      a->texts[i] = g_strdup (letters[g_test_rand_int_range (0, 4)]);
    for (int i = 0; i < m; i++)
      b->texts[i] = g_strdup (letters[g_test_rand_int_range (0, 4)]);
    list = ui_alignment_new (a, b);
    for (guint i = 0; i < list->len; i++) {
      const UiAlignedToken *token = &g_array_index (list, UiAlignedToken, i);

      if (token->first >= 0)
        g_assert_cmpint (token->first, ==, n_first++);
      if (token->second >= 0)
        g_assert_cmpint (token->second, ==, n_second++);
      if (token->first >= 0 && token->second >= 0)
        n_pairs += g_str_equal (a->texts[token->first], b->texts[token->second]);
    }
    g_assert_cmpint (n_first, ==, n);
    g_assert_cmpint (n_second, ==, m);
    g_assert_cmpint (n_pairs, ==, measure ((const char *const *) a->texts, n,
                                           (const char *const *) b->texts, m));
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/alignment/cases", test_cases);
  g_test_add_func ("/scene/alignment/random", test_random);
  return g_test_run ();
}
