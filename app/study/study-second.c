/* SPDX-License-Identifier: MIT */
/* The pass of the second side, in a worker of its own. */
#include "app/study/study-private.h"
#include "ui/document/fit.h"

static void
forget_trace (AppSecondSide *second)
{
  g_clear_pointer (&second->refusal, g_free);
  g_clear_pointer (&second->trace, eng_trace_unref);
  g_clear_pointer (&second->model, eng_model_unref);
  second->waiting = FALSE;
}

static void
forget_pass (AppSecondSide *second)
{
  g_clear_pointer (&second->pass, g_free);
  forget_trace (second);
}

/* Half a pass is nothing to compare with. */
static void
answer_cb (const AppAnswer *answer,
           gpointer         data)
{
  AppStudy *self = data;
  AppSecondSide *second = &self->second;

  if (answer->serial != second->serial || second->pass == NULL
      || (answer->error == NULL && !answer->complete))
    return;

  forget_trace (second);
  if (answer->error != NULL)
    second->refusal = g_strdup (answer->error->message);
  else
    second->trace = eng_trace_ref (answer->trace);
  if (answer->error == NULL && answer->model != NULL)
    second->model = eng_model_ref (answer->model);
  self->news |= APP_STUDY_SECOND;
  app_study_tell (self);
}

/* Takes pass over. What was answered before stays until the answer is there. */
static void
ask (AppStudy         *self,
     const UiDocument *side,
     char             *pass)
{
  AppSecondSide *second = &self->second;

  if (second->worker == NULL)
    second->worker = app_worker_new (answer_cb, self);
  g_free (second->pass);
  second->pass = pass;
  second->is_first = FALSE;
  second->waiting = TRUE;
  second->serial = app_worker_write (second->worker, side, APP_WRITE_WHAT_LACKS);
  self->news |= APP_STUDY_SECOND;
}

/* Lets go of a side of its own. is_first: the first side's stands for it from now on. */
static void
leave (AppStudy *self,
       gboolean  is_first)
{
  AppSecondSide *second = &self->second;

  if (second->pass != NULL || second->is_first != is_first)
    self->news |= APP_STUDY_SECOND;
  forget_pass (second);
  second->is_first = is_first;
}

void
app_study_ask_second (AppStudy *self)
{
  AppSecondSide *second = &self->second;
  g_autoptr (UiDocument) side = NULL;
  g_autofree char *first_pass = NULL;
  g_autofree char *pass = NULL;

  if (self->document->compare == UI_COMPARE_OFF || self->document->compare == UI_COMPARE_HEADS) {
    if (second->worker != NULL)
      app_worker_rest (second->worker);
    leave (self, FALSE);
    return;
  }
  /* The grid of all heads is looked at in between. */
  if (!ui_document_has_second_side (self->document) || self->trace == NULL)
    return;
  /* The texts of a file are known once it is there. */
  if (self->document->trace_file != NULL
      && g_strcmp0 (self->document->trace_file, self->answered->trace_file) != 0)
    return;

  side = ui_fit_dup_second_side (self->document, self->trace);
  first_pass = ui_document_describe_pass (self->document);
  pass = ui_document_describe_pass (side);
  if (g_str_equal (first_pass, pass))
    leave (self, TRUE);
  else if (g_strcmp0 (pass, second->pass) != 0)
    ask (self, side, g_steal_pointer (&pass));
}

/* What was answered stays until the next answer is there. */
void
app_study_forget_second (AppStudy *self)
{
  if (self->second.worker == NULL)
    return;
  app_worker_open_anew (self->second.worker);
  g_clear_pointer (&self->second.pass, g_free);
}

EngTrace *
app_study_get_second (AppStudy *self)
{
  return self->second.is_first ? self->trace : self->second.trace;
}

EngModel *
app_study_get_second_model (AppStudy *self)
{
  return self->second.model;
}

gboolean
app_study_awaits_second (AppStudy *self)
{
  return self->second.waiting;
}

const char *
app_study_get_second_refusal (AppStudy *self)
{
  return self->second.refusal;
}

void
app_study_end_second (AppStudy *self)
{
  g_clear_pointer (&self->second.worker, app_worker_free);
  forget_pass (&self->second);
}
