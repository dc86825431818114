/* SPDX-License-Identifier: MIT */
/* Models of a config alone, whose weights are made up. */
#include "engine/transformer/inputs.h"
#include "engine/transformer/model-private.h"
#include "engine/transformer/session.h"
#include "tests/support/checkpoint-folder.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static EngModel *
open_or_fail (const char *folder,
              guint32     seed)
{
  g_autoptr (GError) error = NULL;
  EngModel *model = eng_model_open_untrained (folder, NULL, seed, &error);

  g_assert_no_error (error);

  return model;
}

/* A new folder with the bundled model's config, and other files of it. */
static char *
copy_bundled (const char *first_file,
              const char *second_file)
{
  const char *const names[] = { "config.json", first_file, second_file };
  g_autofree char *source = checkpoint_get_bundled ();
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headlight-untrained-XXXXXX", &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i]) {
      gsize size;
      g_autofree char *bytes = checkpoint_read_file (source, names[i], &size);

      checkpoint_write_file (folder, names[i], bytes, (gssize) size);
    }

  return folder;
}

static void
assert_all (const float *numbers,
            int          n,
            float        expected)
{
  for (int i = 0; i < n; i++)
    g_assert_cmpfloat (numbers[i], ==, expected);
}

/* The config alone tells everything but numbers and words. */
static void
test_config_alone (void)
{
  g_autofree char *folder = copy_bundled (NULL, NULL);
  g_autofree char *original = checkpoint_get_bundled ();
  g_autoptr (EngModel) model = open_or_fail (folder, 1);
  g_autoptr (EngModel) trained = eng_model_open (original, NULL, NULL);
  g_autoptr (GError) error = NULL;
  const EngModelInfo *info = eng_model_get_info (model);
  const EngModelInfo *other = eng_model_get_info (trained);

  g_assert_true (info->untrained);
  g_assert_false (other->untrained);
  g_assert_true (g_str_has_suffix (info->name, ", untrained, seed 1"));
  g_assert_null (eng_model_get_tokenizer (model));
  g_assert_null (info->weights_file);
  g_assert_cmpint (info->weights_bytes, ==, 0);
  g_assert_cmpint (info->n_parameters, ==, 8604418);
  g_assert_cmpint (info->tasks, ==, other->tasks);
  g_assert_cmpint (info->n_layers, ==, 6);
  g_assert_cmpstr (eng_model_get_label (model, ENG_TASK_NEXT_SENTENCE, 1), ==, "different");
  g_assert_false (eng_model_has_weights (folder));
  g_assert_null (eng_model_open (folder, NULL, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  checkpoint_remove_folder (folder);
}

/* As BERT begins its training: a normal distribution of deviation 0.02,
 * norms that do nothing, no biases. */
static void
test_distribution (void)
{
  g_autofree char *folder = copy_bundled (NULL, NULL);
  g_autoptr (EngModel) model = open_or_fail (folder, 3);
  const EngStackWeights *weights = &eng_model_get_weights (model)->stacks[ENG_KIND_ENCODER];
  const EngLayerWeights *layer = &weights->layers[5];
  const int n = 8192 * 288;
  double sum = 0, squares = 0;
  int n_near = 0;

  for (int i = 0; i < n; i++) {
    sum += weights->word[i];
    squares += (double) weights->word[i] * weights->word[i];
    n_near += fabsf (weights->word[i]) < 0.02f;
  }
  g_assert_cmpfloat_with_epsilon (sum / n, 0, 1e-4);
  g_assert_cmpfloat_with_epsilon (sqrt (squares / n), 0.02, 1e-4);
  g_assert_cmpfloat_with_epsilon ((double) n_near / n, 0.6827, 2e-3);
  assert_all (layer->self.norm.weight, 288, 1);
  assert_all (layer->self.norm.bias, 288, 0);
  assert_all (layer->up.bias, layer->up.out, 0);
  g_assert_cmpfloat (layer->self.query.weight[0], !=, layer->self.key.weight[0]);
  g_assert_cmpfloat (layer->self.query.weight[0], !=, weights->layers[4].self.query.weight[0]);
  checkpoint_remove_folder (folder);
}

static EngTrace *
run (EngModel *model)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;
  EngRunRequest request = { 0 };
  EngTrace *trace;

  g_assert_true (eng_inputs_from_texts (model, "17 4 800", NULL, NULL, &inputs, &error));
  g_assert_no_error (error);
  request.tokens = inputs.tokens;
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);

  return trace;
}

/* The seed says it all, also on another day. */
static void
test_seed (void)
{
  g_autofree char *folder = copy_bundled (NULL, NULL);
  g_autoptr (EngModel) model = open_or_fail (folder, 7);
  g_autoptr (EngModel) again = open_or_fail (folder, 7);
  g_autoptr (EngModel) other = open_or_fail (folder, 8);
  g_autoptr (EngTrace) first = run (model);
  g_autoptr (EngTrace) second = run (again);
  g_autoptr (EngTrace) third = run (other);
  EngMatrix x, y, z;
  gsize size;

  g_assert_true (eng_trace_get_hidden_states (first, ENG_KIND_ENCODER, 6, &x));
  g_assert_true (eng_trace_get_hidden_states (second, ENG_KIND_ENCODER, 6, &y));
  g_assert_true (eng_trace_get_hidden_states (third, ENG_KIND_ENCODER, 6, &z));
  size = sizeof (float) * x.rows * x.cols;
  g_assert_cmpint (x.rows, ==, 3);
  g_assert_cmpmem (x.data, size, y.data, size);
  g_assert_true (memcmp (x.data, z.data, size) != 0);
  checkpoint_remove_folder (folder);
}

/* With a tokenizer its texts are words; one that cannot be read is no missing one. */
static void
test_tokenizer (void)
{
  g_autofree char *folder = copy_bundled ("tokenizer.json", "tokenizer_config.json");
  g_autoptr (EngModel) model = open_or_fail (folder, 1);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (eng_model_get_tokenizer (model));
  g_assert_true (eng_inputs_from_texts (model, "the cat", NULL, NULL, &inputs, NULL));
  g_assert_cmpstr (inputs.tokens->texts[0], ==, "[CLS]");

  checkpoint_write_file (folder, "tokenizer.json", "{", -1);
  g_assert_null (eng_model_open_untrained (folder, NULL, 1, &error));
  g_assert_nonnull (error);
  g_assert_false (g_error_matches (error, ENG_ERROR, ENG_ERROR_MISSING));

  /* Its merges are missing, so it is broken: the texts do not turn into ids. */
  checkpoint_remove_file (folder, "tokenizer.json");
  checkpoint_write_file (folder, "vocab.json", "{\"a\": 0}", -1);
  g_clear_error (&error);
  g_assert_null (eng_model_open_untrained (folder, NULL, 1, &error));
  g_assert_nonnull (error);
  checkpoint_remove_folder (folder);
}

/* Heads are those of the class that the config names. */
static void
test_heads_of_class (void)
{
  static const struct {
    const char *class_name;
    guint       tasks;
  } cases[] = {
    { "BertModel", 0 },
    { "BertForMaskedLM", 1u << ENG_TASK_FILL_MASK },
    { "BertForPreTraining", 1u << ENG_TASK_FILL_MASK | 1u << ENG_TASK_NEXT_SENTENCE },
    { "BertForNextSentencePrediction", 1u << ENG_TASK_NEXT_SENTENCE },
    { "BertForSequenceClassification", 1u << ENG_TASK_TEXT_CLASSIFICATION },
    { "BertForTokenClassification", 1u << ENG_TASK_ENTITIES },
    { "BertForQuestionAnswering", 1u << ENG_TASK_QUESTION_ANSWERING },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = copy_bundled (NULL, NULL);
    g_autofree char *text = checkpoint_read_file (folder, "config.json", NULL);
    g_autoptr (GString) config = g_string_new (text);
    g_autoptr (EngModel) model = NULL;

    g_string_replace (config, "BertForPreTraining", cases[i].class_name, 1);
    g_string_replace (config, "\"0\": \"same\"", "\"0\": \"same\", \"2\": \"third\"", 1);
    checkpoint_write_file (folder, "config.json", config->str, -1);
    model = open_or_fail (folder, 1);
    g_assert_cmphex (eng_model_get_info (model)->tasks, ==, cases[i].tasks);
    if (cases[i].tasks == 1u << ENG_TASK_ENTITIES)
      g_assert_cmpstr (eng_model_get_label (model, ENG_TASK_ENTITIES, 2), ==, "third");
    checkpoint_remove_folder (folder);
  }
}

/* There is no tensor whose name could tell the family. */
static void
test_no_family (void)
{
  g_autofree char *folder = copy_bundled (NULL, NULL);
  g_autoptr (GError) error = NULL;

  checkpoint_write_file (folder, "config.json", "{\"hidden_size\": 8}", -1);
  g_assert_null (eng_model_open_untrained (folder, NULL, 1, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "states neither model_type nor architectures"));
  checkpoint_remove_folder (folder);
}

static void
test_no_config (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = copy_bundled (NULL, NULL);

  checkpoint_remove_file (folder, "config.json");
  g_assert_null (eng_model_open_untrained (folder, NULL, 1, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  checkpoint_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/untrained/config-alone", test_config_alone);
  g_test_add_func ("/engine/untrained/distribution", test_distribution);
  g_test_add_func ("/engine/untrained/seed", test_seed);
  g_test_add_func ("/engine/untrained/tokenizer", test_tokenizer);
  g_test_add_func ("/engine/untrained/heads-of-class", test_heads_of_class);
  g_test_add_func ("/engine/untrained/no-family", test_no_family);
  g_test_add_func ("/engine/untrained/no-config", test_no_config);

  return g_test_run ();
}
