/* SPDX-License-Identifier: MIT */
/* Tokenizers of byte-pair encoding against what the tokenizers library made of the same strings. */
#include "tests/support/bpe-cases.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"

#include <locale.h>
#include <string.h>

#define VARIANT_SHARE 12
/* Those that are recorded whole stand in front of the variants. */
#define N_WHOLE 6

static GBytes *
read_hashes (const char *name)
{
  g_autofree char *file = g_strconcat (name, ".hashes", NULL);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "bpe", file, NULL);
  g_autoptr (GError) error = NULL;
  char *data;
  gsize length;

  g_file_get_contents (path, &data, &length, &error);
  g_assert_no_error (error);

  return g_bytes_new_take (data, length);
}

static void
check_all (const EngTokenizer *tokenizer,
           const char         *name)
{
  g_autoptr (GBytes) bytes = read_hashes (name);
  gsize size;
  const guint8 *hashes = g_bytes_get_data (bytes, &size);

  g_assert_true (bpe_cases_check (tokenizer, name, hashes, 1) == hashes + size);
}

static cJSON *
read_tokenizers_of (const char *fixture)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture (fixture);
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  cJSON *tokenizers = eng_json_parse (text, size, 32, "tokenizers.json", &error);

  g_assert_no_error (error);

  return tokenizers;
}

static cJSON *
read_tokenizers (void)
{
  return read_tokenizers_of ("bpe/tokenizers.json.gz");
}

/* NULL, and the test is skipped, where the shared data is absent. */
static char *
find_shared (const char *name)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *folder = g_build_filename (shared ? shared : "../shared", "data", "tokenizers",
                                              name, NULL);

  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    return g_steal_pointer (&folder);
  g_test_skip ("the tokenizers are not beside the project");

  return NULL;
}

static void
test_roberta (void)
{
  g_autofree char *folder = find_shared ("roberta-base");
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;

  if (!folder)
    return;
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  check_all (tokenizer, "roberta-base");
}

/* WordPiece, for what its tokens are decoded to. */
static void
test_wordpiece (void)
{
  g_autofree char *folder = checkpoint_get_bundled ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);
  check_all (tokenizer, "headlight-mini");
}

static void
test_trained (gconstpointer name)
{
  g_autoptr (cJSON) tokenizers = read_tokenizers ();
  g_autoptr (EngTokenizer) tokenizer =
    token_cases_new_tokenizer (eng_json_find (tokenizers, name));

  check_all (tokenizer, name);
}

/* Of tests/record/record_gpt_tokenizers.py and record_deberta_tokenizers.py, which have files of
 * their own. */
static cJSON *
read_tokenizers_with (const char *name)
{
  return read_tokenizers_of (g_str_equal (name, "deberta") ? "bpe/deberta-tokenizers.json.gz"
                                                           : "bpe/gpt-tokenizers.json.gz");
}

static void
test_trained_apart (gconstpointer name)
{
  g_autoptr (cJSON) tokenizers = read_tokenizers_with (name);
  g_autoptr (EngTokenizer) tokenizer =
    token_cases_new_tokenizer (eng_json_find (tokenizers, name));

  check_all (tokenizer, name);
}

/* Copies, or writes, the old files of a tokenizer into a folder of their own and opens it. */
static EngTokenizer *
open_slow (const char *vocabulary,
           const char *merges,
           const char *settings_name,
           const char *settings)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-bpe-XXXXXX", &error);
  g_autofree char *json = json_text (settings);
  EngTokenizer *tokenizer;

  g_assert_no_error (error);
  checkpoint_write_file (folder, "vocab.json", vocabulary, -1);
  checkpoint_write_file (folder, "merges.txt", merges, -1);
  checkpoint_write_file (folder, settings_name, json, -1);
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (eng_tokenizer_get_file (tokenizer), "/vocab.json"));
  checkpoint_remove_folder (folder);

  return tokenizer;
}

/* The settings alone say whether the files are GPT-2's or RoBERTa's. */
static void
test_slow_real (gconstpointer data)
{
  const char *const *names = data; /* fixture, folder, what config.json says */
  g_autofree char *folder = find_shared (names[1]);
  g_autofree char *vocabulary = NULL;
  g_autofree char *merges = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;

  if (!folder)
    return;
  vocabulary = checkpoint_read_file (folder, "vocab.json", NULL);
  merges = checkpoint_read_file (folder, "merges.txt", NULL);
  tokenizer = open_slow (vocabulary, merges, "config.json", names[2]);
  check_all (tokenizer, names[0]);
}

static char *
print_merges (const cJSON *merges)
{
  GString *text = g_string_new ("#version: 0.2\r\n");
  const cJSON *pair;

  cJSON_ArrayForEach (pair, merges)
    g_string_append_printf (text, "%s %s\r\n", pair->child->valuestring,
                            pair->child->next->valuestring);

  return g_string_free (text, FALSE);
}

/* A trained tokenizer as old files, its added tokens in the vocabulary. */
static void
check_slow (const cJSON      *tokenizers,
            const char *const *names) /* as test_slow_trained() has them */
{
  const cJSON *file = eng_json_find (tokenizers, names[1]);
  const cJSON *model = eng_json_find (file, "model");
  g_autoptr (cJSON) pieces = cJSON_Duplicate (eng_json_find (model, "vocab"), TRUE);
  g_autofree char *merges = print_merges (eng_json_find (model, "merges"));
  g_autofree char *vocabulary = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;
  const cJSON *token;

  cJSON_ArrayForEach (token, eng_json_find (file, "added_tokens")) {
    const char *content = eng_json_find (token, "content")->valuestring;

    if (!eng_json_find (pieces, content))
      cJSON_AddNumberToObject (pieces, content, eng_json_find (token, "id")->valueint);
  }
  vocabulary = cJSON_PrintUnformatted (pieces);
  tokenizer = open_slow (vocabulary, merges, "tokenizer_config.json", names[2]);
  check_all (tokenizer, names[0]);
}

static void
test_slow_trained (gconstpointer data)
{
  const char *const *names = data; /* fixture, tokenizer, what tokenizer_config.json says */
  g_autoptr (cJSON) tokenizers = read_tokenizers ();

  check_slow (tokenizers, names);
}

static void
test_slow_apart (gconstpointer data)
{
  const char *const *names = data;
  g_autoptr (cJSON) tokenizers = read_tokenizers_with (names[1]);

  check_slow (tokenizers, names);
}

static void
test_variants (void)
{
  g_autoptr (cJSON) tokenizers = read_tokenizers ();
  g_autoptr (GBytes) bytes = read_hashes ("variants");
  gsize size;
  const guint8 *hashes = g_bytes_get_data (bytes, &size);
  const guint8 *end = hashes + size;
  const cJSON *variant;
  int n = 0;

  cJSON_ArrayForEach (variant, tokenizers) {
    g_autoptr (EngTokenizer) tokenizer = NULL;

    if (n++ < N_WHOLE)
      continue;
    tokenizer = token_cases_new_tokenizer (variant);
    hashes = bpe_cases_check (tokenizer, variant->string, hashes, VARIANT_SHARE);
  }
  g_assert_true (hashes == end);
}

/* The message must name the file and say the rest. */
static void
test_refused_slow (void)
{
  static const char pieces[] = "{'a': 0, 'b': 1, 'ab': 2}";
  static const char gpt2[] = "{'tokenizer_class': 'GPT2Tokenizer'}";
  static const struct {
    const char *vocabulary;
    const char *merges;
    const char *settings;
    EngError    code;
    const char *part;
  } cases[] = {
    { pieces, "a b\n", "{}", ENG_ERROR_UNSUPPORTED,
      "vocab.json: model_type is not said, expected one of gpt2, gpt_neo, gptj, gpt_neox, roberta" },
    { pieces, "a b\n", "{'tokenizer_class': 'CTRLTokenizer'}", ENG_ERROR_MISSING,
      "vocab.json: the vocabulary has no <unk>" },
    { pieces, "#\na b\na  b\n", "{'tokenizer_class': 'CTRLTokenizer'}", ENG_ERROR_FORMAT,
      "merges.txt: line 3 is not a merge" },
    { pieces, "a b\n", "{'tokenizer_class': 'WhisperTokenizer'}", ENG_ERROR_UNSUPPORTED,
      "vocab.json: tokenizer_class is WhisperTokenizer, expected one of GPT2Tokenizer, GPTNeoX" },
    { pieces, "a b\n", "{'tokenizer_class': 'GPT2TokenizerOfMine'}", ENG_ERROR_UNSUPPORTED,
      "GPT2TokenizerOfMine" },
    { "[]", "a b\n", gpt2, ENG_ERROR_FORMAT, "vocab.json: no vocabulary" },
    { "{", "a b\n", gpt2, ENG_ERROR_FORMAT, "vocab.json: not JSON" },
    { "{'a': {}}", "a b\n", gpt2, ENG_ERROR_FORMAT, "vocab.json: JSON nested deeper than 1" },
    { pieces, "a b\nab\n", gpt2, ENG_ERROR_FORMAT, "merges.txt: line 2 is not a merge" },
    { pieces, "#version: 1\n\na b c\n", gpt2, ENG_ERROR_FORMAT, "merges.txt: line 3 is not" },
    { pieces, "a c\n", gpt2, ENG_ERROR_MISSING, "merges.txt: the vocabulary has no \"c\"" },
    { pieces, "a \xff\n", gpt2, ENG_ERROR_FORMAT, "merges.txt: not UTF-8 at byte 2" },
    { pieces, "", "{'tokenizer_class': 'GPT2Tokenizer', 'add_prefix_space': 'yes'}",
      ENG_ERROR_FORMAT, "tokenizer_config.json: add_prefix_space" },
    { pieces, NULL, gpt2, ENG_ERROR_MISSING, "merges.txt" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp ("headlight-bpe-XXXXXX", &error);
    g_autofree char *vocabulary = json_text (cases[i].vocabulary);
    g_autofree char *settings = json_text (cases[i].settings);

    checkpoint_write_file (folder, "vocab.json", vocabulary, -1);
    if (cases[i].merges)
      checkpoint_write_file (folder, "merges.txt", cases[i].merges, -1);
    checkpoint_write_file (folder, "tokenizer_config.json", settings, -1);
    g_assert_null (eng_tokenizer_open (folder, &error));
    g_assert_error (error, ENG_ERROR, (int) cases[i].code);
    if (!strstr (error->message, cases[i].part) || !strstr (error->message, folder))
      g_error ("\"%s\" does not say \"%s\"", error->message, cases[i].part);
    checkpoint_remove_folder (folder);
  }
}

/* expected: texts with | between. */
static void
assert_drawn (const EngTokenizer *tokenizer,
              const char         *text,
              const char         *expected)
{
  EngTokenizeOptions options = { .no_special_tokens = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, text, NULL, &options, &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = g_strjoinv ("|", tokens->texts);
  g_assert_cmpstr (found, ==, expected);
}

/* What is drawn is what was typed: no stand-in for a space, and bytes only where they are no whole
 * characters. */
static void
test_drawn (void)
{
  g_autofree char *folder = find_shared ("roberta-base");
  g_autoptr (cJSON) tokenizers = read_tokenizers ();
  g_autoptr (EngTokenizer) llama = token_cases_new_tokenizer (eng_json_find (tokenizers, "llama2"));
  g_autoptr (EngTokenizer) roberta = NULL;

  assert_drawn (llama, "a\n\U0001f9ec", " |a|\n|<0xF0>|<0x9F>|<0xA7>|<0xAC>");
  if (!folder)
    return;
  roberta = eng_tokenizer_open (folder, NULL);
  assert_drawn (roberta, "Caf\u00e9 \u00fcber\u65e5 \U0001f916 <mask>\n",
                "C|af|\u00e9| <0xC3>|<0xBC>|ber|<0xE6><0x97>|<0xA5>|"
                " <0xF0><0x9F>|<0xA4>|<0x96>|<mask>|\n");
}

static void
test_roles (void)
{
  g_autofree char *folder = find_shared ("gpt2");
  g_autofree char *vocabulary = NULL;
  g_autofree char *merges = NULL;
  g_autoptr (EngTokenizer) tokenizer = NULL;

  if (!folder)
    return;
  vocabulary = checkpoint_read_file (folder, "vocab.json", NULL);
  merges = checkpoint_read_file (folder, "merges.txt", NULL);
  tokenizer = open_slow (vocabulary, merges, "tokenizer_config.json",
                         "{'tokenizer_class': 'GPT2Tokenizer', 'pad_token': '<|pad|>'}");
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "eos_token"), ==, 50256);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "bos_token"), ==, 50256);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "pad_token"), ==, 50257);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "cls_token"), ==, -1);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "best_token"), ==, -1);
  g_assert_true (eng_tokenizer_is_special (tokenizer, 50256));
  g_assert_false (eng_tokenizer_is_special (tokenizer, 262));
  g_assert_cmpint (eng_tokenizer_get_n_entries (tokenizer), ==, 50258);
  g_assert_cmpstr (eng_tokenizer_get_description (tokenizer), ==, 
                   "BPE, 50,258 entries, from vocab.json");
}

/* A word of a million characters: cut in time that grows with the square of its length, it would
 * outlast any patience. */
static void
test_long_word (void)
{
  g_autoptr (cJSON) tokenizers = read_tokenizers ();
  g_autoptr (EngTokenizer) tokenizer =
    token_cases_new_tokenizer (eng_json_find (tokenizers, "llama3"));
  g_autofree char *word = g_strnfill (1000000, 'a');
  EngTokenizeOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, word, NULL, &options, &error);

  g_assert_no_error (error);
  g_assert_cmpint (tokens->spans[tokens->n - 1].end, ==, 1000000);
}

int
main (int    argc,
      char **argv)
{
  static const char *const gpt2[] = { "gpt2-slow", "gpt2", "{'model_type': 'gpt2'}" };
  static const char *const gpt_neo[] = { "gpt2-slow", "gpt2", "{'model_type': 'gpt_neo'}" };
  static const char *const gptj[] = { "gpt2-slow", "gpt2", "{'model_type': 'gptj'}" };
  static const char *const roberta[] = {
    "roberta-slow", "roberta-base", "{'model_type': 'roberta'}",
  };
  static const char *const bart[] = { "bart-slow", "bart", "{'tokenizer_class': 'BartTokenizer'}" };
  static const char *const qwen2[] = {
    "qwen2-slow", "qwen2", "{'tokenizer_class': 'Qwen2TokenizerFast'}",
  };
  static const char *const gpt2_bos[] = {
    "gpt2-bos-slow", "qwen2", "{'tokenizer_class': 'GPT2Tokenizer', 'add_prefix_space': true,"
    " 'add_bos_token': true, 'pad_token': '<|pad|>'}",
  };

  static const char *const gpt_neox[] = {
    "gpt-neox-slow", "gpt-neox", "{'tokenizer_class': 'GPTNeoXTokenizer'}",
  };
  static const char *const openai_gpt[] = {
    "openai-gpt-slow", "openai-gpt", "{'tokenizer_class': 'OpenAIGPTTokenizer'}",
  };
  static const char *const deberta[] = { "deberta-slow", "deberta",
                                         "{'tokenizer_class': 'DebertaTokenizer'}" };
  static const char *const ctrl[] = { "ctrl-slow", "ctrl", "{'tokenizer_class': 'CTRLTokenizer'}" };
  static const char *const ctrl_clean[] = {
    "ctrl-clean", "ctrl",
    "{'tokenizer_class': 'CTRLTokenizer', 'clean_up_tokenization_spaces': true}",
  };

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/bpe/roberta-base", test_roberta);
  g_test_add_func ("/engine/bpe/wordpiece", test_wordpiece);
  g_test_add_data_func ("/engine/bpe/llama3", "llama3", test_trained);
  g_test_add_data_func ("/engine/bpe/qwen2", "qwen2", test_trained);
  g_test_add_data_func ("/engine/bpe/bart", "bart", test_trained);
  g_test_add_data_func ("/engine/bpe/llama2", "llama2", test_trained);
  g_test_add_data_func ("/engine/bpe/llama3-cuts", "llama3-cuts", test_trained);
  g_test_add_data_func ("/engine/bpe/gpt2-cuts", "gpt2-cuts", test_trained);
  g_test_add_data_func ("/engine/bpe/gpt-neox", "gpt-neox", test_trained_apart);
  g_test_add_data_func ("/engine/bpe/openai-gpt", "openai-gpt", test_trained_apart);
  g_test_add_data_func ("/engine/bpe/deberta", "deberta", test_trained_apart);
  g_test_add_func ("/engine/bpe/variants", test_variants);
  g_test_add_data_func ("/engine/bpe/slow/gpt2", gpt2, test_slow_real);
  g_test_add_data_func ("/engine/bpe/slow/gpt-neo", gpt_neo, test_slow_real);
  g_test_add_data_func ("/engine/bpe/slow/gptj", gptj, test_slow_real);
  g_test_add_data_func ("/engine/bpe/slow/roberta", roberta, test_slow_real);
  g_test_add_data_func ("/engine/bpe/slow/bart", bart, test_slow_trained);
  g_test_add_data_func ("/engine/bpe/slow/qwen2", qwen2, test_slow_trained);
  g_test_add_data_func ("/engine/bpe/slow/gpt2-bos", gpt2_bos, test_slow_trained);
  g_test_add_data_func ("/engine/bpe/slow/gpt-neox", gpt_neox, test_slow_apart);
  g_test_add_data_func ("/engine/bpe/slow/openai-gpt", openai_gpt, test_slow_apart);
  g_test_add_data_func ("/engine/bpe/slow/deberta", deberta, test_slow_apart);
  g_test_add_data_func ("/engine/bpe/slow/ctrl", ctrl, test_slow_apart);
  g_test_add_data_func ("/engine/bpe/slow/ctrl-clean", ctrl_clean, test_slow_apart);
  g_test_add_func ("/engine/bpe/slow/refused", test_refused_slow);
  g_test_add_func ("/engine/bpe/drawn", test_drawn);
  g_test_add_func ("/engine/bpe/roles", test_roles);
  g_test_add_func ("/engine/bpe/long-word", test_long_word);

  return g_test_run ();
}
