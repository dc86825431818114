/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"
#include "app/training/evaluation.h"
#include "app/training/record.h"
#include "ui/document/amount.h"

#define PERIOD_US (100 * 1000)

typedef struct {
  const char *name;  /* in JSON */
  const char *words;
  double      value; /* NaN = nothing is said of it */
  gboolean    share; /* said in per cent */
} Figure;

/* data: when a line was last written, monotonic µs. */
static void
show_progress (int      done,
               int      n,
               gpointer data)
{
  gint64 *written = data;
  gint64 now = g_get_monotonic_time ();
  g_autofree char *so_far = NULL, *all = NULL, *line = NULL;

  if (now - *written < PERIOD_US)
    return;
  *written = now;
  so_far = ui_amount_count (done);
  all = ui_amount_count (n);
  line = g_strdup_printf ("%s of %s", so_far, all);
  app_cli_show_progress (line);
}

static void
append_line (GString      *output,
             const Figure *figure)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, figure->share ? "%.2f" : "%.4f",
                   figure->share ? 100 * figure->value : figure->value);
  g_string_append_printf (output, "%s\t%s%s\n", figure->words, number, figure->share ? "%" : "");
}

static void
append_answer (const AppCliOptions      *options,
               const AppTrainEvaluation *result,
               const char               *model,
               const AppTrainQuestion   *question,
               GString                  *output)
{
  const Figure figures[] = {
    { "loss", "loss", result->loss, FALSE },
    { "perplexity", "perplexity", result->perplexity, FALSE },
    { "accuracy", "accuracy", result->accuracy, TRUE },
    { "answers", "answers right", result->answers, TRUE },
    { "exact", "exact match", result->exact, TRUE },
    { "f1", "F1", result->f1, TRUE },
    { "bleu", "BLEU", result->bleu, FALSE },
    { "chrf", "chrF2", result->chrf, FALSE },
  };
  cJSON *object = cJSON_CreateObject ();
  g_autofree char *n = ui_amount_count (result->n);

  cJSON_AddStringToObject (object, "model", model);
  if (question->held_out > 0)
    cJSON_AddStringToObject (object, "held_out_of", question->data);
  cJSON_AddNumberToObject (object, "n", (double) result->n);
  if (result->n_joined > 0)
    cJSON_AddNumberToObject (object, "joined_texts", (double) result->n_joined);
  if (result->n_asked > 0)
    cJSON_AddNumberToObject (object, "asked", (double) result->n_asked);
  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    if (!isnan (figures[i].value))
      cJSON_AddNumberToObject (object, figures[i].name, figures[i].value);
  if (options->json) {
    app_cli_json_append (output, object);
    return;
  }
  cJSON_Delete (object);
  g_string_append_printf (output, "%s\t%s texts", model, n);
  if (question->held_out > 0)
    g_string_append_printf (output, " held out of %s", question->data);
  g_string_append_c (output, '\n');
  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    if (!isnan (figures[i].value))
      append_line (output, &figures[i]);
}

/* Options that its task has no use for are wrong usage, as those beside --task are. */
static gboolean
check_use (const AppRecipe  *given,
           AppTrainTask      task,
           GError          **error)
{
  g_autoptr (GError) problem = NULL;

  if (app_recipe_check_use (given, task, FALSE, &problem))
    return TRUE;
  g_set_error_literal (error, APP_USAGE_ERROR, 0, problem->message);

  return FALSE;
}

/* What the training in the model's folder held out. Fills question in with borrowed strings of
 * *record (out). */
static gboolean
ask_own (const EngModelInfo  *info,
         const AppRecipe     *given,
         AppTrainQuestion    *question,
         AppTrainingRecord  **record,
         GError             **error)
{
  if (!info->folder || !app_training_record_is_in (info->folder)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "%s has no record of a training, which would "
                 "say what was held out; --task and --data say what to ask", info->name);
    return FALSE;
  }
  *record = app_training_record_open (info->folder, error);
  if (!*record || !app_training_record_check (*record, error))
    return FALSE;
  if ((*record)->recipe->held_out <= 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING, "the training of %s held nothing out; --task "
                 "and --data say what to ask", info->name);
    return FALSE;
  }
  question->task = (AppTrainTask) (*record)->recipe->task;
  question->data = (*record)->recipe->data;
  question->held_out = (*record)->recipe->held_out;
  question->by_first = (*record)->by_first;
  question->toy = app_toy_find ((*record)->recipe);

  return check_use (given, question->task, error);
}

gboolean
app_cli_evaluate (const AppCliOptions  *options,
                  GString              *output,
                  GError              **error)
{
  const AppRecipe *recipe = options->recipe;
  g_autoptr (EngModel) model = app_pass_open_model (options->document, error);
  g_autoptr (AppTrainingRecord) record = NULL;
  AppTrainQuestion question = { (AppTrainTask) recipe->task, recipe->data, 0, FALSE,
                                (guint64) recipe->seed, APP_N_TOYS };
  AppTrainEvaluation result;
  g_autofree char *passed_over = NULL, *joined = NULL;
  gint64 written = 0;
  gboolean done;

  if (!model || (!recipe->data && !ask_own (eng_model_get_info (model), recipe, &question, &record,
                                            error)))
    return FALSE;
  done = app_train_evaluate (model, options->document, &question, NULL, show_progress, &written,
                             &result, error);
  app_cli_show_progress ("");
  if (!done)
    return FALSE;
  joined = options->json ? NULL : app_recipe_dup_joined (result.n_joined);
  if (joined)
    app_cli_print_note ("evaluate", NULL, joined);
  passed_over = options->json ? NULL : app_recipe_dup_passed_over (record ? record->recipe : recipe);
  if (passed_over)
    app_cli_print_note ("evaluate", NULL, passed_over);
  append_answer (options, &result, eng_model_get_info (model)->name, &question, output);

  return TRUE;
}
