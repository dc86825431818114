/* SPDX-License-Identifier: MIT */
#include "ui/controls/words.h"

#include <locale.h>

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

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/words/change", test_change);

  return g_test_run ();
}
