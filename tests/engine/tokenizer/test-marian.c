/* SPDX-License-Identifier: MIT */
/* Marian's tokenizers, against thousands of strings that transformers cut and joined, with a shared
 * vocabulary and with one a side: record_sentencepiece.py. */
#include "tests/support/checkpoint-folder.h"
#include "tests/support/token-cases.h"

#include <locale.h>

static EngTokenizer *
open_trained (const char *name)
{
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "sentencepiece", name,
                                                   NULL);
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);

  return tokenizer;
}

static void
test_recorded (gconstpointer name)
{
  g_autofree char *fixture = g_build_filename ("sentencepiece", name, "cases.gz", NULL);
  g_autoptr (GBytes) bytes = gzip_read_fixture (fixture);
  TokenReader reader = token_reader_new (bytes);
  g_autoptr (EngTokenizer) tokenizer = open_trained (name);

  token_cases_check (tokenizer, &reader, 0);
}

/* A folder with the model on both sides and the vocabulary. */
static EngTokenizer *
open_made (const cJSON *json)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-marian-XXXXXX", &error);
  g_autofree char *vocabulary = cJSON_PrintUnformatted (eng_json_find (json, "vocab"));
  gsize length;
  g_autofree guchar *model =
    g_base64_decode (eng_json_find (json, "model")->valuestring, &length);
  EngTokenizer *tokenizer;

  g_assert_no_error (error);
  checkpoint_write_file (folder, "source.spm", (const char *) model, (gssize) length);
  checkpoint_write_file (folder, "target.spm", (const char *) model, (gssize) length);
  checkpoint_write_file (folder, "vocab.json", vocabulary, -1);
  tokenizer = eng_tokenizer_open (folder, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return tokenizer;
}

/* Paths that differ by nothing but rounding, and every way of normalising. */
static void
test_close (void)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("sentencepiece/close.gz");
  g_autoptr (cJSON) models = token_cases_read_json ("sentencepiece/close.json.gz");
  TokenReader reader = token_reader_new (bytes);
  const cJSON *model;

  cJSON_ArrayForEach (model, models) {
    g_autoptr (EngTokenizer) tokenizer = open_made (model);

    g_test_message ("%s", model->string);
    token_cases_check (tokenizer, &reader, token_reader_get_number (&reader));
  }
  g_assert_true (reader.at == reader.end);
}

/* expected: texts as they are drawn, each with its bytes of the text, with bars between. */
static void
assert_drawn (const EngTokenizer *tokenizer,
              gboolean            as_target,
              const char         *text,
              const char         *expected)
{
  EngTokenizeOptions options = { .no_special_tokens = TRUE, .as_target = as_target };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, text, NULL, &options, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (found, "%s%s[%d,%d)", i ? "|" : "", tokens->texts[i],
                            tokens->spans[i].start, tokens->spans[i].end);
  g_assert_cmpstr (found->str, ==, expected);
}

/* transformers gives no spans: what stands where is said here. A word has the first of its
 * spaces. */
static void
test_spans (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_trained ("marian");

  assert_drawn (tokenizer, FALSE, ">>fra<<  the", ">>fra<<[0,7)| the[9,12)");
  assert_drawn (tokenizer, FALSE, "\t\u00adto\u00ad \u3000 it  ", " to[3,5)| it[7,14)");
  assert_drawn (tokenizer, FALSE, "the\uff54", " the[0,3)|t[3,6)");
  assert_drawn (tokenizer, TRUE, "est", " est[0,3)");
}

static void
test_languages (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_trained ("marian");
  const char *const *languages = eng_tokenizer_get_languages (tokenizer);

  g_assert_cmpint (g_strv_length ((char **) languages), ==, 2);
  g_assert_cmpstr (languages[0], ==, ">>fra<<");
  g_assert_cmpstr (languages[1], ==, ">>deu<<");
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "eos_token"), ==, 0);
  g_assert_cmpint (eng_tokenizer_find_special (tokenizer, "pad_token"), ==, 2);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/engine/marian/recorded/shared", "marian", test_recorded);
  g_test_add_data_func ("/engine/marian/recorded/separate", "marian-separate", test_recorded);
  g_test_add_func ("/engine/marian/recorded/close", test_close);
  g_test_add_func ("/engine/marian/spans", test_spans);
  g_test_add_func ("/engine/marian/languages", test_languages);

  return g_test_run ();
}
