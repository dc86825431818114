/* SPDX-License-Identifier: MIT */
/* Interventions: the menus of what can be done to what is pointed at, and the chips of what was
 * done. An edit is a part of the document like any other choice. */
#include "app/window-private.h"

#include <stdlib.h>
#include <string.h>

#include "app/edit-list.h"
#include "app/edit-menu.h"
#include "app/shortcuts.h"
#include "engine/edit.h"
#include "ui/context-menu.h"
#include "ui/head-chip.h"

#define MOST_SCALE 10.0

/* The list of edits. */


/* Takes the list over. */
static void
change_edits (AppWindow  *self,
              char      **edits)
{
  UiDocument *document = ui_document_copy (self->document);

  g_strfreev (document->edits);
  document->edits = edits;
  app_window_change (self, document);
}

static GPtrArray *
list_edits (AppWindow *self)
{
  GPtrArray *edits = g_ptr_array_new ();

  for (int i = 0; self->document->edits[i] != NULL; i++)
    g_ptr_array_add (edits, g_strdup (self->document->edits[i]));
  return edits;
}

static char **
end_list (GPtrArray *edits)
{
  g_ptr_array_add (edits, NULL);
  return (char **) g_ptr_array_free (edits, FALSE);
}

/* The kind of the stack that reads A. */
static EngKind
get_first (AppWindow *self)
{
  return self->trace != NULL ? eng_trace_get_default_kind (self->trace) : ENG_KIND_ENCODER;
}

/* "zero 2.9; zero 2.10": one step. */
static void
edit (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  AppWindow *self = data;
  g_auto (GStrv) texts = g_strsplit (g_variant_get_string (parameter, NULL), ";", -1);
  GPtrArray *edits;

  for (int i = 0; texts[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    EngEdit parsed;

    if (!eng_edit_parse (texts[i], &parsed, &error)) {
      app_window_toast (self, error->message);
      return;
    }
    g_free (texts[i]);
    texts[i] = eng_edit_to_string (&parsed);
  }

  edits = list_edits (self);
  for (int i = 0; texts[i] != NULL; i++)
    app_edit_list_add (edits, texts[i], get_first (self));
  change_edits (self, end_list (edits));
}

static void
clear_edits (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  change_edits (data, g_new0 (char *, 1));
}

/* The chips. */

static void
switched_cb (AppWindow *self,
             int        index)
{
  GPtrArray *edits = list_edits (self);

  app_edit_list_switch (edits, (guint) index, get_first (self));
  change_edits (self, end_list (edits));
}

static void
removed_cb (AppWindow *self,
            int        index)
{
  GPtrArray *edits = list_edits (self);

  app_edit_list_remove (edits, (guint) index, get_first (self));
  change_edits (self, end_list (edits));
}

static void
moved_cb (AppWindow *self,
          int        from,
          int        to)
{
  GPtrArray *edits = list_edits (self);
  char *text = g_ptr_array_remove_index (edits, (guint) from);

  g_ptr_array_insert (edits, to, text);
  change_edits (self, end_list (edits));
}

static void
cleared_cb (AppWindow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.clear-edits", NULL);
}

/* How much a head is scaled by. */

static void
scaled_cb (AppWindow        *self,
           const char       *response,
           AdwMessageDialog *dialog)
{
  GtkSpinButton *factor = GTK_SPIN_BUTTON (g_object_get_data (G_OBJECT (dialog), "factor"));
  const char *begin = g_object_get_data (G_OBJECT (dialog), "begin");
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = NULL;

  if (!g_str_equal (response, "scale"))
    return;

  g_ascii_formatd (number, sizeof number, "%.6g", gtk_spin_button_get_value (factor));
  text = g_strdup_printf ("%s %s", begin, number);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit", "s", text);
}

static void
scale_head (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       data)
{
  AppWindow *self = data;
  const char *begin = g_variant_get_string (parameter, NULL);
  const char *head = strrchr (begin, ' ');
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), NULL, NULL);
  GtkWidget *factor = gtk_spin_button_new_with_range (-MOST_SCALE, MOST_SCALE, 0.1);

  adw_message_dialog_format_heading (ADW_MESSAGE_DIALOG (dialog), "Scale head%s",
                                     head != NULL ? head : "");
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
  gtk_entry_set_activates_default (GTK_ENTRY (gtk_widget_get_first_child (factor)), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (factor), GTK_ACCESSIBLE_PROPERTY_LABEL, "Factor",
                                  -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), factor);
  g_object_set_data (G_OBJECT (dialog), "factor", factor);
  g_object_set_data_full (G_OBJECT (dialog), "begin", g_strdup (begin), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (scaled_cb), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Two words that change places: the second one is picked in the picture. */

static void
stop_picking (AppWindow *self)
{
  g_clear_pointer (&self->swap_begin, g_free);
  app_window_set_notice (self, NULL, FALSE);
}

static void
swap_word (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppWindow *self = data;

  g_free (self->swap_begin);
  self->swap_begin = g_variant_dup_string (parameter, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
  app_window_set_notice (self, "Click the word that it changes places with, or press Return on it; "
                               "Escape ends", FALSE);
}

static AppEditMenu
get_menu (AppWindow *self)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  const EngTokenizer *tokenizer =
    self->model != NULL ? eng_model_get_tokenizer (self->model) : NULL;

  return (AppEditMenu) {
    .trace = self->trace,
    .shown = self->shown,
    .weights = scene != NULL ? ui_scene_get_weights (scene) : NULL,
    .has_mask = tokenizer != NULL && eng_tokenizer_get_mask_id (tokenizer) >= 0,
  };
}

/* Rows of words become the first tokens of theirs. Only the first side is edited: NONE for what the
 * second side alone has. */
static UiItem
find_tokens (UiScene      *scene,
             const UiItem *item)
{
  UiItem found;

  if (!ui_scene_find_first (scene, item, &found))
    return (UiItem) { .type = UI_ITEM_NONE };
  if (ui_item_names_query (item->type))
    found.query = ui_scene_get_token (scene, FALSE, item->query);
  if (ui_item_names_key (item->type))
    found.key = ui_scene_get_token (scene, TRUE, item->key);
  return found;
}

gboolean
app_window_pick_word (AppWindow    *self,
                      const UiItem *item)
{
  const AppEditMenu menu = get_menu (self);
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  const gboolean is_key = !ui_item_names_query (item->type);
  g_autofree char *begin = g_steal_pointer (&self->swap_begin);
  g_autofree char *other = NULL;
  g_autofree char *text = NULL;
  const char *token, *verb;
  UiItem found;

  if (begin == NULL)
    return FALSE;
  app_window_set_notice (self, NULL, FALSE);
  if (item->type == UI_ITEM_NONE || item->type == UI_ITEM_HEAD)
    return TRUE;

  found = find_tokens (scene, item);
  other = app_edit_menu_begin_swap (&menu, is_key, is_key ? found.key : found.query);
  token = other != NULL ? strrchr (other, ' ') : NULL;
  verb = strrchr (begin, ' ');
  /* A word of the other stack cannot stand in its place. */
  if (token == NULL || token - other != verb - begin || strncmp (begin, other, verb - begin) != 0) {
    app_window_toast (self, "These two words cannot change places");
    return TRUE;
  }
  text = g_strconcat (begin, token, NULL);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.edit", "s", text);
  return TRUE;
}

/* Menus. */

static GMenuModel *
end_menu (AppWindow *self,
          GMenu     *menu)
{
  g_autoptr (GMenu) section = NULL;

  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) == 0) {
    g_object_unref (menu);
    return NULL;
  }
  if (app_window_has_entries (self))
    return G_MENU_MODEL (menu);

  section = g_menu_new ();
  g_menu_append (section, "A trace file holds no model that could be edited",
                 "win.edit::");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return G_MENU_MODEL (menu);
}

static GMenuModel *
new_item_menu (AppWindow    *self,
               const UiItem *item)
{
  const AppEditMenu edit_menu = get_menu (self);
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  GMenu *menu = g_menu_new ();
  UiItem found;

  if (scene != NULL && self->shown != NULL) {
    found = find_tokens (scene, item);
    app_edit_menu_append_item (&edit_menu, &found, menu);
  }
  return end_menu (self, menu);
}

static GMenuModel *
scene_menu (GtkWidget    *widget,
            double        x,
            double        y,
            GdkRectangle *at,
            gpointer      data)
{
  AppWindow *self = data;
  UiItem item = *ui_scene_view_get_cursor (self->scene_view);
  UiRect rect;
  UiRect area;

  if (x >= 0) {
    ui_scene_view_find_item (self->scene_view, x, y, &item);
  } else if (item.type != UI_ITEM_NONE
             && ui_scene_get_rect (ui_scene_view_get_scene (self->scene_view), &item, &rect)) {
    area = ui_scene_view_get_area (self->scene_view);
    *at = (GdkRectangle) { (int) (rect.x - area.x), (int) (rect.y - area.y), (int) rect.width,
                           (int) rect.height };
  }
  return new_item_menu (self, &item);
}

/* The ancestor of that type of what is pointed at, or of what has the focus. */
static GtkWidget *
find_part (GtkWidget    *widget,
           double        x,
           double        y,
           GType         type,
           GdkRectangle *at)
{
  GtkWidget *part = x >= 0 ? gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT)
                           : gtk_root_get_focus (gtk_widget_get_root (widget));
  graphene_rect_t bounds;

  part = part != NULL ? gtk_widget_get_ancestor (part, type) : NULL;
  if (part == NULL || !gtk_widget_compute_bounds (part, widget, &bounds))
    return NULL;

  *at = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width,
                         (int) bounds.size.height };
  return part;
}

static GMenuModel *
chip_menu (GtkWidget    *widget,
           double        x,
           double        y,
           GdkRectangle *at,
           gpointer      data)
{
  AppWindow *self = data;
  const AppEditMenu edit_menu = get_menu (self);
  GtkWidget *chip = find_part (widget, x, y, UI_TYPE_HEAD_CHIP, at);
  GMenu *menu;

  if (chip == NULL || self->shown == NULL)
    return NULL;

  menu = g_menu_new ();
  app_edit_menu_append_head (&edit_menu, self->shown->layer,
                             ui_head_chip_get_head (UI_HEAD_CHIP (chip)), menu);
  return end_menu (self, menu);
}

static GMenuModel *
layer_menu (GtkWidget    *widget,
            double        x,
            double        y,
            GdkRectangle *at,
            gpointer      data)
{
  AppWindow *self = data;
  const AppEditMenu edit_menu = get_menu (self);
  GtkWidget *button = find_part (widget, x, y, GTK_TYPE_TOGGLE_BUTTON, at);
  GMenu *menu;

  if (button == NULL || self->shown == NULL)
    return NULL;

  menu = g_menu_new ();
  app_edit_menu_append_layer (&edit_menu,
                              atoi (gtk_button_get_label (GTK_BUTTON (button))), menu);
  return end_menu (self, menu);
}

/* For the keyboard: the same for all that is on show, what was pinned or pointed at first. */

static void
append_heads (const AppEditMenu *self,
              GMenu             *menu)
{
  const UiDocument *shown = self->shown;
  g_autoptr (GMenu) heads = g_menu_new ();
  g_autoptr (GMenu) section = g_menu_new ();
  g_autofree char *title = g_strdup_printf ("Head of Layer %d", shown->layer);

  for (int head = 0; head < eng_trace_get_n_heads (self->trace, shown->kind); head++) {
    g_autofree char *name = NULL;
    g_autoptr (GMenu) one = NULL;

    if (!ui_head_set_has (&shown->heads, head))
      continue;
    name = g_strdup_printf ("Head %d", head);
    one = g_menu_new ();
    app_edit_menu_append_head (self, shown->layer, head, one);
    g_menu_append_submenu (heads, name, G_MENU_MODEL (one));
  }
  g_menu_append_submenu (section, title, G_MENU_MODEL (heads));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

/* What is pinned is what a person means, else where the cursor is. */
static void
append_chosen (AppWindow         *self,
               const AppEditMenu *edit_menu,
               GMenu             *menu)
{
  const UiPins *pins = &self->shown->pins;
  UiItem item = *ui_scene_view_get_cursor (self->scene_view);

  if (pins->n_queries == 1 && pins->n_keys == 1) {
    app_edit_menu_append_link (edit_menu, -1, pins->queries[0], pins->keys[0], menu);
    return;
  }
  for (int i = 0; i < pins->n_queries; i++)
    app_edit_menu_append_token (edit_menu, FALSE, pins->queries[i], menu);
  for (int i = 0; i < pins->n_keys; i++)
    app_edit_menu_append_token (edit_menu, TRUE, pins->keys[i], menu);
  if (ui_pins_is_empty (pins) && item.type != UI_ITEM_NONE) {
    item = find_tokens (ui_scene_view_get_scene (self->scene_view), &item);
    app_edit_menu_append_item (edit_menu, &item, menu);
  }
}

static void
fill_button_cb (GtkMenuButton *button,
                gpointer       data)
{
  AppWindow *self = data;
  const AppEditMenu edit_menu = get_menu (self);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) end = g_menu_new ();
  g_autoptr (GMenuModel) model = NULL;

  if (self->shown != NULL) {
    append_chosen (self, &edit_menu, menu);
    append_heads (&edit_menu, menu);
    app_edit_menu_append_layer (&edit_menu, self->shown->layer, menu);
  }
  g_menu_append (end, "Ablate Each Head…", "win.ablate");
  g_menu_append (end, "Take All Edits Out", "win.clear-edits");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (end));
  model = end_menu (self, menu);
  gtk_menu_button_set_menu_model (button, model);
}

static void
show_menu (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  gtk_menu_button_popup (APP_WINDOW (data)->edit_button);
}

/* Before the accelerators: on a chip Alt and an arrow move it instead of going back. */
static gboolean
key_cb (AppWindow       *self,
        guint            key,
        guint            code,
        GdkModifierType  state)
{
  const gboolean is_alt =
    (state & gtk_accelerator_get_default_mod_mask ()) == GDK_ALT_MASK;

  if (key == GDK_KEY_Escape && self->swap_begin != NULL) {
    stop_picking (self);
    return GDK_EVENT_STOP;
  }
  if (is_alt && (key == GDK_KEY_Left || key == GDK_KEY_Up))
    return ui_edit_chips_move_focused (self->edit_chips, -1);
  if (is_alt && (key == GDK_KEY_Right || key == GDK_KEY_Down))
    return ui_edit_chips_move_focused (self->edit_chips, 1);

  return GDK_EVENT_PROPAGATE;
}

void
app_window_init_edits (AppWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  ui_context_menu_attach (GTK_WIDGET (self->scene_view), scene_menu, self);
  ui_context_menu_attach (GTK_WIDGET (self->chips), chip_menu, self);
  ui_context_menu_attach (GTK_WIDGET (self->layer_picker), layer_menu, self);
  gtk_menu_button_set_create_popup_func (self->edit_button, fill_button_cb, self, NULL);
  g_signal_connect_swapped (self->edit_chips, "switched", G_CALLBACK (switched_cb), self);
  g_signal_connect_swapped (self->edit_chips, "removed", G_CALLBACK (removed_cb), self);
  g_signal_connect_swapped (self->edit_chips, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (self->edit_chips, "cleared", G_CALLBACK (cleared_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
app_window_add_edits (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "edit", edit, "s" },
    { "clear-edits", clear_edits },
    { "scale-head", scale_head, "s" },
    { "swap-word", swap_word, "s" },
    { "edit-menu", show_menu },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

static void
set_enabled (AppWindow  *self,
             const char *name,
             gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

/* The run of the text as it was typed; NULL = not there, or not yet. */
static const EngTrace *
find_typed (AppWindow *self)
{
  if (self->model == NULL || !self->complete || self->waiting)
    return NULL;
  if (!app_before_is_edited (self->answered))
    return self->trace;
  return app_before_find (self->before, self->model, self->answered);
}

void
app_window_sync_edits (AppWindow *self)
{
  const gboolean can_edit = app_window_has_entries (self) && self->shown != NULL;
  const gboolean has_edits = app_window_has_entries (self) && self->document->edits[0] != NULL;
  const gboolean is_answered = self->trace != NULL && self->complete && !self->waiting;

  set_enabled (self, "edit", can_edit);
  set_enabled (self, "scale-head", can_edit);
  set_enabled (self, "swap-word", can_edit);
  set_enabled (self, "clear-edits", has_edits);
  gtk_widget_set_visible (GTK_WIDGET (self->edit_chips), has_edits);
  /* Tokens have their names as soon as the runs have said which there are. */
  ui_edit_chips_set (self->edit_chips, (const char *const *) self->document->edits,
                     is_answered ? self->trace : NULL, has_edits ? find_typed (self) : NULL);
}
