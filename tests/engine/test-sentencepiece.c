/* SPDX-License-Identifier: MIT */
/* Tokenizers of SentencePiece's kind, against thousands of strings that the tokenizers library and
 * transformers cut: record_sentencepiece.py. */
#include "tests/support/checkpoint-folder.h"
#include "tests/support/token-cases.h"

#include <locale.h>
#include <string.h>

/* NULL, and the test is skipped, where the shared data is absent. */
static char *
find_shared (const char *name)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *folder = g_build_filename (shared ? shared : "../shared", "data", "tokenizers",
                                              name, NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("the tokenizer is not beside the project");
    return NULL;
  }

  return g_steal_pointer (&folder);
}

static void
check_cases (const char *folder,
             const char *cases)
{
  g_autofree char *fixture = g_build_filename ("sentencepiece", cases, NULL);
  g_autoptr (GBytes) bytes = gzip_read_fixture (fixture);
  TokenReader reader = token_reader_new (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokenizer) tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);
  token_cases_check (tokenizer, &reader, 0);
}

/* Opens a copy of folder's model beside a file of settings. */
static EngTokenizer *
open_with (const char *folder,
           const char *settings_name,
           const char *settings)
{
  static const char *const names[] = {
    "spiece.model", "sentencepiece.bpe.model", "tokenizer.model",
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *copy = g_dir_make_tmp ("headlight-sentencepiece-XXXXXX", &error);
  EngTokenizer *tokenizer;

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);

    if (g_file_test (path, G_FILE_TEST_EXISTS)) {
      gsize size;
      g_autofree char *bytes = checkpoint_read_file (folder, names[i], &size);

      checkpoint_write_file (copy, names[i], bytes, (gssize) size);
    }
  }
  checkpoint_write_file (copy, settings_name, settings, -1);
  tokenizer = eng_tokenizer_open (copy, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (copy);

  return tokenizer;
}

static void
test_albert (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/albert.gz");
  g_autofree char *folder = find_shared ("albert");
  g_autoptr (EngTokenizer) tokenizer = NULL;
  TokenReader reader = token_reader_new (bytes);

  if (!folder)
    return;
  tokenizer = open_with (folder, "config.json", "{\"model_type\": \"albert\"}");
  token_cases_check (tokenizer, &reader, 0);
}

/* A model that was trained for this, with the settings beside it. */
static void
check_trained (gconstpointer name)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "sentencepiece", name,
                                                   NULL);
  g_autofree char *cases = g_build_filename (name, "cases.gz", NULL);

  check_cases (folder, cases);
}

static void
test_t5 (void)
{
  g_autofree char *folder = find_shared ("t5-small");

  if (folder)
    check_cases (folder, "t5-small.gz");
}

static void
test_components (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/components.gz");
  g_autoptr (cJSON) files = token_cases_read_json ("sentencepiece/components.json.gz");
  TokenReader reader = token_reader_new (bytes);
  const cJSON *file;

  cJSON_ArrayForEach (file, files) {
    g_autoptr (EngTokenizer) tokenizer = token_cases_new_tokenizer (file);

    g_test_message ("%s", file->string);
    token_cases_check (tokenizer, &reader, token_reader_get_number (&reader));
  }
  g_assert_true (reader.at == reader.end);
}

/* What tokenizer_config.json may say beside a model. */
static void
test_settings (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "sentencepiece",
                                                 "settings.json", NULL);
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/settings.gz");
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) list = eng_json_read (path, 1 << 20, 8, &error);
  TokenReader reader = token_reader_new (bytes);
  const cJSON *entry;

  g_assert_no_error (error);
  cJSON_ArrayForEach (entry, list) {
    const char *name = eng_json_find (entry, "folder")->valuestring;
    g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "sentencepiece", name,
                                                     NULL);
    g_autofree char *config = cJSON_PrintUnformatted (eng_json_find (entry, "config"));
    g_autoptr (EngTokenizer) tokenizer = open_with (folder, "tokenizer_config.json", config);

    g_test_message ("%s %s", name, config);
    token_cases_check (tokenizer, &reader, token_reader_get_number (&reader));
  }
  g_assert_true (reader.at == reader.end);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/sentencepiece/recorded/t5-small", test_t5);
  g_test_add_func ("/engine/sentencepiece/recorded/albert", test_albert);
  g_test_add_data_func ("/engine/sentencepiece/recorded/t5", "t5", check_trained);
  g_test_add_data_func ("/engine/sentencepiece/recorded/xlm-roberta", "xlm-roberta", check_trained);
  g_test_add_data_func ("/engine/sentencepiece/recorded/llama", "llama", check_trained);
  g_test_add_func ("/engine/sentencepiece/recorded/components", test_components);
  g_test_add_func ("/engine/sentencepiece/recorded/settings", test_settings);

  return g_test_run ();
}
