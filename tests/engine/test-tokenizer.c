/* SPDX-License-Identifier: MIT */
/* Tokenizers from folder to tokens, against thousands of strings that the tokenizers library cut
 * (tests/record/record_tokenizer.py says how they are stored), and what a folder may not hold. */
#include "engine/tokenizer-private.h"
#include "engine/tokenizer/settings.h"
#include "engine/tokenizer/tokenizer-json.h"
#include "engine/tokenizer/vocab-txt.h"
#include "tests/support/gzip.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

typedef struct {
  const guint8 *at;
  const guint8 *end;
} Reader;

enum { FLAG_PAIR = 1, FLAG_NO_SPECIAL = 2, FLAG_TRUNCATE = 4 };

static guint
read_number (Reader *reader)
{
  guint number = 0;

  for (int shift = 0;; shift += 7)
    {
      g_assert_true (reader->at < reader->end && shift < 32);
      number |= (guint) (*reader->at & 0x7f) << shift;
      if (*reader->at++ < 0x80)
        return number;
    }
}

static char *
read_text (Reader *reader)
{
  guint length = read_number (reader);

  g_assert_cmpuint (length, <=, (guint) (reader->end - reader->at));
  reader->at += length;

  return g_strndup ((const char *) reader->at - length, length);
}

static EngTokens *
read_tokens (Reader *reader)
{
  guint n = read_number (reader);
  EngTokens *tokens = eng_tokens_new ((int) n);
  int end = 0;

  for (guint i = 0; i < n; i++)
    tokens->ids[i] = (gint32) read_number (reader);
  for (guint i = 0; i < n; i++)
    tokens->type_ids[i] = (gint32) read_number (reader);
  for (guint i = 0; i < n; i++)
    {
      guint gap = read_number (reader);

      tokens->special[i] = gap == 0;
      if (gap-- == 0)
        continue;
      tokens->spans[i].start = end + (gap % 2 ? -(int) (gap / 2) - 1 : (int) (gap / 2));
      end = tokens->spans[i].end = tokens->spans[i].start + (int) read_number (reader);
    }

  return tokens;
}

static char *
print_tokens (const EngTokens *tokens)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (text, "%d/%d%s[%d,%d) ", tokens->ids[i], tokens->type_ids[i], tokens->special[i] ? "*" : "",
                            tokens->spans[i].start, tokens->spans[i].end);

  return g_string_free (text, FALSE);
}

/* What holds for any tokens of any tokenizer, whatever was recorded. */
static void
assert_sound (const EngTokenizer *tokenizer,
              const EngTokens    *tokens,
              const char         *texts[2])
{
  for (int i = 0; i < tokens->n; i++)
    {
      const char *text = texts[tokens->segments[i]];
      EngSpan span = tokens->spans[i];

      g_assert_cmpstr (tokens->pieces[i], ==, eng_tokenizer_get_piece (tokenizer, tokens->ids[i]));
      g_assert_nonnull (tokens->texts[i]);
      g_assert_cmpint (tokens->ids[i], <, eng_tokenizer_get_n_entries (tokenizer));
      g_assert_true ((span.start < 0) == tokens->special[i]);
      if (tokens->special[i])
        continue;
      g_assert_true (text && span.start < span.end && span.end <= (int) strlen (text));
      g_assert_true ((text[span.start] & 0xc0) != 0x80 && (text[span.end] & 0xc0) != 0x80);
    }
}

static void
check_case (const EngTokenizer *tokenizer,
            Reader             *reader,
            GString            *failures)
{
  guint flags = read_number (reader);
  EngTokenizeOptions options = {
    .no_special_tokens = (flags & FLAG_NO_SPECIAL) != 0,
    .truncate = (flags & FLAG_TRUNCATE) != 0,
    .max_length = flags & FLAG_TRUNCATE ? (int) read_number (reader) : 0,
  };
  g_autofree char *text_a = read_text (reader);
  g_autofree char *text_b = flags & FLAG_PAIR ? read_text (reader) : NULL;
  g_autoptr (EngTokens) expected = read_tokens (reader);
  g_autoptr (EngTokens) found = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *expected_text = print_tokens (expected);
  g_autofree char *found_text = NULL;

  found = eng_tokenizer_encode (tokenizer, text_a, text_b, &options, &error);
  g_assert_no_error (error);
  found_text = print_tokens (found);
  assert_sound (tokenizer, found, (const char *[2]) { text_a, text_b });
  if (!g_str_equal (found_text, expected_text))
    g_string_append_printf (failures, "\"%s\" | \"%s\"\n  expected %s\n  found    %s\n", text_a, text_b ? text_b : "",
                            expected_text, found_text);
}

/* n_cases 0: all that there are. Reports the first failures and how many there were. */
static void
check_cases (const EngTokenizer *tokenizer,
             Reader             *reader,
             guint               n_cases)
{
  g_autoptr (GString) failures = g_string_new (NULL);
  guint n_failed = 0;
  guint n = 0;

  for (; n_cases ? n < n_cases : reader->at < reader->end; n++)
    {
      gsize before = failures->len;

      check_case (tokenizer, reader, failures);
      n_failed += failures->len > before;
      if (n_failed > 5)
        g_string_truncate (failures, before);
    }
  g_test_message ("%u cases, %u differ", n, n_failed);
  if (n_failed)
    g_test_message ("%s", failures->str);
  g_assert_cmpuint (n_failed, ==, 0);
  g_assert_cmpuint (n, >, 0);
}

static char *
get_mini_path (const char *file)
{
  return g_test_build_filename (G_TEST_DIST, "..", "resources", "models", "headlight-mini", file, NULL);
}

static EngTokenizer *
open_mini (void)
{
  g_autofree char *folder = get_mini_path (NULL);
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
  g_autofree char *folder = g_build_filename (shared ? shared : "../shared", "data", "tokenizers", "bert-base-uncased", NULL);
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer;

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("bert-base-uncased is not beside the project");
      return NULL;
    }
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);

  return tokenizer;
}

static Reader
get_reader (GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  return (Reader) { data, data + size };
}

static void
test_recorded_bert (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/bert-base-uncased.gz");
  g_autoptr (EngTokenizer) tokenizer = open_bert ();
  Reader reader = get_reader (bytes);

  if (tokenizer)
    check_cases (tokenizer, &reader, 0);
}

static void
test_recorded_mini (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/headlight-mini.gz");
  g_autoptr (EngTokenizer) tokenizer = open_mini ();
  Reader reader = get_reader (bytes);

  check_cases (tokenizer, &reader, 0);
}

static cJSON *
read_variants (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/variants.json.gz");
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  cJSON *variants = eng_json_parse (text, size, 32, "variants.json", &error);

  g_assert_no_error (error);

  return variants;
}

static EngTokenizer *
new_from_json (const cJSON *json)
{
  g_autofree char *text = cJSON_PrintUnformatted (json);
  g_autoptr (GError) error = NULL;
  EngPipeline *pipeline = eng_tokenizer_json_parse (text, strlen (text), "tokenizer.json", &error);

  g_assert_no_error (error);

  return eng_tokenizer_new (pipeline, NULL, "tokenizer.json");
}

static void
test_recorded_variants (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/variants.gz");
  g_autoptr (cJSON) variants = read_variants ();
  Reader reader = get_reader (bytes);
  const cJSON *variant;

  cJSON_ArrayForEach (variant, variants)
    {
      g_autoptr (EngTokenizer) tokenizer = new_from_json (variant);

      g_test_message ("%s", variant->string);
      check_cases (tokenizer, &reader, read_number (&reader));
    }
  g_assert_true (reader.at == reader.end);
}

/* A folder that is removed, with what the test has put into it, by folder_free(). */
typedef struct {
  char *path;
} Folder;

static Folder
folder_new (void)
{
  g_autoptr (GError) error = NULL;
  Folder folder = { g_dir_make_tmp ("headlight-tokenizer-XXXXXX", &error) };

  g_assert_no_error (error);

  return folder;
}

static void
folder_write (Folder     *self,
              const char *file,
              const char *contents,
              gssize      length)
{
  g_autofree char *path = g_build_filename (self->path, file, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, contents, length, &error);
  g_assert_no_error (error);
}

static void
folder_clear (Folder *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (self->path, name, NULL);

      g_remove (path);
    }
  g_rmdir (self->path);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folder, folder_clear)

static void
test_vocab_txt (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/headlight-mini.gz");
  g_autofree char *path = get_mini_path ("vocab.txt");
  g_autofree char *vocabulary = NULL;
  g_auto (Folder) folder = folder_new ();
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;
  Reader reader = get_reader (bytes);

  g_file_get_contents (path, &vocabulary, NULL, &error);
  g_assert_no_error (error);
  folder_write (&folder, "vocab.txt", vocabulary, -1);
  folder_write (&folder, "tokenizer_config.json", "{\"tokenizer_class\": \"BertTokenizerFast\"}", -1);

  tokenizer = eng_tokenizer_open (folder.path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (eng_tokenizer_get_description (tokenizer), ==, "WordPiece, 8,192 entries, lower case");
  g_assert_true (g_str_has_suffix (eng_tokenizer_get_file (tokenizer), "/vocab.txt"));
  check_cases (tokenizer, &reader, 0);
}

/* The variant of that name as vocab.txt, against the cases of its tokenizer.json. */
static void
check_vocab_txt_variant (const char *name,
                         const char *config)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/variants.gz");
  g_autoptr (cJSON) variants = read_variants ();
  g_autoptr (GString) vocabulary = g_string_new (NULL);
  g_auto (Folder) folder = folder_new ();
  Reader reader = get_reader (bytes);
  const cJSON *variant;

  cJSON_ArrayForEach (variant, variants)
    {
      g_autoptr (EngTokenizer) tokenizer = NULL;
      g_autoptr (GError) error = NULL;
      const cJSON *entry;

      if (!g_str_equal (variant->string, name))
        {
          /* Cases are found by walking over those before them. */
          tokenizer = new_from_json (variant);
          check_cases (tokenizer, &reader, read_number (&reader));
          continue;
        }
      cJSON_ArrayForEach (entry, eng_json_find (eng_json_find (variant, "model"), "vocab"))
        g_string_append_printf (vocabulary, "%s\r\n", entry->string);
      folder_write (&folder, "vocab.txt", vocabulary->str, -1);
      folder_write (&folder, "tokenizer_config.json", config, -1);
      tokenizer = eng_tokenizer_open (folder.path, &error);
      g_assert_no_error (error);
      check_cases (tokenizer, &reader, read_number (&reader));
      return;
    }
  g_assert_not_reached ();
}

static void
test_vocab_txt_settings (void)
{
  check_vocab_txt_variant ("cased", "{\"do_lower_case\": false}");
  check_vocab_txt_variant ("cased-no-accents", "{\"do_lower_case\": false, \"strip_accents\": true}");
  check_vocab_txt_variant ("lower-with-accents", "{\"strip_accents\": false, \"tokenizer_class\": null}");
  check_vocab_txt_variant ("no-chinese", "{\"tokenize_chinese_chars\": false}");
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

static void
test_special_token_files (void)
{
  g_auto (Folder) folder = folder_new ();
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;

  folder_write (&folder, "vocab.txt", "<u>\n<s>\n</s>\n<m>\na\n##b\n<n>\n[SEP]\n", -1);
  /* The newer file has the last word, and a token may be an object with flags. */
  folder_write (&folder, "special_tokens_map.json",
                "{\"unk_token\": \"<u>\", \"cls_token\": \"<s>\", \"sep_token\": \"a\", \"mask_token\": \"<n>\"}", -1);
  folder_write (&folder, "tokenizer_config.json",
                "{\"sep_token\": \"</s>\", \"mask_token\": {\"content\": \"<m>\", \"lstrip\": true},"
                " \"added_tokens_decoder\": {\"10\": {\"content\": \"later\"}, \"9\": {\"content\": \"<m> a\"}}}", -1);
  folder_write (&folder, "added_tokens.json", "{\"Two Words\": 8, \"<m>\": 3}", -1);
  tokenizer = eng_tokenizer_open (folder.path, &error);
  g_assert_no_error (error);

  g_assert_cmpint (eng_tokenizer_get_mask_id (tokenizer), ==, 3);
  g_assert_cmpint (eng_tokenizer_find_id (tokenizer, "Two Words"), ==, 8);
  g_assert_cmpint (eng_tokenizer_find_id (tokenizer, "<m> a"), ==, 9);
  g_assert_cmpint (eng_tokenizer_find_id (tokenizer, "later"), ==, 10);
  g_assert_cmpint (eng_tokenizer_get_n_entries (tokenizer), ==, 11);
  g_assert_cmpstr (eng_tokenizer_get_piece (tokenizer, 9), ==, "<m> a");
  assert_texts (tokenizer, "ab <m> ab <m> a TWO words", "a ##b <m> a ##b <m> a Two Words");
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
  for (i = 0; ids[i] >= 0; i++)
    {
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
  assert_ids (tokenizer, "time flies like an arrow?", (int[]) { 2051, 10029, 2066, 2019, 8612, 1029, -1 });
  assert_ids (tokenizer, "A red fox in Västernorrlands Län",
              (int[]) { 1037, 2417, 4419, 1999, 6565, 11795, 2953, 18324, 2015, 17595, -1 });
  assert_texts (tokenizer, "A red fox in Västernorrlands Län", "a red fox in vast ##ern ##or ##rland ##s lan");
  g_assert_cmpstr (eng_tokenizer_get_description (tokenizer), ==, "WordPiece, 30,522 entries, lower case");
  g_assert_cmpint (eng_tokenizer_get_mask_id (tokenizer), ==, 103);
  g_assert_cmpint (eng_tokenizer_get_n_entries (tokenizer), ==, 30522);
}

static void
test_pair (void)
{
  static const int segments[] = { 0, 0, 0, 0, 1, 1, 1 };
  static const int special[] = { 1, 0, 0, 1, 0, 0, 1 };
  g_autoptr (EngTokenizer) tokenizer = open_mini ();
  g_autoptr (GError) error = NULL;
  EngTokenizeOptions options = { 0 };
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, "The [MASK]", "is to", &options, &error);
  g_autoptr (EngTokens) single = eng_tokenizer_encode (tokenizer, "The [MASK]", "", &options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tokens->n, ==, G_N_ELEMENTS (segments));
  for (int i = 0; i < tokens->n; i++)
    {
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

/* expected: segments of the pair's template with one token a text, as digits. */
static void
assert_segments (const char *single,
                 const char *pair,
                 const char *expected)
{
  g_autofree char *text = g_strdup_printf ("{\"model\": {\"type\": \"WordPiece\", \"vocab\": {\"[UNK]\": 0, \"s\": 1, \"e\": 2, \"a\": 3}},"
                                           " \"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [%s], \"pair\": [%s],"
                                           " \"special_tokens\": {\"s\": {\"id\": \"s\", \"ids\": [1], \"tokens\": [\"s\"]},"
                                           " \"e\": {\"id\": \"e\", \"ids\": [2], \"tokens\": [\"e\"]}}}}", single, pair);
  g_autoptr (cJSON) json = cJSON_Parse (text);
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (EngTokens) tokens = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  EngTokenizeOptions options = { 0 };

  g_assert_nonnull (json);
  tokenizer = new_from_json (json);
  tokens = eng_tokenizer_encode (tokenizer, "a", "a", &options, NULL);
  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (found, "%d", tokens->segments[i]);
  g_assert_cmpstr (found->str, ==, expected);
}

#define ITEM_A "{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}"
#define ITEM_B "{\"Sequence\": {\"id\": \"B\", \"type_id\": 0}}"
#define ITEM_S "{\"SpecialToken\": {\"id\": \"s\", \"type_id\": 0}}"
#define ITEM_E "{\"SpecialToken\": {\"id\": \"e\", \"type_id\": 0}}"

/* A special token belongs to the sentence that it closes or opens; type ids do not tell. */
static void
test_segments (void)
{
  assert_segments (ITEM_S "," ITEM_A "," ITEM_E, ITEM_S "," ITEM_A "," ITEM_E "," ITEM_B "," ITEM_E, "00011");
  assert_segments (ITEM_S "," ITEM_A "," ITEM_E, ITEM_S "," ITEM_A "," ITEM_E "," ITEM_E "," ITEM_B "," ITEM_E, "000111");
  assert_segments (ITEM_S "," ITEM_A, ITEM_S "," ITEM_A "," ITEM_S "," ITEM_B, "0011");
  assert_segments (ITEM_A "," ITEM_E, ITEM_A "," ITEM_B "," ITEM_E, "011");
  assert_segments (ITEM_A, ITEM_A "," ITEM_B, "01");
  assert_segments (ITEM_S "," ITEM_A "," ITEM_E, ITEM_S "," ITEM_B "," ITEM_E "," ITEM_A "," ITEM_E, "11100");
}

static char *
make_soup (GRand *random)
{
  static const char *const parts[] = {
    "the", "THE", "un", "##ing", "[MASK]", "[mask", "]", ".", "?!", "\u00e9", "e\u0301", "\u65e5", "\u200b", "\t", "  ", "x", "\ud55c", "\U0001f600", "\u0130",
  };
  GString *text = g_string_new (NULL);

  for (int i = g_rand_int_range (random, 0, 12); i > 0; i--)
    {
      if (g_rand_int_range (random, 0, 4))
        g_string_append (text, parts[g_rand_int_range (random, 0, G_N_ELEMENTS (parts))]);
      else
        {
          gunichar c = (gunichar) g_rand_int_range (random, 1, 0x3100);

          g_string_append_unichar (text, c);
        }
    }

  return g_string_free (text, FALSE);
}

/* Tokens of "A B" are those of A and those of B; the spans go up through the text, and of a pair each
 * sentence has the tokens that it has alone. */
static void
test_concatenation (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_mini ();
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (GError) error = NULL;

  for (int n = 0; n < 3000; n++)
    {
      g_autofree char *a = make_soup (random);
      g_autofree char *b = make_soup (random);
      g_autofree char *both = g_strconcat (a, " ", b, NULL);
      int shift = (int) strlen (a) + 1;
      g_autoptr (EngTokens) tokens_a = eng_tokenizer_encode (tokenizer, a, NULL, &options, &error);
      g_autoptr (EngTokens) tokens_b = eng_tokenizer_encode (tokenizer, b, NULL, &options, &error);
      g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, both, NULL, &options, &error);
      g_autoptr (EngTokens) pair = eng_tokenizer_encode (tokenizer, a, b, &options, &error);

      g_assert_no_error (error);
      assert_sound (tokenizer, tokens, (const char *[2]) { both, NULL });
      g_assert_cmpint (tokens->n, ==, tokens_a->n + tokens_b->n);
      g_assert_cmpint (pair->n, ==, tokens->n);
      for (int i = 0; i < tokens->n; i++)
        {
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
  g_autoptr (EngTokenizer) tokenizer = open_mini ();
  g_autoptr (GError) error = NULL;
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, " \u200b\t", NULL, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tokens->n, ==, 0);
}

static void
assert_text_refused (const char *text_a,
                     const char *text_b,
                     const char *part)
{
  g_autoptr (EngTokenizer) tokenizer = open_mini ();
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
  g_autoptr (EngTokenizer) tokenizer = open_mini ();
  EngTokenizeOptions options = { .truncate = TRUE, .max_length = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, "a b", "c", &options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tokens->n, ==, 3);
  options.max_length = 2;
  g_assert_null (eng_tokenizer_encode (tokenizer, "a b", "c", &options, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
}

/* The message must name the folder and say the rest. */
static void
assert_folder_refused (Folder     *folder,
                       EngError    code,
                       const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_tokenizer_open (folder->path, &error));
  g_assert_error (error, ENG_ERROR, (int) code);
  if (!strstr (error->message, part) || !strstr (error->message, folder->path))
    g_error ("\"%s\" does not say \"%s\"", error->message, part);
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
test_refused_vocab_txt (void)
{
  static const char whole[] = "[UNK]\n[CLS]\n[SEP]\n";
  static const struct {
    const char *vocabulary;
    const char *config;
    EngError    code;
    const char *part;
  } cases[] = {
    { "", NULL, ENG_ERROR_FORMAT, "vocab.txt: the vocabulary is empty" },
    { "[CLS]\n[SEP]\na\n", NULL, ENG_ERROR_MISSING, "vocab.txt: the vocabulary has no [UNK]" },
    { "[UNK]\n[SEP]\na\n", NULL, ENG_ERROR_MISSING, "vocab.txt: the vocabulary has no [CLS]" },
    { "[UNK]\n[CLS]\na\n", NULL, ENG_ERROR_MISSING, "vocab.txt: the vocabulary has no [SEP]" },
    { "[UNK]\nab\xff\n", NULL, ENG_ERROR_FORMAT, "vocab.txt: not UTF-8 at byte 8" },
    { whole, "{\"unk_token\": \"<unk>\"}", ENG_ERROR_MISSING, "<unk>" },
    { whole, "{\"do_lower_case\": 1}", ENG_ERROR_FORMAT, "tokenizer_config.json: do_lower_case" },
    { whole, "{\"mask_token\": 7}", ENG_ERROR_FORMAT, "tokenizer_config.json: mask_token" },
    { whole, "{\"mask_token\": {\"lstrip\": true}}", ENG_ERROR_FORMAT, "tokenizer_config.json: an added token" },
    { whole, "{\"tokenizer_class\": \"BertJapaneseTokenizer\"}", ENG_ERROR_UNSUPPORTED, "\"BertJapaneseTokenizer\"" },
    { whole, "[]", ENG_ERROR_FORMAT, "tokenizer_config.json" },
    { whole, "{", ENG_ERROR_FORMAT, "tokenizer_config.json" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Folder) folder = folder_new ();

      folder_write (&folder, "vocab.txt", cases[i].vocabulary, -1);
      if (cases[i].config)
        folder_write (&folder, "tokenizer_config.json", cases[i].config, -1);
      assert_folder_refused (&folder, cases[i].code, cases[i].part);
    }
}

static void
test_refused_folder (void)
{
  g_auto (Folder) folder = folder_new ();

  assert_folder_refused (&folder, ENG_ERROR_MISSING, "tokenizer.json or vocab.txt");
  folder_write (&folder, "tokenizer.json", "{\"model\": ", -1);
  assert_folder_refused (&folder, ENG_ERROR_FORMAT, "tokenizer.json");
}

/* The bundled tokenizer.json with one part changed; the message must name the file and say the rest. */
static void
assert_json_refused (const char *key,
                     const char *value,
                     EngError    code,
                     const char *part)
{
  g_autofree char *path = get_mini_path ("tokenizer.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) json = eng_json_read (path, 1 << 20, 16, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  cJSON_DeleteItemFromObject (json, key);
  cJSON_AddItemToObject (json, key, cJSON_Parse (value));
  text = cJSON_PrintUnformatted (json);
  g_assert_null (eng_tokenizer_json_parse (text, strlen (text), "a/tokenizer.json", &error));
  g_assert_error (error, ENG_ERROR, (int) code);
  if (!strstr (error->message, part) || !g_str_has_prefix (error->message, "a/tokenizer.json: "))
    g_error ("\"%s\" does not say \"%s\"", error->message, part);
}

static void
test_refused_json (void)
{
  assert_json_refused ("normalizer", "{\"type\": \"NFKC\"}", ENG_ERROR_UNSUPPORTED, "normalizer is of type NFKC, expected BertNormalizer");
  assert_json_refused ("normalizer", "{}", ENG_ERROR_UNSUPPORTED, "normalizer is of type null");
  assert_json_refused ("normalizer", "\"BertNormalizer\"", ENG_ERROR_FORMAT, "normalizer");
  assert_json_refused ("normalizer", "{\"type\": \"BertNormalizer\", \"lowercase\": 3}", ENG_ERROR_FORMAT, "lowercase");
  assert_json_refused ("pre_tokenizer", "{\"type\": \"ByteLevel\"}", ENG_ERROR_UNSUPPORTED, "pre_tokenizer is of type ByteLevel");
  assert_json_refused ("model", "{\"type\": \"BPE\"}", ENG_ERROR_UNSUPPORTED, "model is of type BPE");
  assert_json_refused ("model", "{\"vocab\": {}, \"merges\": []}", ENG_ERROR_UNSUPPORTED, "model is of type null");
  assert_json_refused ("model", "null", ENG_ERROR_MISSING, "no model");
  assert_json_refused ("model", "{\"type\": \"WordPiece\", \"vocab\": {\"a\": 0}}", ENG_ERROR_MISSING, "[UNK]");
  assert_json_refused ("decoder", "{\"type\": \"Metaspace\"}", ENG_ERROR_UNSUPPORTED, "decoder is of type Metaspace");
  assert_json_refused ("post_processor", "{\"type\": \"RobertaProcessing\"}", ENG_ERROR_UNSUPPORTED, "post_processor is of type RobertaProcessing");
  assert_json_refused ("post_processor", "{\"type\": \"BertProcessing\", \"cls\": [\"[CLS]\", 2], \"sep\": [\"</s>\", 3]}",
                       ENG_ERROR_MISSING, "no </s>");
  assert_json_refused ("post_processor", "{\"type\": \"BertProcessing\", \"cls\": [\"[CLS]\", 2], \"sep\": [\"[SEP]\", 102]}",
                       ENG_ERROR_FORMAT, "[SEP] the id 102");
  assert_json_refused ("post_processor", "{\"type\": \"BertProcessing\", \"cls\": \"[CLS]\"}", ENG_ERROR_FORMAT, "cls");
  assert_json_refused ("post_processor", "{\"type\": \"TemplateProcessing\", \"single\": [], \"pair\": []}", ENG_ERROR_FORMAT, "single");
  assert_json_refused ("post_processor", "{\"type\": \"TemplateProcessing\", \"single\": [" ITEM_A "], \"pair\": [" ITEM_A "]}",
                       ENG_ERROR_FORMAT, "pair");
  assert_json_refused ("post_processor", "{\"type\": \"TemplateProcessing\", \"single\": [" ITEM_B "], \"pair\": []}", ENG_ERROR_FORMAT, "single");
  assert_json_refused ("post_processor", "{\"type\": \"TemplateProcessing\", \"single\": [" ITEM_S "], \"pair\": []}", ENG_ERROR_FORMAT, " s,");
  assert_json_refused ("post_processor", "{\"type\": \"TemplateProcessing\", \"single\": [7], \"pair\": []}", ENG_ERROR_FORMAT, "item");
  assert_json_refused ("added_tokens", "[{\"id\": 0}]", ENG_ERROR_FORMAT, "content");
  assert_json_refused ("added_tokens", "[{\"content\": \"a\", \"lstrip\": \"no\"}]", ENG_ERROR_FORMAT, "lstrip");
  assert_json_refused ("added_tokens", "[{\"content\": \"\u0301\", \"normalized\": true}]", ENG_ERROR_UNSUPPORTED, "leaves nothing");
}

/* Ids that the library gives to added tokens count from the number of pieces, whatever ids those have. */
static void
test_added_token_beside_vocabulary (void)
{
  static const char text[] = "{\"model\": {\"type\": \"WordPiece\", \"vocab\": {\"[UNK]\": 0, \"a\": 2, \"b\": 3}},"
                             " \"added_tokens\": [{\"content\": \"c\"}]}";
  g_autoptr (GError) error = NULL;

  /* Three entries, so "c" gets the id 3, which is taken. */
  g_assert_null (eng_tokenizer_json_parse (text, strlen (text), "a/tokenizer.json", &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "\"c\" gets the id 3"));
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
  g_test_add_func ("/engine/tokenizer/vocab-txt/recorded", test_vocab_txt);
  g_test_add_func ("/engine/tokenizer/vocab-txt/settings", test_vocab_txt_settings);
  g_test_add_func ("/engine/tokenizer/vocab-txt/special-tokens", test_special_token_files);
  g_test_add_func ("/engine/tokenizer/known-sentences", test_known_sentences);
  g_test_add_func ("/engine/tokenizer/pair", test_pair);
  g_test_add_func ("/engine/tokenizer/segments", test_segments);
  g_test_add_func ("/engine/tokenizer/concatenation", test_concatenation);
  g_test_add_func ("/engine/tokenizer/no-tokens", test_no_tokens);
  g_test_add_func ("/engine/tokenizer/invalid-text", test_invalid_text);
  g_test_add_func ("/engine/tokenizer/truncation-without-room", test_truncation_without_room);
  g_test_add_func ("/engine/tokenizer/refused/folder", test_refused_folder);
  g_test_add_func ("/engine/tokenizer/refused/vocab-txt", test_refused_vocab_txt);
  g_test_add_func ("/engine/tokenizer/refused/json", test_refused_json);
  g_test_add_func ("/engine/tokenizer/refused/added-token", test_added_token_beside_vocabulary);

  return g_test_run ();
}
