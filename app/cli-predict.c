/* SPDX-License-Identifier: MIT */
#include "app/cli-json.h"
#include "app/cli.h"
#include "app/pass.h"
#include "engine/predict.h"

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
    cJSON_AddStringToObject (object, "label", prediction->label);
  }
  if (task == ENG_TASK_ENTITIES || task == ENG_TASK_QUESTION_ANSWERING) {
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
    else if (task == ENG_TASK_ENTITIES || task == ENG_TASK_QUESTION_ANSWERING)
      g_string_append_printf (output, "\tcharacters %d-%d", prediction->start, prediction->end);
    g_string_append_c (output, '\n');
  }
}

/* Refuses a task whose head the checkpoint has not, naming those that it has. */
static gboolean
check_task (const EngModel  *model,
            EngTask          task,
            GError         **error)
{
  g_autoptr (GString) names = NULL;

  if (eng_model_has_task (model, task))
    return TRUE;

  names = g_string_new (NULL);
  for (int i = 0; i < ENG_N_TASKS; i++)
    if (eng_model_has_task (model, (EngTask) i))
      g_string_append_printf (names, "%s%s", names->len ? ", " : "",
                              eng_task_get_name ((EngTask) i));
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED, "%s has no %s head; it has %s",
               eng_model_get_info (model)->name, eng_task_get_name (task),
               names->len ? names->str : "none at all");

  return FALSE;
}

gboolean
app_cli_predict (const AppCliOptions  *options,
                 GString              *output,
                 GError              **error)
{
  const UiDocument *document = options->document;
  g_autoptr (EngModel) model = app_pass_open_model (document, error);
  g_auto (EngInputs) inputs = { 0 };
  g_autoptr (EngTrace) trace = NULL;
  g_autoptr (GArray) predictions = NULL;
  EngTask task = options->task;

  if (!model || !app_pass_encode (model, document, &inputs, error))
    return FALSE;
  if (!options->task_given && !eng_predict_find_default_task (model, inputs.tokens, &task))
    task = ENG_TASK_FILL_MASK; /* a checkpoint without any head: the refusal says so */
  if (!check_task (model, task, error))
    return FALSE;

  trace = app_pass_run (model, document, &inputs, 1u << task, FALSE, error);
  predictions = trace ? eng_predict (model, trace, task, N_CANDIDATES, error) : NULL;
  if (!predictions)
    return FALSE;

  if (options->json)
    app_cli_json_append (output,
                         predictions_to_json (predictions, task, eng_model_get_info (model)->name));
  else
    append_table (output, predictions, task);

  return TRUE;
}
