/* SPDX-License-Identifier: MIT */
/* What stands beside the picture, or in its place: inspector and table. */
#include "app/parts/side/side.h"

#include "ui/inspector/inspector.h"
#include "ui/lists/token-table.h"

struct _AppSidePart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;

  UiTokenTable *table;
  UiInspector  *inspector;
};

G_DEFINE_FINAL_TYPE (AppSidePart, app_side_part, APP_TYPE_PART)

/* Its rows are of the panel that the cursor is in. */
static void
table_clicked_cb (AppSidePart  *self,
                  const UiItem *row,
                  gboolean      extend)
{
  UiItem item = *row;

  item.panel = ui_scene_view_get_cursor (app_picture_get_view (self->picture))->panel;
  app_desk_click (self->desk, &item, extend);
}

/* A token that is pointed at does not change what is said of the link that was clicked. */
static void
item_cb (AppSidePart *self)
{
  const UiItem *item = ui_scene_view_get_item (app_picture_get_view (self->picture));
  const UiItem clicked = app_picture_find_clicked (self->picture);
  const gboolean is_token = item->type == UI_ITEM_QUERY || item->type == UI_ITEM_KEY;

  ui_inspector_set_item (self->inspector,
                         clicked.type != UI_ITEM_NONE
                         && (item->type == UI_ITEM_NONE || (is_token && item->panel == 0))
                         ? &clicked : item);
}

/* The table has the numbers of one panel: the cursor's. */
static UiScene *
find_part (AppSidePart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  return scene != NULL ? ui_scene_get_part (
           scene, ui_scene_view_get_cursor (app_picture_get_view (self->picture)))
                       : NULL;
}

/* The view builds a scene of its own size; inspector, table and legend read the same one. */
static void
scene_changed_cb (AppSidePart *self)
{
  UiScene *scene = app_picture_get_scene (self->picture);

  ui_inspector_set_scene (self->inspector, scene);
  item_cb (self);
  /* What is out of sight lets go of its trace. */
  ui_token_table_set_scene (self->table,
                            app_desk_shows_table (self->desk) ? find_part (self) : NULL);
}

static void
change_inspector (GSimpleAction *action,
                  GVariant      *value,
                  gpointer       data)
{
  g_simple_action_set_state (action, value);
  app_desk_reveal_side (APP_SIDE_PART (data)->desk, g_variant_get_boolean (value));
}

static void
change_table (GSimpleAction *action,
              GVariant      *value,
              gpointer       data)
{
  AppSidePart *self = data;
  gboolean is_table = g_variant_get_boolean (value);

  g_simple_action_set_state (action, value);
  app_desk_show_table (self->desk, is_table);
  scene_changed_cb (self);
  app_desk_refresh (self->desk);
  gtk_widget_grab_focus (is_table ? GTK_WIDGET (self->table)
                                  : GTK_WIDGET (app_picture_get_view (self->picture)));
}

/* Back to the picture, in whose place it stands. */
static gboolean
escape (AppPart *part)
{
  AppSidePart *self = APP_SIDE_PART (part);

  if (!app_desk_shows_table (self->desk))
    return FALSE;
  app_desk_activate (self->desk, "table", NULL);
  return TRUE;
}

/* A person may fold it by the keyboard, too: the button follows. */
static void
revealed_cb (AppSidePart *self)
{
  app_desk_set_state (self->desk, "inspector",
                      g_variant_new_boolean (app_desk_reveals_side (self->desk)));
}

static void
add_actions (AppSidePart *self)
{
  static const GActionEntry entries[] = {
    { "inspector", NULL, NULL, "true", change_inspector },
    { "table", NULL, NULL, "false", change_table },
  };
  UiSceneView *view = app_picture_get_view (self->picture);

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (view, "hovered", G_CALLBACK (item_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "cursor-moved", G_CALLBACK (item_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "notify::scene", G_CALLBACK (scene_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "clicked", G_CALLBACK (table_clicked_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->desk, "side-revealed", G_CALLBACK (revealed_cb), self,
                           G_CONNECT_SWAPPED);
  revealed_cb (self);
}

static void
begin (AppPart *part)
{
  AppSidePart *self = APP_SIDE_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "side");
  app_part_place (self, "inspector_button", "header_side");
  app_part_place (self, "table", "page_table");
  self->table = app_part_get_object (self, "table");
  self->inspector = app_desk_get_inspector (self->desk);
  add_actions (self);
}

static void
sync_part (AppPart *part)
{
  AppSidePart *self = APP_SIDE_PART (part);

  ui_inspector_hold_back (self->inspector, app_picture_is_asked (self->picture)
                                           ? APP_DESK_HELD_BACK : NULL);
}

static void
theme (AppPart *part)
{
  AppSidePart *self = APP_SIDE_PART (part);

  ui_inspector_set_theme (self->inspector,
                          ui_scene_view_get_theme (app_picture_get_view (self->picture)));
}

static void
app_side_part_class_init (AppSidePartClass *klass)
{
  g_type_ensure (UI_TYPE_TOKEN_TABLE);
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->escape = escape;
  APP_PART_CLASS (klass)->sync = sync_part;
  APP_PART_CLASS (klass)->theme = theme;
}

static void
app_side_part_init (AppSidePart *self)
{
}
