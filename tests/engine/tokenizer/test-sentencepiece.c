/* SPDX-License-Identifier: MIT */
/* Unigram and what goes around it, against thousands of strings that the tokenizers library cut:
 * record_sentencepiece.py. */
#include "tests/support/sentencepiece-folder.h"
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
test_albert (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/albert.gz");
  g_autofree char *folder = find_shared ("albert");
  g_autoptr (EngTokenizer) tokenizer = NULL;
  TokenReader reader = token_reader_new (bytes);

  if (!folder)
    return;
  tokenizer = sentencepiece_open_with (folder, "config.json", "{\"model_type\": \"albert\"}");
  /* The template has types, and transformers hands them on only where the settings say so. */
  g_assert_false (eng_tokenizer_gives_types (tokenizer));
  token_cases_check (tokenizer, &reader, 0);
}

static void
test_t5 (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/t5-small.gz");
  g_autofree char *folder = find_shared ("t5-small");
  g_autoptr (EngTokenizer) tokenizer = NULL;
  g_autoptr (GError) error = NULL;
  TokenReader reader = token_reader_new (bytes);

  if (!folder)
    return;
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  token_cases_check (tokenizer, &reader, 0);
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

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/sentencepiece/recorded/t5-small", test_t5);
  g_test_add_func ("/engine/sentencepiece/recorded/albert", test_albert);
  g_test_add_func ("/engine/sentencepiece/recorded/components", test_components);

  return g_test_run ();
}
