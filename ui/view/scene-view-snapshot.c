/* SPDX-License-Identifier: MIT */
#include "ui/view/scene-view-private.h"

#include <string.h>

#include "ui/view/color.h"
#include "ui/view/focus-ring.h"

#define CURSOR_RADIUS 6

/* The two parts of the view that move on their own. */
typedef enum { PART_BODY, PART_HEADER, PART_LEFT_BAND, PART_CORNER } Part;

static gboolean
is_same_overlay (const UiOverlay *self,
                 const UiItem    *item,
                 const UiRect    *area)
{
  return self->picture != NULL && memcmp (&self->item, item, sizeof *item) == 0 &&
         memcmp (&self->area, area, sizeof *area) == 0;
}

static void
overlay_clear (UiOverlay *self)
{
  g_clear_pointer (&self->picture, ui_picture_drop);
  g_clear_pointer (&self->former, ui_picture_drop);
}

/* Asks for what the shown item adds to an area. */
static void
overlay_update (UiOverlay    *self,
                UiSceneView  *view,
                const UiRect *area)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (view));

  if (is_same_overlay (self, &view->shown, area))
    return;

  if (self->picture != NULL && ui_picture_is_done (self->picture)) {
    g_clear_pointer (&self->former, ui_picture_drop);
    self->former = g_steal_pointer (&self->picture);
  }
  g_clear_pointer (&self->picture, ui_picture_drop);
  if (memcmp (&self->area, area, sizeof *area) != 0)
    g_clear_pointer (&self->former, ui_picture_drop);

  self->item = view->shown;
  self->area = *area;
  self->picture = ui_picture_new (view->scene, UI_PICTURE_OVERLAY, &self->item, area, scale);
  ui_picture_request (self->picture, UI_PICTURE_AT_ONCE, (UiPictureFunc) gtk_widget_queue_draw,
                      view);
}

static void
append_overlay (UiSceneView  *self,
                GtkSnapshot  *snapshot,
                Part          part,
                const UiRect *area)
{
  UiOverlay *overlay = &self->overlays[part];
  GskRenderNode *node;

  overlay_update (overlay, self, area);
  node = ui_picture_get_node (overlay->picture, GTK_WIDGET (self));
  if (node != NULL) {
    g_clear_pointer (&overlay->former, ui_picture_drop);
  } else {
    self->awaits_overlay = TRUE;
    if (overlay->former != NULL)
      node = ui_picture_get_node (overlay->former, GTK_WIDGET (self));
  }
  if (node != NULL)
    gtk_snapshot_append_node (snapshot, node);
}

/* Appends an area of the scene, moved by (dx, dy) into the widget. */
static void
snapshot_part (UiSceneView  *self,
               GtkSnapshot  *snapshot,
               Part          part,
               const UiRect *area,
               double        dx,
               double        dy)
{
  UiTilesQuality quality;

  if (area->width <= 0 || area->height <= 0)
    return;

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (dx, dy));
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (area->x, area->y, area->width, area->height));
  quality = ui_tile_cache_snapshot (self->tiles, snapshot, area, self->zooms);
  self->quality = MIN (self->quality, quality);
  if (ui_scene_view_shows_item (self))
    append_overlay (self, snapshot, part, area);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

/* The body moves with the scroll, the header stays at the top, the left band at the side. */
static void
snapshot_scene (UiSceneView *self,
                GtkSnapshot *snapshot)
{
  const UiRect view = ui_scene_view_get_area (self);
  const double header = MIN (ui_scene_view_get_header (self), view.height);
  const UiRect body = { view.x, view.y + header, view.width, view.height - header };
  const double left = ui_scene_view_get_left_band (self);
  const UiRect band = { view.x, 0, view.width, header };
  const UiRect left_band = { 0, body.y, left, body.height };
  const UiRect corner = { 0, 0, left, header };

  self->awaits_overlay = FALSE;
  self->quality = UI_TILES_FULL;
  snapshot_part (self, snapshot, PART_BODY, &body, -view.x, -view.y);
  snapshot_part (self, snapshot, PART_HEADER, &band, -view.x, 0);
  snapshot_part (self, snapshot, PART_LEFT_BAND, &left_band, 0, -view.y);
  snapshot_part (self, snapshot, PART_CORNER, &corner, 0, 0);
  ui_tile_cache_end_frame (self->tiles, self->quality);
}

/* The rectangle of an item in widget coordinates. */
static gboolean
find_widget_rect (UiSceneView  *self,
                  const UiItem *item,
                  UiRect       *rect)
{
  const UiRect view = ui_scene_view_get_area (self);

  if (!ui_scene_get_rect (self->scene, item, rect))
    return FALSE;

  rect->x -= view.x;
  rect->y -= view.y;
  return TRUE;
}

static void
snapshot_cursor (UiSceneView *self,
                 GtkSnapshot *snapshot)
{
  UiRect rect;

  if (!self->cursor_shows || !gtk_widget_has_visible_focus (GTK_WIDGET (self)) ||
      !find_widget_rect (self, &self->cursor, &rect))
    return;

  ui_focus_ring_append (snapshot, self->theme,
                        &GRAPHENE_RECT_INIT (rect.x, rect.y, rect.width, rect.height),
                        CURSOR_RADIUS);
}

void
ui_scene_view_drop_overlays (UiSceneView *self)
{
  for (gsize part = 0; part < G_N_ELEMENTS (self->overlays); part++)
    overlay_clear (&self->overlays[part]);
}

void
ui_scene_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);
  const UiPalette *palette = ui_palette_get (self->theme);
  const GdkRGBA ground = ui_color_to_rgba (palette->ground);

  /* Beside a drawing that is smaller than the widget, and where there is no picture yet. */
  gtk_snapshot_append_color (snapshot, &ground,
                             &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget),
                                                  gtk_widget_get_height (widget)));
  if (self->scene == NULL)
    return;

  snapshot_scene (self, snapshot);
  snapshot_cursor (self, snapshot);
  ui_scene_view_snapshot_motion (self, snapshot);
}
