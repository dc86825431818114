/* SPDX-License-Identifier: MIT */
/* WordPiece and its vocabulary: cuts worked out by hand, and every vocabulary that must be
 * refused. */
#include "engine/tokenizer/files/tokenizer-json.h"
#include "engine/tokenizer/models/wordpiece.h"
#include "tests/support/json-text.h"

#include <locale.h>
#include <string.h>

/* Ids count from 0 in the order of the pieces. */
static EngVocabulary *
new_vocabulary (const char *const *pieces)
{
  g_autoptr (GError) error = NULL;
  EngVocabulary *vocabulary = eng_vocabulary_new ();

  for (int id = 0; pieces[id]; id++)
    eng_vocabulary_add (vocabulary, pieces[id], strlen (pieces[id]), id);
  g_assert_true (eng_vocabulary_seal (vocabulary, "test", &error));
  g_assert_no_error (error);

  return vocabulary;
}

static EngTokenModel *
new_model (const char *const *pieces,
           const char        *continuation,
           int                max_word_length)
{
  EngWordpieceOptions options = { "[UNK]", continuation, max_word_length };
  g_autoptr (GError) error = NULL;
  EngTokenModel *model = eng_wordpiece_new (new_vocabulary (pieces), &options, "test", &error);

  g_assert_no_error (error);

  return model;
}

/* expected: "piece[start,end) piece[start,end)". */
static void
assert_cut (const EngTokenModel *model,
            const char          *word,
            const char          *expected)
{
  g_auto (EngNormalized) text = { 0 };
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (EngPiece));
  g_autoptr (GString) found = g_string_new (NULL);

  eng_normalized_append_text (&text, word);
  model->cut (model, text.chars, text.n, pieces);
  for (guint i = 0; i < pieces->len; i++) {
    EngPiece piece = g_array_index (pieces, EngPiece, i);

    g_string_append_printf (found, "%s%s[%d,%d)", i ? " " : "",
                            eng_vocabulary_get_piece (model->vocabulary, piece.id),
                            piece.span.start, piece.span.end);
  }
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_longest_first (void)
{
  static const char *const pieces[] = {
    "[UNK]", "un", "una", "##aff", "##able", "##ffable", "##f", "a", "##a", "##ak", NULL
  };
  g_autoptr (EngTokenModel) model = new_model (pieces, "##", 100);

  /* "una" is longer than "un", although it leaves more pieces. */
  assert_cut (model, "unaffable", "una[0,3) ##ffable[3,9)");
  assert_cut (model, "un", "un[0,2)");
  assert_cut (model, "aa", "a[0,1) ##a[1,2)");
  /* No way back: "una" is taken, although "un" and "##ak" would have done. */
  assert_cut (model, "unak", "[UNK][0,4)");
  /* A piece that continues does not begin a word. */
  assert_cut (model, "ffable", "[UNK][0,6)");
}

static void
test_unknown_takes_the_word (void)
{
  static const char *const pieces[] = { "[UNK]", "a", "##b", "##c", NULL };
  g_autoptr (EngTokenModel) model = new_model (pieces, "##", 100);

  assert_cut (model, "abcb", "a[0,1) ##b[1,2) ##c[2,3) ##b[3,4)");
  assert_cut (model, "abcx", "[UNK][0,4)");
  assert_cut (model, "xabc", "[UNK][0,4)");
}

static void
test_characters_are_not_bytes (void)
{
  static const char *const pieces[] = {
    "[UNK]", "\u00e9", "##\u00e9", "\U00010400", "##\U00010400\u00e9", NULL
  };
  g_autoptr (EngTokenModel) model = new_model (pieces, "##", 3);

  assert_cut (model, "\u00e9\u00e9\u00e9", "\u00e9[0,2) ##\u00e9[2,4) ##\u00e9[4,6)");
  assert_cut (model, "\U00010400\U00010400\u00e9", "\U00010400[0,4) ##\U00010400\u00e9[4,10)");
  assert_cut (model, "\u00e9\u00e9\u00e9\u00e9", "[UNK][0,8)");
  /* U+00E8 begins with the same byte as U+00E9. */
  assert_cut (model, "\u00e9\u00e8", "[UNK][0,4)");
}

static void
test_word_length (void)
{
  static const char *const pieces[] = { "[UNK]", "\u044f", "##\u044f", NULL };
  g_autoptr (EngTokenModel) model = new_model (pieces, "##", 100);
  g_autoptr (GString) word = g_string_new (NULL);
  g_autoptr (GArray) cut = g_array_new (FALSE, FALSE, sizeof (EngPiece));
  g_auto (EngNormalized) text = { 0 };

  for (int i = 0; i < 100; i++)
    g_string_append (word, "\u044f");
  eng_normalized_append_text (&text, word->str);
  model->cut (model, text.chars, text.n, cut);
  g_assert_cmpuint (cut->len, ==, 100);
  g_assert_cmpint (g_array_index (cut, EngPiece, 99).span.end, ==, 200);

  g_string_append (word, "\u044f");
  assert_cut (model, word->str, "[UNK][0,202)");
}

static void
test_prefixes (void)
{
  static const char *const pieces[] = {
    "[UNK]", "ab", "abab", "a", "b", "averylongprefixc", "c", NULL
  };
  g_autoptr (EngTokenModel) empty = new_model (pieces, "", 100);
  g_autoptr (EngTokenModel) word_like = new_model (pieces, "ab", 100);
  g_autoptr (EngTokenModel) long_one = new_model (pieces, "averylongprefix", 100);

  assert_cut (empty, "bab", "b[0,1) ab[1,3)");
  assert_cut (word_like, "abab", "abab[0,4)");
  assert_cut (word_like, "bab", "b[0,1) abab[1,3)");
  /* Longer than what stands before the place where it is looked up. */
  assert_cut (long_one, "bcc", "b[0,1) averylongprefixc[1,2) averylongprefixc[2,3)");
}

/* With a vocabulary of its parts a word is cut without a rest, whatever it is. */
static void
test_pieces_cover_the_word (void)
{
  static const char *const pieces[] = {
    "[UNK]", "a", "b", "\u00e9", "##a", "##b", "##\u00e9", "ab", "##ab", "##b\u00e9", "a\u00e9b",
    "##aaab", "##\u00e9\u00e9a", NULL
  };
  static const char *const letters[] = { "a", "b", "\u00e9" };
  g_autoptr (EngTokenModel) model = new_model (pieces, "##", 100);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int n = 0; n < 2000; n++) {
    g_autoptr (GString) word = g_string_new (NULL);
    g_autoptr (GString) again = g_string_new (NULL);
    g_autoptr (GArray) cut = g_array_new (FALSE, FALSE, sizeof (EngPiece));
    g_auto (EngNormalized) text = { 0 };
    int end = 0;

    for (int i = g_rand_int_range (random, 1, 40); i > 0; i--)
      g_string_append (word, letters[g_rand_int_range (random, 0, 3)]);
    eng_normalized_append_text (&text, word->str);
    model->cut (model, text.chars, text.n, cut);
    for (guint i = 0; i < cut->len; i++) {
      EngPiece piece = g_array_index (cut, EngPiece, i);
      const char *text_of_piece = eng_vocabulary_get_piece (model->vocabulary, piece.id);

      g_assert_cmpint (piece.span.start, ==, end);
      end = piece.span.end;
      g_string_append (again, text_of_piece + (i ? strlen ("##") : 0));
    }
    g_assert_cmpstr (again->str, ==, word->str);
    g_assert_cmpint (end, ==, (int) word->len);
  }
}

static void
test_vocabulary (void)
{
  g_autoptr (EngVocabulary) vocabulary = eng_vocabulary_new ();
  g_autoptr (GError) error = NULL;

  /* Not in the order of ids, with a gap, and one piece that moves. */
  eng_vocabulary_add (vocabulary, "seven", 5, 7);
  eng_vocabulary_add (vocabulary, "zero", 4, 0);
  eng_vocabulary_add (vocabulary, "moved", 5, 1);
  eng_vocabulary_add (vocabulary, "moved", 5, 4);
  g_assert_true (eng_vocabulary_seal (vocabulary, "test", &error));

  g_assert_cmpint (eng_vocabulary_get_n_pieces (vocabulary), ==, 3);
  g_assert_cmpint (eng_vocabulary_get_n_entries (vocabulary), ==, 8);
  g_assert_cmpuint (eng_vocabulary_get_max_length (vocabulary), ==, 5);
  g_assert_cmpint (eng_vocabulary_find (vocabulary, "moved"), ==, 4);
  g_assert_cmpint (eng_vocabulary_find (vocabulary, "zero"), ==, 0);
  g_assert_cmpint (eng_vocabulary_find (vocabulary, "zer"), ==, -1);
  g_assert_cmpint (eng_vocabulary_find (vocabulary, ""), ==, -1);
  g_assert_cmpstr (eng_vocabulary_get_piece (vocabulary, 7), ==, "seven");
  g_assert_cmpstr (eng_vocabulary_get_piece (vocabulary, 1), ==, "moved");
  g_assert_null (eng_vocabulary_get_piece (vocabulary, 2));
  g_assert_null (eng_vocabulary_get_piece (vocabulary, 8));
  g_assert_null (eng_vocabulary_get_piece (vocabulary, -1));
  g_assert_null (eng_vocabulary_get_piece (vocabulary, G_MAXINT));
}

/* model is JSON of a WordPiece but for its type; the message must name the file and part. */
static void
assert_refused (const char *model,
                EngError    code,
                const char *part)
{
  g_autofree char *text = json_text (model);
  g_autofree char *file = g_strdup_printf ("{\"model\": {\"type\": \"WordPiece\"%s%s}",
                                           text[1] == '}' ? "" : ", ", text + 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_tokenizer_json_parse (file, strlen (file), "a/file.json", &error));
  g_assert_error (error, ENG_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, "a/file.json"));
  if (!strstr (error->message, part))
    g_error ("\"%s\" does not say \"%s\"", error->message, part);
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
test_refused (void)
{
  assert_refused ("{'vocab': {'a': 0}}", ENG_ERROR_MISSING, "[UNK]");
  assert_refused ("{'unk_token': '<unk>', 'vocab': {'[UNK]': 0}}", ENG_ERROR_MISSING, "<unk>");
  assert_refused ("{'vocab': {}}", ENG_ERROR_FORMAT, "empty");
  assert_refused ("{}", ENG_ERROR_FORMAT, "vocab");
  assert_refused ("{'vocab': ['[UNK]']}", ENG_ERROR_FORMAT, "vocab");
  assert_refused ("{'vocab': {'[UNK]': 0, 'x': 3, 'y': 3}}", ENG_ERROR_FORMAT, "\"x\" and \"y\"");
  assert_refused ("{'vocab': {'[UNK]': 0, 'x': -1}}", ENG_ERROR_RANGE, "\"x\"");
  assert_refused ("{'vocab': {'[UNK]': 0, 'x': 2147483647}}", ENG_ERROR_RANGE, "\"x\"");
  assert_refused ("{'vocab': {'[UNK]': 0, 'x': 1e300}}", ENG_ERROR_RANGE, "\"x\"");
  assert_refused ("{'vocab': {'[UNK]': 0, 'x': 1.5}}", ENG_ERROR_RANGE, "\"x\"");
  assert_refused ("{'vocab': {'[UNK]': 0, 'x': '1'}}", ENG_ERROR_RANGE, "\"x\"");
  assert_refused ("{'vocab': {'[UNK]': 0}, 'max_input_chars_per_word': 0}", ENG_ERROR_RANGE,
                  "max_input_chars_per_word");
  assert_refused ("{'vocab': {'[UNK]': 0}, 'continuing_subword_prefix': 2}", ENG_ERROR_FORMAT,
                  "continuing_subword_prefix");
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/wordpiece/longest-first", test_longest_first);
  g_test_add_func ("/engine/wordpiece/unknown-takes-the-word", test_unknown_takes_the_word);
  g_test_add_func ("/engine/wordpiece/characters-are-not-bytes", test_characters_are_not_bytes);
  g_test_add_func ("/engine/wordpiece/word-length", test_word_length);
  g_test_add_func ("/engine/wordpiece/prefixes", test_prefixes);
  g_test_add_func ("/engine/wordpiece/pieces-cover-the-word", test_pieces_cover_the_word);
  g_test_add_func ("/engine/wordpiece/vocabulary", test_vocabulary);
  g_test_add_func ("/engine/wordpiece/refused", test_refused);

  return g_test_run ();
}
