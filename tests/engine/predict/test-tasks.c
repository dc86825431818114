/* SPDX-License-Identifier: MIT */
/* Answers and texts against those that tests/record/record_tasks.py recorded from the pipelines
 * and from generate() of transformers, for every kind of tokenizer. */
#include "engine/predict/predict.h"

#include "engine/base/json.h"
#include "engine/predict/task-changes.h"
#include "engine/writing/generate.h"
#include "engine/writing/writing.h"
#include "tests/support/task-checkpoint.h"

#include <locale.h>
#include <string.h>

#define N_CANDIDATES 5
#define TOLERANCE 2e-5

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
  const cJSON *number = eng_json_find (line, "probability");

  if (get_string (line, "label"))
    g_assert_cmpstr (ours->label, ==, get_string (line, "label"));
  if (get_string (line, "token"))
    g_assert_cmpstr (ours->token, ==, get_string (line, "token"));
  g_assert_true (cJSON_IsNumber (number));
  g_assert_cmpfloat_with_epsilon (ours->probability, number->valuedouble, TOLERANCE);
  if ((number = eng_json_find (line, "position")))
    g_assert_cmpint (ours->position, ==, number->valueint);
  if ((number = eng_json_find (line, "id")))
    g_assert_cmpint (ours->id, ==, number->valueint);
  if ((number = eng_json_find (line, "start")))
    g_assert_cmpint (ours->start, ==, number->valueint);
  if ((number = eng_json_find (line, "end")))
    g_assert_cmpint (ours->end, ==, number->valueint);
}

static GArray *
ask_head (EngModel             *model,
          const EngRunRequest  *texts,
          EngTask               task,
          GError              **error)
{
  EngTextOptions options = { .repeat = eng_predict_repeats (model, task) };
  EngRunRequest request = *texts;
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (EngTrace) trace = NULL;
  EngTask head;

  if (!eng_predict_find_head (model, task, &head, error) ||
      !eng_inputs_from_texts (model, texts->text_a, texts->text_b, &options, &inputs, error))
    return NULL;
  request.tokens = inputs.tokens;
  request.decoder_tokens = inputs.decoder_tokens;
  request.tasks = 1u << head;
  request.all_positions = head != task;
  trace = eng_session_run (session, &request, error);

  return trace ? eng_predict (model, trace, task, N_CANDIDATES, error) : NULL;
}

static void
check_answers (EngModel    *model,
               const cJSON *entry,
               EngTask      task)
{
  const cJSON *results = eng_json_find (entry, "results");
  EngRunRequest request = { .text_a = get_string (entry, "text_a"),
                            .text_b = get_string (entry, "text_b") };
  EngTextOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) predictions = task == ENG_TASK_QUESTION_ANSWERING
                                   ? eng_predict_answer (model, &options, &request, &error)
                                   : ask_head (model, &request, task, &error);

  g_assert_no_error (error);
  g_assert_cmpint (predictions->len, ==, cJSON_GetArraySize (results));
  for (guint i = 0; i < predictions->len; i++)
    compare_line (&g_array_index (predictions, EngPrediction, i),
                  cJSON_GetArrayItem (results, (int) i));
}

/* What the case says beside the checkpoint's own settings. */
static void
apply_options (const cJSON   *options,
               EngGeneration *settings)
{
  const cJSON *option;

  cJSON_ArrayForEach (option, options) {
    if (strcmp (option->string, "num_beams") == 0)
      settings->n_beams = option->valueint;
    else if (strcmp (option->string, "max_new_tokens") == 0)
      settings->max_new_tokens = option->valueint;
    else
      g_error ("the test knows no %s", option->string);
  }
}

static void
check_text (EngModel    *model,
            const cJSON *entry,
            EngWriting   writing)
{
  const cJSON *expected = cJSON_GetArrayItem (eng_json_find (entry, "results"), 0);
  const cJSON *expected_ids = eng_json_find (expected, "ids");
  g_autoptr (GError) error = NULL;
  g_auto (EngWritingPlan) plan = { 0 };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngGenerator) generator = NULL;
  g_autofree char *text = NULL;
  EngTextOptions options = { 0 };
  const gint32 *ids;
  int n;

  eng_writing_plan (model, writing, get_string (entry, "lang"), get_string (entry, "prefix"), &plan,
                    &error);
  g_assert_no_error (error);
  apply_options (eng_json_find (entry, "options"), plan.settings);
  options.prefix = plan.prefix;
  options.source_language = plan.source_language;
  options.target_language = plan.target_language;
  eng_inputs_from_texts (model, get_string (entry, "text_a"), NULL, &options, &inputs, &error);
  g_assert_no_error (error);
  generator = eng_generator_new (model, &inputs, NULL, 0, plan.settings, 0, NULL, &error);
  g_assert_no_error (error);
  while (!eng_generator_is_done (generator))
    g_assert_true (eng_generator_step (generator, &error));

  ids = eng_generator_get_ids (generator, &n);
  g_assert_cmpint (n, ==, cJSON_GetArraySize (expected_ids));
  for (int i = 0; i < n; i++)
    g_assert_cmpint (ids[i], ==, cJSON_GetArrayItem (expected_ids, i)->valueint);
  text = eng_tokenizer_decode (eng_model_get_tokenizer (model), ids, n, TRUE);
  g_assert_cmpstr (text, ==, get_string (expected, "text"));
}

/* A language by its code, and by its name. */
static void
test_named_languages (void)
{
  char *folder = task_checkpoint_assemble ("mbart-50-languages");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autoptr (GPtrArray) languages = NULL;
  g_autofree char *name = NULL;
  const EngWritingLanguage *first;

  g_assert_no_error (error);
  languages = eng_writing_list_named (model);
  g_assert_cmpuint (languages->len, ==, 52);
  first = g_ptr_array_index (languages, 0);
  g_assert_cmpstr (first->code, ==, "af_ZA");
  g_assert_cmpstr (first->name, ==, "Afrikaans");
  name = eng_writing_dup_language_name (model, "swh_Latn");
  g_assert_cmpstr (name, ==, "Swahili");
  g_assert_null (eng_writing_dup_language_name (model, "Esperanto"));
  temporary_free (folder);
}

/* What is likeliest to follow is what is written first where nothing is forced. */
static void
check_next_word (EngModel    *model,
                 const cJSON *entry)
{
  const cJSON *expected = cJSON_GetArrayItem (eng_json_find (entry, "results"), 0);
  int first = cJSON_GetArrayItem (eng_json_find (expected, "ids"), 0)->valueint;
  EngRunRequest request = { .text_a = get_string (entry, "text_a") };
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) words = ask_head (model, &request, ENG_TASK_LANGUAGE_MODEL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (words->len, ==, N_CANDIDATES);
  g_assert_cmpint (g_array_index (words, EngPrediction, 0).id, ==, first);
  for (guint i = 1; i < words->len; i++)
    g_assert_cmpfloat (g_array_index (words, EngPrediction, i).probability, <=,
                       g_array_index (words, EngPrediction, i - 1).probability);
}

static void
test_checkpoint (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (cJSON) recorded = task_checkpoint_read_cases (name);
  const cJSON *cases = eng_json_find (recorded, "cases");
  char *folder = task_checkpoint_assemble (name);
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  const cJSON *entry;

  g_assert_no_error (error);
  g_assert_cmpint (cJSON_GetArraySize (cases), >, 0);

  cJSON_ArrayForEach (entry, cases) {
    EngTask task;
    EngWriting writing;

    g_test_message ("%s: “%s”", get_string (entry, "task"), get_string (entry, "text_a"));
    if (eng_writing_from_name (get_string (entry, "task"), &writing)) {
      check_text (model, entry, writing);
      if (writing == ENG_WRITING_GENERATE && !cJSON_GetArraySize (eng_json_find (entry, "options")))
        check_next_word (model, entry);
    } else {
      g_assert_true (eng_task_from_name (get_string (entry, "task"), &task));
      check_answers (model, entry, task);
    }
  }
  temporary_free (folder);
}

/* The class token says that there is no answer; those that were typed into the question are no
 * place for one, and do not keep what is one from being found. */
static void
test_typed_class_token (void)
{
  static const struct {
    const char *question;
    const char *context;
  } cases[] = {
    { "who lives far away in the old harbour [CLS] or [CLS]", "It was 東京." },
    /* More good spans in the question than are looked at. */
    { "who [CLS] [CLS] [CLS] [CLS] [CLS] [CLS] lives [CLS] [CLS] [CLS]", "He" },
    { "who [CLS] [CLS] [CLS] [CLS] [CLS] [CLS] lives [CLS] [CLS] [CLS]", "in" },
  };
  char *folder = task_checkpoint_assemble ("words-answers");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  EngTextOptions options = { 0 };

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngRunRequest request = { .text_a = cases[i].question, .text_b = cases[i].context };
    g_autoptr (GArray) answers = eng_predict_answer (model, &options, &request, &error);
    const EngPrediction *answer;

    g_assert_no_error (error);
    g_assert_cmpint (answers->len, ==, 1);
    answer = &g_array_index (answers, EngPrediction, 0);
    g_assert_cmpint (answer->start, >=, 0);
    g_assert_cmpint (answer->start, <=, answer->end);
    g_assert_cmpint (answer->end, <=, (int) g_utf8_strlen (cases[i].context, -1));
  }
  temporary_free (folder);
}

/* Number of typed tokens of B; *first is the first of them. */
static int
count_typed_b (const EngTokens *tokens,
               int             *first)
{
  int n = 0;

  *first = tokens->n;
  for (int i = tokens->n - 1; i >= 0; i--)
    if (!tokens->special[i] && tokens->segments[i] == 1) {
      *first = i;
      n++;
    }

  return n;
}

/* The parts of a long B begin in steps and together leave nothing out. */
static void
check_windows (const EngModel *model,
               const char     *text_b,
               int             max_length,
               int             stride)
{
  EngTextOptions options = { 0 };
  g_autoptr (GArray) whole =
    eng_inputs_new_windows (model, "Who?", text_b, &options, 4096, 0, NULL);
  g_autoptr (GArray) windows = eng_inputs_new_windows (model, "Who?", text_b, &options, max_length,
                                                       stride, NULL);
  const EngTokens *tokens = g_array_index (whole, EngInputs, 0).tokens;
  int first, n_b = count_typed_b (tokens, &first);
  int room = max_length - (tokens->n - n_b);
  int end = 0;

  g_assert_cmpint (whole->len, ==, 1);
  g_assert_cmpint (windows->len, >, 1);
  for (guint i = 0; i < windows->len; i++) {
    const EngTokens *window = g_array_index (windows, EngInputs, i).tokens;
    int window_first, n = count_typed_b (window, &window_first);
    int begin = (int) i * (room - stride);

    g_assert_cmpint (window_first, ==, first);
    g_assert_cmpint (window->n, <=, max_length);
    g_assert_cmpint (begin, <=, end);
    g_assert_cmpmem (window->ids + first, n * sizeof (gint32), tokens->ids + first + begin,
                     n * sizeof (gint32));
    g_assert_cmpint (window->spans[first].start, ==, tokens->spans[first + begin].start);
    g_assert_cmpint (window->special[window->n - 1], ==, 1);
    end = begin + n;
  }
  g_assert_cmpint (end, ==, n_b);
}

static void
test_windows (void)
{
  char *folder = task_checkpoint_assemble ("words-answers");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, &error);
  g_autofree char *text_b = g_strnfill (60, 'b');
  EngTextOptions options = { 0 };

  g_assert_no_error (error);
  for (int i = 1; i < 60; i += 2)
    text_b[i] = ' ';
  check_windows (model, text_b, 12, 0);
  check_windows (model, text_b, 20, 7);
  check_windows (model, text_b, 20, 12);

  /* Five or more tokens are A's and the template's. */
  g_assert_null (eng_inputs_new_windows (model, "Who?", text_b, &options, 9, 4, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_LENGTH);
  temporary_free (folder);
}

static EngTrace *
run_edited (EngModel      *model,
            const char    *text,
            const EngEdit *edit)
{
  EngRunRequest request = { .text_a = text, .edits = edit, .n_edits = edit != NULL,
                            .tasks = eng_model_get_info (model)->tasks };
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngSession) session = eng_session_new (model);
  g_autoptr (GError) error = NULL;
  EngTrace *trace;

  g_assert_true (eng_inputs_from_texts (model, text, NULL, NULL, &inputs, &error));
  request.tokens = inputs.tokens;
  trace = eng_session_run (session, &request, &error);
  g_assert_no_error (error);

  return trace;
}

static const EngTaskChange *
find_change (const GArray *changes,
             int           position)
{
  for (guint i = 0; i < changes->len; i++)
    if (g_array_index (changes, EngTaskChange, i).position == position)
      return &g_array_index (changes, EngTaskChange, i);

  return NULL;
}

/* An edit is said to change those tokens alone that become replaced ones, or original ones. */
static void
test_replaced_by_edit (void)
{
  static const char text[] = "Ada Lovelace lives in Kraków, and Zoë wrote from São Paulo.";
  const EngEdit edit = { .type = ENG_EDIT_SKIP_FEED_FORWARD, .layer = 0,
                         .kind = ENG_KIND_NOT_SAID };
  char *folder = task_checkpoint_assemble ("words-replaced");
  g_autoptr (EngModel) model = eng_model_open (folder, NULL, NULL);
  g_autoptr (EngTrace) plain = run_edited (model, text, NULL);
  g_autoptr (EngTrace) edited = run_edited (model, text, &edit);
  g_autoptr (GArray) before = eng_predict (model, plain, ENG_TASK_REPLACED_TOKENS, 1, NULL);
  g_autoptr (GArray) after = eng_predict (model, edited, ENG_TASK_REPLACED_TOKENS, 1, NULL);
  g_autoptr (GArray) changes = eng_task_changes_list (model, plain, edited, 3);
  guint n_changed = 0;

  g_assert_cmpuint (before->len, ==, after->len);
  for (guint i = 0; i < before->len; i++) {
    const EngPrediction *from = &g_array_index (before, EngPrediction, i);
    const EngPrediction *to = &g_array_index (after, EngPrediction, i);
    const EngTaskChange *change = find_change (changes, to->position);
    const EngTaskMove *move;

    g_assert_cmpint (strcmp (from->label, to->label) != 0, ==, change != NULL);
    if (change == NULL)
      continue;
    n_changed++;
    g_assert_cmpuint (change->moves->len, ==, 1);
    move = &g_array_index (change->moves, EngTaskMove, 0);
    g_assert_cmpstr (move->name, ==, "replaced");
    g_assert_cmpfloat_with_epsilon (move->move.before, from->probability, 1e-12);
    g_assert_cmpfloat_with_epsilon (move->move.after, to->probability, 1e-12);
    g_assert_cmpfloat (change->divergence, >, 0);
  }
  g_test_message ("%u of %u tokens changed", n_changed, before->len);
  g_assert_cmpuint (n_changed, >, 0);
  g_assert_cmpuint (n_changed, <, before->len);
  temporary_free (folder);
}

static void
add_checkpoints (void)
{
  g_autofree char *fixtures = task_checkpoints_get_folder ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (fixtures, 0, &error);

  g_assert_no_error (error);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_strconcat ("/engine/tasks/", name, NULL);

    if (strcmp (name, "tokenizers") != 0)
      g_test_add_data_func_full (path, g_strdup (name), test_checkpoint, g_free);
  }
}

int
main (int    argc,
      char **argv)
{
  g_assert_nonnull (setlocale (LC_ALL, ""));
  g_test_init (&argc, &argv, NULL);
  add_checkpoints ();
  g_test_add_func ("/engine/tasks/replaced-by-edit", test_replaced_by_edit);
  g_test_add_func ("/engine/tasks/named-languages", test_named_languages);
  g_test_add_func ("/engine/tasks/windows", test_windows);
  g_test_add_func ("/engine/tasks/typed-class-token", test_typed_class_token);

  return g_test_run ();
}
