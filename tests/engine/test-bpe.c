/* SPDX-License-Identifier: MIT */
/* Tokenizers of byte-pair encoding against what the tokenizers library made of the same strings. */
#include "tests/support/bpe-cases.h"
#include "tests/support/checkpoint-folder.h"

#include <locale.h>
#include <string.h>

#define VARIANT_SHARE 8

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
read_tokenizers (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("bpe/tokenizers.json.gz");
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  cJSON *tokenizers = eng_json_parse (text, size, 32, "tokenizers.json", &error);

  g_assert_no_error (error);

  return tokenizers;
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

static void
test_trained (gconstpointer name)
{
  g_autoptr (cJSON) tokenizers = read_tokenizers ();
  g_autoptr (EngTokenizer) tokenizer =
    token_cases_new_tokenizer (eng_json_find (tokenizers, name));

  check_all (tokenizer, name);
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

    /* The four that are recorded whole stand in front. */
    if (n++ < 4)
      continue;
    tokenizer = token_cases_new_tokenizer (variant);
    hashes = bpe_cases_check (tokenizer, variant->string, hashes, VARIANT_SHARE);
  }
  g_assert_true (hashes == end);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/bpe/roberta-base", test_roberta);
  g_test_add_data_func ("/engine/bpe/llama3", "llama3", test_trained);
  g_test_add_data_func ("/engine/bpe/qwen2", "qwen2", test_trained);
  g_test_add_data_func ("/engine/bpe/bart", "bart", test_trained);
  g_test_add_data_func ("/engine/bpe/llama2", "llama2", test_trained);
  g_test_add_func ("/engine/bpe/variants", test_variants);

  return g_test_run ();
}
