/* SPDX-License-Identifier: MIT */
/* Answers against those that tests/record/record_models.py recorded from the pipelines of
 * transformers. */
#include "engine/predict/predict.h"

#include "engine/base/json.h"
#include "engine/transformer/session.h"
#include "tests/support/checkpoint-folder.h"
#include "tests/support/encode.h"

#include <locale.h>
#include <string.h>

#define N_CANDIDATES 5
#define TOLERANCE 1e-5

static EngTrace *
run (EngModel   *model,
     const char *text_a,
     const char *text_b,
     guint       tasks)
{
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTokens) tokens = encode_texts (model, text_a, text_b, FALSE, FALSE, &error);
  EngRunRequest request = { .tokens = tokens, .text_a = text_a, .text_b = text_b, .tasks = tasks };
  EngTrace *trace;

  g_assert_no_error (error);
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);

  return trace;
}

static const char *
get_string (const cJSON *object,
            const char  *key)
{
  const cJSON *item = eng_json_find (object, key);

  return cJSON_IsString (item) ? item->valuestring : NULL;
}

/* Compares the members that the recorded line has. */
static void
compare_line (const EngPrediction *ours,
              const cJSON         *line)
{
  const cJSON *number;

  if (get_string (line, "label"))
    g_assert_cmpstr (ours->label, ==, get_string (line, "label"));
  if (get_string (line, "token"))
    g_assert_cmpstr (ours->token, ==, get_string (line, "token"));
  if ((number = eng_json_find (line, "position")))
    g_assert_cmpint (ours->position, ==, number->valueint);
  if ((number = eng_json_find (line, "id")))
    g_assert_cmpint (ours->id, ==, number->valueint);
  if ((number = eng_json_find (line, "start")))
    g_assert_cmpint (ours->start, ==, number->valueint);
  if ((number = eng_json_find (line, "end")))
    g_assert_cmpint (ours->end, ==, number->valueint);

  number = eng_json_find (line, "probability");
  g_assert_true (cJSON_IsNumber (number));
  g_assert_cmpfloat_with_epsilon (ours->probability, number->valuedouble, TOLERANCE);
}

static void
check_entry (const char  *folder,
             const cJSON *entry)
{
  const char *text_b = get_string (entry, "text_b");
  const cJSON *results = eng_json_find (entry, "results");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GArray) predictions = NULL;
  EngTask task;

  g_assert_no_error (error);
  g_assert_true (eng_task_from_name (get_string (entry, "task"), &task));
  trace = run (model, get_string (entry, "text_a"), text_b, 1u << task);
  predictions = eng_predict (model, trace, task, N_CANDIDATES, &error);
  g_assert_no_error (error);

  g_test_message ("%s: \"%s\"", get_string (entry, "task"), get_string (entry, "text_a"));
  g_assert_cmpint (predictions->len, ==, cJSON_GetArraySize (results));
  for (guint i = 0; i < predictions->len; i++)
    compare_line (&g_array_index (predictions, EngPrediction, i),
                  cJSON_GetArrayItem (results, (int) i));
}

static void
check_recorded (const char *name,
                const char *folder)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "fixtures", "models", name,
                                                 "predict.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) entries = eng_json_read (path, 1 << 20, 8, &error);
  const cJSON *entry;

  g_assert_no_error (error);
  g_assert_cmpint (cJSON_GetArraySize (entries), >, 0);
  cJSON_ArrayForEach (entry, entries) {
    const char *problem = get_string (entry, "problem_type");
    g_autofree char *keys = g_strdup_printf ("\"problem_type\": \"%s\"", problem);
    g_autofree char *copy = problem ? checkpoint_copy_specimen (name) : NULL;

    if (copy)
      checkpoint_add_to_config (copy, keys);
    check_entry (copy ? copy : folder, entry);
    if (copy)
      checkpoint_remove_folder (copy);
  }
}

static void
test_specimen (gconstpointer name)
{
  g_autofree char *folder = checkpoint_get_specimen (name);

  check_recorded (name, folder);
}

static void
test_bundled (void)
{
  g_autofree char *folder = checkpoint_get_bundled ();

  check_recorded ("headlight-mini", folder);
}

static void
assert_refused (EngModel   *model,
                const char *text_a,
                const char *text_b,
                EngTask     task,
                guint       computed,
                int         code,
                const char *says)
{
  g_autoptr (EngTrace) trace = run (model, text_a, text_b, computed);
  g_autoptr (GError) error = NULL;

  g_assert_null (eng_predict (model, trace, task, N_CANDIDATES, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, ENG_ERROR, code);
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_refusals (void)
{
  g_autofree char *folder = checkpoint_get_bundled ();
  g_autofree char *answers_folder = checkpoint_get_specimen ("answers-f16");
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, NULL);
  g_autoptr (EngModel) answers = eng_model_open (answers_folder, NULL, NULL);

  assert_refused (model, "a cat", NULL, ENG_TASK_ENTITIES, ~0u, ENG_ERROR_MISSING,
                  "it has fill-mask, next-sentence");
  assert_refused (model, "a cat", NULL, ENG_TASK_FILL_MASK, ~0u, ENG_ERROR_TEXT, "[MASK]");
  assert_refused (model, "a [MASK]", NULL, ENG_TASK_FILL_MASK, 0, ENG_ERROR_MISSING,
                  "no logits for fill-mask");
  assert_refused (answers, "who ?", NULL, ENG_TASK_QUESTION_ANSWERING, ~0u, ENG_ERROR_TEXT,
                  "text B");
}

/* The specimen with other names of its 5 classes; what it says of a text. */
static GArray *
find_entities (const char *const  labels[5],
               const char        *text)
{
  static const char *const own[5] = { "O", "B-PER", "I-PER", "B-LOC", "I-LOC" };
  g_autofree char *folder = checkpoint_copy_specimen ("entities-bf16");
  g_autofree char *config = checkpoint_read_file (folder, "config.json", NULL);
  g_autoptr (GString) changed = g_string_new (config);
  g_autoptr (EngModel) model = NULL;
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  GArray *entities;

  for (int i = 0; i < 5; i++) {
    g_autofree char *from = g_strdup_printf ("\"%d\": \"%s\"", i, own[i]);
    g_autofree char *to = g_strdup_printf ("\"%d\": \"%s\"", i, labels[i]);

    g_assert_cmpuint (g_string_replace (changed, from, to, 0), ==, 1);
  }
  checkpoint_write_file (folder, "config.json", changed->str, -1);
  model = eng_model_open (folder, NULL, &error);
  g_assert_no_error (error);
  trace = run (model, text, NULL, 1u << ENG_TASK_ENTITIES);
  entities = eng_predict (model, trace, ENG_TASK_ENTITIES, N_CANDIDATES, &error);
  g_assert_no_error (error);
  checkpoint_remove_folder (folder);

  return entities;
}

/* "E-A" and "I-E-A" are one tag, and the first token of a group says how it is called: without what
 * stands before its first dash. */
static void
test_entity_names (void)
{
  static const char text[] = "the cats . jumping";
  static const char *const apart[5] = { "0", "1", "2", "3", "4" };
  static const char *const names[][3] = { { "E-A", "I-E-A", "A" }, { "I-E-A", "E-A", "E-A" } };
  g_autoptr (GArray) runs = find_entities (apart, text);
  const char *first = g_array_index (runs, EngPrediction, 0).label;
  const char *last = g_array_index (runs, EngPrediction, runs->len - 1).label;

  g_assert_cmpstr (first, !=, last);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const char *labels[5] = { names[i][1], names[i][1], names[i][1], names[i][1], names[i][1] };
    g_autoptr (GArray) groups = NULL;

    labels[atoi (first)] = names[i][0];
    groups = find_entities (labels, text);
    g_assert_cmpuint (groups->len, ==, 1);
    g_assert_cmpstr (g_array_index (groups, EngPrediction, 0).label, ==, names[i][2]);
  }
}

static void
test_n_candidates (void)
{
  g_autofree char *folder = checkpoint_get_specimen ("masked-f16");
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, NULL);
  g_autoptr (EngTrace) trace = run (model, "the [MASK] [MASK]", NULL, 1u << ENG_TASK_FILL_MASK);
  g_autoptr (GArray) two = eng_predict (model, trace, ENG_TASK_FILL_MASK, 2, NULL);
  /* More than there are words: every word once, and all probability is shared out. */
  g_autoptr (GArray) all = eng_predict (model, trace, ENG_TASK_FILL_MASK, 1000, NULL);
  int vocab_size = eng_model_get_info (model)->vocab_size;
  double sum = 0.0;

  g_assert_cmpint (two->len, ==, 4);
  g_assert_cmpint (g_array_index (two, EngPrediction, 0).position, ==, 2);
  g_assert_cmpint (g_array_index (two, EngPrediction, 2).position, ==, 3);
  g_assert_cmpint (all->len, ==, 2 * vocab_size);
  for (int i = 0; i < vocab_size; i++)
    sum += g_array_index (all, EngPrediction, i).probability;
  g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-12);
}

static void
assert_default_task (const char *folder,
                     const char *text,
                     EngTask     expected)
{
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, NULL);
  g_autoptr (EngTokens) tokens = encode_texts (model, text, NULL, FALSE, FALSE, NULL);
  EngTask task;

  g_assert_true (eng_predict_find_default_task (model, tokens, &task));
  g_assert_cmpint (task, ==, expected);
}

static void
test_default_task (void)
{
  g_autofree char *bundled = checkpoint_get_bundled ();
  g_autofree char *masked = checkpoint_get_specimen ("masked-f16");
  g_autofree char *entities = checkpoint_get_specimen ("entities-bf16");

  assert_default_task (bundled, "a [MASK] cat", ENG_TASK_FILL_MASK);
  assert_default_task (bundled, "a cat", ENG_TASK_NEXT_SENTENCE);
  assert_default_task (masked, "a cat", ENG_TASK_FILL_MASK);
  assert_default_task (entities, "a [MASK] cat", ENG_TASK_ENTITIES);
}

int
main (int    argc,
      char **argv)
{
  static const char *const specimens[] = {
    "pretraining", "masked-f16", "classifier-bf16", "entities-bf16", "answers-f16", "next-sentence",
  };

  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (specimens); i++) {
    g_autofree char *path = g_strconcat ("/engine/predict/", specimens[i], NULL);

    g_test_add_data_func (path, specimens[i], test_specimen);
  }
  g_test_add_func ("/engine/predict/headlight-mini", test_bundled);
  g_test_add_func ("/engine/predict/refusals", test_refusals);
  g_test_add_func ("/engine/predict/entity-names", test_entity_names);
  g_test_add_func ("/engine/predict/n-candidates", test_n_candidates);
  g_test_add_func ("/engine/predict/default-task", test_default_task);

  return g_test_run ();
}
