/* SPDX-License-Identifier: MIT */
/* The menus of what can be done to what is pointed at, and the word that is picked to change places
 * with another. What is pointed at in the panel of the second side is done to that. */
#include "app/parts/edits/edits-private.h"

#include <string.h>

#include "app/parts/edits/edit-menu.h"
#include "engine/edits/edit.h"
#include "ui/scene/views/panels.h"

/* Whether an item is of the second side's panel. */
static gboolean
is_of_second (AppEditsPart *self,
              const UiItem *item)
{
  return app_picture_get_shown (self->picture) != NULL
         && app_picture_get_second (self->picture) != NULL && item->panel == 1
         && app_picture_get_shown (self->picture)->compare == UI_COMPARE_SIDES
         && ui_scene_is_panels (app_picture_get_scene (self->picture));
}

/* Of the mask token of its tokenizer; -1 without one, and without a model. */
static int
get_mask_id (const EngModel *model)
{
  const EngTokenizer *tokenizer = model != NULL ? eng_model_get_tokenizer (model) : NULL;

  return tokenizer != NULL ? eng_tokenizer_get_mask_id (tokenizer) : -1;
}

/* Of the side that the item is of; shown is NULL where nothing is. */
static AppEditMenu
get_menu (AppEditsPart *self,
          const UiItem *item)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  if (is_of_second (self, item)) {
    UiScene *part = ui_scene_get_part (scene, item);

    return (AppEditMenu) {
      .trace = app_picture_get_second (self->picture),
      .shown = ui_scene_get_document (part),
      .weights = ui_scene_get_weights (part),
      .mask_id = app_study_get_second_model (self->study) != NULL
                 ? get_mask_id (app_study_get_second_model (self->study))
                 : get_mask_id (app_study_get_model (self->study)),
      .is_second = TRUE,
    };
  }
  /* While the picture of another trace is drawn, what is pointed at is of the one before. */
  return (AppEditMenu) {
    .trace = scene != NULL ? ui_scene_get_trace (scene) : app_study_get_trace (self->study),
    .shown = app_picture_get_shown (self->picture),
    .weights = scene != NULL ? ui_scene_get_weights (scene) : NULL,
    .mask_id = get_mask_id (app_study_get_model (self->study)),
  };
}

/* Rows of words become the first tokens of theirs. NONE for what the side has not. */
static UiItem
find_tokens (AppEditsPart *self,
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

static gboolean take_click (const UiItem *item, gpointer data);
static void pick_ended (gboolean is_cancelled, gpointer data);

static const AppPickClass pick_class = { .take = take_click, .ended = pick_ended };

static void
swap_word (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       data)
{
  AppEditsPart *self = data;

  app_picture_begin_pick (self->picture,
                          "Click the word that it changes places with, or press Return on it; "
                          "Escape ends", &pick_class, self);
  self->swap_begin = g_variant_dup_string (parameter, NULL);
  self->swaps_second = g_str_has_prefix (g_action_get_name (G_ACTION (action)), "second-");
}

static void
pick_ended (gboolean is_cancelled,
            gpointer data)
{
  AppEditsPart *self = data;

  g_clear_pointer (&self->swap_begin, g_free);
}

/* Which word another one changes places with. */
static gboolean
take_click (const UiItem *item,
            gpointer      data)
{
  AppEditsPart *self = data;
  const AppEditMenu menu = get_menu (self, item);
  UiScene *scene = app_picture_get_scene (self->picture);
  const gboolean is_key = !ui_item_names_query (item->type);
  g_autofree char *begin = g_steal_pointer (&self->swap_begin);
  g_autofree char *other = NULL;
  g_autofree char *text = NULL;
  const char *token, *verb;
  UiItem found;

  app_picture_end_pick (self->picture, &pick_class);
  if (item->type == UI_ITEM_NONE || item->type == UI_ITEM_HEAD || ui_item_is_of_way (item->type))
    return TRUE;

  found = find_tokens (self, scene, item);
  if (found.type != UI_ITEM_NONE && menu.is_second == self->swaps_second)
    other = app_edit_menu_begin_swap (&menu, is_key, is_key ? found.key : found.query);
  token = other != NULL ? strrchr (other, ' ') : NULL;
  verb = strrchr (begin, ' ');
  /* A word of the other stack, or of the other side, cannot stand in its place. */
  if (token == NULL || token - other != verb - begin || strncmp (begin, other, verb - begin) != 0) {
    app_desk_toast (self->desk, "These two words cannot change places");
    return TRUE;
  }
  text = g_strconcat (begin, token, NULL);
  app_desk_activate (self->desk, menu.is_second ? "second-edit" : "edit",
                     g_variant_new_string (text));
  return TRUE;
}

/* Menus. */

static GMenuModel *
end_menu (AppEditsPart *self,
          GMenu        *menu,
          gboolean      is_second)
{
  g_autoptr (GMenu) section = NULL;

  if (g_menu_model_get_n_items (G_MENU_MODEL (menu)) == 0) {
    g_object_unref (menu);
    return NULL;
  }
  if (app_edits_part_can_edit (self, is_second))
    return G_MENU_MODEL (menu);

  section = g_menu_new ();
  g_menu_append (section, "A trace file holds no model that could be edited",
                 "win.edit::");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  return G_MENU_MODEL (menu);
}

static void
item_menu_cb (AppEditsPart *self,
              const UiItem *item,
              GMenu        *menu)
{
  const AppEditMenu edit_menu = get_menu (self, item);
  UiScene *scene = app_picture_get_scene (self->picture);
  g_autoptr (GMenuModel) edits = NULL;
  GMenu *found_edits = g_menu_new ();
  UiItem found;

  if (scene != NULL && app_picture_get_shown (self->picture) != NULL) {
    found = find_tokens (self, scene, item);
    app_edit_menu_append_item (&edit_menu, &found, found_edits);
  }
  edits = end_menu (self, found_edits, edit_menu.is_second);
  for (int i = 0; edits != NULL && i < g_menu_model_get_n_items (edits); i++) {
    g_autoptr (GMenuItem) section = g_menu_item_new_from_model (edits, i);

    g_menu_append_item (menu, section);
  }
}

/* A head that is pointed at elsewhere, or with -1 the layer itself. */
static GMenuModel *
head_menu_cb (AppEditsPart *self,
              int           layer,
              int           head)
{
  const AppEditMenu edit_menu = get_menu (self, &(UiItem) { .type = UI_ITEM_NONE });
  GMenu *menu;

  if (app_picture_get_shown (self->picture) == NULL)
    return NULL;

  menu = g_menu_new ();
  if (head < 0)
    app_edit_menu_append_layer (&edit_menu, layer, menu);
  else
    app_edit_menu_append_head (&edit_menu, layer, head, menu);
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
append_chosen (AppEditsPart      *self,
               const AppEditMenu *edit_menu,
               UiItem             item,
               GMenu             *menu)
{
  const UiPins *pins = &app_picture_get_shown (self->picture)->pins;

  if (edit_menu->is_second || ui_pins_is_empty (pins)) {
    item = find_tokens (self, app_picture_get_scene (self->picture), &item);
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
  AppEditsPart *self = data;
  const UiItem item = *ui_scene_view_get_cursor (app_picture_get_view (self->picture));
  const AppEditMenu edit_menu = get_menu (self, &item);
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) end = g_menu_new ();
  g_autoptr (GMenuModel) model = NULL;

  if (app_picture_get_shown (self->picture) != NULL) {
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
  gtk_menu_button_popup (APP_EDITS_PART (data)->edit_button);
}

void
app_edits_part_init_menus (AppEditsPart *self)
{
  g_signal_connect_object (self->desk, "item-menu", G_CALLBACK (item_menu_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "head-menu", G_CALLBACK (head_menu_cb), self,
                           G_CONNECT_SWAPPED);
  gtk_menu_button_set_create_popup_func (self->edit_button, fill_button_cb, self, NULL);
}

void
app_edits_part_add_menus (AppEditsPart *self)
{
  static const GActionEntry entries[] = {
    { "swap-word", swap_word, "s" },
    { "second-swap-word", swap_word, "s" },
    { "edit-menu", show_menu },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}
