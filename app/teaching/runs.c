/* SPDX-License-Identifier: MIT */
#include "app/teaching/runs.h"

#include <string.h>

#include "app/run/pass.h"
#include "app/run/predictions.h"
#include "app/store/model-store.h"
#include "engine/trace/trace-file.h"
#include "ui/document/fit.h"

struct _AppRuns {
  GHashTable *models; /* name, with the seed of random weights → EngModel */
  GHashTable *runs;   /* what a pass depends on → AppRun */
  gint       *cancel; /* NULL = nobody can */
};

static void
run_free (gpointer data)
{
  AppRun *self = data;

  ui_document_free (self->document);
  g_clear_pointer (&self->model, eng_model_unref);
  eng_inputs_clear (&self->inputs);
  g_clear_pointer (&self->trace, eng_trace_unref);
  for (int task = 0; task < ENG_N_TASKS; task++)
    g_clear_pointer (&self->answers[task], g_array_unref);
  g_clear_pointer (&self->sweep, eng_sweep_free);
  g_free (self);
}

AppRuns *
app_runs_new (gint *cancel)
{
  AppRuns *self = g_new0 (AppRuns, 1);

  self->cancel = cancel;
  self->models = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                        (GDestroyNotify) eng_model_unref);
  self->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, run_free);

  return self;
}

void
app_runs_free (AppRuns *self)
{
  g_hash_table_unref (self->runs);
  g_hash_table_unref (self->models);
  g_free (self);
}

gint *
app_runs_get_cancel (AppRuns *self)
{
  return self->cancel;
}

gboolean
app_runs_is_cancelled (AppRuns *self)
{
  return self->cancel != NULL && g_atomic_int_get (self->cancel) != 0;
}

void
app_runs_begin (AppRuns *self)
{
  g_hash_table_remove_all (self->runs);
}

/* (transfer full) */
static EngModel *
open_model (AppRuns           *self,
            const UiDocument  *document,
            GError           **error)
{
  g_autofree char *key = g_strdup_printf ("%s\n%d", document->model,
                                          document->random_weights_set ? document->random_weights
                                                                       : -1);
  EngModel *model = g_hash_table_lookup (self->models, key);

  if (model == NULL) {
    model = app_pass_open_model (document, error);
    if (model == NULL)
      return NULL;
    g_hash_table_insert (self->models, g_steal_pointer (&key), model);
  }

  return eng_model_ref (model);
}

/* "gpt2" and "Helsinki-NLP/opus-mt-en-de" are called so by their traces. */
static gboolean
is_trace_of (const EngTrace   *trace,
             const UiDocument *document)
{
  const char *text_b = eng_trace_get_text_b (trace);

  return g_strcmp0 (eng_trace_get_model_name (trace), document->model) == 0
         && g_strcmp0 (eng_trace_get_text_a (trace), document->text_a) == 0
         && (*document->text_b == '\0' || g_strcmp0 (text_b, document->text_b) == 0);
}

/* (transfer full) NULL = none is of that model and these texts. */
static EngTrace *
find_trace (const UiDocument *document)
{
  const char *shared = g_getenv ("HEADLIGHT_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared", "data", "traces",
                                            NULL);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  if (document->edits[0] != NULL || document->random_weights_set)
    return NULL;
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, NULL);
    g_autoptr (EngTrace) trace = g_str_has_suffix (name, ".safetensors")
                                 ? eng_trace_file_open (file, NULL) : NULL;

    if (trace != NULL && is_trace_of (trace, document))
      return g_steal_pointer (&trace);
  }

  return NULL;
}

/* The path of a lesson's own model is one, a name is of a model that may be elsewhere. */
static gboolean
find_model (AppRun      *run,
            gboolean    *is_here,
            GError     **error)
{
  const char *name = run->document->model;
  g_autoptr (GError) problem = NULL;
  g_autofree char *called = NULL;
  g_autofree char *folder = app_model_store_find (name, &called, &problem);

  *is_here = folder != NULL;
  if (folder != NULL)
    return TRUE;
  if (g_path_is_absolute (name)) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  run->trace = find_trace (run->document);
  run->stands_in = run->trace != NULL;
  if (run->trace == NULL)
    g_set_error (error, APP_LESSON_ERROR, APP_LESSON_ERROR_LACKING,
                 "%s is not on this computer, and no trace of it with this text", name);

  return run->trace != NULL;
}

static gboolean
make_run (AppRuns  *self,
          AppRun   *run,
          GError  **error)
{
  const UiDocument *document = run->document;
  gboolean is_here = FALSE;
  guint tasks;

  if (document->trace_file != NULL) {
    run->trace = eng_trace_file_open (document->trace_file, error);
    return run->trace != NULL;
  }
  if (!find_model (run, &is_here, error))
    return FALSE;
  if (!is_here)
    return TRUE;
  run->model = open_model (self, document, error);
  if (run->model == NULL || !app_pass_complete (run->model, document, &run->inputs, error))
    return FALSE;
  tasks = app_predictions_choose (run->model, &run->inputs);
  run->trace = app_pass_run (run->model, document, &run->inputs, tasks, FALSE, error);

  return run->trace != NULL;
}

AppRun *
app_runs_get (AppRuns           *self,
              const UiDocument  *document,
              GError           **error)
{
  g_autofree char *key = ui_document_describe_pass (document);
  AppRun *run = g_hash_table_lookup (self->runs, key);

  if (run != NULL)
    return run;
  run = g_new0 (AppRun, 1);
  run->document = ui_document_copy (document);
  if (!make_run (self, run, error)) {
    run_free (run);
    return NULL;
  }
  g_hash_table_insert (self->runs, g_steal_pointer (&key), run);

  return run;
}

const UiDocument *
app_section_get_state (const AppLesson *lesson,
                       guint            section)
{
  const AppSection *shown = lesson->sections->pdata[section];

  while (shown->state == NULL)
    shown = lesson->sections->pdata[--section];

  return shown->state;
}

static AppRun *
find_unedited (AppRuns           *self,
               const UiDocument  *document,
               GError           **error)
{
  g_autoptr (UiDocument) plain = ui_document_copy (document);

  ui_document_set (plain, ui_fields_find ("edit"), "", NULL);

  return app_runs_get (self, plain, error);
}

static AppRun *
find_other (AppRuns           *self,
            const UiDocument  *document,
            GError           **error)
{
  AppRun *first;
  g_autoptr (UiDocument) side = NULL;

  if (!ui_document_has_second_side (document)) {
    g_set_error_literal (error, APP_LESSON_ERROR, APP_LESSON_ERROR_VALUE,
                         "the state has no second side, expected --compare sides");
    return NULL;
  }
  first = app_runs_get (self, document, error);
  if (first == NULL)
    return NULL;
  side = ui_fit_dup_second_side (document, first->trace);

  return app_runs_get (self, side, error);
}

AppRun *
app_runs_find (AppRuns          *self,
               const AppLesson  *lesson,
               guint             section,
               AppClaimRun       which,
               GError          **error)
{
  const UiDocument *document = app_section_get_state (lesson, section);

  switch (which) {
  case APP_RUN_OTHER:
    return find_other (self, document, error);
  case APP_RUN_UNEDITED:
    return find_unedited (self, document, error);
  case APP_RUN_BEFORE:
    if (section > 0)
      return app_runs_get (self, app_section_get_state (lesson, section - 1), error);
    g_set_error_literal (error, APP_LESSON_ERROR, APP_LESSON_ERROR_VALUE,
                         "no section is before the first one");
    return NULL;
  case APP_RUN_THIS:
  default:
    return app_runs_get (self, document, error);
  }
}
