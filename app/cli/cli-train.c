/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "app/cli/cli.h"
#include "app/cli/cli-json.h"
#include "app/training/training.h"
#include "engine/base/json.h"
#include "ui/document/amount.h"

#define PERIOD_US (200 * 1000) /* between two states of the line on a terminal */
#define SIGNAL_STATUS 128

/* Raised by a signal. */
static gint cancel;
static volatile sig_atomic_t stopped_by;

typedef struct {
  const AppTraining *training;
  const char        *folder;
  gboolean           json;
  gint64             written; /* the line on a terminal, monotonic µs */
  AppTrainingPoint   last;    /* of the curve */
} Talk;

static void
stop (int number)
{
  stopped_by = number;
  g_atomic_int_set (&cancel, 1);
}

/* The first signal lets the training save, the second ends the program. */
static void
listen (void)
{
  struct sigaction action = { .sa_handler = stop, .sa_flags = (int) SA_RESETHAND };

  sigemptyset (&action.sa_mask);
  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

static void
print_json (cJSON *object)
{
  g_autoptr (GString) line = g_string_new (NULL);

  eng_json_keep_digits (object);
  app_cli_json_append (line, object);
  fwrite (line->str, 1, line->len, stdout);
  fflush (stdout);
}

static cJSON *
new_event (const char *name)
{
  cJSON *object = cJSON_CreateObject ();

  cJSON_AddStringToObject (object, "event", name);

  return object;
}

static void
add_point (cJSON                  *object,
           const AppTrainingPoint *point)
{
  eng_json_add_number (object, "step", (double) point->step);
  eng_json_add_number (object, "loss", point->loss);
  eng_json_add_number (object, "held_out", point->held_out);
}

static void
print_report (const AppTrainingReport *report)
{
  cJSON *object = new_event ("progress");

  add_point (object, &report->point);
  eng_json_add_number (object, "rate", report->point.rate);
  eng_json_add_number (object, "norm", report->point.norm);
  eng_json_add_number (object, "pass", (double) report->pass);
  eng_json_add_number (object, "words_per_second", report->words_per_second);
  eng_json_add_number (object, "tokens_per_second", report->tokens_per_second);
  eng_json_add_number (object, "seconds", report->seconds);
  eng_json_add_number (object, "seconds_left", report->seconds_left < 0 ? NAN : report->seconds_left);
  print_json (object);
}

static void
append_loss (GString    *line,
             const char *name,
             double      loss)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isnan (loss))
    g_string_append_printf (line, " · %s %s", name,
                            g_ascii_formatd (number, sizeof number, "%.4f", loss));
}

/* "step 1,240 of 5,000 · loss 3.2140 · held out 3.4021 · 12,340 words/s · 12 min left" */
static char *
describe (const AppTrainingReport *report)
{
  g_autofree char *step = ui_amount_count (report->point.step);
  g_autofree char *end = ui_amount_count (report->end);
  GString *line = g_string_new ("step ");

  g_string_append (line, step);
  if (report->end > 0)
    g_string_append_printf (line, " of %s", end);
  append_loss (line, "loss", report->point.loss);
  append_loss (line, "held out", report->point.held_out);
  if (report->words_per_second > 0) {
    g_autofree char *speed = ui_amount_count ((gint64) report->words_per_second);

    g_string_append_printf (line, " · %s words/s", speed);
  }
  if (report->seconds_left > 0) {
    g_autofree char *left = ui_amount_time (report->seconds_left);

    g_string_append_printf (line, " · %s left", left);
  }

  return g_string_free (line, FALSE);
}

/* Where stderr is a terminal its last line is always the newest state, and what was asked of held
 * out texts stays above it; in a file there are the points of the curve. */
static void
show_report (Talk                    *self,
             const AppTrainingReport *report)
{
  gboolean terminal = isatty (STDERR_FILENO);
  gboolean stays = report->in_curve && (!terminal || !isnan (report->point.held_out));
  gint64 now = g_get_monotonic_time ();
  g_autofree char *line = NULL;

  if (!stays && (!terminal || now - self->written < PERIOD_US))
    return;
  self->written = now;
  line = describe (report);
  app_cli_show_progress (line);
  if (stays)
    g_printerr ("%s\n", terminal ? "" : line);
}

static void
hear (const AppTrainingReport *report,
      gpointer                 data)
{
  Talk *self = data;

  if (report->in_curve)
    self->last = report->point;
  if (!self->json)
    show_report (self, report);
  else if (report->in_curve)
    print_report (report);
}

static void
print_passed_over (const Talk *self)
{
  g_autofree char *note = app_recipe_dup_passed_over (app_training_get_recipe (self->training));

  if (note)
    app_cli_print_note ("train", NULL, note);
}

static void
print_joined (const AppTrainingSize *size)
{
  g_autofree char *note = app_recipe_dup_joined (size->n_joined);

  if (note)
    app_cli_print_note ("train", NULL, note);
}

static void
print_anew (const Talk *self)
{
  g_autofree char *note = g_strdup_printf ("%s: a training was ended in it before it had saved "
                                           "anything; it begins anew", self->folder);

  app_cli_print_note ("train", NULL, note);
}

/* By chance, where the texts are few. */
static void
print_none_held_out (const Talk *self)
{
  if (app_training_get_held_out (self->training) == APP_HELD_OUT_NONE)
    app_cli_print_note ("train", NULL, "none of the texts is held out, for too few of them differ: "
                        "there is no held-out loss");
}

static void
print_begin (const Talk *self)
{
  AppTrainingSize size = app_training_get_size (self->training);
  gint64 step = app_training_get_step (self->training);
  g_autofree char *parameters = ui_amount_count (size.n_parameters);
  g_autofree char *texts = ui_amount_count (size.n_texts);
  g_autofree char *tokens = ui_amount_count (size.n_tokens);
  g_autofree char *held_out = ui_amount_count (size.n_held_out);
  g_autofree char *taken = ui_amount_count (step);
  cJSON *object;

  if (!self->json) {
    if (app_training_begins_anew (self->training))
      print_anew (self);
    if (step == 0)
      print_passed_over (self);
    print_joined (&size);
    g_printerr ("%s: %s parameters; %s texts of %s tokens, %s more held out\n", self->folder,
                parameters, texts, tokens, held_out);
    print_none_held_out (self);
    if (step > 0)
      g_printerr ("goes on from step %s\n", taken);
    return;
  }
  object = new_event ("begin");
  cJSON_AddStringToObject (object, "folder", self->folder);
  eng_json_add_number (object, "step", (double) step);
  if (app_training_begins_anew (self->training))
    cJSON_AddTrueToObject (object, "anew");
  eng_json_add_number (object, "parameters", (double) size.n_parameters);
  eng_json_add_number (object, "texts", (double) size.n_texts);
  eng_json_add_number (object, "tokens", (double) size.n_tokens);
  eng_json_add_number (object, "words", (double) size.n_words);
  eng_json_add_number (object, "held_out_texts", (double) size.n_held_out);
  if (size.n_joined > 0)
    eng_json_add_number (object, "joined_texts", (double) size.n_joined);
  cJSON_AddItemToObject (object, "recipe",
                         app_recipe_to_json (app_training_get_recipe (self->training)));
  print_json (object);
}

static void
append_end (const Talk *self,
            GString    *output)
{
  g_autofree char *step = ui_amount_count (self->last.step);
  cJSON *object;

  if (!self->json) {
    g_string_append_printf (output, "%s: step %s", self->folder, step);
    append_loss (output, "loss", self->last.loss);
    append_loss (output, "held out", self->last.held_out);
    g_string_append_c (output, '\n');
    return;
  }
  object = new_event ("end");
  cJSON_AddStringToObject (object, "folder", self->folder);
  add_point (object, &self->last);
  app_cli_json_append (output, object);
}

/* Saved, and how it goes on. */
static void
say_stopped (const Talk *self)
{
  g_autofree char *step = ui_amount_count (app_training_get_saved_step (self->training));
  g_autofree char *folder = g_shell_quote (self->folder);
  g_autofree char *command = g_strdup_printf ("headlight train --resume -o %s", folder);
  g_autofree char *note = g_strdup_printf ("stopped and saved at step %s; it goes on with: %s",
                                           step, command);
  cJSON *object;

  if (!self->json) {
    app_cli_print_note ("train", NULL, note);
    return;
  }
  object = new_event ("stopped");
  cJSON_AddStringToObject (object, "folder", self->folder);
  eng_json_add_number (object, "step", (double) app_training_get_saved_step (self->training));
  cJSON_AddStringToObject (object, "command", command);
  print_json (object);
}

/* app_training_new() takes the recipe over, and options are not to be changed. */
static AppTraining *
open_training (const AppCliOptions  *options,
               GError              **error)
{
  g_autoptr (cJSON) json = NULL;
  AppRecipe *recipe;

  if (options->resume)
    return app_training_resume (options->output, options->recipe, error);
  json = app_recipe_to_json (options->recipe);
  recipe = app_recipe_from_json (json, options->output, error);

  return recipe ? app_training_new (recipe, options->output, error) : NULL;
}

/* Which options go on from there. */
static void
add_hint (GError *error)
{
  const char *hint = NULL;
  char *message;

  if (g_error_matches (error, APP_TRAINING_ERROR, APP_TRAINING_ERROR_BEGUN))
    hint = "--resume goes on with it";
  else if (g_error_matches (error, APP_TRAINING_ERROR, APP_TRAINING_ERROR_OVER))
    hint = "--steps with a larger number or --minutes goes further";
  if (!hint)
    return;
  message = g_strdup_printf ("%s; %s", error->message, hint);
  g_free (error->message);
  error->message = message;
}

gboolean
app_cli_train (const AppCliOptions  *options,
               GString              *output,
               GError              **error)
{
  g_autoptr (GError) problem = NULL;
  g_autoptr (AppTraining) training = open_training (options, &problem);
  Talk talk = { training, options->output, options->json, 0, { .loss = NAN, .held_out = NAN } };

  if (!training) {
    add_hint (problem);
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  print_begin (&talk);
  listen ();
  if (app_training_run (training, &cancel, hear, &talk, &problem)) {
    append_end (&talk, output);
    return TRUE;
  }
  if (!talk.json)
    app_cli_show_progress ("");
  if (!g_error_matches (problem, ENG_ERROR, ENG_ERROR_CANCELLED)) {
    app_training_give_up (g_steal_pointer (&training));
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  say_stopped (&talk);
  g_set_error_literal (error, APP_REPORTED_ERROR, SIGNAL_STATUS + stopped_by, "stopped");

  return FALSE;
}
