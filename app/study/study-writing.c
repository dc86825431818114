/* SPDX-License-Identifier: MIT */
/* What a model writes behind the texts of a study: asked for, kept, counted as steps. */
#include "app/study/study-private.h"

gboolean
app_study_has_written (AppStudy *self)
{
  return self->can_write && self->written.n_tokens > 0
         && !app_study_has_other_texts (self->answered, self->document);
}

/* That the document has so many written tokens asks for nothing: they are there already. */
static void
keep_count (AppStudy *self,
            int       written,
            gboolean  is_step)
{
  UiDocument *document = ui_document_copy (self->document);

  document->written = written;
  if (is_step)
    app_study_record (self, document);
  else
    app_study_correct (self, document);
  app_study_keep_document (self, document);
}

/* A text that a person had written is a step; one that came of itself, or again under other
 * settings, is none. */
static void
note_end (AppStudy *self)
{
  const int written = self->written.is_done ? UI_WRITTEN_ALL : self->written.n_tokens;
  const gboolean is_step = self->writing_is_asked;

  self->writing_is_asked = FALSE;
  if (app_study_has_written (self) && written != self->document->written
      && (is_step || self->document->written != 0))
    keep_count (self, written, is_step);
}

void
app_study_take_written (AppStudy        *self,
                        const AppAnswer *answer)
{
  const AppWritten *written = answer->can_write ? &answer->written : NULL;
  gboolean is_running = self->written.is_running;

  /* What was asked for meanwhile says whether more is written. */
  if (answer->complete && answer->serial >= self->serial)
    is_running = written != NULL && written->is_running;

  self->can_write = answer->model != NULL
                    && eng_model_has_task (answer->model, ENG_TASK_LANGUAGE_MODEL);
  g_free (self->written.text);
  self->written = written != NULL ? *written : (AppWritten) { 0 };
  self->written.text = g_strdup (written != NULL ? written->text : "");
  self->written.is_running = is_running;
  self->news |= APP_STUDY_WRITTEN;
  if (answer->complete && answer->serial >= self->serial && !is_running)
    note_end (self);
}

void
app_study_forget_written (AppStudy *self)
{
  g_free (self->written.text);
  self->written = (AppWritten) { .text = g_strdup ("") };
  self->can_write = FALSE;
}

void
app_study_end_writing (AppStudy *self)
{
  self->writing_is_asked = FALSE;
  if (!self->written.is_running)
    return;

  self->written.is_running = FALSE;
  self->news |= APP_STUDY_WRITTEN;
}

void
app_study_write (AppStudy   *self,
                 AppWriting  writing)
{
  g_return_if_fail (APP_IS_STUDY (self));

  if (!self->can_write)
    return;

  self->written.is_running = writing == APP_WRITE_ALL;
  self->writing_is_asked = writing != APP_WRITE_NOTHING;
  app_study_submit (self, self->document, writing);
  self->news |= APP_STUDY_WRITTEN;
  app_study_tell (self);
}

void
app_study_write_anew (AppStudy *self)
{
  g_return_if_fail (APP_IS_STUDY (self));

  if (self->document->written != 0)
    keep_count (self, 0, TRUE);
  app_study_write (self, APP_WRITE_NOTHING);
  app_study_tell (self);
}

gboolean
app_study_can_write (AppStudy *self)
{
  return self->can_write;
}

const AppWritten *
app_study_get_written (AppStudy *self)
{
  return &self->written;
}

/* A model of two stacks writes B again where that is empty. */
void
app_study_put_written (AppStudy   *self,
                       UiDocument *document)
{
  if (!app_study_has_written (self)
      || (eng_model_has_two_stacks (self->model) && document->text_b[0] == '\0'))
    return;

  document->written = 0;
  ui_replace_text (&document->text_a, eng_trace_get_text_a (self->trace));
  ui_replace_text (&document->text_b, eng_trace_get_text_b (self->trace));
}
