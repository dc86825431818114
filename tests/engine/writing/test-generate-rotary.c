/* SPDX-License-Identifier: MIT */
/* Texts that are written where the angles of rotary positions hang on the length of the text, token
 * by token as transformers writes them: record_rotary_writing.py. */
#include <locale.h>

#include "engine/writing/generate.h"
#include "tests/support/specimen.h"

static EngTokens *
tokens_new (const cJSON *ids)
{
  EngTokens *tokens = eng_tokens_new (cJSON_GetArraySize (ids));
  const cJSON *id;
  int i = 0;

  cJSON_ArrayForEach (id, ids) {
    tokens->ids[i] = id->valueint;
    tokens->texts[i++] = g_strdup_printf ("%d", id->valueint);
  }

  return tokens;
}

static EngGenerations *
parse_settings (const cJSON *settings)
{
  char *text = cJSON_PrintUnformatted (settings);
  g_autoptr (GError) error = NULL;
  EngGenerations *generations = eng_generations_parse ("{}", 2, text, strlen (text), &error);

  g_assert_no_error (error);
  cJSON_free (text);

  return generations;
}

static void
check (EngModel    *model,
       const cJSON *record)
{
  g_autoptr (EngTokens) prompt = tokens_new (eng_json_find (record, "prompt"));
  g_autoptr (EngTokens) expected = tokens_new (eng_json_find (record, "ids"));
  g_autoptr (EngGenerations) settings = parse_settings (eng_json_find (record, "settings"));
  EngInputs inputs = { .tokens = prompt };
  g_autoptr (GError) error = NULL;
  g_autoptr (EngGenerator) generator =
    eng_generator_new (model, &inputs, NULL, 0, settings->general, 0, NULL, &error);
  const gint32 *ids;
  int n;

  g_assert_no_error (error);
  while (!eng_generator_is_done (generator)) {
    eng_generator_step (generator, &error);
    g_assert_no_error (error);
  }
  ids = eng_generator_get_ids (generator, &n);
  g_assert_cmpint (n, ==, expected->n);
  for (int i = 0; i < n; i++)
    if (ids[i] != expected->ids[i])
      g_error ("behind %d tokens: token %d is %d, expected %d", prompt->n, i, ids[i],
               expected->ids[i]);
}

static void
test_written (gconstpointer name)
{
  g_autoptr (GBytes) bytes = gzip_read_fixture ("generate/rotary.json.gz");
  g_autoptr (EngConfig) config = specimen_read_config (name);
  g_autoptr (EngTensorSet) weights = specimen_open_weights (name);
  g_autoptr (EngModel) model = specimen_make_model (config, weights);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) records = eng_json_parse (g_bytes_get_data (bytes, NULL),
                                              g_bytes_get_size (bytes), 8, "rotary.json", &error);
  const cJSON *record;
  int n = 0;

  g_assert_no_error (error);
  cJSON_ArrayForEach (record, records)
    if (g_str_equal (eng_json_find (record, "specimen")->valuestring, name)) {
      check (model, record);
      n++;
    }
  g_assert_cmpint (n, >=, 8);
}

int
main (int    argc,
      char **argv)
{
  static const char *const names[] = {
    "gpt-neox-dynamic", "llama-dynamic", "llama-long", "mistral-long", "phi3-long", "qwen2-long",
  };

  g_assert_nonnull (setlocale (LC_ALL, ""));
  /* What was written is of the specimens that lie beside it. */
  g_unsetenv ("HEADLIGHT_FAMILIES");
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_strconcat ("/generate-rotary/", names[i], NULL);

    g_test_add_data_func (path, names[i], test_written);
  }

  return g_test_run ();
}
