/* SPDX-License-Identifier: MIT */
/* Files of SentencePiece's kind, against thousands of strings that transformers cut
 * (record_sentencepiece.py); what may not be in them is refused in a sentence that names the
 * file and the part; how their pieces are drawn; how long long texts take. */
#include "engine/tokenizer/base/sentencepiece-file.h"
#include "tests/support/json-text.h"
#include "tests/support/sentencepiece-folder.h"
#include "tests/support/token-cases.h"

#include <locale.h>
#include <string.h>

static char *
get_fixture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "sentencepiece", name, NULL);
}

static EngTokenizer *
open_fixture (const char *name)
{
  g_autofree char *folder = get_fixture (name);
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);

  return tokenizer;
}

/* A model that was trained for this, with the settings beside it. */
static void
test_recorded (gconstpointer name)
{
  g_autofree char *fixture = g_build_filename ("sentencepiece", name, "cases.gz", NULL);
  g_autoptr (GBytes) bytes = gzip_read_fixture (fixture);
  g_autoptr (EngTokenizer) tokenizer = open_fixture (name);
  TokenReader reader = token_reader_new (bytes);

  token_cases_check (tokenizer, &reader, 0);
  g_assert_cmpint (eng_tokenizer_gives_types (tokenizer), !=, g_str_equal (name, "big-bird"));
}

/* BigBird's tokenizer.json as transformers saves it. */
static void
test_saved (void)
{
  g_autoptr (cJSON) json = token_cases_read_json ("sentencepiece/big-bird/tokenizer.json.gz");
  g_autoptr (EngTokenizer) tokenizer = token_cases_new_tokenizer (json);
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/big-bird/saved.gz");
  TokenReader reader = token_reader_new (bytes);

  token_cases_check (tokenizer, &reader, 0);
}

/* What tokenizer_config.json may say beside a model. */
static void
test_settings (void)
{
  g_autofree char *path = get_fixture ("settings.json");
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/settings.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) list = eng_json_read (path, 1 << 20, 8, &error);
  TokenReader reader = token_reader_new (bytes);
  const cJSON *entry;

  g_assert_no_error (error);
  cJSON_ArrayForEach (entry, list) {
    const char *name = eng_json_find (entry, "folder")->valuestring;
    g_autofree char *folder = get_fixture (name);
    g_autofree char *config = cJSON_PrintUnformatted (eng_json_find (entry, "config"));
    g_autoptr (EngTokenizer) tokenizer =
      sentencepiece_open_with (folder, "tokenizer_config.json", config);

    g_test_message ("%s %s", name, config);
    token_cases_check (tokenizer, &reader, token_reader_get_number (&reader));
  }
  g_assert_true (reader.at == reader.end);
}

/* One piece of a .model, of one byte, with the score -1. */
#define PIECE(text, type) "\x0a\x0a\x0a\x01" text "\x15\x00\x00\x80\xbf\x18" type

static void
test_refused_model (void)
{
  static const struct {
    const char *bytes;
    gsize       length;
    const char *part;
  } cases[] = {
#define CASE(bytes, part) { bytes, sizeof bytes - 1, part }
    CASE ("", "0 pieces and none for the unknown"),
    CASE (PIECE ("a", "\x01"), "1 pieces and none for the unknown"),
    CASE (PIECE ("a", "\x02") PIECE ("b", "\x02"), "pieces 0 and 1 are both for the unknown"),
    CASE (PIECE ("a", "\x07"), "the type of a piece is 7, expected 1 to 6"),
    CASE (PIECE ("a", "\x00"), "the type of a piece is 0"),
    CASE (PIECE ("\xff", "\x01"), "piece 0 is empty, not UTF-8"),
    CASE (PIECE ("\0", "\x01"), "piece 0 is empty, not UTF-8"),
    CASE ("\x0a\x02\x0a\x00", "piece 0 is empty"),
    CASE ("\x0a\x00", "piece 0 is empty"),
    CASE ("\x0a\x08\x0a\x01" "a" "\x15\x00\x00\xc0\x7f", "a number as its score"),
    CASE ("\x0a\x7f\x0a\x01" "a", "a message is broken off"),
    CASE ("\x0a\x05\x0a\x7f" "abc", "a message is broken off"),
    CASE ("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "a message is broken off"),
    CASE ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "a message is broken off"),
    CASE ("\x0b\x0c", "a message is broken off"),
    CASE ("\x08\x01", "a piece is of wire type 0, expected 2"),
    CASE ("\x0a\x02\x08\x01", "a piece is of wire type 0"),
    CASE ("\x0a\x02\x10\x01", "a score is of wire type 0, expected 5"),
    CASE ("\x10\x01", "trainer_spec is of wire type 0"),
    CASE ("\x12\x02\x18\x05", "model_type is 5, expected 1 to 4"),
    CASE ("\x1a\x02\x10\x01", "precompiled_charsmap is of wire type 0"),
    CASE ("\x1a\x02\x1a\x00", "add_dummy_prefix is of wire type 2, expected 0"),
#undef CASE
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *bytes = g_memdup2 (cases[i].bytes, cases[i].length + 1);

    g_assert_null (eng_sentencepiece_file_parse (bytes, cases[i].length, "a.model", &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
    if (!strstr (error->message, cases[i].part) || !g_str_has_prefix (error->message, "a.model: "))
      g_error ("\"%s\" does not say \"%s\"", error->message, cases[i].part);
  }
}

/* Fields in any order, unknown ones of every wire type, defaults. */
static void
test_read_model (void)
{
  static const char bytes[] = PIECE ("a", "\x01") "\x32\x03xyz\x38\x05\x41" "12345678" "\x4d" "1234"
                              "\x1a\x04\x18\x00\x20\x00" "\x12\x08\x18\x02\x98\x02\x01\xa2\x01\x00"
                              "\x0a\x05\x18\x02\x0a\x01?";
  g_autoptr (GError) error = NULL;
  g_autoptr (EngSentencepieceFile) file =
    eng_sentencepiece_file_parse ((const guint8 *) bytes, sizeof bytes - 1, "a.model", &error);
  const EngSentencepiece *piece;

  g_assert_no_error (error);
  g_assert_cmpuint (file->pieces->len, ==, 2);
  piece = &g_array_index (file->pieces, EngSentencepiece, 0);
  g_assert_cmpstr (piece->text, ==, "a");
  g_assert_cmpfloat (piece->score, ==, -1);
  g_assert_cmpint (file->unknown, ==, 1);
  g_assert_cmpint (file->model, ==, ENG_SENTENCEPIECE_BPE);
  g_assert_true (file->byte_fallback);
  g_assert_false (file->add_dummy_prefix);
  g_assert_false (file->remove_extra_spaces);
  g_assert_true (file->escape_spaces);
  g_assert_null (file->charsmap);
}

static void
assert_folder_refused (const char *model,
                       const char *name,
                       const char *config,
                       EngError    code,
                       const char *part)
{
  g_autofree char *fixture = get_fixture (model);
  g_autofree char *path = g_path_get_basename (model);
  g_autofree char *json = json_text (config);
  g_autofree char *folder = NULL;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  folder = g_dir_make_tmp ("headlight-sentencepiece-XXXXXX", &error);
  g_assert_no_error (error);
  g_file_get_contents (fixture, &bytes, &length, &error);
  g_assert_no_error (error);
  checkpoint_write_file (folder, path, bytes, (gssize) length);
  checkpoint_write_file (folder, name, json, -1);
  g_assert_null (eng_tokenizer_open (folder, &error));
  g_assert_error (error, ENG_ERROR, (int) code);
  if (!strstr (error->message, part))
    g_error ("\"%s\" does not say \"%s\"", error->message, part);
  checkpoint_remove_folder (folder);
}

static void
test_refused_folder (void)
{
  assert_folder_refused ("t5/spiece.model", "config.json", "{'model_type': 'rembert'}",
                         ENG_ERROR_UNSUPPORTED, "model_type is rembert, expected one of t5, ");
  assert_folder_refused ("t5/spiece.model", "config.json", "{}", ENG_ERROR_UNSUPPORTED,
                         "model_type is not said");
  assert_folder_refused ("t5/spiece.model", "tokenizer_config.json",
                         "{'tokenizer_class': 'LlamaTokenizer'}", ENG_ERROR_UNSUPPORTED,
                         "spiece.model: a unigram model, expected BPE");
  assert_folder_refused ("llama/tokenizer.model", "config.json", "{'model_type': 't5'}",
                         ENG_ERROR_UNSUPPORTED, "tokenizer.model: a BPE model, expected unigram");
  assert_folder_refused ("t5/spiece.model", "config.json", "{'model_type': 'albert'}",
                         ENG_ERROR_MISSING, "spiece.model: the vocabulary has no [CLS]");
  assert_folder_refused ("t5/spiece.model", "tokenizer_config.json",
                         "{'tokenizer_class': 'T5Tokenizer', 'extra_ids': -1}", ENG_ERROR_RANGE,
                         "tokenizer_config.json: extra_ids");
  assert_folder_refused ("marian/source.spm", "vocab.json", "{'</s>': 0}", ENG_ERROR_MISSING,
                         "target.spm");
}

#define UNIGRAM(members) "'model': {'type': 'Unigram', " members "}"
#define SOUND UNIGRAM ("'unk_id': 0, 'vocab': [['a', -1.0]]")

static void
test_refused_json (void)
{
  static const struct {
    const char *text;
    EngError    code;
    const char *part;
  } cases[] = {
    { UNIGRAM ("'unk_id': 0"), ENG_ERROR_FORMAT, "no vocabulary, expected vocab to be a list" },
    { UNIGRAM ("'unk_id': 0, 'vocab': {'a': 0}"), ENG_ERROR_FORMAT, "expected vocab to be a list" },
    { UNIGRAM ("'unk_id': 0, 'vocab': []"), ENG_ERROR_FORMAT, "the vocabulary is empty" },
    { UNIGRAM ("'unk_id': 0, 'vocab': [['a', 0], ['b']]"), ENG_ERROR_FORMAT, "entry 1 of vocab" },
    { UNIGRAM ("'unk_id': 0, 'vocab': [['a', 0, 1]]"), ENG_ERROR_FORMAT, "of vocab is not" },
    { UNIGRAM ("'unk_id': 0, 'vocab': [['a', '0']]"), ENG_ERROR_FORMAT, "entry 0 of vocab" },
    { UNIGRAM ("'unk_id': 0, 'vocab': [[0, 'a']]"), ENG_ERROR_FORMAT, "entry 0 of vocab" },
    { UNIGRAM ("'unk_id': 0, 'vocab': [['a', 0], 'b']"), ENG_ERROR_FORMAT, "entry 1 of vocab" },
    { UNIGRAM ("'unk_id': 0, 'vocab': [['a', 1e999]]"), ENG_ERROR_FORMAT, "entry 0 of vocab" },
    { UNIGRAM ("'unk_id': 1, 'vocab': [['a', 0]]"), ENG_ERROR_RANGE, "unk_id is 1, expected one" },
    { UNIGRAM ("'vocab': [['a', 0]]"), ENG_ERROR_RANGE, "unk_id is -1" },
    { SOUND ", 'normalizer': {'type': 'Precompiled'}", ENG_ERROR_FORMAT,
      "no precompiled_charsmap" },
    { SOUND ", 'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': 'AAAA'}",
      ENG_ERROR_FORMAT, "precompiled_charsmap has 3 bytes" },
    { SOUND ", 'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': 'CAAAAAAAAAA='}",
      ENG_ERROR_FORMAT, "precompiled_charsmap has 8 bytes and a table of 8" },
    { SOUND ", 'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': 'BAAAAAAAAABh'}",
      ENG_ERROR_FORMAT, "the replacement at byte 0 of precompiled_charsmap" },
    { SOUND ", 'normalizer': {'type': 'Replace', 'pattern': {'Regex': '[a[^b]]'}, 'content': ''}",
      ENG_ERROR_UNSUPPORTED, "the regular expression [a[^b]] has a class of its own" },
    { SOUND ", 'normalizer': {'type': 'Replace', 'pattern': {}, 'content': ''}", ENG_ERROR_FORMAT,
      "Replace has no pattern" },
    { SOUND ", 'normalizer': {'type': 'Replace', 'pattern': {'String': 'a'}}", ENG_ERROR_FORMAT,
      "Replace has no content" },
    { SOUND ", 'pre_tokenizer': {'type': 'Metaspace', 'prepend_scheme': 'last'}", ENG_ERROR_FORMAT,
      "prepend_scheme is \"last\"" },
    { SOUND ", 'pre_tokenizer': {'type': 'Metaspace', 'replacement': 'ab'}", ENG_ERROR_FORMAT,
      "the replacement of Metaspace is \"ab\"" },
    { SOUND ", 'pre_tokenizer': {'type': 'CharDelimiterSplit'}", ENG_ERROR_FORMAT, "delimiter" },
    { SOUND ", 'decoder': {'type': 'Strip', 'content': ''}", ENG_ERROR_FORMAT, "content of Strip" },
    { SOUND ", 'decoder': {'type': 'Strip', 'content': ' ', 'start': -1}", ENG_ERROR_RANGE,
      "start" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *members = json_text (cases[i].text);
    g_autofree char *text = g_strdup_printf ("{%s}", members);
    g_autoptr (GError) error = NULL;

    g_assert_null (eng_tokenizer_json_parse (text, strlen (text), "a/tokenizer.json", &error));
    if (!g_error_matches (error, ENG_ERROR, (int) cases[i].code) ||
        !strstr (error->message, cases[i].part) ||
        !g_str_has_prefix (error->message, "a/tokenizer.json: "))
      g_error ("\"%s\" does not say \"%s\"", error->message, cases[i].part);
  }
}

/* expected: texts as they are drawn, with bars between. */
static void
assert_drawn (const char *fixture,
              const char *text,
              const char *expected)
{
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (EngTokenizer) tokenizer = open_fixture (fixture);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, text, NULL, &options, &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = g_strjoinv ("|", tokens->texts);
  g_assert_cmpstr (found, ==, expected);
}

/* Marks of spaces are spaces, bytes of ASCII are their letters, other bytes stay as they are. */
static void
test_drawn (void)
{
  assert_drawn ("t5", "the cat</s>", " the| c|at|</s>");
  assert_drawn ("xlm-roberta", "the \u2581 <mask>", " the| |<mask>");
  assert_drawn ("llama", "the\t~\u00f8\u65e5", " the|\t|~|<0xC3>|<0xB8>|<0xE6>|<0x97>|<0xA5>");
  assert_drawn ("marian", "the \u0b95", " the| |<unk>");
}

/* Long words of one letter, which must not take a time that grows with the square: the run would
 * end by its time limit. */
static void
test_long_words (void)
{
  static const char *const fixtures[] = { "t5", "xlm-roberta", "llama", "marian", "big-bird" };
  static const char *const letters[] = { "a", " ", "\u65e5", "\u2581", "e\u0301", "\u00ad" };
  EngTokenizeOptions options = { .no_special_tokens = TRUE };

  for (gsize f = 0; f < G_N_ELEMENTS (fixtures); f++) {
    g_autoptr (EngTokenizer) tokenizer = open_fixture (fixtures[f]);

    for (gsize i = 0; i < G_N_ELEMENTS (letters); i++) {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (EngTokens) tokens = NULL;

      for (int n = 0; n < 20000; n++)
        g_string_append (text, letters[i]);
      g_string_append_c (text, 'b');
      tokens = eng_tokenizer_encode (tokenizer, text->str, NULL, &options, NULL);
      g_assert_cmpint (tokens->n, >, 0);
      g_assert_cmpint (tokens->spans[tokens->n - 1].end, <=, (int) text->len);
    }
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/engine/sentencepiece-files/recorded/t5", "t5", test_recorded);
  g_test_add_data_func ("/engine/sentencepiece-files/recorded/xlm-roberta", "xlm-roberta",
                        test_recorded);
  g_test_add_data_func ("/engine/sentencepiece-files/recorded/llama", "llama", test_recorded);
  g_test_add_data_func ("/engine/sentencepiece-files/recorded/big-bird", "big-bird",
                        test_recorded);
  g_test_add_func ("/engine/sentencepiece-files/recorded/big-bird-saved", test_saved);
  g_test_add_data_func ("/engine/sentencepiece-files/recorded/deberta-v2", "deberta-v2",
                        test_recorded);
  g_test_add_data_func ("/engine/sentencepiece-files/recorded/deberta-v2-json", "deberta-v2-json",
                        test_recorded);
  g_test_add_func ("/engine/sentencepiece-files/recorded/settings", test_settings);
  g_test_add_func ("/engine/sentencepiece-files/model", test_read_model);
  g_test_add_func ("/engine/sentencepiece-files/refused/model", test_refused_model);
  g_test_add_func ("/engine/sentencepiece-files/refused/folder", test_refused_folder);
  g_test_add_func ("/engine/sentencepiece-files/refused/json", test_refused_json);
  g_test_add_func ("/engine/sentencepiece-files/drawn", test_drawn);
  g_test_add_func ("/engine/sentencepiece-files/long-words", test_long_words);

  return g_test_run ();
}
