/* SPDX-License-Identifier: MIT */
/* Interventions: what is done to the model, and the chips of what was done. An edit is a part of
 * the document like any other choice. The second side of a comparison has the edits of the first
 * until it is given its own, by the actions that begin with "second-". */
#include "app/parts/edits/edits-private.h"

#include <string.h>

#include "app/desk/message-dialog.h"
#include "app/desk/shortcuts.h"
#include "app/study/edit-list.h"
#include "engine/edits/edit.h"
#include "ui/controls/quiet.h"
#include "ui/scene/base/edit-words.h"

#define MOST_SCALE 10.0

G_DEFINE_FINAL_TYPE (AppEditsPart, app_edits_part, APP_TYPE_PART)

/* The list of edits. */

/* Borrowed; NULL-terminated. */
static char **
get_edits (AppEditsPart *self,
           gboolean      is_second)
{
  static char *none[] = { NULL };
  const UiDocument *document = app_study_get_document (self->study);

  if (!is_second || !document->compare_edits_set)
    return document->edits;
  return document->compare_edits != NULL ? document->compare_edits : none;
}

/* Takes the list over. */
static void
change_edits (AppEditsPart  *self,
              gboolean       is_second,
              char         **edits)
{
  UiDocument *document = ui_document_copy (app_study_get_document (self->study));
  char ***list = is_second ? &document->compare_edits : &document->edits;

  g_strfreev (*list);
  *list = edits;
  if (is_second)
    document->compare_edits_set = TRUE;
  app_study_change (self->study, document);
}

static GPtrArray *
list_edits (AppEditsPart *self,
            gboolean      is_second)
{
  char **edits = get_edits (self, is_second);
  GPtrArray *list = g_ptr_array_new ();

  for (int i = 0; edits[i] != NULL; i++)
    g_ptr_array_add (list, g_strdup (edits[i]));
  return list;
}

static char **
end_list (GPtrArray *edits)
{
  g_ptr_array_add (edits, NULL);
  return (char **) g_ptr_array_free (edits, FALSE);
}

static gboolean
is_of_second (GSimpleAction *action)
{
  return g_str_has_prefix (g_action_get_name (G_ACTION (action)), "second-");
}

/* The kind of the stack that reads A. */
static EngKind
get_first (AppEditsPart *self,
           gboolean      is_second)
{
  EngTrace *trace =
    is_second ? app_picture_get_second (self->picture) : app_study_get_trace (self->study);

  return trace != NULL ? eng_trace_get_default_kind (trace) : ENG_KIND_ENCODER;
}

/* "zero 2.9; zero 2.10": one step. */
static void
edit (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  AppEditsPart *self = data;
  const gboolean is_second = is_of_second (action);
  g_auto (GStrv) texts = g_strsplit (g_variant_get_string (parameter, NULL), ";", -1);
  GPtrArray *edits;

  for (int i = 0; texts[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    EngEdit parsed;

    if (!eng_edit_parse (texts[i], &parsed, &error)) {
      app_desk_toast (self->desk, error->message);
      return;
    }
    g_free (texts[i]);
    texts[i] = eng_edit_to_string (&parsed);
  }

  edits = list_edits (self, is_second);
  for (int i = 0; texts[i] != NULL; i++)
    app_edit_list_add (edits, texts[i], get_first (self, is_second));
  change_edits (self, is_second, end_list (edits));
}

/* Whether an edit of the list is on and one of the texts. */
static gboolean
is_one_of (const char *listed,
           char      **texts)
{
  g_autofree char *form = NULL;
  gboolean is_off;
  EngEdit edit;

  if (!eng_edit_parse (eng_edit_skip_off (listed, &is_off), &edit, NULL) || is_off)
    return FALSE;
  form = eng_edit_to_string (&edit);
  return g_strv_contains ((const char *const *) texts, form);
}

/* "zero 2.9; zero 2.10": one step. */
static void
take_back (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppEditsPart *self = data;
  const gboolean is_second = is_of_second (action);
  g_auto (GStrv) texts = g_strsplit (g_variant_get_string (parameter, NULL), "; ", -1);
  GPtrArray *edits = list_edits (self, is_second);

  for (guint i = edits->len; i-- > 0;)
    if (is_one_of (edits->pdata[i], texts))
      app_edit_list_remove (edits, i, get_first (self, is_second));
  change_edits (self, is_second, end_list (edits));
}

/* Takes away what zeroes that head alone. */
static void
restore_head (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  AppEditsPart *self = data;
  const EngKind kind = app_picture_get_shown (self->picture)->kind;
  const EngKind first = get_first (self, FALSE);
  GPtrArray *edits = list_edits (self, FALSE);
  gboolean is_alone, is_off;
  int layer, head;
  EngEdit edit;

  g_variant_get (parameter, "(ii)", &layer, &head);
  for (guint i = edits->len; i-- > 0;)
    if (eng_edit_parse (eng_edit_skip_off (edits->pdata[i], &is_off), &edit, NULL) && !is_off
        && eng_edit_zeroes_head (&edit, layer, head, &is_alone) && is_alone
        && eng_edit_acts_on (&edit, kind, first))
      app_edit_list_remove (edits, i, first);
  change_edits (self, FALSE, end_list (edits));
}

static void
clear_edits (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  change_edits (data, FALSE, g_new0 (char *, 1));
}

/* The chips. */

static gboolean
is_chips_of_second (AppEditsPart *self,
                    UiEditChips  *chips)
{
  return chips == self->second_chips;
}

/* The edits of a chip, which may stand for several. */
static void
find_edits (AppEditsPart *self,
            gboolean      is_second,
            int           chip,
            guint        *first,
            guint        *n)
{
  const char *const *edits = (const char *const *) get_edits (self, is_second);

  *first = 0;
  for (int i = 0; i < chip; i++)
    *first += (guint) ui_edit_count_together (edits + *first);
  *n = edits[*first] != NULL ? (guint) ui_edit_count_together (edits + *first) : 0;
}

static void
switched_cb (UiEditChips  *chips,
             int           index,
             AppEditsPart *self)
{
  const gboolean is_second = is_chips_of_second (self, chips);
  GPtrArray *edits = list_edits (self, is_second);
  guint first, n;

  find_edits (self, is_second, index, &first, &n);
  for (guint i = 0; i < n; i++)
    app_edit_list_switch (edits, first + i, get_first (self, is_second));
  change_edits (self, is_second, end_list (edits));
}

static void
removed_cb (UiEditChips  *chips,
            int           index,
            AppEditsPart *self)
{
  const gboolean is_second = is_chips_of_second (self, chips);
  GPtrArray *edits = list_edits (self, is_second);
  guint first, n;

  find_edits (self, is_second, index, &first, &n);
  for (guint i = 0; i < n; i++)
    app_edit_list_remove (edits, first, get_first (self, is_second));
  change_edits (self, is_second, end_list (edits));
}

static void
moved_cb (UiEditChips  *chips,
          int           from,
          int           to,
          AppEditsPart *self)
{
  const gboolean is_second = is_chips_of_second (self, chips);
  GPtrArray *edits = list_edits (self, is_second);
  guint first, n, landing, n_there;

  find_edits (self, is_second, from, &first, &n);
  find_edits (self, is_second, to, &landing, &n_there);
  if (to > from)
    landing += n_there - n;
  for (guint i = 0; i < n; i++) {
    /* Those that are left move up where the first ones went down. */
    char *text = g_ptr_array_remove_index (edits, to > from ? first : first + i);

    g_ptr_array_insert (edits, (int) (to > from ? landing + n - 1 : landing + i), text);
  }
  change_edits (self, is_second, end_list (edits));
}

static void
cleared_cb (UiEditChips  *chips,
            AppEditsPart *self)
{
  change_edits (self, is_chips_of_second (self, chips), g_new0 (char *, 1));
}

/* How much a head is scaled by. */

static void
scaled_cb (AppEditsPart     *self,
           const char       *response,
           AdwMessageDialog *dialog)
{
  GtkSpinButton *factor = GTK_SPIN_BUTTON (g_object_get_data (G_OBJECT (dialog), "factor"));
  const char *begin = g_object_get_data (G_OBJECT (dialog), "begin");
  const char *edit_action = g_object_get_data (G_OBJECT (dialog), "action");
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;

  if (!g_str_equal (response, "scale"))
    return;

  g_ascii_formatd (number, sizeof number, "%.6g", gtk_spin_button_get_value (factor));
  text = g_strdup_printf ("%s %s", begin, number);
  app_desk_activate (self->desk, edit_action, g_variant_new_string (text));
}

static void
scale_head (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppEditsPart *self = data;
  const char *begin = g_variant_get_string (parameter, NULL);
  const char *head = strrchr (begin, ' ');
  g_autofree char *heading = g_strdup_printf ("Scale head%s", head != NULL ? head : "");
  GtkWidget *dialog = app_message_dialog_new (app_desk_get_window (self->desk), heading);
  GtkWidget *factor = gtk_spin_button_new_with_range (-MOST_SCALE, MOST_SCALE, 0.1);

  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               "What the head adds is multiplied by this; 1 changes nothing.");
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog),
                                    "cancel", "_Cancel", "scale", "_Scale", NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "scale",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "scale");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (factor), 0.5);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (factor), 2);
  gtk_text_set_activates_default (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (factor))),
                                  TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (factor), GTK_ACCESSIBLE_PROPERTY_LABEL, "Factor",
                                  -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), factor);
  g_object_set_data (G_OBJECT (dialog), "factor", factor);
  g_object_set_data_full (G_OBJECT (dialog), "begin", g_strdup (begin), g_free);
  g_object_set_data (G_OBJECT (dialog), "action",
                     is_of_second (action) ? "second-edit" : "edit");
  g_signal_connect_object (dialog, "response", G_CALLBACK (scaled_cb), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Before the accelerators: on a chip Alt and an arrow move it instead of going back. */
static gboolean
move_chip (AppEditsPart *self,
           int           step)
{
  return ui_edit_chips_move_focused (self->edit_line, step)
         || ui_edit_chips_move_focused (self->edit_chips, step)
         || ui_edit_chips_move_focused (self->second_chips, step);
}

static gboolean
key_cb (AppEditsPart    *self,
        guint            key,
        guint            code,
        GdkModifierType  state)
{
  if ((state & gtk_accelerator_get_default_mod_mask ()) != GDK_ALT_MASK)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Left || key == GDK_KEY_Up)
    return move_chip (self, -1);
  if (key == GDK_KEY_Right || key == GDK_KEY_Down)
    return move_chip (self, 1);

  return GDK_EVENT_PROPAGATE;
}

/* "+2" for what has no place in the line; the second side's are in the menu alone. */
static void
sync_more (AppEditsPart *self)
{
  const gboolean has_edits = gtk_widget_get_visible (GTK_WIDGET (self->edit_chips));
  const gboolean has_own = gtk_widget_get_visible (GTK_WIDGET (self->second_chips));
  const int n_hidden = (has_edits ? ui_edit_chips_get_n (self->edit_line)
                                      - ui_edit_chips_get_n_shown (self->edit_line) : 0)
                       + (has_own ? ui_edit_chips_get_n (self->second_chips) : 0);
  g_autofree char *label = n_hidden > 0 ? g_strdup_printf ("+%d", n_hidden) : g_strdup ("");

  if (!has_edits && !has_own)
    gtk_menu_button_popdown (self->more_edits);
  gtk_widget_set_visible (GTK_WIDGET (self->more_edits), has_edits || has_own);
  ui_quiet_set_label (self->more_edits, label);
}

static void
init_chips (AppEditsPart *self,
            UiEditChips  *chips)
{
  g_signal_connect (chips, "switched", G_CALLBACK (switched_cb), self);
  g_signal_connect (chips, "removed", G_CALLBACK (removed_cb), self);
  g_signal_connect (chips, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect (chips, "cleared", G_CALLBACK (cleared_cb), self);
}

static void
add_keys (AppEditsPart *self,
          GtkWidget    *widget)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, keys);
}

static void
init_chips_row (AppEditsPart *self)
{
  init_chips (self, self->edit_line);
  init_chips (self, self->edit_chips);
  init_chips (self, self->second_chips);
  g_signal_connect_object (self->edit_line, "fitted", G_CALLBACK (sync_more), self,
                           G_CONNECT_SWAPPED);
  /* While the list of all is open the window hears no keys. */
  add_keys (self, GTK_WIDGET (app_desk_get_window (self->desk)));
  add_keys (self, GTK_WIDGET (gtk_menu_button_get_popover (self->more_edits)));
}

static void
add_actions (AppEditsPart *self)
{
  static const GActionEntry entries[] = {
    { "edit", edit, "s" },
    { "second-edit", edit, "s" },
    { "take-back", take_back, "s" },
    { "second-take-back", take_back, "s" },
    { "restore-head", restore_head, "(ii)" },
    { "clear-edits", clear_edits },
    { "scale-head", scale_head, "s" },
    { "second-scale-head", scale_head, "s" },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

/* Only the first side is run without edits, too; the second one may have its tokens. */
static const EngTrace *
find_typed_second (AppEditsPart *self)
{
  const UiDocument *document = app_study_get_document (self->study);
  const gboolean is_alike = document->compare_model == NULL && !document->compare_text_a_set;

  return is_alike ? app_study_get_typed (self->study) : NULL;
}

gboolean
app_edits_part_can_edit (AppEditsPart *self,
                         gboolean      is_second)
{
  g_autoptr (UiDocument) side = NULL;

  if (!is_second)
    return app_study_has_texts (self->study) && app_picture_get_shown (self->picture) != NULL;
  if (app_picture_get_second (self->picture) == NULL
      || app_picture_get_shown (self->picture) == NULL)
    return FALSE;
  side = ui_document_dup_second_side (app_study_get_document (self->study));
  return side->trace_file == NULL;
}

/* The sides' names as in the picture. */
static void
sync_chips (AppEditsPart *self,
            gboolean      has_edits,
            gboolean      has_own)
{
  const char *title = !ui_document_has_second_side (app_study_get_document (self->study)) ? NULL
                      : app_study_get_document (self->study)->compare_edits_set
                        ? "This" : "This and Other";
  const char *const *edits = (const char *const *) app_study_get_document (self->study)->edits;
  const EngTrace *trace = app_study_get_named (self->study);
  const EngTrace *typed = has_edits ? app_study_get_typed (self->study) : NULL;

  ui_edit_chips_set_title (self->edit_chips, title, "Edits of the model");
  ui_edit_chips_set_title (self->edit_line, NULL, "Edits of the model");
  ui_edit_chips_set_title (self->second_chips, "Other", "Edits of Other");
  /* The sentence beside them says what both have. */
  ui_edit_chips_set_n_wanted (self->edit_line, title != NULL ? 1 : 2);
  gtk_widget_set_visible (GTK_WIDGET (self->edit_line), has_edits);
  gtk_widget_set_visible (GTK_WIDGET (self->edit_chips), has_edits);
  gtk_widget_set_visible (GTK_WIDGET (self->second_chips), has_own);
  /* Tokens have their names as soon as the runs have said which there are. */
  ui_edit_chips_set (self->edit_line, edits, trace, typed);
  ui_edit_chips_set (self->edit_chips, edits, trace, typed);
  ui_edit_chips_set (self->second_chips, (const char *const *)get_edits (self, TRUE),
                     app_picture_get_second (self->picture),
                     has_own ? find_typed_second (self) : NULL);
  sync_more (self);
}

/* "Edits 2". Its tooltip would lie over the chips below it, which say more. */
static void
sync_button (AppEditsPart *self,
             gboolean      has_edits)
{
  const int n = has_edits ? ui_edit_chips_get_n (self->edit_chips) : 0;
  g_autofree char *state = n > 0 ? g_strdup_printf ("%d", n) : NULL;

  ui_state_label_set_state (self->edit_label, state);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self->edit_button), n == 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->edit_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  ui_state_label_get_text (self->edit_label), -1);
}

static void
sync_edits (AppPart *part)
{
  AppEditsPart *self = APP_EDITS_PART (part);
  const gboolean can_edit = app_edits_part_can_edit (self, FALSE);
  const gboolean can_edit_second = app_edits_part_can_edit (self, TRUE);
  const gboolean has_edits =
    app_study_has_texts (self->study) && app_study_get_document (self->study)->edits[0] != NULL;
  const gboolean has_own = ui_document_has_second_side (app_study_get_document (self->study))
                           && app_study_get_document (self->study)->compare_edits_set
                           && app_study_get_document (self->study)->compare_trace_file == NULL
                           && get_edits (self, TRUE)[0] != NULL;

  app_desk_set_enabled (self->desk, "edit", can_edit);
  app_desk_set_enabled (self->desk, "scale-head", can_edit);
  app_desk_set_enabled (self->desk, "swap-word", can_edit);
  app_desk_set_enabled (self->desk, "second-edit", can_edit_second);
  app_desk_set_enabled (self->desk, "second-scale-head", can_edit_second);
  app_desk_set_enabled (self->desk, "second-swap-word", can_edit_second);
  app_desk_set_enabled (self->desk, "restore-head", can_edit);
  app_desk_set_enabled (self->desk, "take-back", can_edit);
  app_desk_set_enabled (self->desk, "second-take-back", can_edit_second);
  app_desk_set_enabled (self->desk, "clear-edits", has_edits);
  sync_chips (self, has_edits, has_own);
  sync_button (self, has_edits);
}

static void
begin (AppPart *part)
{
  AppEditsPart *self = APP_EDITS_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "edits");
  app_part_place (self, "edit_button", "toolbar_edits");
  app_part_place (self, "edit_row", "caption_chips");
  self->edit_button = app_part_get_object (self, "edit_button");
  self->edit_label = app_part_get_object (self, "edit_label");
  self->edit_line = app_part_get_object (self, "edit_line");
  self->more_edits = app_part_get_object (self, "more_edits");
  self->edit_chips = app_part_get_object (self, "edit_chips");
  self->second_chips = app_part_get_object (self, "second_chips");
  app_shortcuts_explain_as (GTK_WIDGET (self->edit_button), "win.edit-menu");
  init_chips_row (self);
  add_actions (self);
  app_edits_part_init_menus (self);
  app_edits_part_add_menus (self);
}

static void
app_edits_part_finalize (GObject *object)
{
  AppEditsPart *self = APP_EDITS_PART (object);

  g_clear_pointer (&self->swap_begin, g_free);
  G_OBJECT_CLASS (app_edits_part_parent_class)->finalize (object);
}

static void
app_edits_part_class_init (AppEditsPartClass *klass)
{
  g_type_ensure (UI_TYPE_EDIT_CHIPS);
  g_type_ensure (UI_TYPE_STATE_LABEL);
  G_OBJECT_CLASS (klass)->finalize = app_edits_part_finalize;
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_edits;
}

static void
app_edits_part_init (AppEditsPart *self)
{
}
