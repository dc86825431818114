/* SPDX-License-Identifier: MIT */
#include "app/run/answers.h"

/* Before GTK's layout and drawing, so that an answer is in the very next frame. */
#define ANSWER_PRIORITY G_PRIORITY_HIGH_IDLE
/* Tokens may come faster than they can be drawn: between two of them is the time of a frame, and
 * twice what the last one took. An idle source would wait for ever where frames never end. */
#define WRITING_PAUSE_US 16000

struct _AppAnswers {
  AppAnswerFunc  func;
  gpointer       data;
  GMainContext  *context;

  GMutex         lock;     /* over the three below */
  AppAnswer     *answer;   /* not yet delivered */
  GSource       *delivery; /* set while answer is */
  gint64         next_writing; /* when a growing text may be delivered again; monotonic µs */
};

AppAnswer *
app_answer_new (EngModel *model,
                EngTrace *trace,
                double    milliseconds)
{
  AppAnswer *answer = g_new0 (AppAnswer, 1);

  answer->model = model != NULL ? eng_model_ref (model) : NULL;
  answer->trace = trace != NULL ? eng_trace_ref (trace) : NULL;
  answer->milliseconds = milliseconds;

  return answer;
}

static void
answer_free (AppAnswer *answer)
{
  g_clear_pointer (&answer->document, ui_document_free);
  g_clear_pointer (&answer->model, eng_model_unref);
  g_clear_pointer (&answer->trace, eng_trace_unref);
  g_free (answer->written.text);
  app_predictions_clear (&answer->predictions);
  g_clear_error (&answer->error);
  g_free (answer);
}

/* In the main context. */
static gboolean
deliver (gpointer data)
{
  AppAnswers *self = data;
  gint64 start, end;
  AppAnswer *answer;

  g_mutex_lock (&self->lock);
  answer = g_steal_pointer (&self->answer);
  g_clear_pointer (&self->delivery, g_source_unref);
  g_mutex_unlock (&self->lock);

  start = g_get_monotonic_time ();
  self->func (answer, self->data);
  answer_free (answer);
  end = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  self->next_writing = end + WRITING_PAUSE_US + 2 * (end - start);
  g_mutex_unlock (&self->lock);

  return G_SOURCE_REMOVE;
}

AppAnswers *
app_answers_new (AppAnswerFunc func,
                 gpointer      data)
{
  AppAnswers *self = g_new0 (AppAnswers, 1);

  self->func = func;
  self->data = data;
  self->context = g_main_context_ref_thread_default ();
  g_mutex_init (&self->lock);

  return self;
}

void
app_answers_free (AppAnswers *self)
{
  app_answers_drop (self);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
app_answers_put (AppAnswers *self,
                 AppAnswer  *answer)
{
  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->answer, answer_free);
  self->answer = answer;
  if (self->delivery == NULL) {
    self->delivery = g_timeout_source_new (0);
    g_source_set_callback (self->delivery, deliver, self, NULL);
    g_source_set_priority (self->delivery, ANSWER_PRIORITY);
    g_source_attach (self->delivery, self->context);
  }
  g_source_set_ready_time (self->delivery, answer->written.is_running ? self->next_writing : 0);
  g_mutex_unlock (&self->lock);
}

void
app_answers_drop (AppAnswers *self)
{
  g_mutex_lock (&self->lock);
  if (self->delivery != NULL) {
    g_source_destroy (self->delivery);
    g_clear_pointer (&self->delivery, g_source_unref);
  }
  g_clear_pointer (&self->answer, answer_free);
  g_mutex_unlock (&self->lock);
}
