/* SPDX-License-Identifier: MIT */
/* Actions of how large the picture is in the window: no matter of the document. */
#include "app/parts/zoom/zoom.h"

struct _AppZoomPart {
  AppPart parent_instance;

  AppDesk    *desk;
  AppStudy   *study;
  AppPicture *picture;
};

G_DEFINE_FINAL_TYPE (AppZoomPart, app_zoom_part, APP_TYPE_PART)

static void
zoom_in (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  ui_scene_view_zoom_in (app_picture_get_view (APP_ZOOM_PART (data)->picture));
}

static void
zoom_out (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  ui_scene_view_zoom_out (app_picture_get_view (APP_ZOOM_PART (data)->picture));
}

static void
zoom_normal (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  ui_scene_view_set_zoom (app_picture_get_view (APP_ZOOM_PART (data)->picture), 1);
}

static void
zoom_fit (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  app_picture_zoom_to_fit (APP_ZOOM_PART (data)->picture);
}

static void
add_actions (AppZoomPart *self)
{
  static const GActionEntry entries[] = {
    { "zoom-in", zoom_in },
    { "zoom-out", zoom_out },
    { "zoom-normal", zoom_normal },
    { "zoom-fit", zoom_fit },
  };

  app_desk_add_actions (self->desk, entries, G_N_ELEMENTS (entries), self);
}

static void
begin (AppPart *part)
{
  AppZoomPart *self = APP_ZOOM_PART (part);

  self->desk = app_part_get_desk (part);
  self->study = app_part_get_study (part);
  self->picture = app_part_get_picture (part);
  app_part_load_ui (self, "zoom");
  app_part_place (self, "zoom_box", "toolbar_zoom");
  add_actions (self);
}

static void
app_zoom_part_class_init (AppZoomPartClass *klass)
{
  APP_PART_CLASS (klass)->begin = begin;
}

static void
app_zoom_part_init (AppZoomPart *self)
{
}
