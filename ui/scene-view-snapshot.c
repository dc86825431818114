/* SPDX-License-Identifier: MIT */
#include "ui/scene-view-private.h"

#include <string.h>

#include "ui/color.h"
#include "ui/hint.h"
#include "ui/scene/raster.h"
#include "ui/surface-node.h"

#define CURSOR_RADIUS 6
/* Of the width. */
#define HINT_LEFT_PART 0.35

/* The two parts of the view that move on their own. */
typedef enum { PART_BODY, PART_HEADER } Part;

/* Renders what the shown item adds over an area. Drawn anew when it scrolls: one token's links
 * are few. */
static void
update_overlay (UiSceneView  *self,
                Part          part,
                const UiRect *area)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  cairo_surface_t *surface;
  UiSink *sink;

  if (self->overlays[part] != NULL && memcmp (area, &self->overlay_areas[part], sizeof *area) == 0)
    return;

  g_clear_pointer (&self->overlays[part], gsk_render_node_unref);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32,
                                        (int) (area->width * scale),
                                        (int) (area->height * scale));
  sink = ui_raster_sink_new (cairo_image_surface_get_data (surface),
                             cairo_image_surface_get_width (surface),
                             cairo_image_surface_get_height (surface),
                             cairo_image_surface_get_stride (surface),
                             area, scale);
  ui_scene_paint_overlay (self->scene, &self->shown, sink, area);
  ui_raster_sink_free (sink);
  cairo_surface_mark_dirty (surface);
  self->overlays[part] = ui_surface_node_new (surface, area, GTK_WIDGET (self));
  self->overlay_areas[part] = *area;
}

static void
append_overlay (UiSceneView  *self,
                GtkSnapshot  *snapshot,
                Part          part,
                const UiRect *area)
{
  update_overlay (self, part, area);
  gtk_snapshot_append_node (snapshot, self->overlays[part]);
}

/* Appends an area of the scene, moved by (dx, dy) into the widget. */
static void
snapshot_area (UiSceneView  *self,
               GtkSnapshot  *snapshot,
               Part          part,
               const UiRect *area,
               double        dx,
               double        dy)
{
  if (area->width <= 0 || area->height <= 0)
    return;

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (dx, dy));
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (area->x, area->y, area->width, area->height));
  ui_tile_cache_snapshot (self->tiles, snapshot, area);
  if (ui_scene_view_shows_item (self))
    append_overlay (self, snapshot, part, area);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

/* The body moves with the scroll, the header stays at the top. */
static void
snapshot_scene (UiSceneView *self,
                GtkSnapshot *snapshot)
{
  const UiRect view = ui_scene_view_get_area (self);
  const double header = MIN (ui_scene_view_get_header (self), view.height);
  const UiRect body = { view.x, view.y + header, view.width, view.height - header };
  const UiRect band = { view.x, 0, view.width, header };

  snapshot_area (self, snapshot, PART_BODY, &body, -view.x, -view.y);
  snapshot_area (self, snapshot, PART_HEADER, &band, -view.x, 0);
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
snapshot_cursor (UiSceneView     *self,
                 GtkSnapshot     *snapshot,
                 const UiPalette *palette)
{
  const GdkRGBA color = ui_color_to_rgba (palette->accent);
  const float widths[4] = { 2, 2, 2, 2 };
  GskRoundedRect outline;
  UiRect rect;

  if (!gtk_widget_has_visible_focus (GTK_WIDGET (self)) ||
      !find_widget_rect (self, &self->cursor, &rect))
    return;

  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT (rect.x, rect.y, rect.width, rect.height),
                                   CURSOR_RADIUS);
  gtk_snapshot_append_border (snapshot, &outline, widths,
                              (GdkRGBA[4]) { color, color, color, color });
}

/* What the hint stands beside: the cursor's item, or the pointer, and then below the whole row
 * of a token or a cell; the rectangle of a link is the field. */
static gboolean
find_hint_target (UiSceneView *self,
                  UiRect      *target)
{
  const gboolean has_row = self->shown.type != UI_ITEM_LINK;
  UiRect row;

  if (!self->pointer_leads)
    return find_widget_rect (self, &self->cursor, target);

  *target = (UiRect) { self->pointer_x, self->pointer_y, 0, 0 };
  if (has_row && find_widget_rect (self, &self->shown, &row)) {
    target->y = row.y;
    target->height = row.height;
  }
  return TRUE;
}

/* Links run to the right of the tokens that read: there the hint would hide what it is about. */
static gboolean
keeps_left (UiSceneView  *self,
            const UiRect *target,
            double        width)
{
  return self->shown.type == UI_ITEM_QUERY || target->x + target->width < HINT_LEFT_PART * width;
}

static void
snapshot_hint (UiSceneView     *self,
               GtkSnapshot     *snapshot,
               const UiPalette *palette)
{
  const UiRect view = ui_scene_view_get_area (self);
  UiRect target;

  if (self->hint != NULL && ui_scene_view_shows_item (self) && find_hint_target (self, &target))
    ui_hint_snapshot (snapshot, self->hint, palette, &target,
                      keeps_left (self, &target, view.width), view.width, view.height);
}

void
ui_scene_view_drop_overlays (UiSceneView *self)
{
  for (gsize part = 0; part < G_N_ELEMENTS (self->overlays); part++)
    g_clear_pointer (&self->overlays[part], gsk_render_node_unref);
}

/* Below a drawing that is shorter than the widget, or beside one that is narrower. */
static void
snapshot_ground (UiSceneView   *self,
                 GtkSnapshot   *snapshot,
                 const GdkRGBA *color)
{
  const UiRect view = ui_scene_view_get_area (self);
  double width = 0;
  double height = 0;

  if (self->scene != NULL)
    ui_scene_get_size (self->scene, &width, &height);
  if (height < view.height)
    gtk_snapshot_append_color (snapshot, color,
                               &GRAPHENE_RECT_INIT (0, height, view.width, view.height - height));
  if (width < view.width)
    gtk_snapshot_append_color (snapshot, color,
                               &GRAPHENE_RECT_INIT (width, 0, view.width - width, view.height));
}

void
ui_scene_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  UiSceneView *self = UI_SCENE_VIEW (widget);
  const UiPalette *palette = ui_palette_get (self->theme);
  const GdkRGBA ground = ui_color_to_rgba (palette->ground);

  snapshot_ground (self, snapshot, &ground);
  if (self->scene == NULL)
    return;

  snapshot_scene (self, snapshot);
  snapshot_cursor (self, snapshot, palette);
  snapshot_hint (self, snapshot, palette);
}
