/* SPDX-License-Identifier: MIT */
/* What toys teach is so: each line repeats, is sorted, is reversed, closes its brackets. */
#include "app/training/toys.h"

#include <string.h>

/* Lines of letters without the spaces before them. */
static char **
make_lines (AppToy toy,
            gint64 seed)
{
  g_autofree char *text = app_toy_make_text (toy, seed);
  char **lines;

  g_assert_true (g_str_has_suffix (text, "\n"));
  text[strlen (text) - 1] = '\0';
  lines = g_strsplit (text, "\n", -1);
  for (int i = 0; lines[i]; i++) {
    const gsize n = strlen (lines[i]) / 2;

    g_assert_cmpuint (n, >, 0);
    for (gsize j = 0; j < n; j++) {
      g_assert_cmpint (lines[i][2 * j], ==, ' ');
      lines[i][j] = lines[i][2 * j + 1];
    }
    lines[i][n] = '\0';
  }

  return lines;
}

/* From its second appearance on each letter is as far behind the one before it. */
static void
check_repeats (const char *line)
{
  const char *again = strchr (line + 1, line[0]);
  const gsize period = (gsize) (again - line);

  g_assert_nonnull (again);
  for (gsize i = 0; i < strlen (line); i++) {
    g_assert_cmpint (line[i], ==, line[i % period]);
    for (gsize j = i + 1; j < period; j++)
      g_assert_cmpint (line[i], !=, line[j]);
  }
}

static void
check_sorted (const char *line)
{
  const char *sign = strchr (line, '=');
  const gsize n = (gsize) (sign - line);

  g_assert_cmpuint (strlen (line), ==, 2 * n + 1);
  for (gsize i = 0; i < n; i++) {
    g_assert_nonnull (memchr (line, sign[1 + i], n));
    g_assert_true (i == 0 || sign[i] < sign[1 + i]);
  }
}

static void
check_reversed (const char *line)
{
  const char *sign = strchr (line, '=');
  const gsize n = (gsize) (sign - line);

  g_assert_cmpuint (strlen (line), ==, 2 * n + 1);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpint (sign[1 + i], ==, line[n - 1 - i]);
}

static void
check_balanced (const char *line)
{
  static const char brackets[] = "([{)]}";
  g_autoptr (GString) open = g_string_new (NULL);

  for (; *line; line++) {
    const int which = (int) (strchr (brackets, *line) - brackets);

    if (which < 3) {
      g_string_append_c (open, *line);
      continue;
    }
    g_assert_cmpuint (open->len, >, 0);
    g_assert_cmpint (open->str[open->len - 1], ==, brackets[which - 3]);
    g_string_truncate (open, open->len - 1);
  }
  g_assert_cmpuint (open->len, ==, 0);
}

static void
check_lines (AppToy toy,
             void (*check) (const char *line))
{
  g_auto (GStrv) lines = make_lines (toy, 3);
  g_auto (GStrv) others = make_lines (toy, 4);

  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length (others));
  g_assert_cmpuint (g_strv_length (lines), >, 1000);
  g_assert_false (g_strv_equal ((const char *const *) lines, (const char *const *) others));
  for (int i = 0; lines[i]; i++)
    check (lines[i]);
}

static void
test_repeat (void)
{
  check_lines (APP_TOY_REPEAT, check_repeats);
}

static void
test_sort (void)
{
  check_lines (APP_TOY_SORT, check_sorted);
}

static void
test_reverse (void)
{
  check_lines (APP_TOY_REVERSE, check_reversed);
}

static void
test_brackets (void)
{
  check_lines (APP_TOY_BRACKETS, check_balanced);
}

static void
test_seed (void)
{
  for (int toy = 0; toy < APP_N_TOYS; toy++) {
    g_autofree char *one = app_toy_make_text ((AppToy) toy, 7);
    g_autofree char *two = app_toy_make_text ((AppToy) toy, 7);

    g_assert_cmpstr (one, ==, two);
  }
}

/* The example that is looked at is a line like those that are learnt. */
static void
test_examples (void)
{
  for (int toy = 0; toy < APP_N_TOYS; toy++) {
    const AppToyFacts *facts = app_toy_get ((AppToy) toy);
    g_autoptr (GString) line = g_string_new (NULL);

    g_assert_cmpuint (strlen (facts->example) % 2, ==, 0);
    for (const char *at = facts->example; *at; at += 2)
      g_string_append_c (line, at[1]);
    if (toy == APP_TOY_REPEAT)
      check_repeats (line->str);
    else if (toy == APP_TOY_SORT)
      check_sorted (line->str);
    else if (toy == APP_TOY_REVERSE)
      check_reversed (line->str);
    else
      check_balanced (line->str);
  }
}

static void
check_answers (AppToy      toy,
               const char *letters,
               const char *expected)
{
  const int n = (int) strlen (letters);

  for (int i = 0; i < n; i++)
    g_assert_cmpint (app_toy_has_answer (toy, letters, n, i), ==, expected[i] == '!');
}

/* Where the next letter follows from those before, counted by hand. */
static void
test_answers (void)
{
  check_answers (APP_TOY_REPEAT, "fkzfkzf", "...!!!.");
  check_answers (APP_TOY_SORT, "kcp=ckp", "...!!!.");
  check_answers (APP_TOY_REVERSE, "kc=ck", "..!!.");
  check_answers (APP_TOY_BRACKETS, "([]){}", ".!!.!.");
}

/* Recipes differ in their shapes alone, and are found again by their data. */
static void
test_shapes (void)
{
  const AppToyShape plain = { FALSE, FALSE }, other = { TRUE, TRUE };

  for (int toy = 0; toy < APP_N_TOYS; toy++) {
    g_autoptr (AppRecipe) one = app_toy_new_recipe ((AppToy) toy, &plain, 7, 2);
    g_autoptr (AppRecipe) two = app_toy_new_recipe ((AppToy) toy, &other, 7, 2);
    g_autofree char *name = app_toy_dup_name ((AppToy) toy, &other);

    g_assert_cmpstr (one->data, ==, two->data);
    g_assert_cmpstr (one->shape, !=, two->shape);
    g_assert_cmpint (one->steps, ==, two->steps);
    g_assert_cmpint (app_toy_find (one), ==, toy);
    g_assert_true (g_str_has_suffix (name, "-one-head-no-positions"));
    g_free (one->data);
    one->data = g_strdup ("/elsewhere/repeat-v4-7.txt");
    g_assert_cmpint (app_toy_find (one), ==, APP_N_TOYS);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/toys/repeat", test_repeat);
  g_test_add_func ("/toys/sort", test_sort);
  g_test_add_func ("/toys/reverse", test_reverse);
  g_test_add_func ("/toys/brackets", test_brackets);
  g_test_add_func ("/toys/answers", test_answers);
  g_test_add_func ("/toys/shapes", test_shapes);
  g_test_add_func ("/toys/seed", test_seed);
  g_test_add_func ("/toys/examples", test_examples);
  return g_test_run ();
}
