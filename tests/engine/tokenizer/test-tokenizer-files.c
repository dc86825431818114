/* SPDX-License-Identifier: MIT */
/* The files of a tokenizer: vocab.txt with its settings means what tokenizer.json says, and
 * whatever a folder may not hold is refused in a sentence that names the file and the part. */
#include "engine/tokenizer/base/byte-text.h"
#include "engine/tokenizer/files/settings.h"
#include "engine/tokenizer/files/vocab-txt.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"
#include "tests/support/token-cases.h"

#include <locale.h>
#include <string.h>

static char *
new_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headlight-tokenizer-XXXXXX", &error);

  g_assert_no_error (error);

  return folder;
}

static void
write_json (const char *folder,
            const char *name,
            const char *text)
{
  g_autofree char *json = json_text (text);

  checkpoint_write_file (folder, name, json, -1);
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
test_vocab_txt (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/headlight-mini.gz");
  g_autofree char *bundled = checkpoint_get_bundled ();
  g_autofree char *vocabulary = checkpoint_read_file (bundled, "vocab.txt", NULL);
  g_autofree char *folder = new_folder ();
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;
  TokenReader reader = token_reader_new (bytes);

  checkpoint_write_file (folder, "vocab.txt", vocabulary, -1);
  write_json (folder, "tokenizer_config.json", "{'tokenizer_class': 'BertTokenizerFast'}");

  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (eng_tokenizer_get_description (tokenizer), ==,
                   "WordPiece, 8,192 entries, lower case, from vocab.txt");
  g_assert_true (g_str_has_suffix (eng_tokenizer_get_file (tokenizer), "/vocab.txt"));
  token_cases_check (tokenizer, &reader, 0);
  checkpoint_remove_folder (folder);
}

/* A variant's vocabulary as vocab.txt beside settings that mean what its tokenizer.json says. */
static EngTokenizer *
open_as_vocab_txt (const cJSON *variant,
                   const char  *config)
{
  g_autofree char *folder = new_folder ();
  g_autoptr (GString) vocabulary = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer;
  const cJSON *entry;

  cJSON_ArrayForEach (entry, eng_json_find (eng_json_find (variant, "model"), "vocab"))
    g_string_append_printf (vocabulary, "%s\r\n", entry->string);
  checkpoint_write_file (folder, "vocab.txt", vocabulary->str, -1);
  write_json (folder, "tokenizer_config.json", config);
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return tokenizer;
}

static void
test_vocab_txt_settings (void)
{
  static const struct {
    const char *variant;
    const char *config;
  } settings[] = {
    { "cased", "{'do_lower_case': false}" },
    { "cased-no-accents", "{'do_lower_case': false, 'strip_accents': true}" },
    { "lower-with-accents", "{'strip_accents': false, 'tokenizer_class': null}" },
    { "no-chinese", "{'tokenize_chinese_chars': false}" },
  };
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/variants.gz");
  g_autoptr (cJSON) variants = token_cases_read_variants ();
  TokenReader reader = token_reader_new (bytes);
  const cJSON *variant;
  gsize n_found = 0;

  /* The other variants are cut as well: their cases lie between. */
  cJSON_ArrayForEach (variant, variants) {
    g_autoptr (EngTokenizer) tokenizer = NULL;

    if (n_found < G_N_ELEMENTS (settings) &&
        g_str_equal (variant->string, settings[n_found].variant))
      tokenizer = open_as_vocab_txt (variant, settings[n_found++].config);
    else
      tokenizer = token_cases_new_tokenizer (variant);
    token_cases_check (tokenizer, &reader, token_reader_get_number (&reader));
  }
  g_assert_cmpuint (n_found, ==, G_N_ELEMENTS (settings));
}

/* Of tokens of bytes, in both ways of spelling them, as the library decodes them. */
static void
assert_bytes_decoded (const char   *tokenizer_json,
                      const gint32 *ids,
                      int           n,
                      const char   *expected)
{
  g_autofree char *folder = new_folder ();
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *decoded = NULL;

  write_json (folder, "tokenizer.json", tokenizer_json);
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  decoded = eng_tokenizer_decode (tokenizer, ids, n, TRUE);
  g_assert_cmpstr (decoded, ==, expected);
  checkpoint_remove_folder (folder);
}

static void
test_zero_byte (void)
{
  static const char levels[] =
    "{'model': {'type': 'BPE', 'vocab': {'\u0100': 0, 'a': 1, '\u00c3': 2, '\u00a9': 3},"
    " 'merges': []}, 'decoder': {'type': 'ByteLevel'}}";
  static const char fallback[] =
    "{'model': {'type': 'BPE', 'byte_fallback': true, 'vocab': {'<0x00>': 0, 'a': 1, '<0xC3>': 2,"
    " '<0xA9>': 3}, 'merges': []},"
    " 'decoder': {'type': 'Sequence', 'decoders': [{'type': 'ByteFallback'}, {'type': 'Fuse'}]}}";

  assert_bytes_decoded (levels, (gint32[]) { 0, 1 }, 2, ENG_ZERO_BYTE "a");
  assert_bytes_decoded (levels, (gint32[]) { 1, 0, 0 }, 3, "a" ENG_ZERO_BYTE ENG_ZERO_BYTE);
  assert_bytes_decoded (levels, (gint32[]) { 0, 2 }, 2, ENG_ZERO_BYTE "\ufffd");
  assert_bytes_decoded (levels, (gint32[]) { 0, 2, 3 }, 3, ENG_ZERO_BYTE "\u00e9");
  assert_bytes_decoded (fallback, (gint32[]) { 0, 1 }, 2, ENG_ZERO_BYTE "a");
  assert_bytes_decoded (fallback, (gint32[]) { 1, 0, 0 }, 3, "a" ENG_ZERO_BYTE ENG_ZERO_BYTE);
  assert_bytes_decoded (fallback, (gint32[]) { 0, 2 }, 2, "\ufffd\ufffd");
  assert_bytes_decoded (fallback, (gint32[]) { 0, 2, 3 }, 3, ENG_ZERO_BYTE "\u00e9");
}

static void
assert_decoded (const char *config,
                const char *expected)
{
  g_autofree char *folder = new_folder ();
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *decoded = NULL;

  write_json (folder, "tokenizer.json",
              "{'model': {'type': 'WordPiece', 'vocab': {'[UNK]': 0, 'is': 1, 'n\\u0027t': 2,"
              " '!': 3, 'it': 4, '[END]': 5}},"
              " 'added_tokens': [{'content': '[END]', 'special': true}]}");
  write_json (folder, "tokenizer_config.json", config);
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  decoded = eng_tokenizer_decode (tokenizer, (gint32[]) { 1, 2, 9, 4, 5, -1, 3 }, 7, TRUE);
  g_assert_cmpstr (decoded, ==, expected);
  checkpoint_remove_folder (folder);
}

/* Without a decoder tokens are joined with spaces, which the settings may have taken out again. */
static void
test_clean_up (void)
{
  assert_decoded ("{}", "is n't it !");
  assert_decoded ("{'clean_up_tokenization_spaces': true}", "isn't it!");
  assert_decoded ("{'clean_up_tokenization_spaces': null}", "is n't it !");
}

static void
test_special_token_files (void)
{
  g_autofree char *folder = new_folder ();
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;

  checkpoint_write_file (folder, "vocab.txt", "<u>\n<s>\n</s>\n<m>\na\n##b\n<n>\n[SEP]\n", -1);
  /* The newer file has the last word, and a token may be an object with flags. */
  write_json (folder, "special_tokens_map.json",
              "{'unk_token': '<u>', 'cls_token': '<s>', 'sep_token': 'a', 'mask_token': '<n>'}");
  write_json (folder, "tokenizer_config.json",
              "{'sep_token': '</s>', 'mask_token': {'content': '<m>', 'lstrip': true},"
              " 'added_tokens_decoder': {'10': {'content': 'later'}, '9': {'content': '<m> a'}}}");
  write_json (folder, "added_tokens.json", "{'Two Words': 8, '<m>': 3}");
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);

  g_assert_cmpint (eng_tokenizer_get_mask_id (tokenizer), ==, 3);
  g_assert_cmpint (eng_tokenizer_find_id (tokenizer, "Two Words"), ==, 8);
  g_assert_cmpint (eng_tokenizer_find_id (tokenizer, "<m> a"), ==, 9);
  g_assert_cmpint (eng_tokenizer_find_id (tokenizer, "later"), ==, 10);
  g_assert_cmpint (eng_tokenizer_get_n_entries (tokenizer), ==, 11);
  g_assert_cmpstr (eng_tokenizer_get_piece (tokenizer, 9), ==, "<m> a");
  assert_texts (tokenizer, "ab <m> ab <m> a TWO words", "a ##b <m> a ##b <m> a Two Words");
  checkpoint_remove_folder (folder);
}

/* The message must name the folder and say the rest. */
static void
assert_folder_refused (const char *folder,
                       EngError    code,
                       const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_tokenizer_open (folder, &error));
  g_assert_error (error, ENG_ERROR, (int) code);
  if (!strstr (error->message, part) || !strstr (error->message, folder))
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
    { whole, "{'unk_token': '<unk>'}", ENG_ERROR_MISSING, "<unk>" },
    { whole, "{'do_lower_case': 1}", ENG_ERROR_FORMAT, "tokenizer_config.json: do_lower_case" },
    { whole, "{'mask_token': 7}", ENG_ERROR_FORMAT, "tokenizer_config.json: mask_token" },
    { whole, "{'mask_token': {'lstrip': true}}", ENG_ERROR_FORMAT,
      "tokenizer_config.json: an added token" },
    { whole, "{'tokenizer_class': 'BertJapaneseTokenizer'}", ENG_ERROR_UNSUPPORTED,
      "tokenizer_config.json: tokenizer_class is \"BertJapaneseTokenizer\"" },
    { whole, "{'added_tokens_decoder': [{'content': 'a'}, {'content': 'b'}]}", ENG_ERROR_FORMAT,
      "tokenizer_config.json: the added tokens" },
    { whole, "{'added_tokens_decoder': {'5': 'a'}}", ENG_ERROR_FORMAT,
      "tokenizer_config.json: an added token" },
    { whole, "[]", ENG_ERROR_FORMAT, "tokenizer_config.json" },
    { whole, "{", ENG_ERROR_FORMAT, "tokenizer_config.json" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = new_folder ();

    checkpoint_write_file (folder, "vocab.txt", cases[i].vocabulary, -1);
    if (cases[i].config)
      write_json (folder, "tokenizer_config.json", cases[i].config);
    assert_folder_refused (folder, cases[i].code, cases[i].part);
    checkpoint_remove_folder (folder);
  }
}

static void
test_refused_folder (void)
{
  g_autofree char *folder = new_folder ();

  assert_folder_refused (folder, ENG_ERROR_MISSING, "expected tokenizer.json or ");
  write_json (folder, "tokenizer.json", "{'model': ");
  assert_folder_refused (folder, ENG_ERROR_FORMAT, "tokenizer.json");
  checkpoint_remove_folder (folder);
}

#define SEQUENCE_A "{'Sequence': {'id': 'A'}}"
#define SEQUENCE_B "{'Sequence': {'id': 'B'}}"
#define UNLISTED "{'SpecialToken': {'id': 's'}}"
#define TEMPLATE(single, pair) \
  "{'type': 'TemplateProcessing', 'single': [" single "], 'pair': [" pair "]}"
#define BERT(cls, sep) \
  "{'type': 'BertProcessing', 'cls': " cls ", 'sep': " sep "}"

/* The bundled tokenizer.json with one part changed; the message must name file and part. */
static void
assert_json_refused (const char *key,
                     const char *value,
                     EngError    code,
                     const char *part)
{
  g_autofree char *bundled = checkpoint_get_bundled ();
  g_autofree char *path = g_build_filename (bundled, "tokenizer.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) json = eng_json_read (path, 1 << 20, 16, &error);
  g_autofree char *value_text = json_text (value);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  cJSON_DeleteItemFromObject (json, key);
  cJSON_AddItemToObject (json, key, cJSON_Parse (value_text));
  text = cJSON_PrintUnformatted (json);
  g_assert_null (eng_tokenizer_json_parse (text, strlen (text), "a/tokenizer.json", &error));
  g_assert_error (error, ENG_ERROR, (int) code);
  if (!strstr (error->message, part) || !g_str_has_prefix (error->message, "a/tokenizer.json: "))
    g_error ("\"%s\" does not say \"%s\"", error->message, part);
}

#define BPE(more) "{'type': 'BPE', 'vocab': {'a': 0, 'b': 1, 'ab': 2}" more "}"

static const struct {
  const char *key;
  const char *value;
  EngError    code;
  const char *part;
} refused_json[] = {
  { "normalizer", "{'type': 'Tidy'}", ENG_ERROR_UNSUPPORTED,
    "normalizer is of type Tidy, expected one of BertNormalizer, " },
  { "normalizer", "{}", ENG_ERROR_UNSUPPORTED, "normalizer is of type null" },
  { "normalizer", "'BertNormalizer'", ENG_ERROR_FORMAT, "normalizer" },
  { "normalizer", "{'type': 'BertNormalizer', 'lowercase': 3}", ENG_ERROR_FORMAT, "lowercase" },
  { "normalizer", "{'type': 'Sequence'}", ENG_ERROR_FORMAT, "Sequence without normalizers" },
  { "normalizer", "{'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, 3]}", ENG_ERROR_FORMAT,
    "normalizer is not an object" },
  { "normalizer", "{'type': 'Strip', 'strip_left': 'a bit'}", ENG_ERROR_FORMAT, "strip_left" },
  { "pre_tokenizer", "{'type': 'UnicodeScripts'}", ENG_ERROR_UNSUPPORTED,
    "pre_tokenizer is of type UnicodeScripts, expected one of BertPreTokenizer, ByteLevel" },
  { "pre_tokenizer", "{'type': 'ByteLevel', 'use_regex': 1}", ENG_ERROR_FORMAT, "use_regex" },
  { "pre_tokenizer", "{'type': 'Split', 'pattern': {'Regex': 'a{2}+'}}", ENG_ERROR_UNSUPPORTED,
    "the regular expression a{2}+ has a count that is counted" },
  { "pre_tokenizer", "{'type': 'Split', 'pattern': 'a'}", ENG_ERROR_FORMAT, "no pattern" },
  { "pre_tokenizer", "{'type': 'Split', 'pattern': {'String': 'a'}, 'behavior': 'Kept'}",
    ENG_ERROR_UNSUPPORTED, "\"Kept\"" },
  { "pre_tokenizer", "{'type': 'Digits', 'individual_digits': 'all'}", ENG_ERROR_FORMAT,
    "individual_digits" },
  { "model", "{'type': 'WordLevel'}", ENG_ERROR_UNSUPPORTED, "model is of type WordLevel" },
  { "model", "{'vocab': {}}", ENG_ERROR_UNSUPPORTED, "model is of type null" },
  { "model", BPE (""), ENG_ERROR_FORMAT, "no merges" },
  { "model", BPE (", 'merges': {}"), ENG_ERROR_FORMAT, "no merges" },
  { "model", BPE (", 'merges': ['a b', 'ab']"), ENG_ERROR_FORMAT, "merge 1 is not two pieces" },
  { "model", BPE (", 'merges': ['a b c']"), ENG_ERROR_FORMAT, "merge 0 is not two pieces" },
  { "model", BPE (", 'merges': [['a']]"), ENG_ERROR_FORMAT, "merge 0 is not two pieces" },
  { "model", BPE (", 'merges': [['a', 'b', 'c']]"), ENG_ERROR_FORMAT, "merge 0 is not" },
  { "model", BPE (", 'merges': [['a', 7]]"), ENG_ERROR_FORMAT, "merge 0 is not two pieces" },
  { "model", BPE (", 'merges': [7]"), ENG_ERROR_FORMAT, "merge 0 is not two pieces" },
  { "model", BPE (", 'merges': ['a x']"), ENG_ERROR_MISSING, "no \"x\", a piece of merge 0" },
  { "model", BPE (", 'merges': ['b a']"), ENG_ERROR_MISSING, "no \"ba\", a piece of merge 0" },
  { "model", BPE (", 'merges': [], 'unk_token': 'u'"), ENG_ERROR_MISSING, "no u, the unknown" },
  { "model", BPE (", 'merges': [], 'dropout': 0.1"), ENG_ERROR_UNSUPPORTED, "dropout" },
  { "model", BPE (", 'merges': [], 'fuse_unk': 2"), ENG_ERROR_FORMAT, "fuse_unk" },
  { "model", "{'type': 'BPE', 'merges': [], 'vocab': {'a': 0, 'b': 1, '\\u0061': 2}}",
    ENG_ERROR_FORMAT, "\"a\" stands twice in the vocabulary" },
  { "model", "{'type': 'BPE', 'merges': [], 'vocab': {'a': [0]}}", ENG_ERROR_RANGE, "\"a\"" },
  { "model", "null", ENG_ERROR_MISSING, "no model" },
  { "model", "{'type': 'WordPiece', 'vocab': {'a': 0}}", ENG_ERROR_MISSING, "no [UNK]" },
  { "decoder", "{'type': 'Tidy'}", ENG_ERROR_UNSUPPORTED, "decoder is of type Tidy" },
  { "post_processor", "{'type': 'Tidy'}", ENG_ERROR_UNSUPPORTED,
    "post_processor is of type Tidy, expected one of BertProcessing, ByteLevel, Roberta" },
  { "post_processor", "{'type': 'ByteLevel', 'trim_offsets': 4}", ENG_ERROR_FORMAT,
    "trim_offsets" },
  { "post_processor", "{'type': 'Sequence', 'processors': [{'type': 'ByteLevel'},"
    BERT ("['[CLS]', 2]", "['[SEP]', 3]") "," BERT ("['[CLS]', 2]", "['[SEP]', 3]") "]}",
    ENG_ERROR_UNSUPPORTED, "two parts" },
  { "post_processor", BERT ("['[CLS]', 2]", "['</s>', 3]"), ENG_ERROR_MISSING, "no </s>" },
  { "post_processor", BERT ("['[CLS]', 2]", "['[SEP]', 102]"), ENG_ERROR_FORMAT,
    "[SEP] the id 102" },
  { "post_processor", BERT ("'[CLS]'", "['[SEP]', 3]"), ENG_ERROR_FORMAT, "cls" },
  { "post_processor", TEMPLATE ("", ""), ENG_ERROR_FORMAT, "single" },
  { "post_processor", TEMPLATE (SEQUENCE_B, ""), ENG_ERROR_FORMAT, "single" },
  { "post_processor", TEMPLATE (SEQUENCE_A "," SEQUENCE_A, ""), ENG_ERROR_FORMAT, "single" },
  { "post_processor", TEMPLATE (SEQUENCE_A, SEQUENCE_A), ENG_ERROR_FORMAT, "pair" },
  { "post_processor", TEMPLATE (UNLISTED, ""), ENG_ERROR_FORMAT, " s," },
  { "post_processor", TEMPLATE ("7", ""), ENG_ERROR_FORMAT, "item" },
  { "added_tokens", "{'0': {'content': 'a'}}", ENG_ERROR_FORMAT, "added_tokens is not a list" },
  { "added_tokens", "[{'id': 0}]", ENG_ERROR_FORMAT, "no content" },
  { "added_tokens", "[{'content': 'a', 'lstrip': 'no'}]", ENG_ERROR_FORMAT, "lstrip" },
  { "added_tokens", "[{'content': '\u0301', 'normalized': true}]", ENG_ERROR_UNSUPPORTED,
    "leaves nothing" },
};

static void
test_refused_json (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (refused_json); i++)
    assert_json_refused (refused_json[i].key, refused_json[i].value, refused_json[i].code, refused_json[i].part);
}

/* What is kept out of the tree must not be there twice either. */
static void
test_repeated_member (void)
{
  static const char *const members[] = {
    "'vocab': {}, 'vo\\u0063ab': {}", "'merges': 1, 'merges': 2",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++) {
    g_autofree char *format = g_strdup_printf ("{'model': {'type': 'BPE', %s}}", members[i]);
    g_autofree char *text = json_text (format);
    g_autoptr (GError) error = NULL;

    g_assert_null (eng_tokenizer_json_parse (text, strlen (text), "a/tokenizer.json", &error));
    g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, "stands twice in model"));
  }
}

/* Ids of added tokens count from the number of pieces, whatever ids those have. */
static void
test_taken_id (void)
{
  g_autofree char *text =
    json_text ("{'model': {'type': 'WordPiece', 'vocab': {'[UNK]': 0, 'a': 2, 'b': 3}},"
               " 'added_tokens': [{'content': 'c'}]}");
  g_autoptr (GError) error = NULL;

  /* Three entries, so "c" gets the id 3, which is taken. */
  g_assert_null (eng_tokenizer_json_parse (text, strlen (text), "a/tokenizer.json", &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "\"c\" gets the id 3"));
}

/* What EsmTokenizer made of proteins, and of entries that overlap. */
static void
test_residues (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("tokenizer/residues.gz");
  g_autoptr (cJSON) files = token_cases_read_json ("tokenizer/residues.json.gz");
  TokenReader reader = token_reader_new (bytes);
  const cJSON *file;

  cJSON_ArrayForEach (file, files) {
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = new_folder ();
    g_autoptr (EngTokenizer) tokenizer = NULL;

    checkpoint_write_file (folder, "vocab.txt", file->valuestring, -1);
    checkpoint_write_file (folder, "config.json", "{\"model_type\": \"esm\"}", -1);
    tokenizer = eng_tokenizer_open (folder, &error);
    g_assert_no_error (error);
    checkpoint_remove_folder (folder);
    g_assert_cmpstr (eng_tokenizer_get_piece (tokenizer, eng_tokenizer_get_mask_id (tokenizer)),
                     ==, "<mask>");
    token_cases_check (tokenizer, &reader, token_reader_get_number (&reader));
  }
  g_assert_true (reader.at == reader.end);
}

/* Wherever a folder keeps it. */
static void
test_chat_template (void)
{
  static const struct {
    const char *file;
    const char *text;
    gboolean    expected;
  } cases[] = {
    { "tokenizer_config.json", "{'unk_token': '[UNK]'}", FALSE },
    { "tokenizer_config.json", "{'chat_template': null}", FALSE },
    { "tokenizer_config.json", "{'chat_template': []}", FALSE },
    { "tokenizer_config.json", "{'chat_template': '{% for message in messages %}'}", TRUE },
    { "tokenizer_config.json", "{'chat_template': [{'name': 'default', 'template': ''}]}", TRUE },
    { "chat_template.jinja", "{% for message in messages %}", TRUE },
    { "chat_template.json", "{'chat_template': ''}", TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = new_folder ();
    g_autoptr (EngTokenizer) tokenizer = NULL;
    g_autoptr (GError) error = NULL;

    checkpoint_write_file (folder, "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n", -1);
    write_json (folder, cases[i].file, cases[i].text);
    tokenizer = eng_tokenizer_open (folder, &error);
    g_assert_no_error (error);
    g_assert_cmpint (eng_tokenizer_has_chat_template (tokenizer), ==, cases[i].expected);
    checkpoint_remove_folder (folder);
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/tokenizer-files/vocab-txt/recorded", test_vocab_txt);
  g_test_add_func ("/engine/tokenizer-files/vocab-txt/settings", test_vocab_txt_settings);
  g_test_add_func ("/engine/tokenizer-files/vocab-txt/special-tokens", test_special_token_files);
  g_test_add_func ("/engine/tokenizer-files/residues", test_residues);
  g_test_add_func ("/engine/tokenizer-files/clean-up", test_clean_up);
  g_test_add_func ("/engine/tokenizer-files/refused/folder", test_refused_folder);
  g_test_add_func ("/engine/tokenizer-files/refused/vocab-txt", test_refused_vocab_txt);
  g_test_add_func ("/engine/tokenizer-files/refused/json", test_refused_json);
  g_test_add_func ("/engine/tokenizer-files/refused/repeated-member", test_repeated_member);
  g_test_add_func ("/engine/tokenizer-files/refused/added-token", test_taken_id);
  g_test_add_func ("/engine/tokenizer-files/chat-template", test_chat_template);
  g_test_add_func ("/engine/tokenizer-files/zero-byte", test_zero_byte);

  return g_test_run ();
}
