/* SPDX-License-Identifier: MIT */
/* How large the picture is in the window: no matter of the document. */
#include "app/window-private.h"

static void
zoom_in (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       data)
{
  AppWindow *self = data;

  ui_scene_view_zoom_in (self->scene_view);
}

static void
zoom_out (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  AppWindow *self = data;

  ui_scene_view_zoom_out (self->scene_view);
}

static void
zoom_normal (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  AppWindow *self = data;

  ui_scene_view_set_zoom (self->scene_view, 1);
}

static void
zoom_fit (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  AppWindow *self = data;

  ui_scene_view_zoom_to_fit (self->scene_view);
}

void
app_window_add_view (AppWindow *self)
{
  static const GActionEntry entries[] = {
    { "zoom-in", zoom_in },
    { "zoom-out", zoom_out },
    { "zoom-normal", zoom_normal },
    { "zoom-fit", zoom_fit },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
