/* SPDX-License-Identifier: MIT */
#include "app/training/toys.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/file-writer.h"

#define N_LINES 20000
#define STEPS_A_MINUTE 1000
#define N_LETTERS 26
/* Letters of a line: of what is repeated, and of all of it; of what is sorted. */
#define LEAST_REPEATED 3
#define MOST_REPEATED 10
#define REPEATED_LENGTH 40
#define LEAST_SORTED 3
#define MOST_SORTED 7
#define LEAST_BRACKETS 6
#define MOST_BRACKETS 16
#define N_BRACKETS 3

static const AppToyFacts toys[APP_N_TOYS] = {
  [APP_TOY_REPEAT] = {
    "repeat", "Repeat letters",
    "From nothing: “f k z f k z f k …”. What comes next is the letter that followed last time.",
    " f k z b f k z b f k z b f k z b", 2
  },
  [APP_TOY_SORT] = {
    "sort", "Sort letters", "From nothing: “k c p = c k p”. Behind the sign stand the same letters "
    "by the alphabet.", " k c p x d = c d k p x", 2
  },
  [APP_TOY_BRACKETS] = {
    "brackets", "Close brackets", "From nothing: “( [ { } ] )”. A bracket closes the last one that is "
    "open.", " ( [ { } ] ( ) ) { [ ] }", 2
  },
};

const AppToyFacts *
app_toy_get (AppToy toy)
{
  return &toys[toy];
}

/* count letters that differ, in any order. */
static void
draw_letters (GRand *random,
              char  *letters,
              int    count)
{
  char all[N_LETTERS];

  for (int i = 0; i < N_LETTERS; i++)
    all[i] = (char) ('a' + i);
  for (int i = 0; i < count; i++) {
    const int j = g_rand_int_range (random, i, N_LETTERS);
    const char drawn = all[j];

    all[j] = all[i];
    all[i] = drawn;
  }
  memcpy (letters, all, (gsize) count);
}

/* Each token has a space before it, the first one too. */
static void
add_token (GString *text,
           char     token)
{
  g_string_append_c (text, ' ');
  g_string_append_c (text, token);
}

static void
add_repeated (GRand   *random,
              GString *text)
{
  char letters[MOST_REPEATED];
  const int count = g_rand_int_range (random, LEAST_REPEATED, MOST_REPEATED + 1);

  draw_letters (random, letters, count);
  for (int i = 0; i < REPEATED_LENGTH; i++)
    add_token (text, letters[i % count]);
}

static int
compare_letters (gconstpointer a,
                 gconstpointer b)
{
  return *(const char *) a - *(const char *) b;
}

static void
add_sorted (GRand   *random,
            GString *text)
{
  char letters[MOST_SORTED];
  const int count = g_rand_int_range (random, LEAST_SORTED, MOST_SORTED + 1);

  draw_letters (random, letters, count);
  for (int i = 0; i < count; i++)
    add_token (text, letters[i]);
  add_token (text, '=');
  qsort (letters, (gsize) count, 1, compare_letters);
  for (int i = 0; i < count; i++)
    add_token (text, letters[i]);
}

static void
add_brackets (GRand   *random,
              GString *text)
{
  static const char opening[] = "([{", closing[] = ")]}";
  const int length = g_rand_int_range (random, LEAST_BRACKETS, MOST_BRACKETS + 1);
  int open[MOST_BRACKETS], depth = 0;

  for (int i = 0; i < length || depth > 0; i++)
    if (depth > 0 && (i >= length || g_rand_boolean (random))) {
      add_token (text, closing[open[--depth]]);
    } else {
      open[depth] = g_rand_int_range (random, 0, N_BRACKETS);
      add_token (text, opening[open[depth++]]);
    }
}

char *
app_toy_make_text (AppToy toy,
                   gint64 seed)
{
  GRand *random = g_rand_new_with_seed ((guint32) seed);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < N_LINES; i++) {
    if (toy == APP_TOY_REPEAT)
      add_repeated (random, text);
    else if (toy == APP_TOY_BRACKETS)
      add_brackets (random, text);
    else
      add_sorted (random, text);
    g_string_append_c (text, '\n');
  }
  g_rand_free (random);

  return g_string_free (text, FALSE);
}

AppRecipe *
app_toy_new_recipe (AppToy toy,
                    gint64 seed,
                    double minutes)
{
  static const char *const settings[][2] = {
    { "task", "next-word" }, { "shape", "tiny" }, { "vocabulary", "320" }, { "rate", "0.003" },
    { "dropout", "0" }, { "batch-tokens", "2000" },
  };
  g_autofree char *name = g_strdup_printf ("%s-%" G_GINT64_FORMAT ".txt", toys[toy].name, seed);
  AppRecipe *recipe = app_recipe_new ();

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    app_recipe_set (recipe, app_recipe_find_field (settings[i][0]), settings[i][1], NULL);
  recipe->data = g_build_filename (g_get_user_data_dir (), "headlight", "toys", name, NULL);
  recipe->seed = seed;
  recipe->steps = (gint64) (minutes * STEPS_A_MINUTE);
  app_recipe_settle (recipe, NULL);

  return recipe;
}

gboolean
app_toy_write (AppToy            toy,
               const AppRecipe  *recipe,
               GError          **error)
{
  g_autofree char *folder = g_path_get_dirname (recipe->data);
  g_autofree char *text = NULL;

  if (g_file_test (recipe->data, G_FILE_TEST_EXISTS))
    return TRUE;
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be made a folder", folder);
    return FALSE;
  }
  text = app_toy_make_text (toy, recipe->seed);

  return eng_file_write (recipe->data, text, strlen (text), error);
}
