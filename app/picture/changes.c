/* SPDX-License-Identifier: MIT */
/* How much each head changed from one side of what is compared to the other: measured once for two
 * traces, beside the window where that takes longer than a moment. */
#include "app/picture/picture-private.h"

#include "engine/base/error.h"

/* Weights of one side that are compared within a few milliseconds. */
#define LIGHT (1 << 20)

static void
forget_question (AppChanges *self)
{
  g_clear_pointer (&self->job, app_job_leave);
  g_clear_pointer (&self->traces[0], eng_trace_unref);
  g_clear_pointer (&self->traces[1], eng_trace_unref);
}

static void
forget (AppChanges *self)
{
  forget_question (self);
  g_clear_pointer (&self->heads, ui_changed_heads_unref);
}

typedef struct {
  EngTrace *traces[2];
  EngKind   kind;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  eng_trace_unref (self->traces[0]);
  eng_trace_unref (self->traces[1]);
  g_free (self);
}

static gpointer
run (AppJob    *job,
     gpointer   data,
     GError   **error)
{
  const Question *self = data;
  UiChangedHeads *heads = ui_changed_heads_new (self->traces[0], self->traces[1], self->kind,
                                                app_job_get_cancel (job));

  if (heads == NULL)
    g_set_error (error, ENG_ERROR, ENG_ERROR_CANCELLED, "The heads were not compared");
  return heads;
}

static void
done_cb (AppJob       *job,
         gpointer      result,
         const GError *error,
         gpointer      data)
{
  AppPicture *self = data;

  g_clear_pointer (&self->changes.job, app_job_stop);
  g_clear_pointer (&self->changes.heads, ui_changed_heads_unref);
  self->changes.heads = result;
  app_picture_tell (self);
}

static void
start (AppPicture *self)
{
  static const AppJobClass klass = {
    .run = run,
    .done = done_cb,
    .free_result = (GDestroyNotify) ui_changed_heads_unref,
    .free_data = question_free,
  };
  Question *question = g_new0 (Question, 1);

  for (int side = 0; side < 2; side++)
    question->traces[side] = eng_trace_ref (self->changes.traces[side]);
  question->kind = self->changes.kind;
  self->changes.job = app_job_start (&klass, question, self);
}

/* Two runs, both whole; one run compared with itself has moved nothing. */
static gboolean
has_question (AppPicture *self)
{
  EngTrace *first = app_study_get_trace (self->study);

  return self->second != NULL && first != NULL && self->second != first && self->shown != NULL
         && self->is_current && app_study_is_complete (self->study)
         && eng_trace_has_kind (first, self->shown->kind);
}

void
app_picture_measure_changes (AppPicture *self)
{
  AppChanges *changes = &self->changes;
  EngTrace *first = app_study_get_trace (self->study);

  if (!has_question (self)) {
    if (self->second == NULL)
      forget (changes);
    return;
  }
  if (changes->traces[0] == first && changes->traces[1] == self->second
      && changes->kind == self->shown->kind)
    return;

  forget_question (changes);
  changes->traces[0] = eng_trace_ref (first);
  changes->traces[1] = eng_trace_ref (self->second);
  changes->kind = self->shown->kind;
  if (eng_trace_count_weights (first, changes->kind) > LIGHT) {
    start (self);
    return;
  }
  g_clear_pointer (&changes->heads, ui_changed_heads_unref);
  changes->heads = ui_changed_heads_new (first, self->second, changes->kind, NULL);
}

void
app_picture_end_changes (AppPicture *self)
{
  forget (&self->changes);
}

UiChangedHeads *
app_picture_get_changed_heads (AppPicture *self)
{
  return self->changes.heads;
}
