/* SPDX-License-Identifier: MIT */
#include "app/parts/texts/marks.h"

#define MARK_ALPHA 0x4000

/* What is marked in A and B; NULL = nothing. */
typedef struct {
  PangoAttrList *a;
  PangoAttrList *b;
} Marks;

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
is_in_b (AppStudy            *study,
         EngTask              task,
         const EngPrediction *prediction)
{
  EngTrace *trace = app_study_get_trace (study);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, eng_trace_get_default_kind (trace));

  return task == ENG_TASK_QUESTION_ANSWERING || tokens->segments[prediction->position] == 1;
}

static void
mark_predictions (Marks    *self,
                  AppStudy *study,
                  EngTask   task)
{
  const GArray *predictions = app_study_get_predictions (study)->of[task];
  const UiDocument *answered = app_study_get_answered (study);

  for (guint i = 0; predictions != NULL && i < predictions->len; i++) {
    const EngPrediction *prediction = &g_array_index (predictions, EngPrediction, i);

    if (is_in_b (study, task, prediction))
      mark (&self->b, answered->text_b, prediction->start, prediction->end);
    else
      mark (&self->a, answered->text_a, prediction->start, prediction->end);
  }
}

static void
show (GtkEntry      *entry,
      PangoAttrList *marks,
      const char    *answered)
{
  PangoAttrList *shown = gtk_entry_get_attributes (entry);

  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), answered) != 0)
    marks = NULL;
  if (marks != shown
      && (marks == NULL || shown == NULL || !pango_attr_list_equal (marks, shown)))
    gtk_entry_set_attributes (entry, marks);
}

void
app_marks_sync (AppStudy *study,
                GtkEntry *entry_a,
                GtkEntry *entry_b)
{
  static const EngTask marked[] = { ENG_TASK_ENTITIES, ENG_TASK_QUESTION_ANSWERING };
  const UiDocument *answered = app_study_get_answered (study);
  Marks marks = { NULL };

  if (answered == NULL)
    return;

  for (gsize i = 0; i < G_N_ELEMENTS (marked) && app_study_is_complete (study); i++)
    mark_predictions (&marks, study, marked[i]);
  show (entry_a, marks.a, answered->text_a);
  show (entry_b, marks.b, answered->text_b);
  g_clear_pointer (&marks.a, pango_attr_list_unref);
  g_clear_pointer (&marks.b, pango_attr_list_unref);
}
