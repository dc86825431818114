/* SPDX-License-Identifier: MIT */
#include "engine/writing/control-codes.h"

#include "tests/support/untrained.h"

#include <locale.h>

static EngModel *
open_model (const char *vocabulary)
{
  char *folder = control_code_folder_new (vocabulary);
  g_autoptr (GError) error = NULL;
  EngModel *model = eng_model_open_untrained (folder, NULL, 1, &error);

  g_assert_no_error (error);
  temporary_free (folder);

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
  g_autoptr (EngModel) model = open_model (CONTROL_CODE_VOCABULARY);
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
  g_autoptr (EngModel) model = open_model (CONTROL_CODE_VOCABULARY);
  g_autoptr (EngModel) other = open_model ("{'<unk>': 0, 'Science': 2091, 'India': 1330}");
  g_autofree const char **codes = eng_control_codes_list (model);
  g_autofree const char **none = eng_control_codes_list (other);

  g_assert_cmpstr (codes[0], ==, "India");
  g_assert_cmpstr (codes[1], ==, "Science");
  g_assert_null (codes[2]);
  g_assert_null (none[0]);
}

/* What stands before a text: a code is a word of its own, other words are as they are. */
static void
test_before (void)
{
  static const struct {
    const char *prefix;
    const char *spelt;
  } cases[] = {
    { "Science", "Science " }, { "Science ", "Science " }, { "science", "science" },
    { "2090", "Science " }, { "1331", "India " }, { "02090", "02090" }, { "2091", "2091" },
    { "163509", "163509" }, { "Joke", "Joke" }, { "India x", "India x" }, { "", "" },
  };
  g_autoptr (EngModel) model = open_model (CONTROL_CODE_VOCABULARY);
  g_autofree char *nothing = eng_control_codes_spell_prefix (model, NULL);

  g_assert_null (nothing);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *spelt = eng_control_codes_spell_prefix (model, cases[i].prefix);

    g_assert_cmpstr (spelt, ==, cases[i].spelt);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/control-codes/typed", test_typed);
  g_test_add_func ("/engine/control-codes/list", test_list);
  g_test_add_func ("/engine/control-codes/before", test_before);

  return g_test_run ();
}
