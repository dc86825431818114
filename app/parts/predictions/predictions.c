/* SPDX-License-Identifier: MIT */
/* Answers of the task heads, listed in the inspector. */
#include "app/parts/predictions/predictions.h"

#include "ui/inspector/inspector.h"

struct _AppPredictionsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiInspector *inspector;

  EngTrace *trace; /* whose predictions are shown; NULL = none */
};

G_DEFINE_FINAL_TYPE (AppPredictionsPart, app_predictions_part, APP_TYPE_PART)

static void
take_predictions (AppPredictionsPart   *self,
                  const AppPredictions *predictions)
{
  for (int task = 0; task < ENG_N_TASKS; task++)
    ui_inspector_set_predictions (self->inspector, (EngTask) task, predictions->of[task]);
}

static void
begin (AppPart *part)
{
  AppPredictionsPart *self = APP_PREDICTIONS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->inspector = app_desk_get_inspector (self->desk);
}

static void
sync_part (AppPart *part)
{
  AppPredictionsPart *self = APP_PREDICTIONS_PART (part);
  EngTrace *trace = app_study_get_trace (self->study);

  if (trace != self->trace && app_study_is_complete (self->study)) {
    g_clear_pointer (&self->trace, eng_trace_unref);
    self->trace = eng_trace_ref (trace);
    take_predictions (self, app_study_get_predictions (self->study));
  }
}

static void
app_predictions_part_finalize (GObject *object)
{
  AppPredictionsPart *self = APP_PREDICTIONS_PART (object);

  g_clear_pointer (&self->trace, eng_trace_unref);
  G_OBJECT_CLASS (app_predictions_part_parent_class)->finalize (object);
}

static void
app_predictions_part_class_init (AppPredictionsPartClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = app_predictions_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_predictions_part_init (AppPredictionsPart *self)
{
}
