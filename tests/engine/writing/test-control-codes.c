/* SPDX-License-Identifier: MIT */
#include "engine/writing/control-codes.h"

#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"

#include <locale.h>

/* Texts here have ' for ", which C would want escaped. */
static const char config[] =
  "{'model_type': 'ctrl', 'architectures': ['CTRLLMHeadModel'], 'vocab_size': 2100, 'n_embd': 4,"
  " 'n_head': 2, 'n_layer': 1, 'dff': 3, 'n_positions': 9}";
/* Two words under the ids of their codes, one under another. */
static const char vocabulary[] =
  "{'<unk>': 0, 'x': 1, 'Joke': 5, 'Science': 2090, 'India': 1331}";

/* Letter by letter, the last one with the mark of an end. */
static void
append_merges (GString    *merges,
               const char *word)
{
  int n = (int) strlen (word);

  for (int i = 1; i < n; i++)
    g_string_append_printf (merges, "%.*s %c%s\n", i, word, word[i], i + 1 < n ? "" : "</w>");
}

static EngModel *
open_model (const char *vocabulary_text)
{
  g_autoptr (GString) merges = g_string_new ("#version: 0.2\n");
  g_autofree char *config_json = json_text (config);
  g_autofree char *vocabulary_json = json_text (vocabulary_text);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-codes-XXXXXX", &error);
  EngModel *model;

  g_assert_no_error (error);
  append_merges (merges, "Science");
  append_merges (merges, "India");
  append_merges (merges, "Joke");
  checkpoint_write_file (folder, "config.json", config_json, -1);
  checkpoint_write_file (folder, "vocab.json", vocabulary_json, -1);
  checkpoint_write_file (folder, "merges.txt", merges->str, -1);
  model = eng_model_open_untrained (folder, NULL, 1, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return model;
}

/* Of a code that is typed, and of a text without one. */
static void
test_typed (void)
{
  static const struct {
    const char *text;
    int         ids[2];
  } cases[] = { { "Science x", { 2090, 1 } }, { "x Science", { 1, 2090 } }, { "x y", { 1, 0 } } };
  g_autoptr (EngModel) model = open_model (vocabulary);
  EngTokenizeOptions options = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTokens) tokens =
      eng_tokenizer_encode (eng_model_get_tokenizer (model), cases[i].text, NULL, &options, &error);

    g_assert_no_error (error);
    g_assert_cmpint (tokens->n, ==, 2);
    for (int k = 0; k < tokens->n; k++)
      g_assert_cmpint (tokens->ids[k], ==, cases[i].ids[k]);
  }
}

static void
test_list (void)
{
  g_autoptr (EngModel) model = open_model (vocabulary);
  g_autoptr (EngModel) other = open_model ("{'<unk>': 0, 'Science': 2091, 'India': 1330}");
  g_autofree const char **codes = eng_control_codes_list (model);
  g_autofree const char **none = eng_control_codes_list (other);

  g_assert_cmpstr (codes[0], ==, "India");
  g_assert_cmpstr (codes[1], ==, "Science");
  g_assert_null (codes[2]);
  g_assert_null (none[0]);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/control-codes/typed", test_typed);
  g_test_add_func ("/engine/control-codes/list", test_list);

  return g_test_run ();
}
