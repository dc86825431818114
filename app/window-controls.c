/* SPDX-License-Identifier: MIT */
/* The controls of the window are set from its document here, and say nothing new by that. */
#include "app/window-private.h"

#include <string.h>

#include <utf8proc.h>

#include "ui/scene/describe.h"

#define CHIP_HINT "Click toggles, double click isolates."
#define HINT_B "Second sentence, or nothing"
#define HINT_CONTEXT "Text that has the answer"
#define HINT_TARGET "Text to write, or nothing: the model writes"
/* GTK lays out all of an entry anew with each letter: 30 ms for so many, and Pango takes time for
 * tabs that grows with their square, half a second for a copied table of so many. */
#define MOST_LETTERS 32768
#define MOST_TABS    64
/* To go one letter to the right Pango finds the places of all letters, each anew: that takes time
 * that grows with their square, 40 s for the most. */
#define MOST_VISUAL  512

/* Only what differs is replaced, so that the cursor stays where something changed: Ctrl+Z in an
 * entry, whose own undo is off, undoes a step of the document like anywhere else. */
static void
sync_entry (GtkEntry   *entry,
            const char *text)
{
  GtkEditable *editable = GTK_EDITABLE (entry);
  g_autofree char *old = g_strdup (gtk_editable_get_text (editable));
  const char *old_end = old + strlen (old);
  const char *new_end = text + strlen (text);
  gsize same = 0;
  int position;

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
  gtk_editable_delete_text (editable, position,
                            (int) g_utf8_strlen (old, old_end - old));
  gtk_editable_insert_text (editable, text + same, (int) (new_end - text - same), &position);
  gtk_editable_set_position (editable, position);
}

static int
count_tabs (const char *text)
{
  int n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\t';
  return n;
}

/* What a person types, pastes or drops. */
static void
insert_text_cb (GtkEditable *text,
                const char  *added,
                int          length,
                int         *position,
                AppWindow   *self)
{
  g_autofree char *rest = length < 0 ? g_strdup (added) : g_strndup (added, (gsize) length);
  const glong room = MAX (MOST_LETTERS - g_utf8_strlen (gtk_editable_get_text (text), -1), 0);
  const gboolean is_long = g_utf8_strlen (rest, -1) > room;
  const gboolean is_table = count_tabs (rest) > MOST_TABS;

  if (self->syncing || (!is_long && !is_table))
    return;

  g_signal_stop_emission_by_name (text, "insert-text");
  if (is_long)
    *g_utf8_offset_to_pointer (rest, room) = '\0';
  if (is_table)
    g_strdelimit (rest, "\t", ' ');
  g_signal_handlers_block_by_func (text, insert_text_cb, self);
  gtk_editable_insert_text (text, rest, -1, position);
  g_signal_handlers_unblock_by_func (text, insert_text_cb, self);
  app_window_toast (self, is_long ? "An entry holds 32,768 letters: the rest was left out"
                                  : "The tabs of the table are blanks in the entry");
}

/* By the first letter that says so. */
static gboolean
runs_to_the_left (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    switch (utf8proc_get_property ((utf8proc_int32_t) g_utf8_get_char (text))->bidi_class) {
    case UTF8PROC_BIDI_CLASS_L:
      return FALSE;
    case UTF8PROC_BIDI_CLASS_R:
    case UTF8PROC_BIDI_CLASS_AL:
      return TRUE;
    default:
      break;
    }
  return FALSE;
}

/* In a long text to the next letter in memory, the way that its script runs. */
static void
move_cursor_cb (GtkEditable     *text,
                GtkMovementStep  step,
                int              count,
                gboolean         extends)
{
  const char *letters = gtk_editable_get_text (text);

  if (step != GTK_MOVEMENT_VISUAL_POSITIONS || g_utf8_strlen (letters, -1) <= MOST_VISUAL)
    return;
  g_signal_stop_emission_by_name (text, "move-cursor");
  g_signal_emit_by_name (text, "move-cursor", GTK_MOVEMENT_LOGICAL_POSITIONS,
                         runs_to_the_left (letters) ? -count : count, extends);
}

void
app_window_watch_entry (AppWindow *self,
                        GtkEntry  *entry)
{
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (entry));

  g_signal_connect_object (text, "insert-text", G_CALLBACK (insert_text_cb), self, 0);
  g_signal_connect (text, "move-cursor", G_CALLBACK (move_cursor_cb), NULL);
}

static gboolean
is_asked_questions (AppWindow *self)
{
  return self->model != NULL && eng_model_has_task (self->model, ENG_TASK_QUESTION_ANSWERING);
}

/* "Sentence; [MASK] asks for a word", in the model's own spelling. */
static char *
describe_a (AppWindow *self)
{
  const EngTokenizer *tokenizer =
    self->model != NULL ? eng_model_get_tokenizer (self->model) : NULL;

  if (is_asked_questions (self))
    return g_strdup ("Question");
  if (self->model != NULL && tokenizer == NULL)
    return g_strdup ("Token ids with spaces: the model has no tokenizer");
  if (tokenizer == NULL || !eng_model_has_task (self->model, ENG_TASK_FILL_MASK)
      || eng_tokenizer_get_mask_id (tokenizer) < 0)
    return g_strdup ("Sentence");

  return g_strdup_printf ("Sentence; %s asks for a word",
                          eng_tokenizer_get_piece (tokenizer,
                                                   eng_tokenizer_get_mask_id (tokenizer)));
}

/* A file that says no text asks for none. */
static void
sync_hints (AppWindow *self,
            gboolean   has_entries)
{
  g_autofree char *hint_a = describe_a (self);
  const char *hint_b = HINT_B;

  if (is_asked_questions (self))
    hint_b = HINT_CONTEXT;
  else if (self->can_write && eng_model_has_two_stacks (self->model))
    hint_b = HINT_TARGET;
  gtk_entry_set_placeholder_text (self->entry_a, has_entries ? hint_a : "");
  gtk_entry_set_placeholder_text (self->entry_b, has_entries ? hint_b : "");
}

/* GTK 4.8 warns of a cursor that goes on blinking in an entry which cannot be typed in. */
static void
set_typing (AppWindow *self,
            GtkEntry  *entry,
            gboolean   can_type)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (!can_type && focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (entry)))
    gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
  gtk_widget_set_sensitive (GTK_WIDGET (entry), can_type);
}

void
app_window_sync_entries (AppWindow *self)
{
  gboolean has_entries = app_window_has_entries (self);
  const char *text_a = self->document->text_a;
  const char *text_b = self->document->text_b;

  if (!has_entries) {
    gboolean is_shown = self->trace != NULL && self->answered->trace_file != NULL;

    text_a = is_shown ? eng_trace_get_text_a (self->trace) : NULL;
    text_b = is_shown ? eng_trace_get_text_b (self->trace) : NULL;
  }
  sync_entry (self->entry_a, text_a != NULL ? text_a : "");
  sync_entry (self->entry_b, text_b != NULL ? text_b : "");
  sync_hints (self, has_entries);
  set_typing (self, self->entry_a, has_entries);
  set_typing (self, self->entry_b, has_entries);
}

void
app_window_sync_model_name (AppWindow *self)
{
  const char *name = eng_trace_get_model_name (self->trace);
  g_autofree char *file = NULL;
  g_autofree char *size = NULL;

  if (self->answered->trace_file != NULL && name == NULL)
    name = file = g_path_get_basename (self->answered->trace_file);
  if (self->model != NULL)
    name = eng_model_get_info (self->model)->name;
  size = g_strdup_printf ("%d × %d", eng_trace_get_n_layers (self->trace, self->shown->kind),
                          eng_trace_get_n_heads (self->trace, self->shown->kind));
  gtk_label_set_label (self->model_name, name);
  gtk_label_set_label (self->model_size, size);
}

/* A button for each kind that the trace has, where there are several. */
static void
sync_kinds (AppWindow *self)
{
  GtkWidget *button = gtk_widget_get_first_child (self->kind_box);
  int n_kinds = 0;

  for (int kind = 0; kind < ENG_N_KINDS; kind++) {
    gboolean is_there = eng_trace_has_kind (self->trace, (EngKind) kind);

    gtk_widget_set_visible (button, is_there);
    button = gtk_widget_get_next_sibling (button);
    n_kinds += is_there;
  }
  gtk_widget_set_visible (self->kind_box, n_kinds > 1);
}

void
app_window_sync_pickers (AppWindow *self)
{
  EngKind kind = self->shown->kind;
  int n_layers = eng_trace_get_n_layers (self->trace, kind);
  int n_heads = eng_trace_get_n_heads (self->trace, kind);

  sync_kinds (self);
  ui_layer_picker_set_n_items (self->layer_picker, n_layers);
  for (int layer = 0; layer < n_layers; layer++) {
    gboolean is_there = eng_trace_has_layer (self->trace, kind, layer);

    ui_layer_picker_set_available (self->layer_picker, layer, !self->complete || is_there);
  }
  ui_layer_picker_set_selected (self->layer_picker, self->shown->layer);
  ui_layer_picker_set_n_items (self->head_picker, n_heads);
  ui_layer_picker_set_selected (self->head_picker,
                                ui_head_set_first (&self->shown->heads, n_heads));
}

void
app_window_sync_chips (AppWindow *self)
{
  EngKind kind = self->shown->kind;
  g_autoptr (EngAttention) attention = NULL;

  if (self->shown->view == UI_VIEW_NEURON)
    return;

  /* Twelve thumbnails need not be drawn again for a head that is turned off. */
  attention = eng_trace_dup_attention (self->trace, kind, self->shown->layer);
  if (attention != self->chip_attention) {
    ui_head_chips_set_attention (self->chips, attention,
                                 eng_trace_get_query_tokens (self->trace, kind),
                                 eng_trace_get_key_tokens (self->trace, kind));
    g_clear_pointer (&self->chip_attention, eng_attention_unref);
    self->chip_attention = g_steal_pointer (&attention);
  }
  ui_head_chips_set_heads (self->chips, &self->shown->heads);
  gtk_label_set_label (self->chip_hint, ui_head_chips_has_shares (self->chips)
                                        ? CHIP_HINT "\nNumber: share of attention between A and B."
                                        : CHIP_HINT);
}

void
app_window_sync_view (AppWindow *self)
{
  gboolean is_neuron = self->document->view == UI_VIEW_NEURON;
  gboolean is_model = self->document->view == UI_VIEW_MODEL;
  gboolean is_table = g_str_equal (gtk_stack_get_visible_child_name (self->stack), "table");
  gboolean has_panels = !is_model && self->document->compare == UI_COMPARE_HEADS;
  gboolean has_two_stacks = self->trace != NULL && ui_describe_has_two_stacks (self->trace);

  /* No block of two stacks has links both within and between its sentences. */
  gtk_widget_set_visible (self->head_controls, !is_neuron && !has_two_stacks);
  gtk_widget_set_visible (self->chip_row, !is_neuron && !is_model && !has_panels);
  /* The grid has all layers, the table of tokens beside it has one. Heads that were collected are
   * of their own. */
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->layer_picker)),
                          (!is_model || is_table) && !has_panels);
  gtk_widget_set_visible (self->neuron_controls, is_neuron);
  gtk_widget_set_visible (self->band_box, !self->document->collapsed);
  gtk_widget_set_visible (self->sort_button, !self->document->collapsed);
}

void
app_window_sync_room (AppWindow *self)
{
  const gboolean is_compact = gtk_widget_get_visible (self->edit_row)
                              || gtk_widget_get_visible (GTK_WIDGET (self->compare_bar));

  if (is_compact)
    gtk_widget_add_css_class (GTK_WIDGET (self), "compact");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "compact");
  ui_head_chips_set_compact (self->chips, is_compact);
  /* It explains a number that low chips have not, and is too high itself. */
  gtk_widget_set_visible (GTK_WIDGET (self->chip_hint),
                          gtk_widget_get_visible (self->chip_row) && !is_compact);
}
