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

/* Whether another picture is to come for what was asked already. */
static gboolean
awaits_picture (AppWindow *self)
{
  return self->submit_source != 0 || self->waiting || self->wanted != NULL
         || app_window_awaits_second (self);
}

static void
fit (AppWindow *self)
{
  ui_scene_view_zoom_to_fit (self->scene_view);
  self->fit_zoom = ui_scene_view_get_zoom (self->scene_view);
  self->fit_scene = ui_scene_view_get_scene (self->scene_view);
  self->fit_height = gtk_widget_get_height (GTK_WIDGET (self->scene_view));
}

/* Controls that came or went with the choice have their room from the second frame on. */
static gboolean
fit_cb (GtkWidget     *view,
        GdkFrameClock *clock,
        gpointer       data)
{
  AppWindow *self = data;

  if (awaits_picture (self)) {
    self->n_fit_frames = 0;
    return G_SOURCE_CONTINUE;
  }
  if (self->n_fit_frames++ == 0)
    return G_SOURCE_CONTINUE;

  /* Unless a person zoomed meanwhile. */
  if (ui_scene_view_get_zoom (self->scene_view) == self->fit_zoom
      && (ui_scene_view_get_scene (self->scene_view) != self->fit_scene
          || gtk_widget_get_height (view) != self->fit_height))
    fit (self);
  self->fit_tick = 0;
  return G_SOURCE_REMOVE;
}

/* At once, and again when what was chosen just before is on show. */
static void
zoom_fit (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       data)
{
  AppWindow *self = data;

  fit (self);
  self->n_fit_frames = 0;
  if (self->fit_tick == 0)
    self->fit_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->scene_view), fit_cb, self,
                                                   NULL);
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
