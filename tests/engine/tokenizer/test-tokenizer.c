/* SPDX-License-Identifier: MIT */
/* From text to tokens, against thousands of strings that the tokenizers library cut, and laws that
 * hold for every text. */
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"
#include "tests/support/token-cases.h"

#include <locale.h>
#include <string.h>

static EngTokenizer *
open_bundled (void)
{
  g_autofree char *folder = checkpoint_get_bundled ();
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);

  return tokenizer;
}

/* NULL, and the test is skipped, where the shared data is absent. */
static EngTokenizer *
open_bert (void)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *folder = g_build_filename (shared ? shared : "../shared", "data", "tokenizers",
                                              "bert-base-uncased", NULL);
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer;

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("bert-base-uncased is not beside the project");
    return NULL;
  }
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);

  return tokenizer;
}

/* What was typed stands with a token that is unknown, and with no other; whoever types the unknown
 * token itself lacks nothing. */
static void
test_typed (void)
{
  static const char *const expected[] = { NULL, NULL, NULL, NULL, "Łódź", "🙂", NULL, NULL,
                                          "слово", NULL, NULL };
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  const EngTokenizeOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, "Zürich Łódź 🙂 cats",
                                                       "слово [UNK]", &options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tokens->n, ==, (int) G_N_ELEMENTS (expected));
  for (int i = 0; i < tokens->n; i++)
    g_assert_cmpstr (tokens->typed[i], ==, expected[i]);
}

/* Of a word without an end the begin is kept: it is drawn, and said. */
static void
test_typed_is_short (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  const EngTokenizeOptions options = { 0 };
  g_autofree char *letters = g_strnfill (32768, 'x');
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, letters, NULL, &options, NULL);

  g_assert_cmpint (tokens->n, ==, 3);
  g_assert_cmpstr (tokens->typed[1], ==, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…");
}

static void
test_recorded_bert (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/bert-base-uncased.gz");
  g_autoptr (EngTokenizer) tokenizer = open_bert ();
  TokenReader reader = token_reader_new (bytes);

  if (tokenizer)
    token_cases_check (tokenizer, &reader, 0);
}

static void
test_recorded_mini (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/headlight-mini.gz");
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  TokenReader reader = token_reader_new (bytes);

  token_cases_check (tokenizer, &reader, 0);
}

static void
test_recorded_variants (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/variants.gz");
  g_autoptr (cJSON) variants = token_cases_read_variants ();
  TokenReader reader = token_reader_new (bytes);
  const cJSON *variant;

  cJSON_ArrayForEach (variant, variants) {
    g_autoptr (EngTokenizer) tokenizer = token_cases_new_tokenizer (variant);

    g_test_message ("%s", variant->string);
    token_cases_check (tokenizer, &reader, token_reader_get_number (&reader));
  }
  g_assert_true (reader.at == reader.end);
}

/* expected: texts with blanks between. */
static void
assert_texts (const EngTokenizer *tokenizer,
              const char         *text,
              const char         *expected)
{
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, text, NULL, &options, &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = g_strjoinv (" ", tokens->texts);
  g_assert_cmpstr (found, ==, expected);
}

/* ids end with -1. */
static void
assert_ids (const EngTokenizer *tokenizer,
            const char         *text,
            const int          *ids)
{
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, text, NULL, &options, &error);
  int i;

  g_assert_no_error (error);
  for (i = 0; ids[i] >= 0; i++) {
    g_assert_cmpint (i, <, tokens->n);
    g_assert_cmpint (tokens->ids[i], ==, ids[i]);
  }
  g_assert_cmpint (tokens->n, ==, i);
}

static void
test_known_sentences (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_bert ();

  if (!tokenizer)
    return;
  assert_ids (tokenizer, "time flies like an arrow", (int[]) { 2051, 10029, 2066, 2019, 8612, -1 });
  assert_ids (tokenizer, "time flies like an arrow?",
              (int[]) { 2051, 10029, 2066, 2019, 8612, 1029, -1 });
  assert_ids (tokenizer, "A red fox in Västernorrlands Län",
              (int[]) { 1037, 2417, 4419, 1999, 6565, 11795, 2953, 18324, 2015, 17595, -1 });
  assert_texts (tokenizer, "A red fox in Västernorrlands Län",
                "a red fox in vast ##ern ##or ##rland ##s lan");
  g_assert_cmpstr (eng_tokenizer_get_description (tokenizer), ==,
                   "WordPiece, 30,522 entries, lower case, from tokenizer.json");
  g_assert_cmpint (eng_tokenizer_get_mask_id (tokenizer), ==, 103);
  g_assert_cmpint (eng_tokenizer_get_n_entries (tokenizer), ==, 30522);
}

static void
test_pair (void)
{
  static const int segments[] = { 0, 0, 0, 0, 1, 1, 1 };
  static const int special[] = { 1, 0, 0, 1, 0, 0, 1 };
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  g_autoptr (GError) error = NULL;
  EngTokenizeOptions options = { 0 };
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (EngTokens) single = NULL;

  tokens = eng_tokenizer_encode (tokenizer, "The [MASK]", "is to", &options, &error);
  g_assert_no_error (error);
  single = eng_tokenizer_encode (tokenizer, "The [MASK]", "", &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tokens->n, ==, G_N_ELEMENTS (segments));
  for (int i = 0; i < tokens->n; i++) {
    g_assert_cmpint (tokens->segments[i], ==, segments[i]);
    g_assert_cmpint (tokens->type_ids[i], ==, segments[i]);
    g_assert_cmpint (tokens->special[i], ==, special[i]);
  }
  g_assert_cmpstr (tokens->texts[2], ==, "[MASK]");
  g_assert_cmpint (tokens->ids[2], ==, eng_tokenizer_get_mask_id (tokenizer));
  g_assert_cmpint (tokens->spans[2].start, ==, 4);
  g_assert_cmpint (tokens->spans[2].end, ==, 10);
  g_assert_cmpint (tokens->spans[5].start, ==, 3);
  g_assert_true (eng_tokens_has_pair (tokens));
  g_assert_cmpint (single->n, ==, 4);
  g_assert_false (eng_tokens_has_pair (single));
}

#define ITEM_A "{'Sequence': {'id': 'A'}}"
#define ITEM_B "{'Sequence': {'id': 'B'}}"
#define ITEM_S "{'SpecialToken': {'id': 's'}}"
#define ITEM_E "{'SpecialToken': {'id': 'e'}}"

/* expected: segments of the pair's template with one token a text, as digits. */
static void
assert_segments (const char *single,
                 const char *pair,
                 const char *expected)
{
  g_autofree char *format =
    json_text ("{'model': {'type': 'WordPiece', 'vocab': {'[UNK]': 0, 's': 1, 'e': 2, 'a': 3}},"
               " 'post_processor': {'type': 'TemplateProcessing', 'single': [%s], 'pair': [%s],"
               " 'special_tokens': {'s': {'id': 's', 'ids': [1], 'tokens': ['s']},"
               " 'e': {'id': 'e', 'ids': [2], 'tokens': ['e']}}}}");
  g_autofree char *single_items = json_text (single);
  g_autofree char *pair_items = json_text (pair);
  g_autoptr (GString) text = g_string_new (format);
  g_autoptr (cJSON) json = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  EngTokenizeOptions options = { 0 };

  g_string_replace (text, "%s", single_items, 1);
  g_string_replace (text, "%s", pair_items, 1);
  json = cJSON_Parse (text->str);
  g_assert_nonnull (json);
  tokenizer = token_cases_new_tokenizer (json);
  tokens = eng_tokenizer_encode (tokenizer, "a", "a", &options, NULL);
  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (found, "%d", tokens->segments[i]);
  g_assert_cmpstr (found->str, ==, expected);
}

/* A special token belongs to the sentence that it closes or opens; type ids do not tell. */
static void
test_segments (void)
{
  static const char closed[] = ITEM_S "," ITEM_A "," ITEM_E;
  static const char opened[] = ITEM_S "," ITEM_A;

  assert_segments (closed, ITEM_S "," ITEM_A "," ITEM_E "," ITEM_B "," ITEM_E, "00011");
  assert_segments (closed, ITEM_S "," ITEM_A "," ITEM_E "," ITEM_E "," ITEM_B "," ITEM_E, "000111");
  assert_segments (closed, ITEM_S "," ITEM_B "," ITEM_E "," ITEM_A "," ITEM_E, "11100");
  assert_segments (opened, ITEM_S "," ITEM_A "," ITEM_S "," ITEM_B, "0011");
  assert_segments (ITEM_A "," ITEM_E, ITEM_A "," ITEM_B "," ITEM_E, "011");
  assert_segments (ITEM_A, ITEM_A "," ITEM_B, "01");
}

static char *
make_soup (GRand *random)
{
  static const char *const parts[] = {
    "the", "THE", "un", "##ing", "[MASK]", "[mask", "]", ".", "?!", "\u00e9", "e\u0301", "\u65e5",
    "\u200b", "\t", "  ", "x", "\ud55c", "\U0001f600", "\u0130",
  };
  GString *text = g_string_new (NULL);

  for (int i = g_rand_int_range (random, 0, 12); i > 0; i--) {
    if (g_rand_int_range (random, 0, 4))
      g_string_append (text, parts[g_rand_int_range (random, 0, G_N_ELEMENTS (parts))]);
    else {
      gunichar c = (gunichar) g_rand_int_range (random, 1, 0x3100);

      g_string_append_unichar (text, c);
    }
  }

  return g_string_free (text, FALSE);
}

/* Tokens of "A B" are those of A and those of B; the spans go up through the text, and of a pair
 * each sentence has the tokens that it has alone. */
static void
test_concatenation (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (GError) error = NULL;

  for (int n = 0; n < 3000; n++) {
    g_autofree char *a = make_soup (random);
    g_autofree char *b = make_soup (random);
    g_autofree char *both = g_strconcat (a, " ", b, NULL);
    int shift = (int) strlen (a) + 1;
    g_autoptr (EngTokens) tokens_a = eng_tokenizer_encode (tokenizer, a, NULL, &options, &error);
    g_autoptr (EngTokens) tokens_b = eng_tokenizer_encode (tokenizer, b, NULL, &options, &error);
    g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, both, NULL, &options, &error);
    g_autoptr (EngTokens) pair = eng_tokenizer_encode (tokenizer, a, b, &options, &error);

    g_assert_no_error (error);
    token_cases_assert_sound (tokenizer, tokens, (const char *[2]) { both, NULL });
    g_assert_cmpint (tokens->n, ==, tokens_a->n + tokens_b->n);
    g_assert_cmpint (pair->n, ==, tokens->n);
    for (int i = 0; i < tokens->n; i++) {
      gboolean in_b = i >= tokens_a->n;
      const EngTokens *part = in_b ? tokens_b : tokens_a;
      int at = in_b ? i - tokens_a->n : i;

      g_assert_cmpint (tokens->ids[i], ==, part->ids[at]);
      g_assert_cmpint (tokens->spans[i].start, ==, part->spans[at].start + (in_b ? shift : 0));
      g_assert_cmpint (tokens->spans[i].end, ==, part->spans[at].end + (in_b ? shift : 0));
      g_assert_cmpint (pair->ids[i], ==, part->ids[at]);
      g_assert_cmpint (pair->segments[i], ==, in_b);
      g_assert_cmpint (pair->spans[i].start, ==, part->spans[at].start);
      if (i > 0)
        g_assert_cmpint (tokens->spans[i].start, >=, tokens->spans[i - 1].start);
    }
  }
}

static void
test_no_tokens (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  g_autoptr (GError) error = NULL;
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (EngTokens) tokens = NULL;

  tokens = eng_tokenizer_encode (tokenizer, " \u200b\t", NULL, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (tokens->n, ==, 0);
}

static void
assert_text_refused (const char *text_a,
                     const char *text_b,
                     const char *part)
{
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  EngTokenizeOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_tokenizer_encode (tokenizer, text_a, text_b, &options, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_invalid_text (void)
{
  assert_text_refused ("ab\xff", NULL, "sentence A is not UTF-8 at byte 2: found 0xFF");
  assert_text_refused ("a", "\xc3", "sentence B is not UTF-8 at byte 0");
  assert_text_refused ("\xed\xa0\x80", "b", "sentence A is not UTF-8 at byte 0");
  assert_text_refused ("\xc0\x80", "b", "sentence A is not UTF-8 at byte 0");
}

static void
test_truncation_without_room (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_bundled ();
  EngTokenizeOptions options = { .truncate = TRUE, .max_length = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, "a b", "c", &options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tokens->n, ==, 3);
  options.max_length = 2;
  g_assert_null (eng_tokenizer_encode (tokenizer, "a b", "c", &options, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/tokenizer/recorded/bert-base-uncased", test_recorded_bert);
  g_test_add_func ("/engine/tokenizer/recorded/headlight-mini", test_recorded_mini);
  g_test_add_func ("/engine/tokenizer/recorded/variants", test_recorded_variants);
  g_test_add_func ("/engine/tokenizer/typed", test_typed);
  g_test_add_func ("/engine/tokenizer/typed-is-short", test_typed_is_short);
  g_test_add_func ("/engine/tokenizer/known-sentences", test_known_sentences);
  g_test_add_func ("/engine/tokenizer/pair", test_pair);
  g_test_add_func ("/engine/tokenizer/segments", test_segments);
  g_test_add_func ("/engine/tokenizer/concatenation", test_concatenation);
  g_test_add_func ("/engine/tokenizer/no-tokens", test_no_tokens);
  g_test_add_func ("/engine/tokenizer/invalid-text", test_invalid_text);
  g_test_add_func ("/engine/tokenizer/truncation-without-room", test_truncation_without_room);

  return g_test_run ();
}
