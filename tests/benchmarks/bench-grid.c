/* SPDX-License-Identifier: MIT */
/* How soon the grid of all heads is there, at the sizes that it must bear: the scene, which the
 * main thread may build, the first tile as its preview and in full, and all tiles, each in one
 * thread as the window renders them; and how soon the map of heads beside the picture is full. Every
 * try has a trace of its own, of which nothing is known yet. Prints the fastest of some tries; asserts nothing. */
#include "engine/kernels/pool.h"
#include "tests/support/made-trace.h"
#include "ui/scene/base/head-tiles.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/scene/views/factory.h"

#define TRIES 5
#define WIDTH 1260
#define VIEW_HEIGHT 660
/* Of a tile of the window. */
#define TILE_WIDTH 1024
#define TILE_HEIGHT 192

typedef enum { SCENE, FIRST_PREVIEW, FIRST, ALL, N_STEPS } Step;

static double
get_ms (gint64 since)
{
  return (g_get_monotonic_time () - since) / 1000.0;
}

/* FALSE for a tile that lies below the scene. */
static gboolean
find_tile (const UiScene *scene,
           int            row,
           UiRect        *tile)
{
  double width, height;

  ui_scene_get_size (scene, &width, &height);
  *tile = (UiRect) { 0, ui_scene_get_header (scene) + row * TILE_HEIGHT, MIN (width, TILE_WIDTH),
                     TILE_HEIGHT };
  tile->height = MIN (tile->height, height - tile->y);
  return tile->height > 0;
}

/* Milliseconds of each step, the later ones with what the earlier ones left behind. */
static void
run (EngTrace *trace,
     double    times[N_STEPS])
{
  const UiSceneOptions options = {
    .width = WIDTH, .view_height = VIEW_HEIGHT, .text_scale = 1
  };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  gint64 start = g_get_monotonic_time ();
  cairo_surface_t *preview;
  UiRect tile;

  document->view = UI_VIEW_MODEL;
  scene = ui_scene_new (trace, document, &options, NULL);
  times[SCENE] = get_ms (start);

  find_tile (scene, 0, &tile);
  start = g_get_monotonic_time ();
  preview = ui_scene_render_preview (scene, &tile, 1);
  g_clear_pointer (&preview, cairo_surface_destroy);
  times[FIRST_PREVIEW] = get_ms (start);
  cairo_surface_destroy (ui_scene_render (scene, &tile, 1));
  times[FIRST] = get_ms (start);
  for (int row = 1; find_tile (scene, row, &tile); row++)
    cairo_surface_destroy (ui_scene_render (scene, &tile, 1));
  times[ALL] = get_ms (start);
}

static double
time_map (EngTrace *trace)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (UiHeadTiles) tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);

  ui_head_tiles_make (tiles, NULL, NULL, NULL);
  return get_ms (start);
}

static void
measure (int n_layers,
         int n_heads,
         int n_tokens)
{
  double fastest[N_STEPS] = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };
  double map = G_MAXDOUBLE;

  for (int i = 0; i < TRIES; i++) {
    g_autoptr (EngTrace) trace = made_trace_new (n_tokens / 2, n_tokens / 2, n_heads, n_layers);
    g_autoptr (EngTrace) other = made_trace_new (n_tokens / 2, n_tokens / 2, n_heads, n_layers);
    double times[N_STEPS];

    map = MIN (map, time_map (other));
    run (trace, times);
    for (int step = 0; step < N_STEPS; step++)
      fastest[step] = MIN (fastest[step], times[step]);
  }
  g_print ("%d layers × %d heads × %d tokens: scene %.1f ms; first tile's preview %.1f, "
           "the tile %.1f, all tiles %.1f ms; map of heads %.1f ms\n",
           n_layers, n_heads, n_tokens, fastest[SCENE], fastest[FIRST_PREVIEW], fastest[FIRST],
           fastest[ALL], map);
}

int
main (void)
{
  measure (24, 16, 128);
  measure (48, 32, 128);
  measure (6, 16, 512);
  eng_pool_shutdown ();

  return 0;
}
