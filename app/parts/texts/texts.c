/* SPDX-License-Identifier: MIT */
/* The sentences: where they are typed, examples, what is swapped, typed and marked. */
#include "app/parts/texts/texts.h"

#include "app/desk/shortcuts.h"
#include "app/parts/texts/examples.h"
#include "app/parts/texts/marks.h"
#include "ui/controls/quiet.h"
#include "ui/document/fit.h"

/* At least, of a sentence. */
#define MANY_CHARS 16
#define FEW_CHARS  6
#define HINT_B "Second sentence, or nothing"
#define HINT_CONTEXT "Text that has the answer"
#define HINT_TARGET "Text to write, or nothing: the model writes"
/* Beside a second side. */
#define NARROW_HINT_A "Text"
#define NARROW_HINT_B "nothing"
#define ONE_TEXT "A trace has one text: open a model to type another"

struct _AppTextsPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiSentenceEntry *entry_a;
  UiSentenceEntry *entry_b;
  GtkMenuButton   *examples_button;
  GtkLabel        *folded;          /* both in a line, where the entries have no room */
};

G_DEFINE_FINAL_TYPE (AppTextsPart, app_texts_part, APP_TYPE_PART)

static void
shortened_cb (AppTextsPart *self,
              gboolean      is_long)
{
  app_desk_say_shortened (self->desk, is_long);
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
  if (ui_document_has_second_side (app_study_get_document (self->study))) {
    g_free (hint_a);
    hint_a = g_strdup (NARROW_HINT_A);
    hint_b = NARROW_HINT_B;
  }
  ui_sentence_entry_set_placeholder (self->entry_a, has_entries ? hint_a : "");
  ui_sentence_entry_set_placeholder (self->entry_b, has_entries ? hint_b : "");
}

/* GTK 4.8 warns of a cursor that goes on blinking in an entry which cannot be typed in. */
static void
set_typing (AppTextsPart    *self,
            UiSentenceEntry *entry,
            gboolean         can_type)
{
  GtkWidget *focus = gtk_window_get_focus (app_desk_get_window (self->desk));

  if (!can_type && focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (entry)))
    gtk_widget_grab_focus (GTK_WIDGET (app_picture_get_view (self->picture)));
  gtk_widget_set_sensitive (GTK_WIDGET (entry), can_type);
  ui_quiet_set_tooltip (GTK_WIDGET (entry), can_type ? NULL : ONE_TEXT);
}

static void
sync_entries (AppTextsPart *self)
{
  const gboolean has_entries = app_study_has_texts (self->study);
  const UiDocument *document = app_study_get_document (self->study);
  const EngTrace *trace = app_study_get_trace (self->study);

  if (trace != NULL && app_study_get_answered (self->study)->trace_file == NULL)
    trace = NULL;
  ui_sentence_entry_put_text (self->entry_a, ui_fit_get_text (document, trace, FALSE));
  ui_sentence_entry_put_text (self->entry_b, ui_fit_get_text (document, trace, TRUE));
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

static void
example (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  AppTextsPart *self = data;
  int index = g_variant_get_int32 (parameter);
  int n_examples;
  const AppExample *examples = app_examples_get (&n_examples);

  if (index < 0 || index >= n_examples)
    return;

  app_study_open_texts (self->study, &(AppTexts) {
    .model = app_examples_get_model (examples[index].use, app_study_get_model (self->study)),
    .text_a = examples[index].text_a,
    .text_b = examples[index].text_b,
    .is_continued = examples[index].use == APP_EXAMPLE_CONTINUED,
    .is_crossed = examples[index].use == APP_EXAMPLE_TRANSLATED,
  });
}

static void
show_examples (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  gtk_menu_button_popup (APP_TEXTS_PART (data)->examples_button);
}

/* What lies over the picture would lie over the entry, too. */
static void
type (AppTextsPart    *self,
      UiSentenceEntry *entry)
{
  app_desk_close_over (self->desk);
  gtk_widget_grab_focus (GTK_WIDGET (entry));
}

static void
focus_a (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  type (data, APP_TEXTS_PART (data)->entry_a);
}

static void
focus_b (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  type (data, APP_TEXTS_PART (data)->entry_b);
}

/* Anew each time that it opens: what it says depends on the open model and on the disk. */
static void
create_menu_cb (GtkMenuButton *button,
                gpointer       data)
{
  AppTextsPart *self = data;
  g_autoptr (GMenuModel) menu = app_examples_new_menu (app_study_get_model (self->study));

  gtk_menu_button_set_menu_model (button, menu);
}

static void
watch_entry (AppTextsPart    *self,
             UiSentenceEntry *entry)
{
  g_signal_connect_object (entry, "changed", G_CALLBACK (text_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (entry, "shortened", G_CALLBACK (shortened_cb), self,
                           G_CONNECT_SWAPPED);
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

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  gtk_menu_button_set_create_popup_func (self->examples_button, create_menu_cb, self, NULL);
  app_shortcuts_explain_as (GTK_WIDGET (self->examples_button), "win.examples");
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
  UiSentenceEntry *entries[] = { self->entry_a, self->entry_b };

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++) {
    /* What becomes narrower would show its end. */
    if (is_narrow && gtk_editable_get_width_chars (GTK_EDITABLE (entries[i])) != FEW_CHARS
        && !(gtk_widget_get_state_flags (GTK_WIDGET (entries[i])) & GTK_STATE_FLAG_FOCUS_WITHIN))
      gtk_editable_set_position (GTK_EDITABLE (entries[i]), 0);
    gtk_editable_set_width_chars (GTK_EDITABLE (entries[i]), is_narrow ? FEW_CHARS : MANY_CHARS);
    gtk_editable_set_max_width_chars (GTK_EDITABLE (entries[i]), is_narrow ? FEW_CHARS : -1);
  }
}

/* "A The cat sat / B The cat lay", each as it runs. */
static void
sync_folded (AppTextsPart *self)
{
  const char *text_a = gtk_editable_get_text (GTK_EDITABLE (self->entry_a));
  const char *text_b = gtk_editable_get_text (GTK_EDITABLE (self->entry_b));
  g_autofree char *isolated_a = g_strdup_printf ("\u2068%s\u2069", text_a);
  g_autofree char *isolated_b = g_strdup_printf ("\u2068%s\u2069", text_b);
  g_autofree char *label = *text_b != '\0'
                           ? g_strdup_printf ("A %s / B %s", isolated_a, isolated_b)
                           : g_strdup_printf ("A %s", isolated_a);

  if (!g_str_equal (gtk_label_get_label (self->folded), label))
    gtk_label_set_label (self->folded, label);
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
  app_part_place (self, "folded_button", "toolbar_texts");
  app_desk_align (self->desk, "texts-gap", app_part_get_object (self, "swap_button"), TRUE);
  app_desk_align (self->desk, "texts-end", app_part_get_object (self, "examples_button"), TRUE);
  self->entry_a = app_part_get_object (self, "entry_a");
  self->entry_b = app_part_get_object (self, "entry_b");
  self->examples_button = app_part_get_object (self, "examples_button");
  self->folded = app_part_get_object (self, "folded_label");
  add_actions (self);
}

static void
sync_part (AppPart *part)
{
  AppTextsPart *self = APP_TEXTS_PART (part);

  sync_entries (self);
  sync_width (self);
  sync_folded (self);
  app_marks_sync (self->study, self->entry_a, self->entry_b);
  sync_actions (self);
}

static void
app_texts_part_class_init (AppTextsPartClass *klass)
{
  g_type_ensure (UI_TYPE_SENTENCE_ENTRY);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_texts_part_init (AppTextsPart *self)
{
}
