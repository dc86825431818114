/* SPDX-License-Identifier: MIT */
#include "ui/controls/words.h"

#include <locale.h>

#include "ui/controls/tame-menu.h"

/* A difference that is none, and one that only rounds to none, are told apart. */
static void
test_change (void)
{
  static const struct { double difference; const char *words; } cases[] = {
    { 0, "unchanged" }, { -0.0, "unchanged" }, { 0.0004, "<0.001" }, { -0.0004, "<0.001" },
    { 0.0005, "+0.001" }, { -0.012, "−0.012" }, { 0.0994, "+0.099" }, { 0.1234, "+0.12" },
    { -1, "−1.00" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *words = ui_words_change (cases[i].difference);

    g_assert_cmpstr (words, ==, cases[i].words);
  }
}

/* GTK takes a single underscore of a menu for a mnemonic. */
static void
test_menu_label (void)
{
  static const char *const cases[][2] = {
    { "Acehnese (ace_Arab)", "Acehnese (ace__Arab)" }, { "__", "____" }, { "plain", "plain" },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *label = ui_menu_label (cases[i][0]);

    g_assert_cmpstr (label, ==, cases[i][1]);
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/words/change", test_change);
  g_test_add_func ("/words/menu-label", test_menu_label);

  return g_test_run ();
}
