/* SPDX-License-Identifier: MIT */
/* The tokenizers of translators and of Pegasus, against thousands of strings that transformers cut
 * and joined (record_translators.py): those of tokenizer.json and of the model beside it; where the
 * token of the language stands; what is refused. */
#include "tests/support/sentencepiece-folder.h"
#include "tests/support/token-cases.h"

#include <locale.h>

static char *
get_folder (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", "translators", name, NULL);
}

static void
check_cases (const EngTokenizer *tokenizer,
             const char         *name)
{
  g_autofree char *fixture = g_build_filename ("translators", name, "cases.gz", NULL);
  g_autoptr (GBytes) bytes = gzip_read_fixture (fixture);
  TokenReader reader = token_reader_new (bytes);

  token_cases_check (tokenizer, &reader, 0);
}

static EngTokenizer *
open_trained (const char *name)
{
  g_autofree char *folder = get_folder (name);
  g_autoptr (GError) error = NULL;
  EngTokenizer *tokenizer = eng_tokenizer_open (folder, &error);

  g_assert_no_error (error);

  return tokenizer;
}

static void
test_recorded (gconstpointer name)
{
  g_autoptr (EngTokenizer) tokenizer = open_trained (name);

  check_cases (tokenizer, name);
}

/* A copy of the folder's model alone, with these settings; NULL = its own. */
static EngTokenizer *
open_model (const char *name,
            const char *settings)
{
  g_autofree char *folder = get_folder (name);
  g_autofree char *own = settings ? NULL : checkpoint_read_file (folder, "tokenizer_config.json",
                                                                 NULL);

  return sentencepiece_open_with (folder, "tokenizer_config.json", settings ? settings : own);
}

/* The model cuts as the tokenizer.json beside it does. */
static void
test_model (gconstpointer name)
{
  g_autoptr (EngTokenizer) tokenizer = open_model (name, NULL);

  check_cases (tokenizer, name);
}

static char *
print_pieces (const EngTokenizer *tokenizer,
              gboolean            as_target,
              const char         *language,
              gboolean            pair)
{
  EngTokenizeOptions options = { .as_target = as_target, .language = language };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens =
    eng_tokenizer_encode (tokenizer, "a", pair ? "b" : NULL, &options, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (text, "%s%s%s", i ? " " : "", tokens->pieces[i],
                            tokens->special[i] ? "*" : "");

  return g_string_free (text, FALSE);
}

static void
assert_pieces (const EngTokenizer *tokenizer,
               gboolean            as_target,
               const char         *language,
               gboolean            pair,
               const char         *expected)
{
  g_autofree char *found = print_pieces (tokenizer, as_target, language, pair);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_languages (void)
{
  g_autoptr (EngTokenizer) m2m = open_trained ("m2m-100");
  g_autoptr (EngTokenizer) nllb = open_trained ("nllb");
  g_autoptr (EngTokenizer) mbart = open_trained ("mbart");
  g_autoptr (EngTokenizer) mbart_50 = open_trained ("mbart-50");
  g_autoptr (EngTokenizer) legacy =
    open_model ("nllb", "{\"tokenizer_class\": \"NllbTokenizer\", \"legacy_behaviour\": true}");
  const char *const *tokens = eng_tokenizer_get_languages (m2m);
  EngTokenizeOptions options = { .language = "fro" };
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_strv_length ((char **) tokens), ==, 100);
  g_assert_cmpstr (tokens[28], ==, "__gl__");
  g_assert_cmpint (g_strv_length ((char **) eng_tokenizer_get_languages (nllb)), ==, 202);
  g_assert_cmpstr (eng_tokenizer_get_source_language (m2m), ==, "fr");
  g_assert_cmpstr (eng_tokenizer_get_target_language (nllb), ==, "deu_Latn");
  g_assert_cmpstr (eng_tokenizer_get_source_language (legacy), ==, "eng_Latn");
  g_assert_null (eng_tokenizer_get_target_language (legacy));

  g_assert_cmpint (g_strv_length ((char **) eng_tokenizer_get_languages (mbart)), ==, 25);
  g_assert_cmpint (g_strv_length ((char **) eng_tokenizer_get_languages (mbart_50)), ==, 52);
  g_assert_true (eng_tokenizer_ends_in_language (mbart));
  g_assert_false (eng_tokenizer_ends_in_language (mbart_50));

  assert_pieces (mbart, TRUE, "ro_RO", FALSE, "▁a </s>* ro_RO*");
  assert_pieces (mbart_50, TRUE, "gl_ES", FALSE, "gl_ES* ▁a </s>*");
  assert_pieces (m2m, FALSE, NULL, TRUE, "__fr__* ▁a ▁b </s>*");
  assert_pieces (m2m, TRUE, NULL, FALSE, "__de__* ▁a </s>*");
  assert_pieces (m2m, TRUE, "zu", FALSE, "__zu__* ▁a </s>*");
  assert_pieces (nllb, FALSE, "zho_Hant", TRUE, "zho_Hant* ▁a ▁b </s>*");
  assert_pieces (legacy, FALSE, NULL, TRUE, "▁a ▁b </s>* eng_Latn*");
  assert_pieces (legacy, TRUE, "fra_Latn", FALSE, "▁a </s>* fra_Latn*");

  g_assert_null (eng_tokenizer_encode (m2m, "a", NULL, &options, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_TEXT);
  g_assert_nonnull (strstr (error->message, "“fro” is no language of the tokenizer"));
}

static void
assert_cleaned (const char *name,
                const char *class,
                const char *expected)
{
  g_autofree char *settings =
    g_strdup_printf ("{\"tokenizer_class\": \"%s\", \"clean_up_tokenization_spaces\": true}",
                     class);
  g_autoptr (EngTokenizer) tokenizer = open_model (name, settings);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = eng_tokenizer_encode (tokenizer, "the cat , is n't it ?", NULL,
                                                       &(EngTokenizeOptions) { 0 }, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = eng_tokenizer_decode (tokenizer, tokens->ids, tokens->n, TRUE);
  g_assert_cmpstr (text, ==, expected);
}

/* As transformers writes them; it passes over the setting where the library's BPE cut the text. */
static void
test_clean_up (void)
{
  assert_cleaned ("m2m-100", "M2M100Tokenizer", "the cat, isn't it?");
  assert_cleaned ("m2m-100-unigram", "M2M100Tokenizer", "the ct, isn't it?");
  assert_cleaned ("mbart", "MBartTokenizer", "the cat, isn't it?");
  assert_cleaned ("nllb", "NllbTokenizer", "the cat , is n't it ?");
}

/* transformers gives M2M-100 no spans: what stands where is said here. */
static void
test_spans (void)
{
  g_autoptr (EngTokenizer) tokenizer = open_trained ("m2m-100");
  EngTokenizeOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens =
    eng_tokenizer_encode (tokenizer, "__en__ \u00e9t\u00e9  語", "the", &options, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  for (int i = 0; i < tokens->n; i++)
    g_string_append_printf (found, "%s%s[%d,%d)", i ? "|" : "", tokens->texts[i],
                            tokens->spans[i].start, tokens->spans[i].end);
  g_assert_cmpstr (found->str, ==,
                   "__fr__[-1,-1)|__en__[0,6)| \u00e9t\u00e9[7,12)|<unk>[12,13)|語[14,17)| the[0,3)"
                   "|</s>[-1,-1)");
}

static void
test_refusals (void)
{
  static const struct {
    const char *folder;
    const char *config;
    const char *says;
  } cases[] = {
    { "nllb", "{\"tokenizer_class\": \"NllbTokenizer\", \"src_lang\": \"fro_Latn\"}",
      "tokenizer_config.json: src_lang is \"fro_Latn\", a language that the vocabulary does not" },
    { "nllb", "{\"tokenizer_class\": \"NllbTokenizer\", \"tgt_lang\": 5}", "tgt_lang" },
    { "m2m-100", "{\"tokenizer_class\": \"M2M100Tokenizer\", \"language_codes\": \"wmt20\"}",
      "language_codes is \"wmt20\", expected \"m2m100\" or \"wmt21\"" },
    { "m2m-100", "{\"tokenizer_class\": \"M2M100Tokenizer\", \"unk_token\": \"<what>\"}",
      "no <what>, its unknown token" },
    { "m2m-100", "{\"tokenizer_class\": \"M2M100Tokenizer\", \"eos_token\": \"<end>\"}",
      "no <end>, a token of the template" },
  };
  static const char *const names[] = { "sentencepiece.bpe.model", "vocab.json" };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = get_folder (cases[i].folder);
    g_autoptr (GError) error = NULL;
    g_autofree char *copy = g_dir_make_tmp ("headlight-translator-XXXXXX", &error);

    g_assert_no_error (error);
    for (gsize k = 0; k < G_N_ELEMENTS (names); k++) {
      g_autofree char *path = g_build_filename (folder, names[k], NULL);
      gsize size;
      g_autofree char *bytes = NULL;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      bytes = checkpoint_read_file (folder, names[k], &size);
      checkpoint_write_file (copy, names[k], bytes, (gssize) size);
    }
    checkpoint_write_file (copy, "tokenizer_config.json", cases[i].config, -1);
    g_assert_null (eng_tokenizer_open (copy, &error));
    g_assert_nonnull (error);
    if (!strstr (error->message, cases[i].says))
      g_error ("“%s” does not say “%s”", error->message, cases[i].says);
    checkpoint_remove_folder (copy);
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/engine/translators/recorded/m2m-100", "m2m-100", test_recorded);
  g_test_add_data_func ("/engine/translators/recorded/m2m-100-unigram", "m2m-100-unigram",
                        test_recorded);
  g_test_add_data_func ("/engine/translators/recorded/nllb", "nllb", test_recorded);
  g_test_add_data_func ("/engine/translators/recorded/mbart", "mbart", test_recorded);
  g_test_add_data_func ("/engine/translators/recorded/mbart-50", "mbart-50", test_recorded);
  g_test_add_data_func ("/engine/translators/recorded/pegasus", "pegasus", test_recorded);
  g_test_add_data_func ("/engine/translators/model/nllb", "nllb", test_model);
  g_test_add_data_func ("/engine/translators/model/mbart", "mbart", test_model);
  g_test_add_data_func ("/engine/translators/model/mbart-50", "mbart-50", test_model);
  g_test_add_func ("/engine/translators/clean-up", test_clean_up);
  g_test_add_func ("/engine/translators/languages", test_languages);
  g_test_add_func ("/engine/translators/spans", test_spans);
  g_test_add_func ("/engine/translators/refusals", test_refusals);

  return g_test_run ();
}
