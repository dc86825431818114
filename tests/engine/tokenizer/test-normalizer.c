/* SPDX-License-Identifier: MIT */
/* BertNormalizer: every character of Unicode against what the tokenizers library was seen to do
 * with it (tests/record/record_tokenizer.py), and where each character of a rewritten text comes
 * from. */
#include "engine/tokenizer/base/unicode.h"
#include "engine/tokenizer/normalizers/bert-normalizer.h"
#include "engine/tokenizer/normalizers/unicode-normalizers.h"
#include "engine/tokenizer/pretokenizers/bert-pretokenizer.h"
#include "tests/support/gzip.h"
#include "tests/support/json-text.h"

#include <locale.h>
#include <string.h>
#include <time.h>

#define BLOCK 256
#define N_STEPS 5
#define N_BLOCKS (0x110000 / BLOCK)

static EngNormalizer *
new_step (gboolean clean_text,
          gboolean handle_chinese_chars,
          gboolean strip_accents,
          gboolean lowercase)
{
  EngBertNormalizerOptions options = { clean_text, handle_chinese_chars, strip_accents, lowercase };

  return eng_bert_normalizer_new (&options);
}

static guint32
hash_word (guint32 hash,
           guint32 word)
{
  return (hash ^ word) * 16777619u;
}

/* Number of words that "a", c, "b" is cut into. */
static guint
count_words (const EngPretokenizer *pre_tokenizer,
             gunichar               c)
{
  g_auto (EngNormalized) text = { 0 };
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  EngWord whole = { 0, 3 };

  eng_normalized_append (&text, 'a', (EngSpan) { 0, 1 });
  eng_normalized_append (&text, c, (EngSpan) { 1, 2 });
  eng_normalized_append (&text, 'b', (EngSpan) { 2, 3 });
  g_array_append_val (words, whole);
  g_assert_true (pre_tokenizer->cut (pre_tokenizer, &text, words, NULL));

  return words->len;
}

static guint32
hash_character (guint32                hash,
                gunichar               c,
                EngNormalizer *const   steps[N_STEPS],
                const EngPretokenizer *pre_tokenizer)
{
  guint n_words = count_words (pre_tokenizer, c);
  gunichar decomposed[ENG_MAX_DECOMPOSITION];
  gboolean is_whole = eng_unicode_decompose (c, FALSE, decomposed) == 1 && decomposed[0] == c;

  hash = hash_word (hash, (n_words == 2) | (n_words == 3) << 1 |
                          (guint32) eng_unicode_is_word (c) << 2 |
                          (guint32) eng_unicode_is_letter (c) << 3 |
                          (guint32) eng_unicode_is_number (c) << 4 |
                          (guint32) eng_unicode_is_digit (c) << 5 |
                          (guint32) eng_unicode_is_mark (c) << 6);
  hash = hash_word (hash, is_whole ? (guint32) eng_unicode_get_combining_class (c) : 0);
  for (int i = 0; i < N_STEPS; i++) {
    g_auto (EngNormalized) text = { 0 };

    eng_normalized_append (&text, c, (EngSpan) { 0, 1 });
    steps[i]->normalize (steps[i], &text);
    hash = hash_word (hash, (guint32) text.n);
    for (int k = 0; k < text.n; k++)
      hash = hash_word (hash, text.chars[k].c - c);
  }

  return hash;
}

/* All 1,112,063 characters but U+0000, by the hashes of their blocks. */
static void
test_every_character (void)
{
  g_autoptr (GBytes) recorded = gzip_read_fixture ("tokenizer/characters.gz");
  EngNormalizer *steps[N_STEPS] = {
    new_step (TRUE, FALSE, FALSE, FALSE), new_step (FALSE, TRUE, FALSE, FALSE),
    new_step (FALSE, FALSE, TRUE, FALSE), new_step (FALSE, FALSE, FALSE, TRUE),
    eng_nfkd_new_from_json (NULL, "test", NULL),
  };
  EngPretokenizer *pre_tokenizer = eng_bert_pretokenizer_new ();
  const guint8 *bytes = g_bytes_get_data (recorded, NULL);
  int n_different = 0;

  g_assert_cmpuint (g_bytes_get_size (recorded), ==, N_BLOCKS * sizeof (guint32));
  for (gunichar block = 0; block < N_BLOCKS; block++) {
    guint32 expected;
    guint32 hash = 2166136261u;

    memcpy (&expected, bytes + block * sizeof expected, sizeof expected);
    for (gunichar c = block * BLOCK; c < (block + 1) * BLOCK; c++)
      if (c != 0 && g_unichar_validate (c))
        hash = hash_character (hash, c, steps, pre_tokenizer);
    if (hash == GUINT32_FROM_LE (expected))
      continue;
    g_test_message ("characters U+%04X to U+%04X differ from the recording",
                    block * BLOCK, block * BLOCK + BLOCK - 1);
    n_different++;
  }
  g_assert_cmpint (n_different, ==, 0);

  for (int i = 0; i < N_STEPS; i++)
    eng_normalizer_free (steps[i]);
  eng_pretokenizer_free (pre_tokenizer);
}

/* expected: characters with the bytes they come from, as "a0-1 b1-2". */
static void
assert_normalized (EngNormalizer *step,
                   const char    *text,
                   const char    *expected)
{
  g_auto (EngNormalized) normalized = { 0 };
  g_autoptr (GString) found = g_string_new (NULL);

  eng_normalized_append_text (&normalized, text);
  step->normalize (step, &normalized);
  for (int i = 0; i < normalized.n; i++) {
    const EngNormalizedChar *one = &normalized.chars[i];

    g_string_append (found, i ? " " : "");
    if (one->c > ' ' && one->c < 0x7f)
      g_string_append_unichar (found, one->c);
    else
      g_string_append_printf (found, "U+%04X:", one->c);
    g_string_append_printf (found, "%d-%d", one->origin.start, one->origin.end);
  }
  g_assert_cmpstr (found->str, ==, expected);
  eng_normalizer_free (step);
}

static void
test_clean_text (void)
{
  assert_normalized (new_step (TRUE, FALSE, FALSE, FALSE), "a\tb\xc2\xa0" "c",
                     "a0-1 U+0020:1-2 b2-3 U+0020:3-5 c5-6");
  /* Removed: escape, zero width space, U+FFFD, vertical tab; a soft hyphen is a format character
   * too. */
  assert_normalized (new_step (TRUE, FALSE, FALSE, FALSE), "\x1b" "a\u200bb\ufffd\v\u00adc",
                     "a1-2 b5-6 c12-13");
  assert_normalized (new_step (TRUE, FALSE, FALSE, FALSE), "\u200b\u200b", "");
  assert_normalized (new_step (FALSE, FALSE, FALSE, FALSE), "a\t\u200b",
                     "a0-1 U+0009:1-2 U+200B:2-5");
}

static void
test_chinese (void)
{
  assert_normalized (new_step (FALSE, TRUE, FALSE, FALSE), "a\u65e5b",
                     "a0-1 U+0020:1-4 U+65E5:1-4 U+0020:1-4 b4-5");
  assert_normalized (new_step (FALSE, TRUE, FALSE, FALSE), "\u30ab\ud55c", "U+30AB:0-3 U+D55C:3-6");
  /* The hole between the library's ranges. */
  assert_normalized (new_step (FALSE, TRUE, FALSE, FALSE), "\U0002b81f\U0002b820\U0002b920",
                     "U+0020:0-4 U+2B81F:0-4 U+0020:0-4 U+2B820:4-8 "
                     "U+0020:8-12 U+2B920:8-12 U+0020:8-12");
}

static void
test_strip_accents (void)
{
  assert_normalized (new_step (FALSE, FALSE, TRUE, FALSE), "\u00e9e\u0301\u0323x",
                     "e0-2 e2-3 x7-8");
  /* Nothing is put together again: a syllable of Hangul stays three letters of the same bytes. */
  assert_normalized (new_step (FALSE, FALSE, TRUE, FALSE), "\ud55c",
                     "U+1112:0-3 U+1161:0-3 U+11AB:0-3");
  /* A mark that is not a nonspacing one stays; put before another by canonical order it takes that
   * place. */
  assert_normalized (new_step (FALSE, FALSE, TRUE, FALSE), "a\u0301\u302ec",
                     "a0-1 U+302E:1-3 c6-7");
}

static void
test_lower_case (void)
{
  assert_normalized (new_step (FALSE, FALSE, FALSE, TRUE), "A\u0130b", "a0-1 i1-3 U+0307:1-3 b3-4");
  /* No context: a sigma at the end of a word is no other sigma. */
  assert_normalized (new_step (FALSE, FALSE, FALSE, TRUE), "\u0391\u03a3", "U+03B1:0-2 U+03C3:2-4");
  /* Unicode 16, which the library knows. */
  assert_normalized (new_step (FALSE, FALSE, FALSE, TRUE), "\U00010d50\u1c89",
                     "U+10D70:0-4 U+1C8A:4-7");
}

/* Bringing marks into order must not take time that grows with the square of their number: the
 * program's own time, whatever else the machine does. */
static void
test_long_run_of_marks (void)
{
  g_autoptr (GString) text = g_string_new ("a");
  g_auto (EngNormalized) normalized = { 0 };
  EngNormalizer *step = new_step (FALSE, FALSE, TRUE, FALSE);
  clock_t start;

  for (int i = 0; i < 400000; i++)
    g_string_append (text, i % 2 ? "\u302e" : "\u0301");
  eng_normalized_append_text (&normalized, text->str);
  start = clock ();
  step->normalize (step, &normalized);
  g_assert_cmpint (normalized.n, ==, 200001);
  g_assert_cmpint (clock () - start, <, 5 * CLOCKS_PER_SEC);
  eng_normalizer_free (step);
}

static void
test_json (void)
{
  g_autofree char *text = json_text ("{'clean_text': true, 'handle_chinese_chars': false, "
                                     "'strip_accents': null, 'lowercase': false}");
  g_autofree char *wrong = json_text ("{'lowercase': 'yes'}");
  g_autoptr (cJSON) json = cJSON_Parse (text);
  g_autoptr (cJSON) wrong_json = cJSON_Parse (wrong);
  g_autoptr (GError) error = NULL;
  EngNormalizer *step = eng_bert_normalizer_new_from_json (json, "file", &error);

  /* Accents go with the case when they are not spoken of. */
  g_assert_no_error (error);
  g_assert_cmpstr (step->description, ==, "case kept");
  assert_normalized (step, "\u00c9\u65e5", "U+00C9:0-2 U+65E5:2-5");

  g_assert_null (eng_bert_normalizer_new_from_json (wrong_json, "file", &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_assert_true (strstr (error->message, "file") && strstr (error->message, "lowercase"));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/normalizer/every-character", test_every_character);
  g_test_add_func ("/engine/normalizer/clean-text", test_clean_text);
  g_test_add_func ("/engine/normalizer/chinese", test_chinese);
  g_test_add_func ("/engine/normalizer/strip-accents", test_strip_accents);
  g_test_add_func ("/engine/normalizer/lower-case", test_lower_case);
  g_test_add_func ("/engine/normalizer/long-run-of-marks", test_long_run_of_marks);
  g_test_add_func ("/engine/normalizer/json", test_json);

  return g_test_run ();
}
