/* SPDX-License-Identifier: MIT */
/* The base drawing of a scene as pictures in memory. The body below the header is cut into tiles
 * that threads render: what is in sight at once and side by side, what lies around it ahead of
 * the scrolling. The header is a row of tiles of its own. To be used from the main thread alone. */
#pragma once

#include <gtk/gtk.h>

#include "ui/scene/scene.h"

G_BEGIN_DECLS

typedef struct _UiTileCache UiTileCache;

/* For the widget that draws the tiles and owns the cache; borrowed. */
UiTileCache *ui_tile_cache_new       (GtkWidget    *widget);
void         ui_tile_cache_free      (UiTileCache  *self);

/* Drops every tile. scene NULL = nothing to draw; scale: device pixels a scene unit. */
void         ui_tile_cache_set_scene (UiTileCache  *self,
                                      UiScene      *scene,
                                      int           scale);

/* Height of the header in whole device pixels; with text of another size it need not end between
 * two. */
double       ui_tile_cache_get_header (UiTileCache  *self);

/* Appends what of the area (scene units) is drawn, waiting for tiles that are missing. Whole
 * tiles are appended: clip before. Tiles far from the area are dropped, those near it begin to
 * render. */
void         ui_tile_cache_snapshot  (UiTileCache  *self,
                                      GtkSnapshot  *snapshot,
                                      const UiRect *area);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiTileCache, ui_tile_cache_free)

G_END_DECLS
