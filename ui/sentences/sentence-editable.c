/* SPDX-License-Identifier: MIT */
/* A sentence that is typed, as a GtkEditable: what it holds is in its buffer, or in its line. */
#include "ui/sentences/sentence-entry-private.h"

static const char *
get_text (GtkEditable *editable)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (editable);
  GtkTextIter start, end;

  if (self->is_in_line)
    return gtk_editable_get_text (GTK_EDITABLE (self->line));
  if (self->text == NULL) {
    gtk_text_buffer_get_bounds (self->buffer, &start, &end);
    self->text = gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE);
  }
  return self->text;
}

static void
insert_text (GtkEditable *editable,
             const char  *text,
             int          length,
             int         *position)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (editable);
  GtkTextIter place;

  if (self->is_in_line) {
    gtk_editable_insert_text (GTK_EDITABLE (self->line), text, length, position);
    return;
  }
  gtk_text_buffer_get_iter_at_offset (self->buffer, &place, *position);
  gtk_text_buffer_insert (self->buffer, &place, text, length);
  *position = self->is_in_line ? gtk_editable_get_position (GTK_EDITABLE (self->line))
                               : gtk_text_iter_get_offset (&place);
}

static void
delete_text (GtkEditable *editable,
             int          start,
             int          end)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (editable);
  GtkTextIter first, last;

  if (self->is_in_line) {
    gtk_editable_delete_text (GTK_EDITABLE (self->line), start, end);
    return;
  }
  gtk_text_buffer_get_iter_at_offset (self->buffer, &first, start);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &last, end);
  gtk_text_buffer_delete (self->buffer, &first, &last);
}

static int
get_offset (UiSentenceEntry *self,
            GtkTextMark     *mark)
{
  GtkTextIter place;

  gtk_text_buffer_get_iter_at_mark (self->buffer, &place, mark);
  return gtk_text_iter_get_offset (&place);
}

/* Of the cursor, or the other end of what is selected. */
static int
get_end (UiSentenceEntry *self,
         gboolean         is_cursor)
{
  int position;

  if (self->is_in_line) {
    g_object_get (self->line, is_cursor ? "cursor-position" : "selection-bound", &position, NULL);
    return position;
  }
  return get_offset (self, is_cursor ? gtk_text_buffer_get_insert (self->buffer)
                                     : gtk_text_buffer_get_selection_bound (self->buffer));
}

static gboolean
get_selection_bounds (GtkEditable *editable,
                      int         *start,
                      int         *end)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (editable);
  const int cursor = get_end (self, TRUE), bound = get_end (self, FALSE);

  *start = MIN (cursor, bound);
  *end = MAX (cursor, bound);
  return cursor != bound;
}

static void
set_selection_bounds (GtkEditable *editable,
                      int          start,
                      int          end)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (editable);
  GtkTextIter bound, cursor;

  if (self->is_in_line) {
    gtk_editable_select_region (GTK_EDITABLE (self->line), start, end);
    return;
  }
  gtk_text_buffer_get_iter_at_offset (self->buffer, &bound, start);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &cursor, end);
  gtk_text_buffer_select_range (self->buffer, &cursor, &bound);
  gtk_text_view_scroll_mark_onscreen (self->view, gtk_text_buffer_get_insert (self->buffer));
}

void
ui_sentence_entry_init_editable (GtkEditableInterface *iface)
{
  iface->get_text = get_text;
  iface->insert_text = insert_text;
  iface->delete_text = delete_text;
  iface->get_selection_bounds = get_selection_bounds;
  iface->set_selection_bounds = set_selection_bounds;
}

void
ui_sentence_entry_set_property (GObject      *object,
                                guint         prop,
                                const GValue *value,
                                GParamSpec   *pspec)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (object);

  switch (prop - UI_SENTENCE_FIRST_PROP) {
  case GTK_EDITABLE_PROP_TEXT:
    gtk_editable_set_text (GTK_EDITABLE (self), g_value_get_string (value));
    break;
  case GTK_EDITABLE_PROP_EDITABLE:
    gtk_text_view_set_editable (self->view, g_value_get_boolean (value));
    break;
  case GTK_EDITABLE_PROP_WIDTH_CHARS:
    self->width_chars = g_value_get_int (value);
    gtk_widget_queue_resize (GTK_WIDGET (self));
    break;
  case GTK_EDITABLE_PROP_MAX_WIDTH_CHARS:
    self->max_width_chars = g_value_get_int (value);
    break;
  default: /* its undo stays off, its texts begin where their script does */
    break;
  }
}

void
ui_sentence_entry_get_property (GObject    *object,
                                guint       prop,
                                GValue     *value,
                                GParamSpec *pspec)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (object);

  switch (prop - UI_SENTENCE_FIRST_PROP) {
  case GTK_EDITABLE_PROP_TEXT:
    g_value_set_string (value, gtk_editable_get_text (GTK_EDITABLE (self)));
    break;
  case GTK_EDITABLE_PROP_CURSOR_POSITION:
    g_value_set_int (value, get_end (self, TRUE));
    break;
  case GTK_EDITABLE_PROP_SELECTION_BOUND:
    g_value_set_int (value, get_end (self, FALSE));
    break;
  case GTK_EDITABLE_PROP_EDITABLE:
    g_value_set_boolean (value, gtk_text_view_get_editable (self->view));
    break;
  case GTK_EDITABLE_PROP_WIDTH_CHARS:
    g_value_set_int (value, self->width_chars);
    break;
  case GTK_EDITABLE_PROP_MAX_WIDTH_CHARS:
    g_value_set_int (value, self->max_width_chars);
    break;
  default: /* no undo, no alignment of its own */
    g_value_reset (value);
    break;
  }
}
