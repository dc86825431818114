/* SPDX-License-Identifier: MIT */
/* What models of two stacks write, against what tests/record/record_seq2seq.py recorded of
 * transformers: greedy and by beams, with raised ends, forced and banned tokens. */
#include "engine/writing/generate.h"

#include "engine/base/json.h"
#include "tests/support/seq2seq.h"

#include <string.h>

#define MAX_BYTES (1 << 20)

static const char *const names[] = {
  "t5-tied", "t5-gated", "t5-scaled-silu", "t5-start", "bart-base", "bart-scaled", "bart-untied",
  "marian-shared", "marian-untied", "marian-apart", "m2m-tied", "m2m-odd", "m2m-base",
  "mbart-tied", "mbart-untied", "pegasus-computed", "pegasus-stored",
};

static char *
print_list (const cJSON *list)
{
  GString *text = g_string_new (NULL);
  const cJSON *item;

  cJSON_ArrayForEach (item, list)
    g_string_append_printf (text, "%s%d", text->len > 0 ? " " : "", item->valueint);

  return g_string_free (text, FALSE);
}

static EngGenerations *
parse_options (const cJSON *options)
{
  g_autoptr (GError) error = NULL;
  char *text = cJSON_PrintUnformatted (options);
  EngGenerations *generations = eng_generations_parse ("{}", 2, text, strlen (text), &error);

  g_assert_no_error (error);
  cJSON_free (text);

  return generations;
}

/* The decoder's tokens, those at the beginning first. */
static char *
write_text (EngModel            *model,
            const EngInputs     *inputs,
            const EngGeneration *settings)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngGenerator) generator =
    eng_generator_new (model, inputs, NULL, 0, settings, 0, NULL, &error);
  GString *text = g_string_new (NULL);
  const gint32 *ids;
  int n;

  g_assert_no_error (error);
  while (!eng_generator_is_done (generator)) {
    eng_generator_step (generator, &error);
    g_assert_no_error (error);
  }

  g_assert_cmpint (inputs->decoder_tokens->n, ==, 1);
  g_string_append_printf (text, "%d", inputs->decoder_tokens->ids[0]);
  ids = eng_generator_get_ids (generator, &n);
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, " %d", ids[i]);

  return g_string_free (text, FALSE);
}

static void
compare (EngModel    *model,
         const cJSON *record)
{
  g_autofree char *input = print_list (eng_json_find (record, "input"));
  g_autofree char *output = print_list (eng_json_find (record, "output"));
  g_autoptr (EngGenerations) generations = parse_options (eng_json_find (record, "options"));
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  /* Padding is not read, whether it is there or not. */
  for (int pad_to = 0; pad_to <= 16; pad_to += 16) {
    EngTextOptions options = { .pad_to = pad_to };
    g_auto (EngInputs) inputs = { 0 };

    eng_inputs_from_texts (model, input, NULL, &options, &inputs, &error);
    g_assert_no_error (error);
    g_free (text);
    text = write_text (model, &inputs, generations->general);
    if (strcmp (text, output) != 0) {
      char *settings = cJSON_PrintUnformatted (record);

      g_test_message ("%s", settings);
      cJSON_free (settings);
    }
    g_assert_cmpstr (text, ==, output);
  }
}

static void
test_record (gconstpointer data)
{
  g_autofree char *folder = seq2seq_get_folder (data);
  g_autofree char *path = g_build_filename (folder, "generate.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) records = eng_json_read (path, MAX_BYTES, 16, &error);
  g_autoptr (EngModel) model = NULL;
  const cJSON *record;
  int n = 0;

  g_assert_no_error (error);
  model = seq2seq_open (data);
  cJSON_ArrayForEach (record, records) {
    compare (model, record);
    n++;
  }
  g_test_message ("%d texts", n);
  g_assert_cmpint (n, >=, 5);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_strdup_printf ("/generate-seq2seq/%s", names[i]);

    g_test_add_data_func (path, names[i], test_record);
  }

  return g_test_run ();
}
