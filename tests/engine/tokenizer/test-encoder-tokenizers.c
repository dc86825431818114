/* SPDX-License-Identifier: MIT */
/* Tokenizers of encoders against what the tokenizers library made of the same strings
 * (tests/record/record_encoder_tokenizers.py). */
#include "tests/support/bpe-cases.h"

#include <locale.h>

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
test_trained (gconstpointer name)
{
  g_autoptr (cJSON) tokenizers = token_cases_read_json ("bpe/encoder-tokenizers.json.gz");
  g_autoptr (EngTokenizer) tokenizer =
    token_cases_new_tokenizer (eng_json_find (tokenizers, name));
  g_autoptr (GBytes) bytes = read_hashes (name);
  gsize size;
  const guint8 *hashes = g_bytes_get_data (bytes, &size);

  g_assert_true (bpe_cases_check (tokenizer, name, hashes, 1) == hashes + size);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/engine/encoder-tokenizers/modernbert", "modernbert", test_trained);
  g_test_add_data_func ("/engine/encoder-tokenizers/embedding-gemma", "embedding-gemma",
                        test_trained);

  return g_test_run ();
}
