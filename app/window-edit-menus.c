/* SPDX-License-Identifier: MIT */
/* The menus of what can be done to what is pointed at, and the word that is picked to change places
 * with another. What is pointed at in the panel of the second side is done to that. */
#include "app/window-private.h"

#include <stdlib.h>
#include <string.h>

#include "app/edit-menu.h"
#include "engine/edit.h"
#include "ui/context-menu.h"
#include "ui/head-chip.h"
#include "ui/scene/panels.h"

/* Whether an item is of the second side's panel. */
static gboolean
is_of_second (AppWindow    *self,
              const UiItem *item)
{
  return self->shown != NULL && self->second_trace != NULL && item->panel == 1
         && self->shown->compare == UI_COMPARE_SIDES
         && ui_scene_is_panels (ui_scene_view_get_scene (self->scene_view));
}

/* Of the side that the item is of; shown is NULL where nothing is. */
static AppEditMenu
get_menu (AppWindow    *self,
          const UiItem *item)
{
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);

  if (is_of_second (self, item)) {
    UiScene *part = ui_scene_get_part (scene, item);

    return (AppEditMenu) {
      .trace = self->second_trace,
      .shown = ui_scene_get_document (part),
      .weights = ui_scene_get_weights (part),
      .mask_id = app_window_get_second_mask_id (self),
      .is_second = TRUE,
    };
  }
  /* While the picture of another trace is drawn, what is pointed at is of the one before. */
  return (AppEditMenu) {
    .trace = scene != NULL ? ui_scene_get_trace (scene) : self->trace,
    .shown = self->shown,
    .weights = scene != NULL ? ui_scene_get_weights (scene) : NULL,
    .mask_id = app_window_get_mask_id (self->model),
  };
}

/* Rows of words become the first tokens of theirs. NONE for what the side has not. */
static UiItem
find_tokens (AppWindow    *self,
             UiScene      *scene,
             const UiItem *item)
{
  UiItem found = *item;

  if (is_of_second (self, item))
    scene = ui_scene_get_part (scene, item);
  else if (!ui_scene_find_first (scene, item, &found))
    return (UiItem) { .type = UI_ITEM_NONE };
  if (ui_item_names_query (item->type))
    found.query = ui_scene_get_token (scene, FALSE, found.query);
  if (ui_item_names_key (item->type))
    found.key = ui_scene_get_token (scene, TRUE, found.key);
  return found;
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
  self->swaps_second = g_str_has_prefix (g_action_get_name (G_ACTION (action)), "second-");
  gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
  app_window_set_notice (self, "Click the word that it changes places with, or press Return on it; "
                               "Escape ends", FALSE);
}

gboolean
app_window_pick_word (AppWindow    *self,
                      const UiItem *item)
{
  const AppEditMenu menu = get_menu (self, item);
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

  found = find_tokens (self, scene, item);
  if (found.type != UI_ITEM_NONE && menu.is_second == self->swaps_second)
    other = app_edit_menu_begin_swap (&menu, is_key, is_key ? found.key : found.query);
  token = other != NULL ? strrchr (other, ' ') : NULL;
  verb = strrchr (begin, ' ');
  /* A word of the other stack, or of the other side, cannot stand in its place. */
  if (token == NULL || token - other != verb - begin || strncmp (begin, other, verb - begin) != 0) {
    app_window_toast (self, "These two words cannot change places");
    return TRUE;
  }
  text = g_strconcat (begin, token, NULL);
  gtk_widget_activate_action (GTK_WIDGET (self),
                              menu.is_second ? "win.second-edit" : "win.edit", "s", text);
  return TRUE;
}

/* Menus. */

static GMenuModel *
end_menu (AppWindow *self,
          GMenu     *menu,
          gboolean   is_second)
{
  g_autoptr (GMenu) section = NULL;

  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) == 0) {
    g_object_unref (menu);
    return NULL;
  }
  if (app_window_can_edit (self, is_second))
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
  const AppEditMenu edit_menu = get_menu (self, item);
  UiScene *scene = ui_scene_view_get_scene (self->scene_view);
  GMenu *menu = g_menu_new ();
  UiItem found;

  if (scene != NULL && self->shown != NULL) {
    found = find_tokens (self, scene, item);
    app_edit_menu_append_item (&edit_menu, &found, menu);
  }
  return end_menu (self, menu, edit_menu.is_second);
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
  const AppEditMenu edit_menu = get_menu (self, &(UiItem) { .type = UI_ITEM_NONE });
  GtkWidget *chip = find_part (widget, x, y, UI_TYPE_HEAD_CHIP, at);
  GMenu *menu;

  if (chip == NULL || self->shown == NULL)
    return NULL;

  menu = g_menu_new ();
  app_edit_menu_append_head (&edit_menu, self->shown->layer,
                             ui_head_chip_get_head (UI_HEAD_CHIP (chip)), menu);
  return end_menu (self, menu, FALSE);
}

static GMenuModel *
layer_menu (GtkWidget    *widget,
            double        x,
            double        y,
            GdkRectangle *at,
            gpointer      data)
{
  AppWindow *self = data;
  const AppEditMenu edit_menu = get_menu (self, &(UiItem) { .type = UI_ITEM_NONE });
  GtkWidget *button = find_part (widget, x, y, GTK_TYPE_TOGGLE_BUTTON, at);
  GMenu *menu;

  if (button == NULL || self->shown == NULL)
    return NULL;

  menu = g_menu_new ();
  app_edit_menu_append_layer (&edit_menu,
                              atoi (gtk_button_get_label (GTK_BUTTON (button))), menu);
  return end_menu (self, menu, FALSE);
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

/* What is pinned is what a person means, else where the cursor is. Pins are tokens of the first
 * side. */
static void
append_chosen (AppWindow         *self,
               const AppEditMenu *edit_menu,
               UiItem             item,
               GMenu             *menu)
{
  const UiPins *pins = &self->shown->pins;

  if (edit_menu->is_second || ui_pins_is_empty (pins)) {
    item = find_tokens (self, ui_scene_view_get_scene (self->scene_view), &item);
    app_edit_menu_append_item (edit_menu, &item, menu);
    return;
  }
  if (pins->n_queries == 1 && pins->n_keys == 1) {
    app_edit_menu_append_link (edit_menu, -1, pins->queries[0], pins->keys[0], menu);
    return;
  }
  for (int i = 0; i < pins->n_queries; i++)
    app_edit_menu_append_token (edit_menu, FALSE, pins->queries[i], menu);
  for (int i = 0; i < pins->n_keys; i++)
    app_edit_menu_append_token (edit_menu, TRUE, pins->keys[i], menu);
}

static void
fill_button_cb (GtkMenuButton *button,
                gpointer       data)
{
  AppWindow *self = data;
  const UiItem item = *ui_scene_view_get_cursor (self->scene_view);
  const AppEditMenu edit_menu = get_menu (self, &item);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) end = g_menu_new ();
  g_autoptr (GMenuModel) model = NULL;

  if (self->shown != NULL) {
    append_chosen (self, &edit_menu, item, menu);
    append_heads (&edit_menu, menu);
    app_edit_menu_append_layer (&edit_menu, edit_menu.shown->layer, menu);
  }
  g_menu_append (end, "Ablate Each Head…", "win.ablate");
  g_menu_append (end, "Take All Edits Out", "win.clear-edits");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (end));
  model = end_menu (self, menu, edit_menu.is_second);
  gtk_menu_button_set_menu_model (button, model);
}

static void
show_menu (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  gtk_menu_button_popup (APP_WINDOW (data)->edit_button);
}

/* Before the accelerators. */
static gboolean
key_cb (AppWindow *self,
        guint      key)
{
  if (key != GDK_KEY_Escape || self->swap_begin == NULL)
    return GDK_EVENT_PROPAGATE;

  stop_picking (self);
  return GDK_EVENT_STOP;
}

int
app_window_get_mask_id (const EngModel *model)
{
  const EngTokenizer *tokenizer = model != NULL ? eng_model_get_tokenizer (model) : NULL;

  return tokenizer != NULL ? eng_tokenizer_get_mask_id (tokenizer) : -1;
}

void
app_window_init_edit_menus (AppWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  ui_context_menu_attach (GTK_WIDGET (self->scene_view), scene_menu, self);
  ui_context_menu_attach (GTK_WIDGET (self->chips), chip_menu, self);
  ui_context_menu_attach (GTK_WIDGET (self->layer_picker), layer_menu, self);
  gtk_menu_button_set_create_popup_func (self->edit_button, fill_button_cb, self, NULL);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
app_window_add_edit_menus (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "swap-word", swap_word, "s" },
    { "second-swap-word", swap_word, "s" },
    { "edit-menu", show_menu },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
