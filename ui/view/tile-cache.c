/* SPDX-License-Identifier: MIT */
#include "ui/view/tile-cache.h"

#include <math.h>

#include "ui/view/picture.h"

/* Device pixels. Wide enough that a drawing is one or two tiles across, low enough that a tile that
 * scrolls into sight unrendered is there a frame or two later. */
#define TILE_WIDTH 1024
#define TILE_HEIGHT 192

/* Tiles of this many bytes are kept, in and around what is in sight: all of a drawing of 512
 * tokens at scale 1, so that scrolling there and back renders nothing twice. */
#define KEEP_BYTES (64 << 20)
/* Rendered ahead of the scrolling, above and below, in heights of the view. */
#define AHEAD_VIEWS 1.0
/* Of the device's pixels along a line. */
#define PREVIEW_PART 0.5
/* For all tiles of a frame: a thread that was put aside must not hold it up. */
#define PATIENCE_US 30000

typedef struct {
  int        row;     /* 0 = of the header */
  UiRect     area;
  UiPicture *full;
  UiPicture *preview; /* NULL once full is there, and of a light scene */
} Tile;

/* The tiles of a scene that was drawn before this one. */
typedef struct {
  GHashTable *tiles;  /* as of the cache */
  double      zoom;
} Former;

struct _UiTileCache {
  GtkWidget      *widget;   /* that draws the tiles */
  UiScene        *scene;
  int             scale;
  double          zoom;
  GHashTable     *tiles;    /* key_of (column, row) → Tile; row 0 is the header */
  UiTilesQuality  quality;  /* of the last frame */
  gboolean        is_shown; /* a frame has shown all that was in sight of it */
  Former          former;   /* no tiles = none, or none is needed */
};

static void
tile_free (Tile *self)
{
  g_clear_pointer (&self->full, ui_picture_drop);
  g_clear_pointer (&self->preview, ui_picture_drop);
  g_free (self);
}

/* What lies ahead of the scrolling is no reason to draw. */
static void
picture_done_cb (gpointer data)
{
  UiTileCache *self = data;

  if (self->quality < UI_TILES_FULL)
    gtk_widget_queue_draw (self->widget);
}

static void
request (UiTileCache       *self,
         UiPicture         *picture,
         UiPicturePriority  priority)
{
  ui_picture_request (picture, priority, picture_done_cb, self);
}

static GskRenderNode *
tile_get_node (Tile           *self,
               GtkWidget      *widget,
               UiTilesQuality *quality)
{
  GskRenderNode *node = ui_picture_get_node (self->full, widget);

  *quality = UI_TILES_FULL;
  if (node != NULL) {
    g_clear_pointer (&self->preview, ui_picture_drop);
    return node;
  }

  *quality = UI_TILES_PREVIEW;
  if (self->preview != NULL)
    node = ui_picture_get_node (self->preview, widget);
  if (node == NULL)
    *quality = UI_TILES_MISSING;
  return node;
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
  tile->row = row;
  tile->area = area;
  tile->full = ui_picture_new (self->scene, UI_PICTURE_FULL, NULL, &area, self->scale);
  if (!ui_scene_is_light (self->scene))
    tile->preview = ui_picture_new (self->scene, UI_PICTURE_PREVIEW, NULL, &area,
                                    self->scale * PREVIEW_PART);
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

/* Queues every tile of the range that nobody has begun; previews overtake. */
static void
request_range (UiTileCache       *self,
               const TileRange   *range,
               UiPicturePriority  preview_priority,
               UiPicturePriority  priority)
{
  for (int row = range->first_row; row <= range->last_row; row++)
    for (int column = range->first_column; column <= range->last_column; column++) {
      Tile *tile = get_tile (self, column, row);

      if (tile == NULL)
        continue;
      if (tile->preview != NULL)
        request (self, tile->preview, preview_priority);
      request (self, tile->full, priority);
    }
}

/* Threads share the tiles with this one. FALSE when they take too long. */
static gboolean
finish_range (UiTileCache     *self,
              const TileRange *range)
{
  const gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  gboolean is_done = TRUE;

  for (int row = range->first_row; row <= range->last_row; row++)
    for (int column = range->first_column; column <= range->last_column; column++) {
      Tile *tile = get_tile (self, column, row);

      if (tile != NULL && !ui_picture_finish (tile->full, deadline))
        is_done = FALSE;
    }

  return is_done;
}

static gboolean
is_unfinished (gpointer key,
               gpointer value,
               gpointer unused)
{
  const Tile *tile = value;

  return !ui_picture_is_done (tile->full) &&
         (tile->preview == NULL || !ui_picture_is_done (tile->preview));
}

/* Scrolled past before a thread came to it. */
static gboolean
is_stale (gpointer key,
          gpointer value,
          gpointer data)
{
  const Tile *tile = value;
  const TileRange *range = data;

  return tile->row > 0 && (tile->row < range->first_row || tile->row > range->last_row) &&
         !ui_picture_is_done (tile->full);
}

static gboolean
is_far (gpointer key,
        gpointer value,
        gpointer data)
{
  const Tile *tile = value;
  const UiRect *keep = data;

  return tile->row > 0 && (tile->area.y > keep->y + keep->height ||
                           tile->area.y + tile->area.height < keep->y);
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

static gboolean
touches (const UiRect *a,
         const UiRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width &&
         a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Appends what the scene before looked like there, as large as this one is. */
static void
append_former (UiTileCache  *self,
               GtkSnapshot  *snapshot,
               const UiRect *area,
               gboolean      is_header)
{
  const double factor = self->zoom / self->former.zoom;
  const UiRect former_area = {
    area->x / factor, area->y / factor, area->width / factor, area->height / factor
  };
  GHashTableIter iter;
  gpointer value;

  gtk_snapshot_save (snapshot);
  gtk_snapshot_scale (snapshot, (float) factor, (float) factor);
  g_hash_table_iter_init (&iter, self->former.tiles);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    Tile *tile = value;
    UiTilesQuality quality;
    GskRenderNode *node;

    if ((tile->row == 0) != is_header || !touches (&tile->area, &former_area))
      continue;
    node = tile_get_node (tile, self->widget, &quality);
    if (node != NULL)
      gtk_snapshot_append_node (snapshot, node);
  }
  gtk_snapshot_restore (snapshot);
}

static UiTilesQuality
append_range (UiTileCache     *self,
              GtkSnapshot     *snapshot,
              const TileRange *range)
{
  UiTilesQuality least = UI_TILES_FULL;

  for (int row = range->first_row; row <= range->last_row; row++)
    for (int column = range->first_column; column <= range->last_column; column++) {
      Tile *tile = get_tile (self, column, row);
      UiTilesQuality quality;
      GskRenderNode *node;

      if (tile == NULL)
        continue;
      node = tile_get_node (tile, self->widget, &quality);
      least = MIN (least, quality);
      if (node != NULL)
        gtk_snapshot_append_node (snapshot, node);
    }

  return least;
}

UiTileCache *
ui_tile_cache_new (GtkWidget *widget)
{
  UiTileCache *self = g_new0 (UiTileCache, 1);

  self->widget = widget;
  self->tiles = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) tile_free);
  return self;
}

static void
forget_former (UiTileCache *self)
{
  g_clear_pointer (&self->former.tiles, g_hash_table_unref);
}

void
ui_tile_cache_free (UiTileCache *self)
{
  forget_former (self);
  g_hash_table_unref (self->tiles);
  g_clear_pointer (&self->scene, ui_scene_unref);
  g_free (self);
}

void
ui_tile_cache_set_scene (UiTileCache *self,
                         UiScene     *scene,
                         int          scale,
                         double       zoom)
{
  const gboolean is_mapped = gtk_widget_get_mapped (self->widget);

  /* Behind another page nobody would see it. */
  if (scene == NULL || self->is_shown || !is_mapped)
    forget_former (self);
  if (scene != NULL && self->is_shown && is_mapped) {
    g_hash_table_foreach_remove (self->tiles, is_unfinished, NULL);
    self->former = (Former) { g_steal_pointer (&self->tiles), self->zoom };
    self->tiles = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) tile_free);
  }
  g_hash_table_remove_all (self->tiles);
  g_clear_pointer (&self->scene, ui_scene_unref);
  self->scene = scene != NULL ? ui_scene_ref (scene) : NULL;
  self->scale = scale;
  self->zoom = zoom;
  self->is_shown = FALSE;
  self->quality = UI_TILES_MISSING;
}

double
ui_tile_cache_get_header (UiTileCache *self)
{
  if (self->scene == NULL)
    return 0;

  return ceil (ui_scene_get_header (self->scene) * self->scale) / self->scale;
}

UiTilesQuality
ui_tile_cache_snapshot (UiTileCache  *self,
                        GtkSnapshot  *snapshot,
                        const UiRect *area,
                        gboolean      changes_again)
{
  const gboolean is_light = ui_scene_is_light (self->scene);
  const gboolean is_header = area->y < ui_tile_cache_get_header (self);
  const gboolean can_wait = changes_again && !is_light && self->former.tiles != NULL;
  const TileRange seen = find_range (self, area, 0);
  const TileRange near = find_range (self, area, AHEAD_VIEWS * area->height);
  gboolean is_finished;

  if (!is_header)
    g_hash_table_foreach_remove (self->tiles, is_stale, (gpointer) &near);
  if (!can_wait)
    request_range (self, &seen, UI_PICTURE_AT_ONCE, UI_PICTURE_SOON);
  is_finished = is_light && finish_range (self, &seen);
  if (self->former.tiles != NULL && !is_finished)
    append_former (self, snapshot, area, is_header);
  if (!can_wait && !is_header)
    request_range (self, &near, UI_PICTURE_LATER, UI_PICTURE_LAST);
  drop_far_tiles (self, area);

  return append_range (self, snapshot, &seen);
}

void
ui_tile_cache_end_frame (UiTileCache    *self,
                         UiTilesQuality  quality)
{
  self->quality = quality;
  if (quality == UI_TILES_MISSING)
    return;

  self->is_shown = TRUE;
  forget_former (self);
}
