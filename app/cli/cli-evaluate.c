/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/run/pass.h"
#include "app/training/evaluation.h"
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
append_answer (const AppCliOptions *options,
               const AppTrainEvaluation *result,
               const char          *model,
               GString             *output)
{
  const Figure figures[] = {
    { "loss", "loss", result->loss, FALSE },
    { "perplexity", "perplexity", result->perplexity, FALSE },
    { "accuracy", "accuracy", result->accuracy, TRUE },
    { "exact", "exact match", result->exact, TRUE },
    { "f1", "F1", result->f1, TRUE },
    { "bleu", "BLEU", result->bleu, FALSE },
    { "chrf", "chrF2", result->chrf, FALSE },
  };
  cJSON *object = cJSON_CreateObject ();
  g_autofree char *n = ui_amount_count (result->n);

  cJSON_AddStringToObject (object, "model", model);
  cJSON_AddNumberToObject (object, "n", (double) result->n);
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
  g_string_append_printf (output, "%s\t%s texts\n", model, n);
  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    if (!isnan (figures[i].value))
      append_line (output, &figures[i]);
}

gboolean
app_cli_evaluate (const AppCliOptions  *options,
                  GString              *output,
                  GError              **error)
{
  const AppRecipe *recipe = options->recipe;
  g_autoptr (EngModel) model = app_pass_open_model (options->document, error);
  AppTrainEvaluation result;
  g_autofree char *passed_over = NULL;
  gint64 written = 0;
  gboolean done;

  if (!model)
    return FALSE;
  done = app_train_evaluate (model, options->document, (AppTrainTask) recipe->task, recipe->data,
                             (guint64) recipe->seed, NULL, show_progress, &written, &result, error);
  app_cli_show_progress ("");
  if (!done)
    return FALSE;
  passed_over = options->json ? NULL : app_recipe_dup_passed_over (recipe);
  if (passed_over)
    app_cli_print_note ("evaluate", NULL, passed_over);
  append_answer (options, &result, eng_model_get_info (model)->name, output);

  return TRUE;
}
