/* SPDX-License-Identifier: MIT */
#include "ui/tile-cache.h"

#include <math.h>

#include "ui/scene/raster.h"
#include "ui/surface-node.h"

/* Device pixels. Wide enough that a drawing is one or two tiles across, low enough that a tile that
 * scrolls into sight unrendered costs a fraction of a frame. */
#define TILE_WIDTH 1024
#define TILE_HEIGHT 192

/* Tiles of this many bytes are kept, in and around what is in sight: all of a drawing of 512
 * tokens at scale 1, so that scrolling there and back renders nothing twice. */
#define KEEP_BYTES (64 << 20)
/* Rendered ahead of the scrolling, above and below, in heights of the view. */
#define AHEAD_VIEWS 1.0

typedef enum { TILE_WAITING, TILE_RUNNING, TILE_DONE, TILE_DROPPED } TileState;

/* Shared by the cache and the thread that renders it; state and surface are under tiles_lock. */
typedef struct {
  UiScene         *scene;
  UiRect           area;    /* scene units, a whole number of device pixels */
  double           scale;
  TileState        state;
  cairo_surface_t *surface;
  GskRenderNode   *node;    /* main thread; made from the surface when first shown */
  gatomicrefcount  ref_count;
} Tile;

struct _UiTileCache {
  GtkWidget  *widget; /* that draws the tiles */
  UiScene    *scene;
  int         scale;
  GHashTable *tiles; /* key_of (column, row) → Tile; row 0 is the header */
};

static GMutex tiles_lock;
static GCond tiles_done;

static void
tile_unref (Tile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_clear_pointer (&self->node, gsk_render_node_unref);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  ui_scene_unref (self->scene);
  g_free (self);
}

/* The cache gives a tile up. A thread that has not begun it leaves it alone. */
static void
tile_drop (Tile *self)
{
  g_mutex_lock (&tiles_lock);
  if (self->state == TILE_WAITING)
    self->state = TILE_DROPPED;
  g_mutex_unlock (&tiles_lock);

  tile_unref (self);
}

static gboolean
tile_begin (Tile *self)
{
  gboolean begins;

  g_mutex_lock (&tiles_lock);
  begins = self->state == TILE_WAITING;
  if (begins)
    self->state = TILE_RUNNING;
  g_mutex_unlock (&tiles_lock);

  return begins;
}

/* Renders the tile unless another thread did or does. Any thread. */
static void
tile_render (Tile *self)
{
  cairo_surface_t *surface;

  if (!tile_begin (self))
    return;

  surface = ui_raster_render (self->scene, &self->area, self->scale);

  g_mutex_lock (&tiles_lock);
  self->surface = surface;
  self->state = TILE_DONE;
  g_cond_broadcast (&tiles_done);
  g_mutex_unlock (&tiles_lock);
}

static void
render_worker (gpointer tile,
               gpointer unused)
{
  tile_render (tile);
  tile_unref (tile);
}

/* One pool for all views. Threads stay alive for the next tile and take no time while they wait. */
static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  if (pool == NULL)
    pool = g_thread_pool_new (render_worker, NULL, MAX (1, (int) g_get_num_processors () - 1),
                              FALSE, NULL);

  return pool;
}

static void
tile_push (Tile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  g_thread_pool_push (get_pool (), self, NULL);
}

/* Renders or waits. */
static GskRenderNode *
tile_get_node (Tile      *self,
               GtkWidget *widget)
{
  cairo_surface_t *surface;
  UiRect bounds = self->area;

  if (self->node != NULL)
    return self->node;

  tile_render (self);
  g_mutex_lock (&tiles_lock);
  while (self->state != TILE_DONE)
    g_cond_wait (&tiles_done, &tiles_lock);
  surface = g_steal_pointer (&self->surface);
  g_mutex_unlock (&tiles_lock);

  /* The last pixels may reach over the edge of the scene. */
  bounds.width = cairo_image_surface_get_width (surface) / self->scale;
  bounds.height = cairo_image_surface_get_height (surface) / self->scale;
  self->node = ui_surface_node_new (surface, &bounds, widget);
  return self->node;
}

static gpointer
key_of (int column,
        int row)
{
  return GUINT_TO_POINTER (((guint) row << 12 | (guint) column) + 1);
}

/* Area of a tile: row 0 is the header, the rows below it begin at its lower edge. */
static gboolean
find_area (UiTileCache *self,
           int          column,
           int          row,
           UiRect      *area)
{
  const double header = ui_tile_cache_get_header (self);
  const double tile_height = (double) TILE_HEIGHT / self->scale;
  double width, height, bottom;

  ui_scene_get_size (self->scene, &width, &height);
  area->x = column * (double) TILE_WIDTH / self->scale;
  area->width = MIN ((double) TILE_WIDTH / self->scale, width - area->x);
  area->y = row == 0 ? 0 : header + (row - 1) * tile_height;
  bottom = row == 0 ? header : MIN (area->y + tile_height, height);
  area->height = bottom - area->y;

  return area->width > 0 && area->height > 0;
}

static Tile *
get_tile (UiTileCache *self,
          int          column,
          int          row)
{
  Tile *tile = g_hash_table_lookup (self->tiles, key_of (column, row));
  UiRect area;

  if (tile != NULL || !find_area (self, column, row, &area))
    return tile;

  tile = g_new0 (Tile, 1);
  g_atomic_ref_count_init (&tile->ref_count);
  tile->scene = ui_scene_ref (self->scene);
  tile->area = area;
  tile->scale = self->scale;
  g_hash_table_insert (self->tiles, key_of (column, row), tile);

  return tile;
}

typedef struct { int first_column, last_column, first_row, last_row; } TileRange;

/* Tiles that touch the area, widened up and down. Rows are those of the body unless the area is
 * in the header. */
static TileRange
find_range (UiTileCache  *self,
            const UiRect *area,
            double        widen)
{
  const double header = ui_tile_cache_get_header (self);
  const double tile_width = (double) TILE_WIDTH / self->scale;
  const double tile_height = (double) TILE_HEIGHT / self->scale;
  TileRange range;
  double width, height, top, bottom;

  ui_scene_get_size (self->scene, &width, &height);
  top = MAX (area->y - widen, header) - header;
  bottom = MIN (area->y + area->height + widen, height) - header;
  range.first_column = MAX (0, (int) (area->x / tile_width));
  range.last_column = (int) ((MIN (area->x + area->width, width) - 0.001) / tile_width);
  range.first_row = area->y < header ? 0 : 1 + (int) (top / tile_height);
  range.last_row = bottom > 0 ? 1 + (int) ((bottom - 0.001) / tile_height) : 0;

  return range;
}

/* Queues every tile of the range that nobody has begun. */
static void
push_range (UiTileCache     *self,
            const TileRange *range)
{
  for (int row = range->first_row; row <= range->last_row; row++)
    for (int column = range->first_column; column <= range->last_column; column++)
      if (!g_hash_table_contains (self->tiles, key_of (column, row))) {
        Tile *tile = get_tile (self, column, row);

        if (tile != NULL)
          tile_push (tile);
      }
}

static gboolean
is_far (gpointer key,
        gpointer value,
        gpointer data)
{
  const Tile *tile = value;
  const UiRect *keep = data;

  return tile->area.y > 0 &&
         (tile->area.y > keep->y + keep->height || tile->area.y + tile->area.height < keep->y);
}

/* Drops what is farthest from the area once there is more than may be kept. */
static void
drop_far_tiles (UiTileCache  *self,
                const UiRect *area)
{
  const double tile_bytes = 4.0 * TILE_WIDTH * TILE_HEIGHT;
  const double n_columns = ceil (area->width * self->scale / TILE_WIDTH) + 1;
  const double n_rows = KEEP_BYTES / tile_bytes / n_columns;
  UiRect keep = *area;

  if (g_hash_table_size (self->tiles) * tile_bytes <= KEEP_BYTES)
    return;

  keep.height = MAX (n_rows * TILE_HEIGHT / self->scale, 3 * area->height);
  keep.y = area->y + (area->height - keep.height) / 2;
  g_hash_table_foreach_remove (self->tiles, is_far, &keep);
}

UiTileCache *
ui_tile_cache_new (GtkWidget *widget)
{
  UiTileCache *self = g_new0 (UiTileCache, 1);

  self->widget = widget;
  self->tiles = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) tile_drop);
  return self;
}

void
ui_tile_cache_free (UiTileCache *self)
{
  g_hash_table_unref (self->tiles);
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_free (self);
}

void
ui_tile_cache_set_scene (UiTileCache *self,
                         UiScene     *scene,
                         int          scale)
{
  g_hash_table_remove_all (self->tiles);
  g_clear_pointer (&self->scene, ui_scene_unref);
  self->scene = scene != NULL ? ui_scene_ref (scene) : NULL;
  self->scale = scale;
}

double
ui_tile_cache_get_header (UiTileCache *self)
{
  if (self->scene == NULL)
    return 0;

  return ceil (ui_scene_get_header (self->scene) * self->scale) / self->scale;
}

void
ui_tile_cache_snapshot (UiTileCache  *self,
                        GtkSnapshot  *snapshot,
                        const UiRect *area)
{
  const TileRange seen = find_range (self, area, 0);
  const TileRange ahead = find_range (self, area, AHEAD_VIEWS * area->height);

  /* Every tile in sight is queued before the first is waited for, so that the threads share
   * them. */
  push_range (self, &seen);
  for (int row = seen.first_row; row <= seen.last_row; row++)
    for (int column = seen.first_column; column <= seen.last_column; column++) {
      Tile *tile = get_tile (self, column, row);

      if (tile != NULL)
        gtk_snapshot_append_node (snapshot, tile_get_node (tile, self->widget));
    }

  push_range (self, &ahead);
  drop_far_tiles (self, area);
}
