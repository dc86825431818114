/* SPDX-License-Identifier: MIT */
/* The base drawing of a scene as pictures in memory. The body below the header is cut into tiles
 * that threads render: what is in sight first, then what lies around it, ahead of the scrolling.
 * The header is a row of tiles of its own. A light scene is there in the frame that asks for it.
 * Of any other one a frame shows what is there: tiles, in their place previews of them, and before
 * the first of these what the scene before it looked like. To be used from the main thread
 * alone. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/base/scene.h"

G_BEGIN_DECLS

typedef struct _UiTileCache UiTileCache;

typedef enum {
  UI_TILES_MISSING, /* in places there is nothing but the ground or the scene before */
  UI_TILES_PREVIEW,
  UI_TILES_FULL
} UiTilesQuality;

/* For the widget that draws the tiles and owns the cache; borrowed. It is drawn anew when tiles
 * have become ready. */
UiTileCache   *ui_tile_cache_new        (GtkWidget    *widget);
void           ui_tile_cache_free       (UiTileCache  *self);

/* Another scene, or none (NULL). scale: device pixels a scene unit; zoom: how much larger than at
 * 1 it is, by which what was drawn before is enlarged. */
void           ui_tile_cache_set_scene  (UiTileCache  *self,
                                         UiScene      *scene,
                                         int           scale,
                                         double        zoom);

/* Height of the header in whole device pixels; with text of another size it need not end between
 * two. */
double         ui_tile_cache_get_header (UiTileCache  *self);

/* Appends what of the area (scene units) is there. Whole tiles are appended: clip before. Tiles
 * far from the area are dropped, those near it begin to render, unless the drawing is about to
 * change again. Returns the least quality of a place. */
UiTilesQuality ui_tile_cache_snapshot   (UiTileCache  *self,
                                         GtkSnapshot  *snapshot,
                                         const UiRect *area,
                                         gboolean      changes_again);
/* After a frame whose every part was drawn at least that well. */
void           ui_tile_cache_end_frame  (UiTileCache   *self,
                                         UiTilesQuality quality);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiTileCache, ui_tile_cache_free)

G_END_DECLS
