/* SPDX-License-Identifier: MIT */
#include "ui/sentences/sentence-marks.h"

const char *
ui_sentence_marks_find (GtkTextView  *view,
                        const GArray *marks,
                        int           x,
                        int           y)
{
  GtkTextIter place;
  int offset;

  gtk_text_view_window_to_buffer_coords (view, GTK_TEXT_WINDOW_WIDGET, x, y, &x, &y);
  if (!gtk_text_view_get_iter_at_position (view, &place, NULL, x, y))
    return NULL;
  offset = gtk_text_iter_get_offset (&place);
  for (guint i = 0; i < marks->len; i++) {
    const UiSentenceMark *mark = &g_array_index (marks, UiSentenceMark, i);

    if (mark->start <= offset && offset < mark->end)
      return mark->label;
  }
  return NULL;
}

static gboolean
query_tooltip_cb (GtkTextView *view,
                  int          x,
                  int          y,
                  gboolean     by_keyboard,
                  GtkTooltip  *tooltip,
                  GArray      *marks)
{
  const char *label = by_keyboard ? NULL : ui_sentence_marks_find (view, marks, x, y);

  gtk_tooltip_set_text (tooltip, label);
  return label != NULL;
}

void
ui_sentence_marks_explain (GtkTextView *view,
                           GArray      *marks)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (view), TRUE);
  g_signal_connect (view, "query-tooltip", G_CALLBACK (query_tooltip_cb), marks);
}
