/* SPDX-License-Identifier: MIT */
#include "ui/sentences/sentence-entry-private.h"

#include <string.h>

#include "ui/sentences/sentence-marks.h"
#include "ui/sentences/sentence-typing.h"

#define MOST_LINES 4
#define PADDING    5 /* above and below the text */
#define TOP        7 /* above it at most */
#define NARROWEST  2 /* pixels of a letter */
#define CURSOR     1 /* pixels that GtkTextView keeps free at the end of lines */
/* GTK lays out all of a paragraph several times with each letter, and draws all of it: 120 ms for
 * 5,000 words, 7 ms for so many letters. A longer text stands in one line, which takes 16 ms then;
 * when it becomes shorter than the second it has lines again. */
#define MOST_WRAPPED  2000
#define LEAST_IN_LINE 1500

static const GdkRGBA mark_color = { 0.208f, 0.518f, 0.894f, 0.25f };

enum { SIGNAL_SHORTENED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (UiSentenceEntry, ui_sentence_entry, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_EDITABLE,
                                                      ui_sentence_entry_init_editable))

/* Layout. */

/* Of the first lines. */
static int
add_up_lines (PangoLayout *layout)
{
  const int n_lines = MIN (pango_layout_get_line_count (layout), MOST_LINES);
  int height = 0;

  for (int i = 0; i < n_lines; i++) {
    PangoRectangle extents;

    pango_layout_line_get_pixel_extents (pango_layout_get_line_readonly (layout, i), NULL,
                                         &extents);
    height += extents.height;
  }
  return height;
}

/* No more letters than have room in the lines that can be seen. text_width: nullable. */
static int
lay_out (UiSentenceEntry *self,
         int              width,
         int             *text_width)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self));
  const gsize most = (gsize) (MOST_LINES + 1) * (gsize) MAX (width, 1) / NARROWEST;
  g_autofree char *begin = NULL;
  g_autoptr (PangoLayout) layout = NULL;

  if (self->is_in_line)
    text = "x";
  if (strlen (text) > most)
    text = begin = g_utf8_substring (text, 0, MIN ((glong) most, g_utf8_strlen (text, -1)));
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->view), text);
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  /* A layout that may be as wide as it likes asks for more than Pango can count. */
  pango_layout_set_width (layout,
                          CLAMP (width - CURSOR, 1, G_MAXINT / PANGO_SCALE) * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, text_width, NULL);
  return add_up_lines (layout);
}

/* Kept beside the other: each frame asks for both in turn. */
static int
get_free_height (UiSentenceEntry *self)
{
  if (self->free_height < 0)
    self->free_height = lay_out (self, G_MAXINT / PANGO_SCALE / 2, &self->free_width);
  return self->free_height;
}

/* What has room is not laid out once more. */
static int
get_text_height (UiSentenceEntry *self,
                 int              width)
{
  if (get_free_height (self) >= 0 && self->free_width <= width - CURSOR)
    return self->free_height;
  if (width != self->known_width)
    self->known_height = lay_out (self, width, NULL);
  self->known_width = width;
  return self->known_height;
}

static int
get_least_width (UiSentenceEntry *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  const int letter = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                          pango_font_metrics_get_approximate_digit_width (metrics));

  pango_font_metrics_unref (metrics);
  return PANGO_PIXELS_CEIL (letter * MAX (self->width_chars, 1));
}

static void
ui_sentence_entry_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (widget);

  /* Asked, so that GTK 4.8 does not warn of what is given out unasked. */
  gtk_widget_measure (self->scroller, orientation, -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = get_least_width (self);
  else
    *minimum = *natural =
      (for_size >= 0 ? get_text_height (self, for_size) : get_free_height (self)) + 2 * PADDING;
}

static GtkSizeRequestMode
ui_sentence_entry_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ui_sentence_entry_size_allocate (GtkWidget *widget,
                                 int        width,
                                 int        height,
                                 int        baseline)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (widget);
  const int own = MIN (get_text_height (self, width), height);
  /* At the top where the other sentence is higher. */
  const GtkAllocation place = { 0, MIN ((height - own) / 2, TOP), width, own };

  gtk_widget_measure (self->scroller, GTK_ORIENTATION_VERTICAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_measure (self->placeholder, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->scroller, &place, -1);
  gtk_widget_size_allocate (self->placeholder, &place, -1);
  gtk_widget_measure (self->line, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->line, &place, -1);
}

static void
forget_height (UiSentenceEntry *self)
{
  self->known_width = -1;
  self->free_height = -1;
}

static void
ui_sentence_entry_css_changed (GtkWidget         *widget,
                               GtkCssStyleChange *change)
{
  forget_height (UI_SENTENCE_ENTRY (widget));
  GTK_WIDGET_CLASS (ui_sentence_entry_parent_class)->css_changed (widget, change);
}

/* What is typed. */

static void
show_placeholder (UiSentenceEntry *self,
                  gboolean         has_preedit)
{
  gtk_widget_set_child_visible (self->placeholder,
                                !self->is_in_line && !has_preedit
                                && gtk_text_buffer_get_char_count (self->buffer) == 0);
}

static GtkWidget *
get_typed (UiSentenceEntry *self)
{
  return self->is_in_line ? self->line : GTK_WIDGET (self->view);
}

/* The other one of view and line is shown, with the focus if the first had it. */
static void
set_in_line (UiSentenceEntry *self,
             gboolean         is_in_line)
{
  const gboolean had_focus = gtk_widget_has_focus (get_typed (self));

  self->is_in_line = is_in_line;
  gtk_widget_set_child_visible (self->scroller, !is_in_line);
  gtk_widget_set_child_visible (self->line, is_in_line);
  gtk_widget_set_can_focus (self->line, is_in_line);
  gtk_widget_set_can_focus (GTK_WIDGET (self->view), !is_in_line);
  if (had_focus && is_in_line)
    gtk_text_grab_focus_without_selecting (GTK_TEXT (self->line));
  else if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* What is hidden holds nothing. Neither while it changes. */
static gboolean
switch_cb (gpointer data)
{
  UiSentenceEntry *self = data;
  const int position = gtk_editable_get_position (GTK_EDITABLE (self->line));
  const gboolean was_putting = self->is_putting;

  self->switch_source = 0;
  self->is_putting = self->is_switching = TRUE;
  if (self->is_in_line
      && g_utf8_strlen (gtk_editable_get_text (GTK_EDITABLE (self->line)), -1) < LEAST_IN_LINE) {
    gtk_text_buffer_set_text (self->buffer, gtk_editable_get_text (GTK_EDITABLE (self->line)), -1);
    set_in_line (self, FALSE);
    gtk_editable_set_position (GTK_EDITABLE (self), position);
    gtk_widget_queue_resize (GTK_WIDGET (self));
  }
  if (self->is_in_line)
    gtk_text_buffer_set_text (self->buffer, "", 0);
  else
    gtk_editable_set_text (GTK_EDITABLE (self->line), "");
  self->is_putting = was_putting;
  self->is_switching = FALSE;
  g_clear_pointer (&self->text, g_free);
  forget_height (self);
  show_placeholder (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
queue_switch (UiSentenceEntry *self)
{
  if (self->switch_source == 0)
    self->switch_source = g_idle_add_full (G_PRIORITY_HIGH, switch_cb, self, NULL);
}

static void
changed_cb (UiSentenceEntry *self)
{
  const int width = self->known_width, height = self->known_height;

  if (self->is_switching)
    return;
  g_clear_pointer (&self->text, g_free);
  forget_height (self);
  /* Most letters change no height. */
  if (width < 0 || get_text_height (self, width) != height)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  show_placeholder (self, FALSE);
  if (self->is_in_line)
    queue_switch (self);
  g_signal_emit_by_name (self, "changed");
  g_object_notify (G_OBJECT (self), "text");
}

/* Before the view lays out what it cannot in time; the buffer keeps its letters for as long as
 * somebody may hold a place in it. */
static void
move_into_line (UiSentenceEntry *self,
                int              position,
                const char      *added)
{
  self->is_switching = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->line), gtk_editable_get_text (GTK_EDITABLE (self)));
  gtk_editable_insert_text (GTK_EDITABLE (self->line), added, -1, &position);
  self->is_switching = FALSE;
  set_in_line (self, TRUE);
  gtk_editable_set_position (GTK_EDITABLE (self->line), position);
  queue_switch (self);
  changed_cb (self);
}

static void
tell_cut (UiSentenceEntry *self,
          UiSentenceCut    cut)
{
  if (cut >= UI_SENTENCE_UNTABBED)
    g_signal_emit (self, signals[SIGNAL_SHORTENED], 0, cut == UI_SENTENCE_CUT);
}

static void
insert_text_cb (GtkTextBuffer   *buffer,
                GtkTextIter     *place,
                const char      *added,
                int              length,
                UiSentenceEntry *self)
{
  const int n_before = gtk_text_buffer_get_char_count (buffer);
  UiSentenceCut cut = UI_SENTENCE_AS_IT_IS;
  g_autofree char *rest = NULL;

  if (self->is_switching)
    return;
  rest = self->is_putting ? g_strndup (added, length < 0 ? strlen (added) : (gsize) length)
                          : ui_sentence_clean (added, length, n_before, &cut);
  if (n_before + g_utf8_strlen (rest, -1) > MOST_WRAPPED) {
    g_signal_stop_emission_by_name (buffer, "insert-text");
    move_into_line (self, gtk_text_iter_get_offset (place), rest);
  } else if (cut != UI_SENTENCE_AS_IT_IS) {
    g_signal_stop_emission_by_name (buffer, "insert-text");
    gtk_text_buffer_insert (buffer, place, rest, -1);
  }
  tell_cut (self, cut);
}

static void
insert_into_line_cb (GtkEditable     *line,
                     const char      *added,
                     int              length,
                     int             *position,
                     UiSentenceEntry *self)
{
  UiSentenceCut cut;
  g_autofree char *rest = NULL;

  if (self->is_putting || self->is_switching)
    return;
  rest = ui_sentence_clean (added, length,
                            (int) g_utf8_strlen (gtk_editable_get_text (line), -1), &cut);
  if (cut == UI_SENTENCE_AS_IT_IS)
    return;
  g_signal_stop_emission_by_name (line, "insert-text");
  self->is_putting = TRUE;
  gtk_editable_insert_text (line, rest, -1, position);
  self->is_putting = FALSE;
  tell_cut (self, cut);
}

static void
preedit_cb (UiSentenceEntry *self,
            const char      *preedit)
{
  show_placeholder (self, *preedit != '\0');
}

/* A sentence has no line breaks, and runs while it is typed. */
static gboolean
key_cb (UiSentenceEntry *self,
        guint            key)
{
  return key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter;
}

static gboolean
ui_sentence_entry_grab_focus (GtkWidget *widget)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (widget);

  gtk_editable_select_region (GTK_EDITABLE (self), 0, -1);
  return gtk_widget_grab_focus (get_typed (self));
}

/* Tab selects the text as in an entry, and leaves it. */
static gboolean
ui_sentence_entry_focus (GtkWidget        *widget,
                         GtkDirectionType  direction)
{
  const gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (gtk_widget_get_focus_child (widget) != NULL)
    return is_tab ? FALSE : GTK_WIDGET_CLASS (ui_sentence_entry_parent_class)->focus (widget,
                                                                                     direction);
  return gtk_widget_grab_focus (widget);
}

/* The object. */

static void
ui_sentence_entry_dispose (GObject *object)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (object);

  if (self->buffer != NULL)
    g_signal_handlers_disconnect_by_data (self->buffer, self);
  g_clear_object (&self->buffer);
  g_clear_handle_id (&self->switch_source, g_source_remove);
  if (self->line != NULL)
    g_signal_handlers_disconnect_by_data (self->line, self);
  g_clear_pointer (&self->line, gtk_widget_unparent);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_pointer (&self->placeholder, gtk_widget_unparent);
  G_OBJECT_CLASS (ui_sentence_entry_parent_class)->dispose (object);
}

static void
ui_sentence_entry_finalize (GObject *object)
{
  UiSentenceEntry *self = UI_SENTENCE_ENTRY (object);

  g_free (self->text);
  g_array_unref (self->marks);
  G_OBJECT_CLASS (ui_sentence_entry_parent_class)->finalize (object);
}

static void
ui_sentence_entry_class_init (UiSentenceEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = ui_sentence_entry_set_property;
  object_class->get_property = ui_sentence_entry_get_property;
  object_class->dispose = ui_sentence_entry_dispose;
  object_class->finalize = ui_sentence_entry_finalize;
  widget_class->measure = ui_sentence_entry_measure;
  widget_class->get_request_mode = ui_sentence_entry_get_request_mode;
  widget_class->size_allocate = ui_sentence_entry_size_allocate;
  widget_class->css_changed = ui_sentence_entry_css_changed;
  widget_class->grab_focus = ui_sentence_entry_grab_focus;
  widget_class->focus = ui_sentence_entry_focus;
  gtk_editable_install_properties (object_class, UI_SENTENCE_FIRST_PROP);
  signals[SIGNAL_SHORTENED] = g_signal_new ("shortened", G_TYPE_FROM_CLASS (klass),
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                            G_TYPE_BOOLEAN);
  gtk_widget_class_set_css_name (widget_class, "entry");
}

/* A text view that scrolls to what was pasted keeps the page that it had when it began: grown
 * meanwhile, it would stay scrolled beyond its end. */
static void
scrolled_cb (UiSentenceEntry *self,
             GtkAdjustment   *adjustment)
{
  if (gtk_adjustment_get_page_size (adjustment) < gtk_widget_get_height (GTK_WIDGET (self->view)))
    gtk_widget_queue_allocate (GTK_WIDGET (self->view));
}

static void
init_view (UiSentenceEntry *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->view = GTK_TEXT_VIEW (g_object_new (GTK_TYPE_TEXT_VIEW,
                                            "wrap-mode", GTK_WRAP_WORD_CHAR,
                                            "accepts-tab", FALSE,
                                            "input-hints", GTK_INPUT_HINT_NO_SPELLCHECK,
                                            NULL));
  self->buffer = g_object_ref (gtk_text_view_get_buffer (self->view));
  gtk_text_buffer_set_enable_undo (self->buffer, FALSE);
  self->mark = gtk_text_buffer_create_tag (self->buffer, NULL,
                                           "underline", PANGO_UNDERLINE_SINGLE, NULL);
  g_object_set (self->mark, "background-rgba", &mark_color, NULL);
  ui_sentence_marks_explain (self->view, self->marks);
  g_signal_connect (self->buffer, "insert-text", G_CALLBACK (insert_text_cb), self);
  g_signal_connect_swapped (self->buffer, "changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->view, "preedit-changed", G_CALLBACK (preedit_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), keys);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  self, NULL, -1);
}

static void
init_line (UiSentenceEntry *self)
{
  self->line = g_object_new (GTK_TYPE_TEXT,
                             "enable-undo", FALSE,
                             "input-hints", GTK_INPUT_HINT_NO_SPELLCHECK,
                             NULL);
  gtk_widget_set_parent (self->line, GTK_WIDGET (self));
  ui_sentence_ease_cursor (GTK_TEXT (self->line));
  g_signal_connect (self->line, "insert-text", G_CALLBACK (insert_into_line_cb), self);
  g_signal_connect_swapped (self->line, "changed", G_CALLBACK (changed_cb), self);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->line), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  self, NULL, -1);
}

static void
ui_sentence_entry_init (UiSentenceEntry *self)
{
  self->marks = g_array_new (FALSE, FALSE, sizeof (UiSentenceMark));
  self->width_chars = self->max_width_chars = -1;
  forget_height (self);
  init_view (self);
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW,
                                 "hscrollbar-policy", GTK_POLICY_NEVER,
                                 "vscrollbar-policy", GTK_POLICY_EXTERNAL,
                                 "child", self->view,
                                 NULL);
  g_signal_connect_object (
    gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)), "value-changed",
    G_CALLBACK (scrolled_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  self->placeholder = g_object_new (GTK_TYPE_LABEL,
                                    "ellipsize", PANGO_ELLIPSIZE_END,
                                    "xalign", 0.0f,
                                    "can-target", FALSE,
                                    "css-classes", (const char *[]) { "dim-label", NULL },
                                    NULL);
  gtk_widget_set_parent (self->placeholder, GTK_WIDGET (self));
  init_line (self);
  ui_sentence_take_clicks (GTK_WIDGET (self));
  set_in_line (self, FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

void
ui_sentence_entry_put_text (UiSentenceEntry *self,
                            const char      *text)
{
  GtkEditable *editable = GTK_EDITABLE (self);
  g_autofree char *old = g_strdup (gtk_editable_get_text (editable));
  const char *old_end = old + strlen (old);
  const char *new_end = text + strlen (text);
  gsize same = 0;
  int position;

  g_return_if_fail (UI_IS_SENTENCE_ENTRY (self));

  if (g_str_equal (old, text))
    return;
  while (old[same] != '\0' && old[same] == text[same])
    same++;
  /* Not in the middle of a letter. */
  while (same > 0 && ((guchar) old[same] & 0xc0) == 0x80)
    same--;
  while (old_end > old + same && new_end > text + same && old_end[-1] == new_end[-1])
    old_end--, new_end--;
  while (*old_end != '\0' && ((guchar) *old_end & 0xc0) == 0x80)
    old_end++, new_end++;

  position = (int) g_utf8_strlen (old, (gssize) same);
  self->is_putting = TRUE;
  gtk_editable_delete_text (editable, position, (int) g_utf8_strlen (old, old_end - old));
  gtk_editable_insert_text (editable, text + same, (int) (new_end - text - same), &position);
  self->is_putting = FALSE;
  if ((gtk_widget_get_state_flags (GTK_WIDGET (self)) & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    position = 0;
  gtk_editable_set_position (editable, position);
}

void
ui_sentence_entry_set_placeholder (UiSentenceEntry *self,
                                   const char      *text)
{
  g_return_if_fail (UI_IS_SENTENCE_ENTRY (self));

  gtk_label_set_label (GTK_LABEL (self->placeholder), text);
}

const char *
ui_sentence_entry_get_placeholder (UiSentenceEntry *self)
{
  g_return_val_if_fail (UI_IS_SENTENCE_ENTRY (self), NULL);

  return gtk_label_get_label (GTK_LABEL (self->placeholder));
}

static void
mark_line (UiSentenceEntry *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->line));
  g_autoptr (PangoAttrList) list = pango_attr_list_new ();

  for (guint i = 0; i < self->marks->len; i++) {
    const UiSentenceMark *mark = &g_array_index (self->marks, UiSentenceMark, i);
    PangoAttribute *attributes[] = {
      pango_attr_background_new (mark_color.red * 65535, mark_color.green * 65535,
                                 mark_color.blue * 65535),
      pango_attr_background_alpha_new (mark_color.alpha * 65535),
      pango_attr_underline_new (PANGO_UNDERLINE_SINGLE),
    };

    for (gsize j = 0; j < G_N_ELEMENTS (attributes); j++) {
      attributes[j]->start_index = g_utf8_offset_to_pointer (text, mark->start) - text;
      attributes[j]->end_index = g_utf8_offset_to_pointer (text, mark->end) - text;
      pango_attr_list_insert (list, attributes[j]);
    }
  }
  gtk_text_set_attributes (GTK_TEXT (self->line), list);
}

void
ui_sentence_entry_set_marks (UiSentenceEntry      *self,
                             const UiSentenceMark *marks,
                             guint                 n_marks)
{
  GtkTextIter start, end;

  g_return_if_fail (UI_IS_SENTENCE_ENTRY (self));

  if (self->marks->len == n_marks
      && (n_marks == 0 || memcmp (self->marks->data, marks, n_marks * sizeof *marks) == 0))
    return;
  g_array_set_size (self->marks, 0);
  g_array_append_vals (self->marks, marks, n_marks);
  if (self->is_in_line) {
    mark_line (self);
    return;
  }
  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag (self->buffer, self->mark, &start, &end);
  for (guint i = 0; i < n_marks; i++) {
    gtk_text_buffer_get_iter_at_offset (self->buffer, &start, marks[i].start);
    gtk_text_buffer_get_iter_at_offset (self->buffer, &end, marks[i].end);
    gtk_text_buffer_apply_tag (self->buffer, self->mark, &start, &end);
  }
}
