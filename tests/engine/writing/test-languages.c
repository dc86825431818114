/* SPDX-License-Identifier: MIT */
#include "engine/writing/languages.h"

#include <locale.h>

static void
test_one_language (void)
{
  static const char *const pairs[][2] = {
    { "de", "deu" }, { "de", "ger" }, { "German", "de" }, { "GERMAN", "deu" },
    { "pt_BR", "pt-br" }, { "pt", "por_BR" }, { "zho_Hans", "zh" }, { "roa", "ROA" },
    { "pol_Latn", "pl_PL" }, { "en_XX", "en_GB" },
    { "pes_Arab", "Persian" }, { "arb_Arab", "ar" }, { "haitian-creole", "hat_Latn" },
    { "Scottish Gaelic", "gd" }, { "ns", "nso_Latn" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_assert_true (eng_language_matches (pairs[i][0], pairs[i][1]));
    g_assert_true (eng_language_matches (pairs[i][1], pairs[i][0]));
  }
}

static void
test_two_languages (void)
{
  static const char *const pairs[][2] = {
    { "de", "nl" }, { "pt_BR", "pt_PT" }, { "zho_Hans", "zho_Hant" }, { "roa", "gem" },
    { "arz_Arab", "ar" }, { "de", "d" }, { "de", "" }, { "sw", "sv" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_assert_false (eng_language_matches (pairs[i][0], pairs[i][1]));
    g_assert_false (eng_language_matches (pairs[i][1], pairs[i][0]));
  }
}

static void
test_known (void)
{
  g_assert_true (eng_language_is_known ("deu_Latn"));
  g_assert_true (eng_language_is_known ("french"));
  g_assert_false (eng_language_is_known ("ROMANCE"));
  g_assert_false (eng_language_is_known ("mul"));
  g_assert_cmpstr (eng_language_get_name ("zho_Hant"), ==, "Chinese");
  g_assert_cmpstr (eng_language_get_name ("xh"), ==, "Xhosa");
  g_assert_null (eng_language_get_name ("roa"));
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/languages/one", test_one_language);
  g_test_add_func ("/engine/languages/two", test_two_languages);
  g_test_add_func ("/engine/languages/known", test_known);

  return g_test_run ();
}
