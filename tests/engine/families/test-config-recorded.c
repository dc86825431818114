/* SPDX-License-Identifier: MIT */
/* What config.json means, as it was recorded from transformers, and those of published models. */
#include "engine/families/config.h"

#include "engine/spec/positions.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static EngConfig *
parse_or_fail (const char *json)
{
  g_autoptr (GError) error = NULL;
  EngConfig *config = eng_config_parse (json, strlen (json), "config.json", NULL, &error);

  g_assert_no_error (error);

  return config;
}

/* A config that says next to nothing means what transformers has recorded of it
 * (tests/record/record_decoders.py, record_encoders.py and record_gpts.py). */
static void
test_defaults (gconstpointer name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) cases = eng_json_read (path, 1 << 20, 32, &error);
  const cJSON *item;

  g_assert_no_error (error);
  cJSON_ArrayForEach (item, cases) {
    char *said_text = cJSON_PrintUnformatted (eng_json_find (item, "said"));
    char *meant_text = cJSON_PrintUnformatted (eng_json_find (item, "meant"));
    g_autoptr (EngConfig) said = parse_or_fail (said_text);
    g_autoptr (EngConfig) meant = parse_or_fail (meant_text);
    EngKind absent;

    g_test_message ("%s", said_text);
    /* A stack that is not there may have heard of the activation. */
    absent = eng_spec_get_first_kind (&said->spec) == ENG_KIND_ENCODER ? ENG_KIND_DECODER
                                                                       : ENG_KIND_ENCODER;
    meant->spec.stacks[absent] = said->spec.stacks[absent];
    g_assert_cmpmem (&said->spec, sizeof (EngSpec), &meant->spec, sizeof (EngSpec));
    g_assert_cmpint (said->tied, ==, meant->tied);
    g_assert_cmpfloat (said->logits_scale, ==, meant->logits_scale);
    g_assert_cmpfloat (said->logits_soft_cap, ==, meant->logits_soft_cap);
    g_assert_cmpint (said->head_activation, ==, meant->head_activation);
    g_assert_cmpint (said->head_input, ==, meant->head_input);
    cJSON_free (said_text);
    cJSON_free (meant_text);
  }
}

/* Sinusoids of single precision as tests/record/record_gpts.py recorded them. */
static void
test_sinusoids (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "ctrl-sinusoids.json",
                                                 NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) recorded = eng_json_read (path, 1 << 20, 32, &error);
  const cJSON *row, *item;
  int n_columns = eng_json_find (recorded, "columns")->valueint;
  g_autofree float *table = g_new (float, 512 * (gsize) n_columns);

  g_assert_no_error (error);
  eng_positions_fill_sinusoid (ENG_SINUSOID_SINGLE, 0, 512, n_columns, table);
  cJSON_ArrayForEach (row, eng_json_find (recorded, "rows")) {
    const float *ours = table + (gsize) atoi (row->string) * n_columns;
    int column = 0;

    cJSON_ArrayForEach (item, row) {
      g_assert_cmpfloat_with_epsilon (ours[column], item->valuedouble, 1e-5);
      column += 5;
    }
    g_assert_cmpint (column, ==, n_columns);
  }
}

/* Published files of all families: those that we run give their known sizes, the others are refused
 * by name. */
static void
test_published (void)
{
  static const struct {
    const char *file;
    int         n_layers;
    int         n_heads;
    int         hidden_size;
    const char *refused_as;
  } cases[] = {
    { "bert-base-uncased", 12, 12, 768, NULL },
    { "all-MiniLM-L6-v2", 6, 12, 384, NULL },
    { "distilbert-base-uncased", 6, 12, 768, NULL },
    { "xlm-roberta-base", 12, 12, 768, NULL },
    { "gpt2", 12, 12, 768, NULL },
    { "electra-small-discriminator", 12, 4, 256, NULL },
    { "albert-base-v2", 12, 12, 768, NULL },
    { "deberta-base", 12, 12, 768, NULL },
    { "gpt-neo-125M", 12, 12, 768, NULL },
    { "t5-small", 6, 8, 512, NULL },
    { "bart-base", 6, 12, 768, NULL },
    { "opus-mt-en-fr", 6, 8, 512, NULL },
  };
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *folder = g_build_filename (shared ? shared : "../shared", "data", "configs",
                                              NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    g_test_skip ("no ../shared/data/configs");
    return;
  }

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strdup_printf ("%s/%s.json", folder, cases[i].file);
    g_autofree char *text = NULL;
    g_autoptr (EngConfig) config = NULL;
    g_autoptr (GError) error = NULL;
    EngKind kind;

    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    config = eng_config_parse (text, strlen (text), "config.json", NULL, &error);
    if (cases[i].refused_as) {
      g_autofree char *quoted = g_strdup_printf ("\"%s\"", cases[i].refused_as);

      g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, quoted));
      continue;
    }
    g_assert_no_error (error);
    kind = eng_spec_get_first_kind (&config->spec);
    g_assert_cmpint (config->spec.stacks[kind].n_layers, ==, cases[i].n_layers);
    g_assert_cmpint (config->spec.stacks[kind].sorts[0].self.n_heads, ==, cases[i].n_heads);
    g_assert_cmpint (config->spec.hidden_size, ==, cases[i].hidden_size);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/engine/config-recorded/decoders", "decoder-defaults.json",
                        test_defaults);
  g_test_add_data_func ("/engine/config-recorded/encoders", "encoder-defaults.json",
                        test_defaults);
  g_test_add_data_func ("/engine/config-recorded/gpts", "gpt-defaults.json",
                        test_defaults);
  g_test_add_func ("/engine/config-recorded/published", test_published);
  g_test_add_func ("/engine/config-recorded/sinusoids", test_sinusoids);

  return g_test_run ();
}
