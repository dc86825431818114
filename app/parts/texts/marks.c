/* SPDX-License-Identifier: MIT */
#include "app/parts/texts/marks.h"

/* What is marked in A and B. */
typedef struct {
  GArray *a; /* of UiSentenceMark */
  GArray *b;
} Marks;

/* What the tooltip of a mark says: the tag of an entity or of a part of speech. */
static const char *
get_label (EngTask              task,
           const EngPrediction *prediction)
{
  if (task == ENG_TASK_QUESTION_ANSWERING)
    return "answer";
  return g_intern_string (prediction->label);
}

/* Marks where a prediction stands in the text. */
static void
mark (GArray              *marks,
      const char          *text,
      EngTask              task,
      const EngPrediction *prediction)
{
  const int length = (int) g_utf8_strlen (text, -1);
  const UiSentenceMark found = {
    MIN (prediction->start, length), MIN (prediction->end, length), get_label (task, prediction)
  };

  g_array_append_val (marks, found);
}

/* Of tokens that may have been replaced only those that were. */
static gboolean
is_marked (EngTask              task,
           const EngPrediction *prediction)
{
  return task != ENG_TASK_REPLACED_TOKENS || prediction->probability > 0.5;
}

/* Entities and tokens stand in either sentence; an answer stands in B. */
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

    if (!is_marked (task, prediction))
      continue;
    if (is_in_b (study, task, prediction))
      mark (self->b, answered->text_b, task, prediction);
    else
      mark (self->a, answered->text_a, task, prediction);
  }
}

/* Nothing in a text that was not answered yet. */
static void
show (UiSentenceEntry *entry,
      const GArray    *marks,
      const char      *answered)
{
  const gboolean is_answered =
    g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), answered) == 0;

  ui_sentence_entry_set_marks (entry, (const UiSentenceMark *) (gconstpointer) marks->data,
                               is_answered ? marks->len : 0);
}

void
app_marks_sync (AppStudy        *study,
                UiSentenceEntry *entry_a,
                UiSentenceEntry *entry_b)
{
  static const EngTask marked[] = {
    ENG_TASK_ENTITIES, ENG_TASK_REPLACED_TOKENS, ENG_TASK_QUESTION_ANSWERING
  };
  const UiDocument *answered = app_study_get_answered (study);
  Marks marks;

  if (answered == NULL)
    return;

  marks.a = g_array_new (FALSE, FALSE, sizeof (UiSentenceMark));
  marks.b = g_array_new (FALSE, FALSE, sizeof (UiSentenceMark));
  for (gsize i = 0; i < G_N_ELEMENTS (marked) && app_study_is_complete (study); i++)
    mark_predictions (&marks, study, marked[i]);
  show (entry_a, marks.a, answered->text_a);
  show (entry_b, marks.b, answered->text_b);
  g_array_unref (marks.a);
  g_array_unref (marks.b);
}
