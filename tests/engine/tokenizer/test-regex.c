/* SPDX-License-Identifier: MIT */
/* Regular expressions of tokenizer.json, where texts are cut and where something is replaced,
 * against what the tokenizers library makes of them (tests/record/record_regexes.py), and those that
 * cannot be run. */
#include "engine/base/json.h"
#include "engine/tokenizer/normalizers/replace.h"
#include "engine/tokenizer/pretokenizers/split.h"
#include "tests/support/bpe-cases.h"

#include <locale.h>
#include <string.h>

#define N_TEXTS 2000
#define N_TOGETHER 5 /* texts with one hash */

static EngPretokenizer *
make_split (const char  *pattern,
            const char  *behavior,
            GError     **error)
{
  g_autoptr (cJSON) json = cJSON_CreateObject ();

  cJSON_AddStringToObject (cJSON_AddObjectToObject (json, "pattern"), "Regex", pattern);
  cJSON_AddStringToObject (json, "behavior", behavior);

  return eng_split_new_from_json (json, "tokenizer.json", error);
}

/* Of the first and end byte of each word, as it is recorded. */
static guint32
hash_words (guint32                hash,
            const EngPretokenizer *split,
            const char            *text)
{
  g_auto (EngNormalized) typed = { 0 };
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  g_autoptr (GError) error = NULL;
  EngWord whole = { 0 };

  eng_normalized_append_text (&typed, text);
  whole.end = typed.n;
  g_array_append_val (words, whole);
  split->cut (split, &typed, words, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < words->len; i++) {
    EngWord word = g_array_index (words, EngWord, i);

    if (word.first == word.end)
      continue;
    hash = bpe_cases_hash_word (hash, (guint32) typed.chars[word.first].origin.start);
    hash = bpe_cases_hash_word (hash, (guint32) typed.chars[word.end - 1].origin.end);
  }

  return hash;
}

/* A normalizer and a decoder of one replacement. */
typedef struct {
  EngNormalizer *normalizer;
  EngDecoder    *decoder;
} Replacement;

static cJSON *
make_replacement (const char *pattern,
                  const char *content)
{
  cJSON *json = cJSON_CreateObject ();

  cJSON_AddStringToObject (cJSON_AddObjectToObject (json, "pattern"), "Regex", pattern);
  cJSON_AddStringToObject (json, "content", content);

  return json;
}

/* Of each character that is left and the bytes that it came from; the decoder says the same. */
static guint32
hash_replaced (guint32      hash,
               gconstpointer replacement,
               const char  *text)
{
  const Replacement *self = replacement;
  g_auto (EngNormalized) typed = { 0 };
  g_autoptr (GString) replaced = g_string_new (NULL);
  g_autofree char *decoded = self->decoder->draw (self->decoder, g_strdup (text));
  g_autoptr (GError) error = NULL;

  eng_normalized_append_text (&typed, text);
  g_assert_true (self->normalizer->try_normalize (self->normalizer, &typed, &error));
  g_assert_no_error (error);
  for (int i = 0; i < typed.n; i++) {
    const EngNormalizedChar *one = &typed.chars[i];

    g_string_append_unichar (replaced, one->c);
    hash = bpe_cases_hash_word (hash, one->c);
    hash = bpe_cases_hash_word (hash, (guint32) one->origin.start);
    hash = bpe_cases_hash_word (hash, (guint32) one->origin.end);
  }
  g_assert_cmpstr (decoded, ==, replaced->str);

  return hash;
}

static guint32
hash_split (guint32       hash,
            gconstpointer split,
            const char   *text)
{
  return hash_words (hash, split, text);
}

static void
compare (const cJSON  *texts,
         const cJSON  *recorded,
         guint32     (*hash_text) (guint32       hash,
                                   gconstpointer step,
                                   const char   *text),
         gconstpointer step)
{
  const cJSON *hash = eng_json_find (recorded, "hashes")->child;
  const char *pattern = eng_json_find (recorded, "pattern")->valuestring;
  int n_failed = 0;

  for (const cJSON *text = texts->child; text; hash = hash->next) {
    const char *first = text->valuestring;
    guint32 ours = 2166136261u;

    for (int i = 0; i < N_TOGETHER; i++, text = text->next)
      ours = hash_text (ours, step, text->valuestring);
    if (((ours >> 16) ^ (ours & 0xffff)) != (guint32) hash->valueint && n_failed++ < 5)
      g_test_message ("%s: “%.100s” or one behind it", pattern, first);
  }
  g_test_message ("%s: %d of %d differ", pattern, n_failed, N_TEXTS / N_TOGETHER);
  if (n_failed > 0)
    g_test_fail ();
}

static cJSON *
read_record (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/regexes.json.gz");
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  g_autoptr (GError) error = NULL;
  cJSON *record = eng_json_parse (text, size, 16, "regexes.json", &error);

  g_assert_no_error (error);
  g_assert_cmpint (cJSON_GetArraySize (eng_json_find (record, "texts")), ==, N_TEXTS);

  return record;
}

static void
test_recorded (void)
{
  g_autoptr (cJSON) record = read_record ();
  const cJSON *recorded;

  cJSON_ArrayForEach (recorded, eng_json_find (record, "patterns")) {
    g_autoptr (GError) error = NULL;
    EngPretokenizer *split = make_split (eng_json_find (recorded, "pattern")->valuestring,
                                         eng_json_find (recorded, "behavior")->valuestring, &error);

    g_assert_no_error (error);
    compare (eng_json_find (record, "texts"), recorded, hash_split, split);
    eng_pretokenizer_free (split);
  }
}

static void
test_replaced (void)
{
  g_autoptr (cJSON) record = read_record ();
  const cJSON *recorded;

  cJSON_ArrayForEach (recorded, eng_json_find (record, "replacements")) {
    g_autoptr (cJSON) json =
      make_replacement (eng_json_find (recorded, "pattern")->valuestring,
                        eng_json_find (recorded, "content")->valuestring);
    g_autoptr (GError) error = NULL;
    Replacement replacement = { eng_replace_new_from_json (json, "tokenizer.json", &error),
                                eng_replace_decoder_new_from_json (json, "tokenizer.json", NULL) };

    g_assert_no_error (error);
    compare (eng_json_find (record, "texts"), recorded, hash_replaced, &replacement);
    eng_normalizer_free (replacement.normalizer);
    eng_decoder_free (replacement.decoder);
  }
}

/* A normalizer gives up as a pre-tokenizer does, a decoder leaves the token as it is; an expression
 * that cannot be run is refused; nothing matches in nothing. */
static void
test_not_replaced (void)
{
  g_autoptr (cJSON) json = make_replacement ("(a|aa|a?b?)+c(?<=x)", "");
  g_autoptr (cJSON) refused = make_replacement ("[a[^b]]", "");
  g_autoptr (cJSON) nothing = make_replacement ("x*", "-");
  g_autoptr (GError) error = NULL;
  EngNormalizer *normalizer = eng_replace_new_from_json (json, "tokenizer.json", &error);
  EngDecoder *decoder = eng_replace_decoder_new_from_json (json, "tokenizer.json", &error);
  g_autofree char *text = g_strnfill (60000, 'a');
  g_autofree char *decoded = NULL;
  g_auto (EngNormalized) typed = { 0 };

  g_assert_no_error (error);
  text[59999] = 'c';
  eng_normalized_append_text (&typed, text);
  g_assert_false (normalizer->try_normalize (normalizer, &typed, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_assert_nonnull (strstr (error->message, "gives up on this text"));
  g_clear_error (&error);
  decoded = decoder->draw (decoder, g_strdup (text));
  g_assert_cmpstr (decoded, ==, text);
  eng_normalizer_free (normalizer);
  eng_decoder_free (decoder);

  g_assert_null (eng_replace_new_from_json (refused, "tokenizer.json", &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);

  normalizer = eng_replace_new_from_json (nothing, "tokenizer.json", NULL);
  eng_normalized_clear (&typed);
  g_assert_true (normalizer->try_normalize (normalizer, &typed, NULL));
  g_assert_cmpint (typed.n, ==, 0);
  eng_normalizer_free (normalizer);
}

/* What means something else to PCRE2, or nothing at all, is refused with its place. */
static void
test_refused (void)
{
  static const struct {
    const char *pattern;
    const char *reason;
  } cases[] = {
    { "[a-z&&[^b]]", "an intersection of classes at “&&[^b]]”" },
    { "[a[^b]]", "a class of its own in a class" },
    { "[[:alpha:]]", "a class of its own in a class" },
    { "a{2}+", "a count that is counted" },
    { "(?m:a.b)", "an option at “(?m:a.b)”" },
    { "(?s)a", "an option" },
    { "(*FAIL)", "a verb" },
    { "[\\S]", "an escape" },
    { "\\X", "an escape" },
    { "\\u12", "\\u without four digits" },
    { "\\xe9", "\\x of no ASCII" },
    { "[ab", "a class without end" },
    { "a\\", "a \\ with nothing behind it" },
    { "(a", "tokenizer.json: the regular expression (a: " },
    { "\\p{Nonsense}", "tokenizer.json: the regular expression \\p{Nonsense}: " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (make_split (cases[i].pattern, "Isolated", &error));
    g_test_message ("%s", error->message);
    g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message, cases[i].reason));
    g_assert_nonnull (strstr (error->message, cases[i].pattern));
  }
}

/* An expression that would try all ways through a text gives up, and soon. */
static void
test_limit (void)
{
  g_autoptr (GError) error = NULL;
  EngPretokenizer *split = make_split ("(a|aa|a?b?)+c(?<=x)", "Isolated", &error);
  g_autofree char *text = g_strnfill (60000, 'a');
  g_auto (EngNormalized) typed = { 0 };
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  gint64 start = g_get_monotonic_time ();
  EngWord whole = { 0, 60000 };

  g_assert_no_error (error);
  text[59999] = 'c';
  eng_normalized_append_text (&typed, text);
  g_array_append_val (words, whole);
  g_assert_false (split->cut (split, &typed, words, &error));
  g_test_message ("%s, after %.2f s", error->message,
                  (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_assert_nonnull (strstr (error->message, "gives up on this text"));
  eng_pretokenizer_free (split);
}

/* One match of many repetitions. */
static void
test_long_match (void)
{
  g_autoptr (GError) error = NULL;
  EngPretokenizer *split = make_split ("(?:a|b)+", "Isolated", &error);
  g_autofree char *text = g_strnfill (60000, 'a');
  g_auto (EngNormalized) typed = { 0 };
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  EngWord whole = { 0, 60000 };

  g_assert_no_error (error);
  eng_normalized_append_text (&typed, text);
  g_array_append_val (words, whole);
  split->cut (split, &typed, words, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (words->len, ==, 1);
  eng_pretokenizer_free (split);
}

/* A long text takes no longer for its length. */
static void
test_long_text (void)
{
  g_autoptr (GError) error = NULL;
  EngPretokenizer *split = make_split ("(?: ?\\p{L}+|\\s+)", "Isolated", &error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (EngNormalized) typed = { 0 };
  g_autoptr (GArray) words = g_array_new (FALSE, FALSE, sizeof (EngWord));
  gint64 start = g_get_monotonic_time ();
  EngWord whole = { 0 };

  g_assert_no_error (error);
  for (int i = 0; i < 200000; i++)
    g_string_append (text, i > 0 ? " œuvre" : "œuvre");
  eng_normalized_append_text (&typed, text->str);
  whole.end = typed.n;
  g_array_append_val (words, whole);
  g_assert_true (split->cut (split, &typed, words, &error));
  g_assert_cmpuint (words->len, ==, 200000);
  g_test_message ("%.2f s", (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
  eng_pretokenizer_free (split);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/regex/recorded", test_recorded);
  g_test_add_func ("/regex/replaced", test_replaced);
  g_test_add_func ("/regex/not-replaced", test_not_replaced);
  g_test_add_func ("/regex/refused", test_refused);
  g_test_add_func ("/regex/limit", test_limit);
  g_test_add_func ("/regex/long-match", test_long_match);
  g_test_add_func ("/regex/long-text", test_long_text);

  return g_test_run ();
}
