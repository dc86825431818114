/* SPDX-License-Identifier: MIT */
/* A folder of XLM as the hub has it, from the command line: its words, its languages, and what is
 * said of tokens that are approximate (tests/record/record_xlm_folder.py). */
#include <locale.h>
#include <math.h>

#include "tests/support/checkpoint-folder.h"
#include "tests/support/command-line.h"
#include "tests/support/gzip.h"

#define SENTENCE "The cat <special1> on the mat, didn't it?"
#define TOLERANCE 1e-5

static cJSON *
read_json (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", name, NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  char *text;
  gsize size;
  cJSON *json;

  if (g_str_has_suffix (name, ".gz")) {
    bytes = gzip_read (path);
  } else {
    g_file_get_contents (path, &text, &size, &error);
    g_assert_no_error (error);
    bytes = g_bytes_new_take (text, size);
  }
  json = eng_json_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), 32, name, &error);
  g_assert_no_error (error);

  return json;
}

/* (transfer full) For checkpoint_remove_folder(). */
static char *
make_folder (void)
{
  g_autoptr (cJSON) files = read_json ("bpe/xlm.json.gz");
  g_autofree char *pieces = cJSON_PrintUnformatted (eng_json_find (files, "vocab"));
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "fixtures", "xlm", NULL);
  g_autofree char *config = checkpoint_read_file (source, "config.json", NULL);
  g_autofree char *path = g_build_filename (source, "pytorch_model.bin.gz", NULL);
  g_autoptr (GBytes) weights = gzip_read (path);
  char *folder = g_dir_make_tmp ("headlight-xlm-XXXXXX", NULL);

  checkpoint_write_file (folder, "config.json", config, -1);
  checkpoint_write_file (folder, "vocab.json", pieces, -1);
  checkpoint_write_file (folder, "merges.txt", eng_json_find (files, "merges")->valuestring, -1);
  checkpoint_write_file (folder, "pytorch_model.bin", g_bytes_get_data (weights, NULL),
                         (gssize) g_bytes_get_size (weights));

  return folder;
}

static void
assert_candidates (const cJSON *expected,
                   const cJSON *result)
{
  const cJSON *ids = eng_json_find (expected, "ids");
  const cJSON *probabilities = eng_json_find (expected, "probabilities");
  const cJSON *candidates = eng_json_find (result, "candidates");

  g_assert_cmpint (eng_json_find (result, "position")->valueint, ==,
                   eng_json_find (expected, "position")->valueint);
  g_assert_cmpint (cJSON_GetArraySize (candidates), ==, cJSON_GetArraySize (ids));
  for (int i = 0; i < cJSON_GetArraySize (ids); i++) {
    const cJSON *candidate = cJSON_GetArrayItem (candidates, i);
    double difference = eng_json_find (candidate, "probability")->valuedouble -
                        cJSON_GetArrayItem (probabilities, i)->valuedouble;

    g_assert_cmpint (eng_json_find (candidate, "id")->valueint, ==,
                     cJSON_GetArrayItem (ids, i)->valueint);
    g_assert_cmpfloat (fabs (difference), <, TOLERANCE);
  }
}

static void
test_masks (void)
{
  g_autoptr (cJSON) cases = read_json ("xlm/expected.json");
  g_autofree char *folder = make_folder ();
  const cJSON *entry;

  cJSON_ArrayForEach (entry, cases) {
    const char *lang = cJSON_GetStringValue (eng_json_find (entry, "lang"));
    const cJSON *expected = eng_json_find (entry, "results");
    g_autoptr (GError) error = NULL;
    g_autoptr (cJSON) answer = NULL;
    g_auto (Run) run = { 0 };

    run_headlight (&run, "predict", "--json", "--model", folder,
                   eng_json_find (entry, "text_a")->valuestring,
                   eng_json_find (entry, "text_b")->valuestring, lang ? "--lang" : NULL, lang, NULL);
    g_assert_cmpint (run.status, ==, 0);
    answer = eng_json_parse (run.out, strlen (run.out), 32, "stdout", &error);
    g_assert_no_error (error);
    g_assert_cmpint (cJSON_GetArraySize (eng_json_find (answer, "results")), ==,
                     cJSON_GetArraySize (expected));
    for (int i = 0; i < cJSON_GetArraySize (expected); i++)
      assert_candidates (cJSON_GetArrayItem (expected, i),
                         cJSON_GetArrayItem (eng_json_find (answer, "results"), i));
  }
  checkpoint_remove_folder (folder);
}

/* Words of another language than English, unless they stand apart. */
static void
test_doubt (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "trace.safetensors", NULL);
  g_auto (Run) none = { 0 };
  g_auto (Run) english = { 0 };
  g_auto (Run) french = { 0 };
  g_auto (Run) apart = { 0 };
  g_auto (Run) pair = { 0 };
  g_auto (Run) absent = { 0 };

  run_headlight (&none, "predict", "--model", folder, SENTENCE, NULL);
  assert_done (&none);
  run_headlight (&english, "tokenize", "--model", folder, "--lang", "english", SENTENCE, NULL);
  assert_done (&english);
  run_headlight (&french, "trace", "--model", folder, "--lang", "fr", "-o", path, SENTENCE, NULL);
  g_assert_cmpint (french.status, ==, 0);
  g_assert_cmpstr (french.err, ==,
                   "headlight trace: tokens are approximate: words were cut as in English, not as "
                   "in French; where spaces stand between all words and signs they are exact\n");
  run_headlight (&apart, "trace", "--model", folder, "--lang", "fr", "-o", path,
                 "The cat sat on the mat .", NULL);
  assert_done (&apart);
  run_headlight (&pair, "predict", "--model", folder, "--lang", "en:Chinese", SENTENCE, "a", NULL);
  g_assert_nonnull (strstr (pair.err, "not as in Chinese"));
  run_headlight (&absent, "predict", "--model", folder, "--lang", "de", SENTENCE, NULL);
  assert_refused (&absent, 1, "has no language “de”, it has en, zh, fr");
  checkpoint_remove_folder (folder);
}

/* One line's loss: that of masked words hangs on the language that they are said to be of. */
static double
evaluate (const char *folder,
          const char *data,
          const char *lang)
{
  g_auto (Run) run = { 0 };
  g_autoptr (cJSON) answer = NULL;

  run_headlight (&run, "evaluate", "--json", "--task", "masked", "--seed", "3", "--model", folder,
                 "--data", data, lang ? "--lang" : NULL, lang, NULL);
  assert_done (&run);
  answer = cJSON_Parse (run.out);

  return eng_json_find (answer, "loss")->valuedouble;
}

static void
test_evaluate (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *data = g_build_filename (folder, "texts.txt", NULL);
  g_auto (Run) absent = { 0 };
  double none, french;

  g_assert_true (g_file_set_contents (data, SENTENCE "\n", -1, NULL));
  none = evaluate (folder, data, NULL);
  french = evaluate (folder, data, "fr");
  g_assert_cmpfloat (fabs (french - none), >, 1e-4);
  g_assert_cmpfloat (evaluate (folder, data, "French"), ==, french);
  run_headlight (&absent, "evaluate", "--task", "masked", "--model", folder, "--data", data,
                 "--lang", "de", NULL);
  assert_refused (&absent, 1, "has no language “de”, it has en, zh, fr");
  checkpoint_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_assert_nonnull (g_getenv ("HEADLIGHT_PROGRAM"));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/cli-xlm/masks", test_masks);
  g_test_add_func ("/app/cli-xlm/doubt", test_doubt);
  g_test_add_func ("/app/cli-xlm/evaluate", test_evaluate);

  return g_test_run ();
}
