/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/word-pieces.h"

/* Texts up to NULL; a template token is in brackets. words (nullable): what the tokenizer says. */
static EngTokens *
make_tokens (const char *const *texts,
             const int         *words)
{
  EngTokens *tokens = eng_tokens_new ((int) g_strv_length ((char **) texts));

  for (int i = 0; i < tokens->n; i++) {
    tokens->texts[i] = g_strdup (texts[i]);
    tokens->special[i] = texts[i][0] == '[';
    if (words != NULL)
      tokens->words[i] = words[i];
  }
  return tokens;
}

static void
assert_rest (EngTokens  *tokens,
             const char *expected)
{
  g_autofree guint8 *marks = ui_word_pieces_mark_rest (tokens);
  g_autofree char *text = g_new0 (char, tokens->n + 1);

  for (int i = 0; i < tokens->n; i++)
    text[i] = marks[i] ? '+' : '-';
  g_assert_cmpstr (text, ==, expected);
}

static void
test_wordpiece (void)
{
  static const char *const texts[] = {
    "[CLS]", "em", "##bed", "##dings", ",", "##", "###", "[SEP]", "##ern", NULL
  };
  g_autoptr (EngTokens) tokens = make_tokens (texts, NULL);

  assert_rest (tokens, "--++-----");
}

/* A word begins with a space; punctuation is a word, and so is each sign of a script without
 * spaces. */
static void
test_marked_starts (void)
{
  static const char *const texts[] = { "Em", "bed", " dings", ",", " don", "'t", "会", "議", NULL };
  g_autoptr (EngTokens) tokens = make_tokens (texts, NULL);

  assert_rest (tokens, "-+------");
}

/* One word alone shows no mark: the tokenizer knows. */
static void
test_told (void)
{
  static const char *const texts[] = { "Em", "bed", "dings", NULL };
  const int words[] = { 0, 0, 1 };
  g_autoptr (EngTokens) told = make_tokens (texts, words);
  g_autoptr (EngTokens) unknown = make_tokens (texts, NULL);

  assert_rest (told, "-+-");
  assert_rest (unknown, "---");
}

/* No word goes from one sentence to the other. */
static void
test_sentences (void)
{
  static const char *const texts[] = { "a", "##b", "##c", NULL };
  g_autoptr (EngTokens) tokens = make_tokens (texts, NULL);

  tokens->segments[2] = 1;
  assert_rest (tokens, "-+-");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/word-pieces/wordpiece", test_wordpiece);
  g_test_add_func ("/word-pieces/marked-starts", test_marked_starts);
  g_test_add_func ("/word-pieces/told", test_told);
  g_test_add_func ("/word-pieces/sentences", test_sentences);
  return g_test_run ();
}
