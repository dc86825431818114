/* SPDX-License-Identifier: MIT */
#include "app/run/answer.h"

#include "engine/trace/telling-head.h"
#include "ui/document/fit.h"

AppAnswer *
app_answer_new (EngModel *model,
                EngTrace *trace,
                double    milliseconds)
{
  AppAnswer *self = g_new0 (AppAnswer, 1);

  self->model = model != NULL ? eng_model_ref (model) : NULL;
  self->trace = trace != NULL ? eng_trace_ref (trace) : NULL;
  self->milliseconds = milliseconds;

  return self;
}

void
app_answer_free (AppAnswer *self)
{
  g_clear_pointer (&self->document, ui_document_free);
  g_clear_pointer (&self->model, eng_model_unref);
  g_clear_pointer (&self->trace, eng_trace_unref);
  g_free (self->written.text);
  app_predictions_clear (&self->predictions);
  g_clear_error (&self->error);
  g_free (self);
}

void
app_answer_choose_head (AppAnswer        *self,
                        const UiDocument *document)
{
  eng_trace_find_telling_head (self->trace, ui_fit_get_kind (document, self->trace),
                               &self->head.layer, &self->head.head);
  self->has_head = TRUE;
}
