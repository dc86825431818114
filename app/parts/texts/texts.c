/* SPDX-License-Identifier: MIT */
/* The sentences: two entries, examples, what is swapped, typed and marked. */
#include "app/parts/texts/texts.h"

#include <string.h>

#include <utf8proc.h>

#include "app/desk/shortcuts.h"
#include "app/parts/texts/examples.h"
#include "app/parts/texts/marks.h"

/* At least, of a sentence. */
#define MANY_CHARS 16
#define FEW_CHARS  6
#define HINT_B "Second sentence, or nothing"
#define HINT_CONTEXT "Text that has the answer"
#define HINT_TARGET "Text to write, or nothing: the model writes"
/* Beside a second side. */
#define NARROW_HINT_A "Text"
#define NARROW_HINT_B "nothing"
/* GTK lays out all of an entry anew with each letter: 30 ms for so many, and Pango takes time for
 * tabs that grows with their square, half a second for a copied table of so many. */
#define MOST_LETTERS 32768
#define MOST_TABS    64
/* To go one letter to the right Pango finds the places of all letters, each anew: that takes time
 * that grows with their square, 40 s for the most. */
#define MOST_VISUAL  512

struct _AppTextsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  GtkEntry      *entry_a;
  GtkEntry      *entry_b;
  GtkMenuButton *examples_button;
};

G_DEFINE_FINAL_TYPE (AppTextsPart, app_texts_part, APP_TYPE_PART)

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
  /* Where nobody types one sees how the sentence begins. */
  if ((gtk_widget_get_state_flags (GTK_WIDGET (entry)) & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    position = 0;
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
insert_text_cb (GtkEditable  *text,
                const char   *added,
                int           length,
                int          *position,
                AppTextsPart *self)
{
  g_autofree char *rest = length < 0 ? g_strdup (added) : g_strndup (added, (gsize) length);
  const glong room = MAX (MOST_LETTERS - g_utf8_strlen (gtk_editable_get_text (text), -1), 0);
  const gboolean is_long = g_utf8_strlen (rest, -1) > room;
  const gboolean is_table = count_tabs (rest) > MOST_TABS;

  if (app_desk_is_syncing (self->desk) || (!is_long && !is_table))
    return;

  g_signal_stop_emission_by_name (text, "insert-text");
  if (is_long)
    *g_utf8_offset_to_pointer (rest, room) = '\0';
  if (is_table)
    g_strdelimit (rest, "\t", ' ');
  g_signal_handlers_block_by_func (text, insert_text_cb, self);
  gtk_editable_insert_text (text, rest, -1, position);
  g_signal_handlers_unblock_by_func (text, insert_text_cb, self);
  app_desk_toast (self->desk, is_long ? "An entry holds 32,768 letters: the rest was left out"
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

static void
watch_entry (AppTextsPart *self,
             GtkEntry     *entry)
{
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (entry));

  g_signal_connect_object (text, "insert-text", G_CALLBACK (insert_text_cb), self, 0);
  g_signal_connect (text, "move-cursor", G_CALLBACK (move_cursor_cb), NULL);
}

static gboolean
is_asked_questions (AppTextsPart *self)
{
  return app_study_get_model (self->study) != NULL
         && eng_model_has_task (app_study_get_model (self->study), ENG_TASK_QUESTION_ANSWERING);
}

/* "Sentence; [MASK] asks for a word", in the model's own spelling. */
static char *
describe_a (AppTextsPart *self)
{
  const EngTokenizer *tokenizer = app_study_get_model (self->study) != NULL
                                    ? eng_model_get_tokenizer (app_study_get_model (self->study))
                                    : NULL;

  if (is_asked_questions (self))
    return g_strdup ("Question");
  if (app_study_get_model (self->study) != NULL && tokenizer == NULL)
    return g_strdup ("Token ids with spaces: the model has no tokenizer");
  if (tokenizer == NULL
      || !eng_model_has_task (app_study_get_model (self->study), ENG_TASK_FILL_MASK)
      || eng_tokenizer_get_mask_id (tokenizer) < 0)
    return g_strdup ("Sentence");

  return g_strdup_printf ("Sentence; %s asks for a word",
                          eng_tokenizer_get_piece (tokenizer,
                                                   eng_tokenizer_get_mask_id (tokenizer)));
}

/* A file that says no text asks for none. */
static void
sync_hints (AppTextsPart *self,
            gboolean      has_entries)
{
  g_autofree char *hint_a = describe_a (self);
  const char *hint_b = HINT_B;

  if (is_asked_questions (self))
    hint_b = HINT_CONTEXT;
  else if (app_study_can_write (self->study)
           && eng_model_has_two_stacks (app_study_get_model (self->study)))
    hint_b = HINT_TARGET;
  /* An entry would be as wide as its hint. */
  if (ui_document_has_second_side (app_study_get_document (self->study))) {
    g_free (hint_a);
    hint_a = g_strdup (NARROW_HINT_A);
    hint_b = NARROW_HINT_B;
  }
  gtk_entry_set_placeholder_text (self->entry_a, has_entries ? hint_a : "");
  gtk_entry_set_placeholder_text (self->entry_b, has_entries ? hint_b : "");
}

/* GTK 4.8 warns of a cursor that goes on blinking in an entry which cannot be typed in. */
static void
set_typing (AppTextsPart *self,
            GtkEntry     *entry,
            gboolean      can_type)
{
  GtkWidget *focus = gtk_window_get_focus (app_desk_get_window (self->desk));

  if (!can_type && focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (entry)))
    gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
  gtk_widget_set_sensitive (GTK_WIDGET (entry), can_type);
}

static void
sync_entries (AppTextsPart *self)
{
  gboolean has_entries = app_study_has_texts (self->study);
  const char *text_a = app_study_get_document (self->study)->text_a;
  const char *text_b = app_study_get_document (self->study)->text_b;

  if (!has_entries) {
    gboolean is_shown = app_study_get_trace (self->study) != NULL
                        && app_study_get_answered (self->study)->trace_file != NULL;

    text_a = is_shown ? eng_trace_get_text_a (app_study_get_trace (self->study)) : NULL;
    text_b = is_shown ? eng_trace_get_text_b (app_study_get_trace (self->study)) : NULL;
  }
  sync_entry (self->entry_a, text_a != NULL ? text_a : "");
  sync_entry (self->entry_b, text_b != NULL ? text_b : "");
  sync_hints (self, has_entries);
  set_typing (self, self->entry_a, has_entries);
  set_typing (self, self->entry_b, has_entries);
}

static void
text_changed_cb (AppTextsPart *self)
{
  UiDocument *document;

  if (app_desk_is_syncing (self->desk) || !app_study_has_texts (self->study))
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  ui_replace_text (&document->text_a, gtk_editable_get_text (GTK_EDITABLE (self->entry_a)));
  ui_replace_text (&document->text_b, gtk_editable_get_text (GTK_EDITABLE (self->entry_b)));
  app_study_change (self->study, document);
}

static void
swap (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  AppTextsPart *self = data;
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  char *text_a = document->text_a;

  document->text_a = document->text_b;
  document->text_b = text_a;
  app_study_change (self->study, document);
}

/* Other sentences: pins of the old ones would point anywhere. */
static void
example (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  AppTextsPart *self = data;
  int index = g_variant_get_int32 (parameter);
  int n_examples;
  const AppExample *examples = app_examples_get (&n_examples);
  UiDocument *document;

  if (index < 0 || index >= n_examples)
    return;

  document = ui_document_copy (app_study_get_document (self->study));
  ui_replace_text (&document->text_a, examples[index].text_a);
  ui_replace_text (&document->text_b, examples[index].text_b);
  ui_pins_clear (&document->pins);
  app_study_change (self->study, document);
}

static void
show_examples (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  gtk_menu_button_popup (APP_TEXTS_PART (data)->examples_button);
}

static void
focus_a (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  gtk_widget_grab_focus (GTK_WIDGET (APP_TEXTS_PART (data)->entry_a));
}

static void
focus_b (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  gtk_widget_grab_focus (GTK_WIDGET (APP_TEXTS_PART (data)->entry_b));
}

static GMenuModel *
examples_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  int n_examples;
  const AppExample *examples = app_examples_get (&n_examples);

  for (int i = 0; i < n_examples; i++) {
    g_autofree char *label = examples[i].text_b[0] != '\0'
                             ? g_strconcat (examples[i].text_a, " / ", examples[i].text_b, NULL)
                             : g_strdup (examples[i].text_a);
    g_autofree char *action = g_strdup_printf ("win.example(%d)", i);

    g_menu_append (menu, label, action);
  }

  return G_MENU_MODEL (menu);
}

static void
add_actions (AppTextsPart *self)
{
  static const GActionEntry entries[] = {
    { "swap", swap },
    { "example", example, "i" },
    { "examples", show_examples },
    { "focus-a", focus_a },
    { "focus-b", focus_b },
  };
  g_autoptr (GMenuModel) menu = examples_menu_new ();

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  gtk_menu_button_set_menu_model (self->examples_button, menu);
  app_shortcuts_explain_as (GTK_WIDGET (self->examples_button), "win.examples");
  g_signal_connect_object (self->entry_a, "changed", G_CALLBACK (text_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry_b, "changed", G_CALLBACK (text_changed_cb), self,
                           G_CONNECT_SWAPPED);
  watch_entry (self, self->entry_a);
  watch_entry (self, self->entry_b);
}

static void
sync_actions (AppTextsPart *self)
{
  static const char *const names[] = { "swap", "examples", "example" };
  const gboolean has_entries = app_study_has_texts (self->study);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    app_desk_set_enabled (self->desk, names[i], has_entries);
  gtk_widget_set_sensitive (GTK_WIDGET (self->examples_button), has_entries);
}

/* Beside a second side there is the name of the first, too. */
static void
sync_width (AppTextsPart *self)
{
  const gboolean is_narrow = ui_document_has_second_side (app_study_get_document (self->study));
  GtkEntry *entries[] = { self->entry_a, self->entry_b };

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++) {
    /* What becomes narrower would show its end. */
    if (is_narrow && gtk_editable_get_width_chars (GTK_EDITABLE (entries[i])) != FEW_CHARS
        && !(gtk_widget_get_state_flags (GTK_WIDGET (entries[i])) & GTK_STATE_FLAG_FOCUS_WITHIN))
      gtk_editable_set_position (GTK_EDITABLE (entries[i]), 0);
    gtk_editable_set_width_chars (GTK_EDITABLE (entries[i]), is_narrow ? FEW_CHARS : MANY_CHARS);
    gtk_editable_set_max_width_chars (GTK_EDITABLE (entries[i]), is_narrow ? FEW_CHARS : -1);
  }
}

static void
begin (AppPart *part)
{
  AppTextsPart *self = APP_TEXTS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "texts");
  app_part_place (self, "sentence_a", "sentences_texts");
  app_part_place (self, "swap_button", "sentences_texts");
  app_part_place (self, "sentence_b", "sentences_texts");
  app_part_place (self, "examples_button", "sentences_texts");
  app_desk_align (self->desk, "texts-gap", app_part_get_object (self, "swap_button"), TRUE);
  app_desk_align (self->desk, "texts-end", app_part_get_object (self, "examples_button"), TRUE);
  self->entry_a = app_part_get_object (self, "entry_a");
  self->entry_b = app_part_get_object (self, "entry_b");
  self->examples_button = app_part_get_object (self, "examples_button");
  add_actions (self);
}

static void
sync_part (AppPart *part)
{
  AppTextsPart *self = APP_TEXTS_PART (part);

  sync_entries (self);
  sync_width (self);
  app_marks_sync (self->study, self->entry_a, self->entry_b);
  sync_actions (self);
}

static void
app_texts_part_class_init (AppTextsPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_texts_part_init (AppTextsPart *self)
{
}
