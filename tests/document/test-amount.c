/* SPDX-License-Identifier: MIT */
#include "ui/document/amount.h"

#include <locale.h>

static void
test_bytes (void)
{
  static const struct {
    gint64      bytes;
    const char *text;
  } cases[] = {
    { 0, "0 bytes" }, { 999, "999 bytes" }, { 1000, "1.0 kB" }, { 1049, "1.0 kB" },
    { 999949, "999.9 kB" }, { 999950, "1.0 MB" }, { 440449768, "440.4 MB" },
    { G_GINT64_CONSTANT (13500000000), "13.5 GB" }, { G_MAXINT64, "9.2 EB" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = ui_amount_bytes (cases[i].bytes);

    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

static void
test_locale (void)
{
  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL) {
    g_test_skip ("no de_DE.UTF-8 here");
    return;
  }

  test_bytes ();
  setlocale (LC_NUMERIC, "C");
}

static void
test_time (void)
{
  static const struct {
    double      seconds;
    const char *text;
  } cases[] = {
    { -1, "0 s" }, { 0.2, "1 s" }, { 59, "59 s" }, { 60, "1 min" }, { 89, "1 min" },
    { 90, "2 min" }, { 3600, "1 h 0 min" }, { 7500, "2 h 5 min" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = ui_amount_time (cases[i].seconds);

    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

static void
test_count (void)
{
  static const struct {
    gint64      number;
    const char *text;
  } cases[] = {
    { 0, "0" }, { 999, "999" }, { 1000, "1,000" }, { 22713216, "22,713,216" },
    { G_GINT64_CONSTANT (100000000), "100,000,000" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = ui_amount_count (cases[i].number);

    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

static void
test_round_up (void)
{
  static const struct { double amount, round; } cases[] = {
    { 1, 1 }, { 1.01, 2 }, { 0.2, 0.2 }, { 0.21, 0.5 }, { 0.51, 1 }, { 0.05, 0.05 }, { 4.2, 5 },
    { 7, 10 }, { 120, 200 }, { 1000, 1000 }, { 0.0003, 0.0005 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpfloat_with_epsilon (ui_amount_round_up (cases[i].amount), cases[i].round, 1e-12);
  g_assert_cmpfloat_with_epsilon (ui_amount_round_up_digit (2.38), 3, 1e-12);
  g_assert_cmpfloat_with_epsilon (ui_amount_round_up_digit (0.061), 0.07, 1e-12);
  g_assert_cmpfloat_with_epsilon (ui_amount_round_up_digit (95), 100, 1e-12);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/amount/bytes", test_bytes);
  g_test_add_func ("/amount/locale", test_locale);
  g_test_add_func ("/amount/time", test_time);
  g_test_add_func ("/amount/count", test_count);
  g_test_add_func ("/amount/round-up", test_round_up);
  return g_test_run ();
}
