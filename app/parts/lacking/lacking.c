/* SPDX-License-Identifier: MIT */
#include "app/parts/lacking/lacking.h"

struct _AppLackingPart {
  AppPart parent_instance;

  AppDesk       *desk;
  AppPicture    *picture;
  AdwStatusPage *page;
};

G_DEFINE_FINAL_TYPE (AppLackingPart, app_lacking_part, APP_TYPE_PART)

static gboolean
lacks_vectors (UiScene          *scene,
               const UiDocument *shown)
{
  EngMatrix queries, keys;
  const int head = ui_head_set_first (&shown->heads, UI_MAX_HEADS);

  return ui_view_get (shown->view)->has_vectors
         && !(eng_trace_get_queries (ui_scene_get_trace (scene), shown->kind, shown->layer, head,
                                     &queries)
              && eng_trace_get_keys (ui_scene_get_trace (scene), shown->kind, shown->layer, head,
                                     &keys));
}

static void
sync_part (AppPart *part)
{
  AppLackingPart *self = APP_LACKING_PART (part);
  UiScene *scene = app_picture_get_scene (self->picture);
  const UiDocument *shown = app_picture_get_shown (self->picture);
  const gboolean is_shown = scene != NULL && shown != NULL && shown->layer >= 0
                            && !app_desk_shows_table (self->desk) && lacks_vectors (scene, shown);
  g_autofree char *words = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->page), is_shown);
  if (!is_shown)
    return;
  words = g_strdup_printf ("So how head %d of layer %d makes its weights cannot be shown. Open the "
                           "model that the file is of, or write queries and keys into the file.",
                           ui_head_set_first (&shown->heads, UI_MAX_HEADS), shown->layer);
  adw_status_page_set_description (self->page, words);
}

static void
begin (AppPart *part)
{
  AppLackingPart *self = APP_LACKING_PART (part);

  self->desk = app_part_get_desk (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "lacking");
  app_part_place (self, "lacking_page", "picture_lacking");
  self->page = app_part_get_object (self, "lacking_page");
}

static void
app_lacking_part_class_init (AppLackingPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
  APP_PART_CLASS (klass)->sync = sync_part;
}

static void
app_lacking_part_init (AppLackingPart *self)
{
}
