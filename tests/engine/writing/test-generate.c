/* SPDX-License-Identifier: MIT */
/* Texts as transformers wrote them (tests/record/record_generate.py); laws that need no record. */
#include "engine/writing/generate.h"

#include "engine/base/json.h"
#include "engine/writing/sampling.h"
#include "tests/support/bigram-model.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/gzip.h"
#include "tests/support/json-text.h"
#include "tests/support/random-model.h"

#include <math.h>
#include <string.h>

#define N_WORDS 31

/* Reading the record. */

static cJSON *
read_cases (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  cJSON *cases;

  if (folder) {
    g_autofree char *path = g_build_filename (folder, "cases.json.gz", NULL);

    bytes = gzip_read (path);
  } else {
    bytes = gzip_read_fixture ("generate/cases.json.gz");
  }
  cases = eng_json_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), 32,
                          "cases.json", &error);
  g_assert_no_error (error);

  return cases;
}

static double
get_number (const cJSON *object,
            const char  *key)
{
  const cJSON *item = eng_json_find (object, key);

  g_assert_true (cJSON_IsNumber (item));

  return item->valuedouble;
}

/* The tokens of a list of ids; (transfer full) */
static EngTokens *
get_tokens (const cJSON *object,
            const char  *key)
{
  const cJSON *list = eng_json_find (object, key);
  EngTokens *tokens = eng_tokens_new (cJSON_GetArraySize (list));
  const cJSON *item;
  int i = 0;

  cJSON_ArrayForEach (item, list)
    tokens->ids[i++] = item->valueint;

  return tokens;
}

/* config and generation as a checkpoint's files would have them; generation is nullable. */
static EngGenerations *
parse_files (const cJSON *config,
             const cJSON *generation)
{
  g_autoptr (GError) error = NULL;
  char *first = cJSON_PrintUnformatted (config);
  char *second = cJSON_IsObject (generation) ? cJSON_PrintUnformatted (generation) : NULL;
  EngGenerations *generations = eng_generations_parse (first, strlen (first), second,
                                                       second ? strlen (second) : 0, &error);

  g_assert_no_error (error);
  cJSON_free (first);
  cJSON_free (second);

  return generations;
}

static EngGenerations *
parse_settings (const cJSON *settings)
{
  g_autoptr (cJSON) config = cJSON_CreateObject ();

  return parse_files (config, settings);
}

/* Written as the record_generate.py makes it: 4 times the numbers of the seed. */
static EngModel *
make_bigrams (guint32      seed,
              const cJSON *ends,
              double       lift)
{
  g_autofree float *table = g_new (float, N_WORDS * N_WORDS);
  const cJSON *end;

  for (int i = 0; i < N_WORDS * N_WORDS; i++)
    table[i] = 4 * test_random_uniform (&seed);
  cJSON_ArrayForEach (end, ends)
    for (int i = 0; i < N_WORDS; i++)
      table[i * N_WORDS + end->valueint] += (float) lift;

  return bigram_model_new (table, N_WORDS);
}

/* Writing and comparing. */

static EngGenerator *
start (EngModel            *model,
       EngTokens           *prompt,
       const EngGeneration *settings,
       guint64              seed)
{
  g_autoptr (GError) error = NULL;
  EngInputs inputs = { .tokens = prompt };
  EngGenerator *generator =
    eng_generator_new (model, &inputs, NULL, 0, settings, seed, NULL, &error);

  g_assert_no_error (error);

  return generator;
}

static void
run (EngGenerator *generator)
{
  g_autoptr (GError) error = NULL;

  while (!eng_generator_is_done (generator)) {
    eng_generator_step (generator, &error);
    g_assert_no_error (error);
  }
}

static char *
print_ids (const gint32 *ids,
           int           n)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    g_string_append_printf (text, " %d", ids[i]);

  return g_string_free (text, FALSE);
}

static void
compare (EngModel            *model,
         const EngGeneration *settings,
         const cJSON         *record,
         int                  number)
{
  g_autoptr (EngTokens) prompt = get_tokens (record, "prompt");
  g_autoptr (EngTokens) expected = get_tokens (record, "ids");
  g_autoptr (EngGenerator) generator = start (model, prompt, settings, 0);
  g_autofree char *expected_text = print_ids (expected->ids, expected->n);
  g_autofree char *text = NULL;
  const gint32 *ids;
  int n;

  run (generator);
  ids = eng_generator_get_ids (generator, &n);
  text = print_ids (ids, n);
  if (strcmp (text, expected_text) != 0) {
    char *settings_text = cJSON_PrintUnformatted (record);

    g_test_message ("case %d: %s", number, settings_text);
    cJSON_free (settings_text);
  }
  g_assert_cmpstr (text, ==, expected_text);
}

static void
check_bigrams (const cJSON *cases)
{
  const cJSON *list = eng_json_find (cases, "bigram");
  const cJSON *record;
  int n = 0;

  cJSON_ArrayForEach (record, list) {
    g_autoptr (EngGenerations) settings = parse_settings (eng_json_find (record, "settings"));
    g_autoptr (EngModel) model = make_bigrams ((guint32) get_number (record, "seed"),
                                               eng_json_find (record, "ends"),
                                               get_number (record, "lift"));

    compare (model, settings->general, record, n++);
  }
  g_assert_cmpint (n, >=, 30);
}

static void
check_checkpoint (const cJSON *cases,
                  const char  *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  const cJSON *list = eng_json_find (cases, "gpt2");
  const cJSON *record;
  int n = 0;

  g_assert_no_error (error);
  cJSON_ArrayForEach (record, list) {
    g_autoptr (EngGenerations) settings = parse_settings (eng_json_find (record, "settings"));

    compare (model, settings->general, record, n++);
  }
  g_assert_cmpint (n, >=, 30);
}

static void
check_sources (const cJSON *cases)
{
  g_autoptr (EngModel) model = make_bigrams (1, NULL, 0);
  const cJSON *list = eng_json_find (cases, "sources");
  const cJSON *record;
  int n = 0;

  cJSON_ArrayForEach (record, list) {
    g_autoptr (EngGenerations) generations = parse_files (eng_json_find (record, "config"),
                                                          eng_json_find (record, "generation"));
    const cJSON *task = eng_json_find (record, "task");

    compare (model, eng_generations_find (generations, task->valuestring), record, n++);
  }
  g_assert_cmpint (n, >=, 8);
}

static void
check_sampling (const cJSON *cases)
{
  const cJSON *list = eng_json_find (cases, "sampling");
  const cJSON *record;
  double largest = 0;

  cJSON_ArrayForEach (record, list) {
    g_autoptr (EngGenerations) settings = parse_settings (eng_json_find (record, "settings"));
    g_autoptr (EngTokens) kept = get_tokens (record, "tokens");
    const cJSON *expected = eng_json_find (record, "probabilities")->child;
    guint32 state = (guint32) get_number (record, "seed");
    int size = (int) get_number (record, "size");
    float steps = (float) get_number (record, "steps");
    g_autofree float *scores = g_new (float, size);
    g_autofree int *scratch = g_new (int, size);
    double sum = 0;
    int k = 0;

    for (int i = 0; i < size; i++) {
      scores[i] = 5 * test_random_uniform (&state);
      if (steps > 0)
        scores[i] = rintf (scores[i] * steps) / steps;
    }
    g_assert_true (eng_sampling_narrow (settings->general, scores, size, scratch));
    for (int i = 0; i < size; i++)
      sum += scores[i];
    for (int i = 0; i < size; i++)
      if (scores[i] > 0) {
        g_assert_cmpint (k, <, kept->n);
        g_assert_cmpint (i, ==, kept->ids[k++]);
        largest = MAX (largest, fabs (scores[i] / sum - expected->valuedouble));
        expected = expected->next;
      }
    g_assert_cmpint (k, ==, kept->n);
  }
  g_test_message ("largest difference of a probability: %g", largest);
  g_assert_cmpfloat (largest, <, 2e-6);
}

static void
test_bigrams (void)
{
  g_autoptr (cJSON) cases = read_cases (NULL);

  check_bigrams (cases);
}

static void
test_checkpoint (void)
{
  g_autoptr (cJSON) cases = read_cases (NULL);
  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "fixtures", "generate", "gpt2",
                                                   NULL);

  check_checkpoint (cases, folder);
}

static void
test_sources (void)
{
  g_autoptr (cJSON) cases = read_cases (NULL);

  check_sources (cases);
}

static void
test_sampling_record (void)
{
  g_autoptr (cJSON) cases = read_cases (NULL);

  check_sampling (cases);
}

/* Records of other seeds: a folder in which every folder is one. */
static void
test_other_seeds (void)
{
  const char *folder = g_getenv ("HEADLIGHT_GENERATE");
  g_autoptr (GDir) dir = folder ? g_dir_open (folder, 0, NULL) : NULL;

  if (!dir) {
    g_test_skip ("HEADLIGHT_GENERATE names no folder");
    return;
  }
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *checkpoint = g_build_filename (path, "gpt2", NULL);
    g_autoptr (cJSON) cases = read_cases (path);

    g_test_message ("%s", path);
    check_bigrams (cases);
    check_checkpoint (cases, checkpoint);
    check_sampling (cases);
  }
}

/* Laws. */

static EngTokens *
make_prompt (void)
{
  static const gint32 ids[] = { 6, 2, 17 };
  EngTokens *prompt = eng_tokens_new (G_N_ELEMENTS (ids));

  memcpy (prompt->ids, ids, sizeof ids);

  return prompt;
}

static char *
write_text (EngModel            *model,
            const EngGeneration *settings,
            guint64              seed)
{
  g_autoptr (EngTokens) prompt = make_prompt ();
  g_autoptr (EngGenerator) generator = start (model, prompt, settings, seed);
  const gint32 *ids;
  int n;

  run (generator);
  ids = eng_generator_get_ids (generator, &n);

  return print_ids (ids, n);
}

/* 20 tokens of 8 likely ones each: two seeds agree with a chance of about 8^-20. */
static void
test_seed (void)
{
  g_autoptr (EngModel) model = make_bigrams (4, NULL, 0);
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autofree char *first = NULL;
  g_autofree char *again = NULL;
  g_autofree char *other = NULL;

  settings->sample = TRUE;
  settings->temperature = 20;
  settings->top_k = 8;
  first = write_text (model, settings, 1);
  again = write_text (model, settings, 1);
  other = write_text (model, settings, 2);
  g_assert_cmpstr (first, ==, again);
  g_assert_cmpstr (first, !=, other);
}

static double
get_share (EngModel *model,
           int       before,
           int       id)
{
  const EngLinear *head = &eng_model_get_weights (model)->heads[ENG_TASK_LANGUAGE_MODEL].output;
  double sum = 0;

  for (int i = 0; i < N_WORDS; i++)
    sum += exp (head->weight[i * N_WORDS + before]);

  return exp (head->weight[id * N_WORDS + before]) / sum;
}

/* The model's own numbers, whatever the settings do to them. */
static void
check_probabilities (gboolean sample,
                     int      n_beams)
{
  g_autoptr (EngModel) model = make_bigrams (11, NULL, 0);
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngTokens) prompt = make_prompt ();
  g_autoptr (EngGenerator) generator = NULL;
  int n, before;

  settings->sample = sample;
  settings->n_beams = n_beams;
  settings->temperature = 3;
  settings->repetition_penalty = 1.5;
  settings->max_new_tokens = 9;
  generator = start (model, prompt, settings, 5);
  do {
    g_autoptr (GError) error = NULL;
    const gint32 *ids = eng_generator_get_ids (generator, &n);
    const float *probabilities = eng_generator_get_probabilities (generator);

    before = 17;
    for (int i = 0; i < n; before = ids[i], i++)
      g_assert_cmpfloat_with_epsilon (probabilities[i], get_share (model, before, ids[i]), 1e-6);
    eng_generator_step (generator, &error);
    g_assert_no_error (error);
  } while (n < 9);
  g_assert_true (eng_generator_is_done (generator));
}

static void
test_probabilities (void)
{
  check_probabilities (FALSE, 1);
  check_probabilities (TRUE, 1);
  check_probabilities (FALSE, 4);
}

/* A trace grows with the text, but for the last token. */
static void
test_trace (void)
{
  g_autoptr (EngModel) model = make_bigrams (12, NULL, 0);
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngTokens) prompt = make_prompt ();
  g_autoptr (EngGenerator) generator = NULL;
  g_autoptr (EngGenerator) search = NULL;

  settings->max_new_tokens = 4;
  generator = start (model, prompt, settings, 0);
  for (int i = 0; i <= 5; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (EngTrace) trace = eng_generator_dup_trace (generator, "a", NULL);
    int n;

    eng_generator_get_ids (generator, &n);
    g_assert_cmpint (n, ==, MIN (i, 4));
    g_assert_cmpint (eng_trace_get_n_queries (trace, ENG_KIND_DECODER), ==, 3 + MIN (i, 3));
    g_assert_cmpint (eng_generator_is_done (generator), ==, i >= 4);
    eng_generator_step (generator, &error);
    g_assert_no_error (error);
  }

  settings->n_beams = 2;
  search = start (model, prompt, settings, 0);
  g_assert_null (eng_generator_dup_trace (search, "a", NULL));
}

/* Cancelling. */

static gpointer
raise_flag (gpointer data)
{
  g_usleep (2000);
  g_atomic_int_set ((gint *) data, 1);

  return NULL;
}

/* A text of a million tokens does not come to its end before the flag is seen. */
static void
check_cancel (int n_beams)
{
  g_autoptr (EngModel) model = make_bigrams (13, NULL, 0);
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngTokens) prompt = make_prompt ();
  g_autoptr (GError) error = NULL;
  EngInputs inputs = { .tokens = prompt };
  gint cancel = 0;
  EngGenerator *generator;
  GThread *thread;

  settings->n_beams = n_beams;
  settings->max_new_tokens = 1 << 16;
  generator = eng_generator_new (model, &inputs, NULL, 0, settings, 0, &cancel, &error);
  g_assert_no_error (error);
  thread = g_thread_new ("cancel", raise_flag, &cancel);
  while (eng_generator_step (generator, &error))
    g_assert_false (eng_generator_is_done (generator));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
  g_thread_join (thread);
  eng_generator_free (generator);
  g_clear_error (&error);

  g_assert_null (eng_generator_new (model, &inputs, NULL, 0, settings, 0, &cancel, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_CANCELLED);
}

static void
test_cancel (void)
{
  check_cancel (1);
  check_cancel (3);
}

/* Refusals. */

static void
assert_refused (const EngGeneration *settings,
                int                  code,
                const char          *part)
{
  g_autoptr (EngModel) model = make_bigrams (14, NULL, 0);
  g_autoptr (EngTokens) prompt = make_prompt ();
  g_autoptr (GError) error = NULL;
  EngInputs inputs = { .tokens = prompt };

  g_assert_null (eng_generator_new (model, &inputs, NULL, 0, settings, 0, NULL, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ENG_ERROR, code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
check_refused (const char *settings,
               int         code,
               const char *part)
{
  g_autofree char *text = json_text (settings);
  g_autoptr (cJSON) json = cJSON_Parse (text);
  g_autoptr (EngGenerations) generations = parse_settings (json);

  assert_refused (generations->general, code, part);
}

static void
test_refusals (void)
{
  check_refused ("{'max_length': 3}", ENG_ERROR_LENGTH, "3 tokens");
  check_refused ("{'do_sample': true, 'num_beams': 2}", ENG_ERROR_UNSUPPORTED, "num_beams 2");
  check_refused ("{'do_sample': true, 'temperature': 0}", ENG_ERROR_RANGE, "temperature");
  check_refused ("{'forced_bos_token_id': 31}", ENG_ERROR_RANGE, "bos_token_id names token 31");
  check_refused ("{'forced_eos_token_id': [1, 31]}", ENG_ERROR_RANGE, "forced_eos_token_id");
  check_refused ("{'bad_words_ids': [[1], [2, 40]]}", ENG_ERROR_RANGE, "bad_words_ids");
  check_refused ("{'guidance_scale': 2.5}", ENG_ERROR_UNSUPPORTED, "guidance_scale");
  check_refused ("{'do_sample': true, 'typical_p': 0.5}", ENG_ERROR_UNSUPPORTED, "typical_p");
}

/* Where nothing may follow, drawing says so. */
static void
test_nothing_allowed (void)
{
  g_autoptr (EngModel) model = make_bigrams (15, NULL, 0);
  g_autoptr (EngGeneration) settings = eng_generation_new ();
  g_autoptr (EngTokens) prompt = make_prompt ();
  g_autoptr (EngGenerator) generator = NULL;
  g_autoptr (GError) error = NULL;

  settings->sample = TRUE;
  settings->suppressed_ids = g_array_new (FALSE, FALSE, sizeof (gint32));
  for (gint32 id = 0; id < N_WORDS; id++)
    g_array_append_val (settings->suppressed_ids, id);
  generator = start (model, prompt, settings, 0);
  g_assert_false (eng_generator_step (generator, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_RANGE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/generate/bigrams", test_bigrams);
  g_test_add_func ("/generate/checkpoint", test_checkpoint);
  g_test_add_func ("/generate/sources", test_sources);
  g_test_add_func ("/generate/sampling-record", test_sampling_record);
  g_test_add_func ("/generate/other-seeds", test_other_seeds);
  g_test_add_func ("/generate/seed", test_seed);
  g_test_add_func ("/generate/probabilities", test_probabilities);
  g_test_add_func ("/generate/trace", test_trace);
  g_test_add_func ("/generate/cancel", test_cancel);
  g_test_add_func ("/generate/refusals", test_refusals);
  g_test_add_func ("/generate/nothing-allowed", test_nothing_allowed);

  return g_test_run ();
}
