/* SPDX-License-Identifier: MIT */
/* Answers of the task heads: listed in the inspector, and marked in the sentences where they are a
 * part of them. */
#include "app/parts/predictions/predictions.h"

#include <string.h>

#include "ui/lists/inspector.h"

#define MARK_ALPHA 0x4000

struct _AppPredictionsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkEntry    *entry_a;
  GtkEntry    *entry_b;
  UiInspector *inspector;

  EngTrace      *trace; /* whose predictions are shown; NULL = none */
  PangoAttrList *marks_a; /* what the task heads found in the texts; NULL = nothing */
  PangoAttrList *marks_b;
};

G_DEFINE_FINAL_TYPE (AppPredictionsPart, app_predictions_part, APP_TYPE_PART)

/* Marks the code points [start, end) of the text. */
static void
mark (PangoAttrList **marks,
      const char     *text,
      int             start,
      int             end)
{
  static const guint16 blue[] = { 0x3535, 0x8484, 0xe4e4 };
  PangoAttribute *attributes[] = {
    pango_attr_background_new (blue[0], blue[1], blue[2]),
    pango_attr_background_alpha_new (MARK_ALPHA),
    pango_attr_underline_new (PANGO_UNDERLINE_SINGLE),
  };
  int length = (int) g_utf8_strlen (text, -1);

  if (*marks == NULL)
    *marks = pango_attr_list_new ();
  for (gsize i = 0; i < G_N_ELEMENTS (attributes); i++) {
    attributes[i]->start_index = g_utf8_offset_to_pointer (text, MIN (start, length)) - text;
    attributes[i]->end_index = g_utf8_offset_to_pointer (text, MIN (end, length)) - text;
    pango_attr_list_insert (*marks, attributes[i]);
  }
}

/* Entities stand in either sentence; an answer stands in B. */
static gboolean
is_in_b (AppPredictionsPart  *self,
         EngTask              task,
         const EngPrediction *prediction)
{
  const EngTokens *tokens =
    eng_trace_get_query_tokens (app_study_get_trace (self->study),
                                eng_trace_get_default_kind (app_study_get_trace (self->study)));

  return task == ENG_TASK_QUESTION_ANSWERING || tokens->segments[prediction->position] == 1;
}

static void
mark_predictions (AppPredictionsPart *self,
                  EngTask             task,
                  const GArray       *predictions)
{
  for (guint i = 0; predictions != NULL && i < predictions->len; i++) {
    const EngPrediction *prediction = &g_array_index (predictions, EngPrediction, i);

    if (is_in_b (self, task, prediction))
      mark (&self->marks_b, app_study_get_answered (self->study)->text_b, prediction->start,
            prediction->end);
    else
      mark (&self->marks_a, app_study_get_answered (self->study)->text_a, prediction->start,
            prediction->end);
  }
}

static void
take_predictions (AppPredictionsPart   *self,
                  const AppPredictions *predictions)
{
  static const EngTask marked[] = { ENG_TASK_ENTITIES, ENG_TASK_QUESTION_ANSWERING };

  for (int task = 0; task < ENG_N_TASKS; task++)
    ui_inspector_set_predictions (self->inspector, (EngTask) task, predictions->of[task]);

  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->marks_a, pango_attr_list_unref);
  g_clear_pointer (&self->marks_b, pango_attr_list_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (marked); i++)
    mark_predictions (self, marked[i], predictions->of[marked[i]]);
}

/* Marks belong to the text that was answered, not to what was typed since. */
static void
sync_marks_of (AppPredictionsPart *self,
               GtkEntry           *entry,
               PangoAttrList      *marks,
               const char         *answered)
{
  if (!app_study_is_complete (self->study)
      || g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), answered) != 0)
    marks = NULL;
  if (gtk_entry_get_attributes (entry) != marks)
    gtk_entry_set_attributes (entry, marks);
}

static void
sync_marks (AppPredictionsPart *self)
{
  if (app_study_get_answered (self->study) == NULL)
    return;

  sync_marks_of (self, self->entry_a, self->marks_a, app_study_get_answered (self->study)->text_a);
  sync_marks_of (self, self->entry_b, self->marks_b, app_study_get_answered (self->study)->text_b);
}

static void
begin (AppPart *part)
{
  AppPredictionsPart *self = APP_PREDICTIONS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  self->entry_a = app_desk_get_widget (self->desk, "entry_a");
  self->entry_b = app_desk_get_widget (self->desk, "entry_b");
  self->inspector = app_desk_get_widget (self->desk, "inspector");
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
  sync_marks (self);
}

static void
app_predictions_part_finalize (GObject *object)
{
  AppPredictionsPart *self = APP_PREDICTIONS_PART (object);

  g_clear_pointer (&self->trace, eng_trace_unref);
  g_clear_pointer (&self->marks_a, pango_attr_list_unref);
  g_clear_pointer (&self->marks_b, pango_attr_list_unref);
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
