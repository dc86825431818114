/* SPDX-License-Identifier: MIT */
/* Answers of the task heads: listed in the inspector, and marked in the sentences where they are a
 * part of them. */
#include "app/window-private.h"

#include <string.h>

#define MARK_ALPHA 0x4000

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
is_in_b (AppWindow           *self,
         EngTask              task,
         const EngPrediction *prediction)
{
  const EngTokens *tokens =
    eng_trace_get_query_tokens (self->trace, eng_trace_get_default_kind (self->trace));

  return task == ENG_TASK_QUESTION_ANSWERING || tokens->segments[prediction->position] == 1;
}

static void
mark_predictions (AppWindow    *self,
                  EngTask       task,
                  const GArray *predictions)
{
  for (guint i = 0; predictions != NULL && i < predictions->len; i++) {
    const EngPrediction *prediction = &g_array_index (predictions, EngPrediction, i);

    if (is_in_b (self, task, prediction))
      mark (&self->marks_b, self->answered->text_b, prediction->start, prediction->end);
    else
      mark (&self->marks_a, self->answered->text_a, prediction->start, prediction->end);
  }
}

void
app_window_take_predictions (AppWindow            *self,
                             const AppPredictions *predictions)
{
  static const EngTask marked[] = { ENG_TASK_ENTITIES, ENG_TASK_QUESTION_ANSWERING };

  for (int task = 0; task < ENG_N_TASKS; task++)
    ui_inspector_set_predictions (self->inspector, (EngTask) task, predictions->of[task]);

  g_clear_pointer (&self->marks_a, pango_attr_list_unref);
  g_clear_pointer (&self->marks_b, pango_attr_list_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (marked); i++)
    mark_predictions (self, marked[i], predictions->of[marked[i]]);
}

/* Marks belong to the text that was answered, not to what was typed since. */
static void
sync_marks_of (AppWindow     *self,
               GtkEntry      *entry,
               PangoAttrList *marks,
               const char    *answered)
{
  if (!self->complete || g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), answered) != 0)
    marks = NULL;
  if (gtk_entry_get_attributes (entry) != marks)
    gtk_entry_set_attributes (entry, marks);
}

void
app_window_sync_marks (AppWindow *self)
{
  if (self->answered == NULL)
    return;

  sync_marks_of (self, self->entry_a, self->marks_a, self->answered->text_a);
  sync_marks_of (self, self->entry_b, self->marks_b, self->answered->text_b);
}
