/* SPDX-License-Identifier: MIT */
#include "app/training/toys.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/file-writer.h"

#define N_LINES 40000
#define STEPS_A_MINUTE 1000
/* In the names of data files: other lines would be other data to a training that goes on. */
#define LINES_VERSION 4
#define N_LETTERS 26
/* Letters of a line: of what is repeated, and of all of it; of what is sorted; of what is reversed:
 * where there are up to 12, some places are not told apart in as many steps. */
#define LEAST_REPEATED 4
#define MOST_REPEATED 16
#define REPEATED_LENGTH 32
#define LEAST_SORTED 4
#define MOST_SORTED 7
#define LEAST_REVERSED 4
#define MOST_REVERSED 9
#define LEAST_BRACKETS 6
#define MOST_BRACKETS 16
#define N_BRACKETS 3
/* Between letters and the answer. */
#define SIGN '='

/* Llama's layers, of which SmolLM3 can say that they have no positions. Rotary positions turn fast
 * enough for lines of some dozen tokens; queries and keys have a bias, for a head that reads by
 * places alone; weights begin large, since such a model has few of them. */
#define SHAPE(heads, turns)                                                                       \
  "{\"architectures\": [\"SmolLM3ForCausalLM\"], \"model_type\": \"smollm3\","                    \
  " \"hidden_act\": \"silu\", \"hidden_size\": 64, \"num_hidden_layers\": 2,"                     \
  " \"num_attention_heads\": " heads ", \"num_key_value_heads\": " heads ","                      \
  " \"intermediate_size\": 64, \"vocab_size\": 320, \"max_position_embeddings\": 128,"            \
  " \"rms_norm_eps\": 1e-6, \"initializer_range\": 0.1, \"tie_word_embeddings\": true,"           \
  " \"attention_bias\": true, \"attention_dropout\": 0.0, \"rope_theta\": 100.0,"                 \
  " \"no_rope_layers\": [" turns ", " turns "], \"use_sliding_window\": false,"                   \
  " \"sliding_window\": null, \"layer_types\": [\"full_attention\", \"full_attention\"]}\n"

/* [one head][no positions] */
static const struct { const char *name, *config; } shapes[2][2] = {
  { { "4-heads.json", SHAPE ("4", "1") }, { "4-heads-no-positions.json", SHAPE ("4", "0") } },
  { { "1-head.json", SHAPE ("1", "1") }, { "1-head-no-positions.json", SHAPE ("1", "0") } },
};

/* Of the seeds 1 to 6 this one, 4 and 5 bring a head that reads what followed last time within 300
 * steps; with the others the answers are learnt more slowly, and by heads that share them. */
#define REPEAT_SEED 2

static const AppToyFacts toys[APP_N_TOYS] = {
  [APP_TOY_REPEAT] = {
    "repeat", "Repeat letters",
    "From nothing: “f k z f k z f k …”. What comes next is the letter that followed last time.",
    " f k z b q m t a w f k z b q m t a w f k z b q m", 2, REPEAT_SEED
  },
  [APP_TOY_SORT] = {
    "sort", "Sort letters", "From nothing: “k c p = c k p”. Behind the sign stand the same letters "
    "by the alphabet.", " k c p x d = c d k p x", 2, 1
  },
  [APP_TOY_REVERSE] = {
    "reverse", "Reverse letters", "From nothing: “k c p = p c k”. Behind the sign stand the same "
    "letters from the last to the first.", " k c p x d q m = m q d x p c k", 2, 1
  },
  [APP_TOY_BRACKETS] = {
    "brackets", "Close brackets", "From nothing: “( [ { } ] )”. A bracket closes the last one that is "
    "open.", " ( [ { } ] ( ) ) { [ ] }", 2, 1
  },
};

const AppToyFacts *
app_toy_get (AppToy toy)
{
  return &toys[toy];
}

static const char opening[] = "([{", closing[] = ")]}";

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
add_letters (GString    *text,
             const char *letters,
             int         count)
{
  for (int i = 0; i < count; i++)
    add_token (text, letters[i]);
}

static void
add_sorted (GRand   *random,
            GString *text)
{
  char letters[MOST_SORTED];
  const int count = g_rand_int_range (random, LEAST_SORTED, MOST_SORTED + 1);

  draw_letters (random, letters, count);
  add_letters (text, letters, count);
  add_token (text, SIGN);
  qsort (letters, (gsize) count, 1, compare_letters);
  add_letters (text, letters, count);
}

static void
add_reversed (GRand   *random,
              GString *text)
{
  char letters[MOST_REVERSED];
  const int count = g_rand_int_range (random, LEAST_REVERSED, MOST_REVERSED + 1);

  draw_letters (random, letters, count);
  add_letters (text, letters, count);
  add_token (text, SIGN);
  for (int i = count - 1; i >= 0; i--)
    add_token (text, letters[i]);
}

static void
add_brackets (GRand   *random,
              GString *text)
{
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
app_toy_make_lines (AppToy toy,
                    gint64 seed,
                    int    n_lines)
{
  static void (*const adders[]) (GRand *random, GString *text) = {
    [APP_TOY_REPEAT] = add_repeated,   [APP_TOY_SORT] = add_sorted,
    [APP_TOY_REVERSE] = add_reversed,  [APP_TOY_BRACKETS] = add_brackets,
  };
  GRand *random = g_rand_new_with_seed ((guint32) seed);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n_lines; i++) {
    adders[toy] (random, text);
    g_string_append_c (text, '\n');
  }
  g_rand_free (random);

  return g_string_free (text, FALSE);
}

char *
app_toy_make_text (AppToy toy,
                   gint64 seed)
{
  return app_toy_make_lines (toy, seed, N_LINES);
}

gboolean
app_toy_has_answer (AppToy      toy,
                    const char *letters,
                    int         n,
                    int         i)
{
  if (i + 1 >= n)
    return FALSE;
  switch (toy) {
  case APP_TOY_REPEAT:
    return memchr (letters, letters[i], (gsize) i) != NULL;
  case APP_TOY_BRACKETS:
    return strchr (closing, letters[i + 1]) != NULL;
  default:
    return memchr (letters, SIGN, (gsize) i + 1) != NULL;
  }
}

char *
app_toy_dup_name (AppToy             toy,
                  const AppToyShape *shape)
{
  return g_strconcat (toys[toy].name, shape->one_head ? "-one-head" : "",
                      shape->no_positions ? "-no-positions" : "", NULL);
}

static char *
build_path (const char *name)
{
  return g_build_filename (g_get_user_data_dir (), "headlight", "toys", name, NULL);
}

/* What the names of its data begin with. */
static char *
dup_stem (AppToy toy)
{
  return g_strdup_printf ("%s-v%d-", toys[toy].name, LINES_VERSION);
}

AppToy
app_toy_find (const AppRecipe *recipe)
{
  g_autofree char *name = g_path_get_basename (recipe->data);
  g_autofree char *path = build_path (name);

  for (int toy = 0; toy < APP_N_TOYS; toy++) {
    g_autofree char *stem = dup_stem ((AppToy) toy);

    if (g_str_has_prefix (name, stem) && g_str_equal (path, recipe->data))
      return (AppToy) toy;
  }

  return APP_N_TOYS;
}

AppRecipe *
app_toy_new_recipe (AppToy             toy,
                    const AppToyShape *shape,
                    gint64             seed,
                    double             minutes)
{
  /* Lines of a batch are about as long as each other: a step of several learns of all lengths, and
   * gets there in a third of the steps. */
  static const char *const settings[][2] = {
    { "task", "next-word" }, { "vocabulary", "320" }, { "rate", "0.004" }, { "dropout", "0" },
    { "batch-tokens", "500" }, { "accumulate", "4" }, { "held-out", "0.01" },
  };
  g_autofree char *stem = dup_stem (toy);
  g_autofree char *name = g_strdup_printf ("%s%" G_GINT64_FORMAT ".txt", stem, seed);
  g_autofree char *config = build_path (shapes[shape->one_head][shape->no_positions].name);
  AppRecipe *recipe = app_recipe_new ();

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    app_recipe_set (recipe, app_recipe_find_field (settings[i][0]), settings[i][1], NULL);
  app_recipe_set (recipe, app_recipe_find_field ("shape"), config, NULL);
  recipe->data = build_path (name);
  recipe->seed = seed;
  recipe->steps = (gint64) (minutes * STEPS_A_MINUTE);
  app_recipe_settle (recipe, NULL);

  return recipe;
}

static gboolean
write_once (const char  *path,
            const char  *text,
            GError     **error)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) ||
         eng_file_write (path, text, strlen (text), error);
}

static gboolean
write_shapes (GError **error)
{
  for (guint i = 0; i < 4; i++) {
    g_autofree char *path = build_path (shapes[i / 2][i % 2].name);

    if (!write_once (path, shapes[i / 2][i % 2].config, error))
      return FALSE;
  }

  return TRUE;
}

gboolean
app_toy_write (AppToy            toy,
               const AppRecipe  *recipe,
               GError          **error)
{
  g_autofree char *folder = g_path_get_dirname (recipe->data);
  g_autofree char *text = NULL;

  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be made a folder", folder);
    return FALSE;
  }
  if (!write_shapes (error))
    return FALSE;
  if (g_file_test (recipe->data, G_FILE_TEST_EXISTS))
    return TRUE;
  text = app_toy_make_text (toy, recipe->seed);

  return eng_file_write (recipe->data, text, strlen (text), error);
}
