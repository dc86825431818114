/* SPDX-License-Identifier: MIT */
/* XLM's tokenizer, which cuts words as Moses does, against what transformers and sacremoses made of
 * the same strings (tests/record/record_xlm_tokenizer.py). */
#include "tests/support/bpe-cases.h"
#include "tests/support/checkpoint-folder.h"

#include <locale.h>

static GBytes *
read_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "bpe", name, NULL);
  g_autoptr (GError) error = NULL;
  char *data;
  gsize length;

  g_file_get_contents (path, &data, &length, &error);
  g_assert_no_error (error);

  return g_bytes_new_take (data, length);
}

/* The recorded vocabulary and merges, with a tokenizer_config.json. */
static EngTokenizer *
open_recorded (const char *settings)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("bpe/xlm.json.gz");
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) json = eng_json_parse (text, size, 8, "xlm.json", &error);
  g_autofree char *folder = g_dir_make_tmp ("headlight-moses-XXXXXX", NULL);
  g_autofree char *vocabulary = cJSON_PrintUnformatted (eng_json_find (json, "vocab"));
  EngTokenizer *tokenizer;

  g_assert_no_error (error);
  checkpoint_write_file (folder, "vocab.json", vocabulary, -1);
  checkpoint_write_file (folder, "merges.txt", eng_json_find (json, "merges")->valuestring, -1);
  checkpoint_write_file (folder, "config.json", "{\"model_type\": \"xlm\"}", -1);
  checkpoint_write_file (folder, "tokenizer_config.json", settings, -1);
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return tokenizer;
}

static void
check (const char *settings,
       const char *file)
{
  g_autoptr (EngTokenizer) tokenizer = open_recorded (settings);
  g_autoptr (GBytes) bytes = read_fixture (file);
  gsize size;
  const guint8 *hashes = g_bytes_get_data (bytes, &size);

  g_assert_true (bpe_cases_check_file (tokenizer, file, "bpe/xlm-cases.gz", hashes, 1) ==
                 hashes + size);
}

static void
test_lower (void)
{
  check ("{}", "xlm.hashes");
}

static void
test_cased (void)
{
  check ("{\"do_lowercase_and_remove_accent\": false}", "xlm-cased.hashes");
}

static void
test_clean (void)
{
  check ("{\"clean_up_tokenization_spaces\": true}", "xlm-clean.hashes");
}

static void
test_roles (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_recorded ("{}");

  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "bos_token"), ==, 0);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "cls_token"), ==, 1);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "sep_token"), ==, 1);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "eos_token"), ==, -1);
  g_assert_cmpint (eng_tokenizer_get_mask_id (tokenizer), ==, 5);
  g_assert_cmpint (eng_tokenizer_get_unknown_id (tokenizer), ==, 3);
  g_assert_true (eng_tokenizer_is_special (tokenizer, 13));
  g_assert_false (eng_tokenizer_gives_types (tokenizer));
  g_assert_cmpstr (eng_tokenizer_get_description (tokenizer), ==,
                   "BPE, 1,273 entries, lower case, accents removed, words cut as in English, in "
                   "other languages approximate, from vocab.json");
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/moses/lower", test_lower);
  g_test_add_func ("/engine/moses/cased", test_cased);
  g_test_add_func ("/engine/moses/clean", test_clean);
  g_test_add_func ("/engine/moses/roles", test_roles);

  return g_test_run ();
}
