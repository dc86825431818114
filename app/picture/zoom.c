/* SPDX-License-Identifier: MIT */
/* How large the picture is. */
#include "app/picture/picture-private.h"

/* Of the zoom before, where a picture that opens is brought into sight: text is read as before. */
#define LEAST_PART 0.8

static void
fit (AppPicture *self)
{
  const UiRect area = ui_scene_view_get_area (self->view);

  ui_scene_view_zoom_to_fit (self->view);
  if (self->opening_zoom > 0) {
    const double zoom = ui_scene_view_get_zoom (self->view);

    if (zoom >= self->opening_zoom || zoom < LEAST_PART * self->opening_zoom) {
      ui_scene_view_set_zoom (self->view, self->opening_zoom);
      ui_scene_view_scroll_to (self->view, area.x, area.y);
    }
  }
  self->fit_zoom = ui_scene_view_get_zoom (self->view);
  self->fit_scene = ui_scene_view_get_scene (self->view);
  self->fit_height = gtk_widget_get_height (GTK_WIDGET (self->view));
}

/* Controls that came or went with the choice have their room from the second frame on. */
static gboolean
fit_cb (GtkWidget     *view,
        GdkFrameClock *clock,
        gpointer       data)
{
  AppPicture *self = data;

  /* Another picture is to come for what was asked already. */
  if (!app_picture_is_settled (self)) {
    self->n_fit_frames = 0;
    return G_SOURCE_CONTINUE;
  }
  if (self->n_fit_frames++ == 0)
    return G_SOURCE_CONTINUE;

  /* Unless a person zoomed meanwhile. */
  if (ui_scene_view_get_zoom (self->view) == self->fit_zoom
      && (ui_scene_view_get_scene (self->view) != self->fit_scene
          || gtk_widget_get_height (view) != self->fit_height))
    fit (self);
  self->fit_tick = 0;
  return G_SOURCE_REMOVE;
}

static void
await_frames (AppPicture *self)
{
  self->n_fit_frames = 0;
  if (self->fit_tick == 0)
    self->fit_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self->view), fit_cb, self, NULL);
}

void
app_picture_zoom_to_fit (AppPicture *self)
{
  self->opening_zoom = 0;
  fit (self);
  await_frames (self);
}

void
app_picture_bring_into_sight (AppPicture *self)
{
  self->opening_zoom = ui_scene_view_get_zoom (self->view);
  self->fit_zoom = self->opening_zoom;
  self->fit_scene = NULL;
  await_frames (self);
}

void
app_picture_end_zoom (AppPicture *self)
{
  if (self->fit_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->view), self->fit_tick);
  self->fit_tick = 0;
}
