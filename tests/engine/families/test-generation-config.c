/* SPDX-License-Identifier: MIT */
#include "engine/families/generation-config.h"

#include "engine/writing/generate.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/json-text.h"

#include <string.h>

/* Texts here have ' for ", which C would want escaped; generation is nullable. */
static EngGenerations *
parse (const char  *config,
       const char  *generation,
       GError     **error)
{
  g_autofree char *first = json_text (config);
  g_autofree char *second = generation ? json_text (generation) : NULL;

  return eng_generations_parse (first, strlen (first), second, second ? strlen (second) : 0, error);
}

static EngGenerations *
parse_or_fail (const char *config,
               const char *generation)
{
  g_autoptr (GError) error = NULL;
  EngGenerations *generations = parse (config, generation, &error);

  g_assert_no_error (error);

  return generations;
}

static void
assert_ids (const GArray *ids,
            int           n,
            gint32        first,
            gint32        last)
{
  g_assert_nonnull (ids);
  g_assert_cmpint (ids->len, ==, n);
  g_assert_cmpint (g_array_index (ids, gint32, 0), ==, first);
  g_assert_cmpint (g_array_index (ids, gint32, n - 1), ==, last);
}

/* Numbers from GenerationConfig of transformers 5.23. */
static void
test_defaults (void)
{
  g_autoptr (EngGenerations) generations = parse_or_fail ("{'model_type': 'gpt2'}", NULL);
  const EngGeneration *settings = eng_generations_find (generations, NULL);

  g_assert_cmpint (settings->max_length, ==, 0);
  g_assert_cmpint (settings->max_new_tokens, ==, 0);
  g_assert_cmpint (settings->min_length, ==, 0);
  g_assert_cmpint (settings->n_beams, ==, 1);
  g_assert_false (settings->sample);
  g_assert_cmpfloat (settings->temperature, ==, 1);
  g_assert_cmpint (settings->top_k, ==, 50);
  g_assert_cmpfloat (settings->top_p, ==, 1);
  g_assert_cmpfloat (settings->length_penalty, ==, 1);
  g_assert_cmpfloat (settings->repetition_penalty, ==, 1);
  g_assert_cmpint (settings->early_stopping, ==, ENG_EARLY_STOPPING_HEURISTIC);
  g_assert_cmpint (settings->forced_first_id, ==, -1);
  g_assert_null (settings->end_ids);
  g_assert_null (settings->unsupported);
  g_assert_cmpint (generations->tasks->len, ==, 0);
}

/* The hub's opus-mt-en-de and a few keys more. */
static void
test_values (void)
{
  g_autoptr (EngGenerations) generations = parse_or_fail ("{}",
    "{'bad_words_ids': [[58100], [3, 4]], 'bos_token_id': 0, 'decoder_start_token_id': 58100,"
    " 'eos_token_id': [0, 7], 'forced_eos_token_id': 0, 'max_length': 512, 'num_beams': 6,"
    " 'pad_token_id': 58100, 'renormalize_logits': true, 'transformers_version': '4.32.0',"
    " 'early_stopping': 'never', 'length_penalty': 0.6, 'temperature': 1e-1, 'top_p': 0.25,"
    " 'suppress_tokens': [5, -1, 6], 'num_beam_groups': 1, 'typical_p': 1.0, 'top_k': null,"
    " 'begin_suppress_tokens': [], 'do_sample': false, 'output_scores': true}");
  const EngGeneration *settings = eng_generations_find (generations, NULL);
  g_autoptr (EngGeneration) copy = eng_generation_copy (settings);

  g_clear_pointer (&generations, eng_generations_free);
  assert_ids (copy->end_ids, 2, 0, 7);
  assert_ids (copy->forced_end_ids, 1, 0, 0);
  assert_ids (copy->suppressed_ids, 2, 5, 6);
  g_assert_cmpint (copy->suppressed_first_ids->len, ==, 0);
  g_assert_cmpint (copy->banned->len, ==, 2);
  assert_ids (g_ptr_array_index (copy->banned, 0), 1, 58100, 58100);
  assert_ids (g_ptr_array_index (copy->banned, 1), 2, 3, 4);
  g_assert_cmpint (copy->start_id, ==, 58100);
  g_assert_cmpint (copy->max_length, ==, 512);
  g_assert_cmpint (copy->n_beams, ==, 6);
  g_assert_true (copy->renormalise);
  g_assert_cmpint (copy->early_stopping, ==, ENG_EARLY_STOPPING_NEVER);
  g_assert_cmpfloat (copy->length_penalty, ==, 0.6);
  g_assert_cmpfloat (copy->temperature, ==, 0.1);
  g_assert_cmpfloat (copy->top_p, ==, 0.25);
  g_assert_cmpint (copy->top_k, ==, 50);
  g_assert_null (copy->unsupported);
  g_assert_null (copy->unsupported_sampling);
}

/* As config.json of t5-small has it. */
static void
test_tasks (void)
{
  g_autoptr (EngGenerations) generations = parse_or_fail (
    "{'eos_token_id': 1, 'max_length': 33, 'task_specific_params': {"
    "'summarization': {'early_stopping': true, 'length_penalty': 2.0, 'max_length': 200,"
    " 'min_length': 30, 'no_repeat_ngram_size': 3, 'num_beams': 4, 'prefix': 'summarize: '},"
    " 'translation_en_to_de': {'num_beams': 2, 'prefix': 'translate English to German: '}}}", NULL);
  const EngGeneration *general = eng_generations_find (generations, NULL);
  const EngGeneration *summary = eng_generations_find (generations, "summarization");
  const EngGeneration *german = eng_generations_find (generations, "translation_en_to_de");

  g_assert_null (eng_generations_find (generations, "translation_en_to_ro"));
  g_assert_cmpint (generations->task_names->len, ==, 2);
  g_assert_cmpstr (g_ptr_array_index (generations->task_names, 1), ==, "translation_en_to_de");

  g_assert_null (general->prefix);
  g_assert_cmpint (general->n_beams, ==, 1);
  g_assert_cmpstr (summary->prefix, ==, "summarize: ");
  g_assert_cmpint (summary->max_length, ==, 200);
  g_assert_cmpint (summary->min_length, ==, 30);
  g_assert_cmpint (summary->no_repeat_ngram_size, ==, 3);
  g_assert_cmpint (summary->early_stopping, ==, ENG_EARLY_STOPPING_AT_ONCE);
  assert_ids (summary->end_ids, 1, 1, 1);
  g_assert_cmpstr (german->prefix, ==, "translate English to German: ");
  g_assert_cmpint (german->max_length, ==, 33);
  g_assert_cmpint (german->n_beams, ==, 2);
}

static void
check_refused (const char *config,
               const char *generation,
               const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (parse (config, generation, &error));
  g_test_message ("%s", error->message);
  g_assert_cmpuint (error->domain, ==, ENG_ERROR);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
test_refusals (void)
{
  check_refused ("[]", NULL, "config.json: expected an object");
  check_refused ("{}", "[]", "generation_config.json: expected an object");
  check_refused ("{'max_length': 0}", NULL, "config.json: max_length is 0");
  check_refused ("{}", "{'num_beams': 65}", "generation_config.json: num_beams is 65");
  check_refused ("{}", "{'top_p': 1.5}", "top_p is 1.5, expected from 0 to 1");
  check_refused ("{}", "{'temperature': 'hot'}", "temperature is \"hot\"");
  check_refused ("{}", "{'do_sample': 1}", "do_sample is 1");
  check_refused ("{}", "{'early_stopping': 'always'}", "early_stopping");
  check_refused ("{}", "{'eos_token_id': 1.5}", "eos_token_id");
  check_refused ("{}", "{'eos_token_id': [1, 'a']}", "eos_token_id");
  check_refused ("{}", "{'bad_words_ids': [1]}", "bad_words_ids");
  check_refused ("{}", "{'bad_words_ids': [[1], []]}", "bad_words_ids");
  check_refused ("{}", "{'repetition_penalty': 0}", "repetition_penalty is 0");
  check_refused ("{'task_specific_params': 3}", "{}", "task_specific_params is no object");
  check_refused ("{'task_specific_params': {'a': {'num_beams': 0}}}", "{}",
                 "config.json: task_specific_params: a: num_beams is 0");
}

static void
test_unsupported (void)
{
  g_autoptr (EngGenerations) generations =
    parse_or_fail ("{'penalty_alpha': 0.6}", "{'num_beam_groups': 2, 'eta_cutoff': 3e-4}");

  g_assert_cmpstr (generations->general->unsupported, ==,
                   "generation_config.json: num_beam_groups changes the text in a way that is not "
                   "supported");
  g_assert_nonnull (strstr (generations->general->unsupported_sampling, "eta_cutoff"));
}

/* A checkpoint with a generation_config.json of this text. */
static EngModel *
open_with (const char *generation)
{
  static const char *const files[] = { "config.json", "vocab.txt", "model.safetensors" };
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "fixtures", "generate", "gpt2",
                                                   NULL);
  g_autofree char *text = json_text (generation);
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;
  EngModel *model;

  folder = g_dir_make_tmp ("headlight-generation-XXXXXX", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    gsize size;
    g_autofree char *bytes = checkpoint_read_file (source, files[i], &size);

    checkpoint_write_file (folder, files[i], bytes, (gssize) size);
  }
  checkpoint_write_file (folder, "generation_config.json", text, -1);
  model = eng_model_open (folder, NULL, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return model;
}

/* Settings that cannot be spoil the writing and nothing else. */
static void
test_model (void)
{
  g_autoptr (EngModel) model = open_with ("{'max_new_tokens': 5, 'eos_token_id': 9}");
  g_autoptr (EngModel) broken = open_with ("{'max_new_tokens': -5}");
  g_autoptr (EngModel) lost = open_with ("{'decoder_start_token_id': 61}");
  g_autoptr (GError) error = NULL;
  const EngGenerations *generations = eng_model_get_generations (model, &error);

  g_assert_no_error (error);
  g_assert_cmpint (generations->general->max_new_tokens, ==, 5);

  g_assert_null (eng_model_get_generations (broken, NULL));
  g_assert_null (eng_model_get_generations (broken, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
  g_assert_nonnull (strstr (error->message, "generation_config.json: max_new_tokens is -5"));
  g_clear_error (&error);

  g_assert_null (eng_model_get_generations (lost, &error));
  g_assert_nonnull (strstr (error->message, "decoder_start_token_id is 61"));
}

static int
count_tokens (EngModel   *model,
              const char *text,
              int         max_length)
{
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngGenerator) generator = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (EngInputs) inputs = { 0 };
  int n;

  settings->max_length = max_length;
  eng_inputs_from_texts (model, text, NULL, NULL, &inputs, &error);
  g_assert_no_error (error);
  generator = eng_generator_new (model, &inputs, NULL, 0, settings, 0, NULL, &error);
  g_assert_no_error (error);
  while (!eng_generator_is_done (generator)) {
    eng_generator_step (generator, &error);
    g_assert_no_error (error);
  }
  eng_generator_get_ids (generator, &n);

  return n + inputs.tokens->n;
}

/* Without a word about lengths transformers stops at the positions that a model was made for, and
 * goes beyond them where it is told to and they are no table. */
static void
test_positions (void)
{
  g_autofree char *config = json_text (
    "{'model_type': 'llama', 'architectures': ['LlamaForCausalLM'], 'vocab_size': 41,"
    " 'hidden_size': 24, 'num_hidden_layers': 1, 'num_attention_heads': 4,"
    " 'intermediate_size': 37, 'max_position_embeddings': 10}");
  g_autoptr (EngModel) table = open_with ("{}");
  g_autoptr (EngModel) rotary = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-generation-XXXXXX", &error);

  g_assert_no_error (error);
  checkpoint_write_file (folder, "config.json", config, -1);
  rotary = eng_model_open_untrained (folder, NULL, 5, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  g_assert_cmpint (count_tokens (rotary, "7 3 22 9 17", 0), ==, 10);
  g_assert_cmpint (count_tokens (rotary, "7 3 22 9 17", 14), ==, 14);
  g_assert_cmpint (count_tokens (table, "w7 w9", 0), ==, 24);
  g_assert_cmpint (count_tokens (table, "w7 w9", 40), ==, 33);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/generation-config/defaults", test_defaults);
  g_test_add_func ("/generation-config/values", test_values);
  g_test_add_func ("/generation-config/tasks", test_tasks);
  g_test_add_func ("/generation-config/refusals", test_refusals);
  g_test_add_func ("/generation-config/unsupported", test_unsupported);
  g_test_add_func ("/generation-config/model", test_model);
  g_test_add_func ("/generation-config/positions", test_positions);

  return g_test_run ();
}
