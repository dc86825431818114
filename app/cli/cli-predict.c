/* SPDX-License-Identifier: MIT */
#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"
#include "engine/predict/predict.h"
#include "engine/tokenizer/base/byte-text.h"

#define N_CANDIDATES 5

static const EngPrediction *
prediction_at (const GArray *predictions,
               guint         i)
{
  return &g_array_index (predictions, EngPrediction, i);
}

/* [{"position", "candidates": [{"token", "id", "probability"}]}]: predictions come grouped by
 * position. */
static cJSON *
candidates_to_json (const GArray *predictions)
{
  cJSON *results = cJSON_CreateArray ();
  cJSON *candidates = NULL;

  for (guint i = 0; i < predictions->len; i++) {
    const EngPrediction *prediction = prediction_at (predictions, i);
    cJSON *candidate = cJSON_CreateObject ();

    if (i == 0 || prediction->position != prediction_at (predictions, i - 1)->position) {
      cJSON *mask = cJSON_CreateObject ();

      cJSON_AddNumberToObject (mask, "position", prediction->position);
      candidates = cJSON_AddArrayToObject (mask, "candidates");
      cJSON_AddItemToArray (results, mask);
    }
    cJSON_AddStringToObject (candidate, "token", prediction->token);
    cJSON_AddNumberToObject (candidate, "id", prediction->id);
    cJSON_AddNumberToObject (candidate, "probability", prediction->probability);
    cJSON_AddItemToArray (candidates, candidate);
  }

  return results;
}

/* Whether its answers are places in the text. */
static gboolean
has_places (EngTask task)
{
  return task == ENG_TASK_ENTITIES || task == ENG_TASK_REPLACED_TOKENS ||
         task == ENG_TASK_QUESTION_ANSWERING;
}

static cJSON *
prediction_to_json (const EngPrediction *prediction,
                    EngTask              task)
{
  cJSON *object = cJSON_CreateObject ();

  if (task == ENG_TASK_ENTITIES) {
    cJSON_AddStringToObject (object, "word", prediction->token);
    cJSON_AddStringToObject (object, "entity", prediction->label);
  } else if (task == ENG_TASK_QUESTION_ANSWERING) {
    cJSON_AddStringToObject (object, "answer", prediction->token);
  } else {
    if (task == ENG_TASK_REPLACED_TOKENS) {
      cJSON_AddStringToObject (object, "token", prediction->token);
      cJSON_AddNumberToObject (object, "position", prediction->position);
    }
    cJSON_AddStringToObject (object, "label", prediction->label);
  }
  if (has_places (task)) {
    cJSON_AddNumberToObject (object, "start", prediction->start);
    cJSON_AddNumberToObject (object, "end", prediction->end);
  }
  cJSON_AddNumberToObject (object, "probability", prediction->probability);

  return object;
}

static cJSON *
predictions_to_json (const GArray *predictions,
                     EngTask       task,
                     const char   *model)
{
  cJSON *object = cJSON_CreateObject ();
  cJSON *results;

  cJSON_AddStringToObject (object, "model", model);
  cJSON_AddStringToObject (object, "task", eng_task_get_name (task));
  if (task == ENG_TASK_FILL_MASK) {
    results = candidates_to_json (predictions);
  } else {
    results = cJSON_CreateArray ();
    for (guint i = 0; i < predictions->len; i++)
      cJSON_AddItemToArray (results, prediction_to_json (prediction_at (predictions, i), task));
  }
  cJSON_AddItemToObject (object, "results", results);

  return object;
}

static void
append_table (GString      *output,
              const GArray *predictions,
              EngTask       task)
{
  for (guint i = 0; i < predictions->len; i++) {
    const EngPrediction *prediction = prediction_at (predictions, i);
    char probability[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_formatd (probability, sizeof probability, "%.4f", prediction->probability);
    g_string_append (output, probability);
    if (prediction->token)
      g_string_append_printf (output, "\t%s", prediction->token);
    if (prediction->label)
      g_string_append_printf (output, "\t%s", prediction->label);
    if (task == ENG_TASK_FILL_MASK)
      g_string_append_printf (output, "\ttoken %d", prediction->position);
    else if (has_places (task))
      g_string_append_printf (output, "\tcharacters %d-%d", prediction->start, prediction->end);
    g_string_append_c (output, '\n');
  }
}

/* Refuses a task that the checkpoint has no head for, naming those that it answers. */
static gboolean
check_task (const EngModel  *model,
            EngTask          task,
            GError         **error)
{
  const char *left_out = eng_model_get_info (model)->left_out[task];
  g_autoptr (GString) names = NULL;
  EngTask head;

  if (eng_predict_find_head (model, task, &head, NULL))
    return TRUE;

  names = g_string_new (NULL);
  for (int i = 0; i < ENG_N_TASKS; i++)
    if (i != ENG_TASK_LANGUAGE_MODEL && eng_predict_find_head (model, i, &head, NULL))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", eng_task_get_name (i));
  for (int i = 0; i < ENG_N_WRITINGS; i++)
    if (eng_writing_is_offered (model, i))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "", eng_writing_get_name (i));
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s has no head for %s%s%s%s; it has %s",
               eng_model_get_info (model)->name,
               task == ENG_TASK_LANGUAGE_MODEL ? "writing" : eng_task_get_name (task),
               left_out ? " that is whole (" : "", left_out ? left_out : "", left_out ? ")" : "",
               names->len ? names->str : "none at all");

  return FALSE;
}

/* Who names languages wants a translation. */
static EngWriting
find_default_writing (const EngModel   *model,
                      const UiDocument *document)
{
  if (app_pass_translates (model, document))
    return ENG_WRITING_TRANSLATE;
  for (int writing = 0; writing < ENG_N_WRITINGS; writing++)
    if (eng_writing_is_offered (model, writing))
      return writing;

  return ENG_WRITING_GENERATE;
}

/* fill-mask beside a mask token, else the first that there is in the order of --task. */
static gboolean
find_default_task (const EngModel    *model,
                   const UiDocument  *document,
                   EngTask           *task,
                   EngWriting        *writing,
                   GError           **error)
{
  g_auto (EngInputs) inputs = { 0 };

  /* A text too long for one pass has its answer from another task's refusal or from parts. */
  if (!app_pass_encode (model, document, &inputs, error)) {
    if (!error || !g_error_matches (*error, ENG_ERROR, ENG_ERROR_LENGTH) ||
        !eng_model_has_task (model, ENG_TASK_QUESTION_ANSWERING))
      return FALSE;
    g_clear_error (error);
    *task = ENG_TASK_QUESTION_ANSWERING;
    return TRUE;
  }
  /* Of a checkpoint without any head the refusal says so. */
  if (!eng_predict_find_default_task (model, inputs.tokens, task))
    *task = ENG_TASK_FILL_MASK;
  *writing = find_default_writing (model, document);

  return TRUE;
}

static GArray *
ask_head (EngModel          *model,
          const UiDocument  *document,
          EngTask            task,
          GError           **error)
{
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  EngTask head;

  if (!eng_predict_find_head (model, task, &head, error) ||
      !app_pass_encode_for (model, document, task, &inputs, error))
    return NULL;
  trace = app_pass_run (model, document, &inputs, 1u << head, head != task, error);

  return trace ? eng_predict (model, trace, task, N_CANDIDATES, error) : NULL;
}

/* A context of any length, unless it is to be cut. */
static GArray *
ask_question (EngModel          *model,
              const UiDocument  *document,
              GError           **error)
{
  g_autoptr (GArray) edits = NULL;
  g_auto (EngWritingPlan) plan = { 0 };
  EngTextOptions options = { .no_special_tokens = document->no_special_tokens };
  EngRunRequest request = { .text_a = document->text_a, .text_b = document->text_b };

  if (document->truncate)
    return ask_head (model, document, ENG_TASK_QUESTION_ANSWERING, error);

  edits = app_pass_parse_edits (document, error);
  if (!edits || !app_pass_plan_texts (model, document, &plan, error))
    return NULL;
  options.prefix = plan.prefix;
  options.source_language = plan.source_language;
  options.target_language = plan.target_language;
  request.edits = (const EngEdit *) edits->data;
  request.n_edits = (int) edits->len;

  return eng_predict_answer (model, &options, &request, error);
}

static gboolean
predict_with_head (EngModel             *model,
                   const AppCliOptions  *options,
                   EngTask               task,
                   GString              *output,
                   GError              **error)
{
  const UiDocument *document = options->document;
  g_autoptr (GArray) predictions = task == ENG_TASK_QUESTION_ANSWERING
                                   ? ask_question (model, document, error)
                                   : ask_head (model, document, task, error);

  if (!predictions)
    return FALSE;
  if (options->json)
    app_cli_json_append (output,
                         predictions_to_json (predictions, task, eng_model_get_info (model)->name));
  else
    append_table (output, predictions, task);

  return TRUE;
}

static cJSON *
writing_to_json (const char   *text,
                 const GArray *ids,
                 EngWriting    writing,
                 const char   *model)
{
  cJSON *object = cJSON_CreateObject ();
  cJSON *result = cJSON_CreateObject ();
  cJSON *list;

  cJSON_AddStringToObject (result, "text", text);
  list = cJSON_AddArrayToObject (result, "ids");
  for (guint i = 0; i < ids->len; i++)
    cJSON_AddItemToArray (list, cJSON_CreateNumber (g_array_index (ids, gint32, i)));
  cJSON_AddStringToObject (object, "model", model);
  cJSON_AddStringToObject (object, "task", eng_writing_get_name (writing));
  cJSON_AddItemToArray (cJSON_AddArrayToObject (object, "results"), result);

  return object;
}

static gboolean
predict_text (EngModel             *model,
              const AppCliOptions  *options,
              EngWriting            writing,
              GString              *output,
              GError              **error)
{
  const UiDocument *document = options->document;
  g_autoptr (GArray) ids = NULL;
  g_autofree char *text = NULL;

  ids = app_pass_write_for (model, document, writing, error);
  if (!ids)
    return FALSE;

  text = app_pass_decode (model, ids);
  if (options->json)
    app_cli_json_append (output, writing_to_json (text, ids, writing,
                                                  eng_model_get_info (model)->name));
  else
    g_string_append_printf (output, "%s\n", text);

  return TRUE;
}

/* What a C string could not hold. */
static void
put_zero_bytes (GString    *output,
                const char *spelt,
                gssize      length)
{
  g_auto (GStrv) parts = g_strsplit (output->str, ENG_ZERO_BYTE, -1);

  g_string_truncate (output, 0);
  for (int i = 0; parts[i]; i++) {
    if (i > 0)
      g_string_append_len (output, spelt, length);
    g_string_append (output, parts[i]);
  }
}

gboolean
app_cli_predict (const AppCliOptions  *options,
                 GString              *output,
                 GError              **error)
{
  const UiDocument *document = options->document;
  g_autoptr (EngModel) model = app_pass_open_model (document, error);
  EngTask task = options->task;
  EngWriting writing = options->writing;

  if (!model || (!options->task_given &&
                 !find_default_task (model, document, &task, &writing, error)))
    return FALSE;
  if (!check_task (model, task, error))
    return FALSE;
  app_cli_note_doubt ("predict", model, document);
  if (!(task == ENG_TASK_LANGUAGE_MODEL ? predict_text (model, options, writing, output, error)
                                        : predict_with_head (model, options, task, output, error)))
    return FALSE;
  put_zero_bytes (output, options->json ? "\\u0000" : "\0", options->json ? 6 : 1);

  return TRUE;
}
