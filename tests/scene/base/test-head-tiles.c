/* SPDX-License-Identifier: MIT */
/* Tiles of heads against the weights they are made of. */
#include "ui/scene/base/head-tiles.h"

#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/scene/base/pixel-share.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/pattern-glyph.h"
#include "ui/scene/base/thumbnail.h"
#include "ui/scene/sinks/palette.h"

static void
test_pixels (void)
{
  const int n = 9, n_heads = 3, n_layers = 4;
  g_autoptr (EngTrace) trace = made_trace_new (5, 4, n_heads, n_layers);
  g_autoptr (UiHeadTiles) tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);

  g_assert_null (ui_head_tiles_get (tiles, 0, 0));
  g_assert_true (ui_head_tiles_lacks (tiles));
  g_assert_true (ui_head_tiles_make (tiles, NULL, NULL, NULL));
  g_assert_false (ui_head_tiles_lacks (tiles));
  g_assert_cmpint (ui_head_tiles_get_width (tiles), ==, n);
  g_assert_cmpint (ui_head_tiles_get_height (tiles), ==, n);
  for (int layer = 0; layer < n_layers; layer++)
    for (int head = 0; head < n_heads; head++) {
      const guint8 *tile = ui_head_tiles_get (tiles, layer, head);

      for (int query = 0; query < n; query++)
        for (int key = 0; key < n; key++) {
          double weight = made_trace_weight (n, layer, head, query, key);

          g_assert_cmpint (tile[query * n + key], ==, ui_palette_link_alpha ((float) weight));
        }
    }
}

/* Of a long text each pixel is what its rows read of its columns: sum over keys, mean over
 * queries. */
static void
test_long (void)
{
  enum { SIZE = UI_MOST_TILE_PIXELS, N = 160 };

  g_autoptr (EngTrace) trace = scene_trace_new_exact (N / 2, N / 2, 2);
  g_autoptr (UiHeadTiles) tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);
  const guint8 *tile;

  ui_head_tiles_make (tiles, NULL, NULL, NULL);
  g_assert_cmpint (ui_head_tiles_get_width (tiles), ==, SIZE);
  tile = ui_head_tiles_get (tiles, 0, 1);
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++) {
      double weight = 0;

      for (int query = 0; query < N; query++)
        for (int key = 0; key < N; key++)
          weight += scene_trace_weight (trace, ENG_KIND_ENCODER, 1, query, key)
                    * pixel_share (row, SIZE, query, N) * SIZE / N
                    * pixel_share (column, SIZE, key, N);
      g_assert_cmpint (ABS (tile[row * SIZE + column] - ui_palette_link_alpha (weight)), <=, 1);
    }
}

/* Every token reads the first one most, and one other that is never the same: a column, with
 * nothing beside it that comes near, and no less of it where the map is smaller. */
static void
test_column (void)
{
  enum { N = 122, SMALL = 20 };

  g_autoptr (EngTrace) trace = scene_trace_new_exact (N / 2, N / 2, 1);
  float *weights = (float *) trace->blocks[ENG_KIND_ENCODER].layers[0].attention;
  g_autoptr (UiHeadTiles) tiles = NULL;
  guint8 small[SMALL * SMALL];
  const guint8 *tile;

  memset (weights, 0, sizeof *weights * N * N);
  for (int query = 0; query < N; query++) {
    weights[query * N] = 0.55f;
    weights[query * N + 1 + query * 37 % (N - 1)] = 0.45f;
  }
  tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);
  ui_head_tiles_make (tiles, NULL, NULL, NULL);
  tile = ui_head_tiles_get (tiles, 0, 0);
  ui_thumbnail_resample (tile, UI_MOST_TILE_PIXELS, UI_MOST_TILE_PIXELS, SMALL, small);
  for (int row = 0; row < SMALL; row++) {
    int sum = 0;

    for (int column = 0; column < SMALL; column++) {
      const int alpha = small[row * SMALL + column];

      sum += alpha;
      if (column == 0)
        g_assert_cmpint (alpha, >=, ui_palette_link_alpha (0.55) - 2);
      else
        g_assert_cmpint (2 * alpha, <, small[row * SMALL]);
    }
    g_assert_cmpint (ABS (sum - (int) (UI_LINK_GAIN * 255)), <, 20);
  }
}

/* Few cells are repeated, none is mixed with another. */
static void
test_enlarged (void)
{
  static const guint8 few[] = { 10, 200, 0, 255, 3, 77 };
  guint8 many[7 * 7];

  ui_thumbnail_resample (few, 3, 2, 7, many);
  for (int row = 0; row < 7; row++)
    for (int column = 0; column < 7; column++)
      g_assert_cmpint (many[row * 7 + column], ==, few[row * 2 / 7 * 3 + column * 3 / 7]);
}

static void
count (int      done,
       int      n,
       gpointer data)
{
  *(int *) data = done;
}

/* What was made before stays; a cancelled round makes no more. */
static void
test_cancel (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (5, 0, 2, 3);
  g_autoptr (UiHeadTiles) tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);
  gint cancel = 1;
  int done = 0;

  g_assert_false (ui_head_tiles_make (tiles, &cancel, count, &done));
  g_assert_cmpint (done, ==, 0);
  g_assert_null (ui_head_tiles_get (tiles, 0, 0));
  cancel = 0;
  g_assert_true (ui_head_tiles_make (tiles, &cancel, count, &done));
  g_assert_cmpint (done, ==, 3);
}

/* A kind whose queries are fewer than its keys. */
static void
test_cross (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (3, 5, 2);
  g_autoptr (UiHeadTiles) tiles = ui_head_tiles_new (trace, ENG_KIND_CROSS);

  ui_head_tiles_make (tiles, NULL, NULL, NULL);
  g_assert_cmpint (ui_head_tiles_get_width (tiles), ==, 5);
  g_assert_cmpint (ui_head_tiles_get_height (tiles), ==, 3);
  for (int query = 0; query < 3; query++)
    for (int key = 0; key < 5; key++)
      g_assert_cmpint (ui_head_tiles_get (tiles, 0, 1)[query * 5 + key], ==,
                       ui_palette_link_alpha ((float) scene_trace_weight (trace, ENG_KIND_CROSS, 1,
                                                                          query, key)));
}

/* No two patterns have the same glyph, and each is of its form alone. */
static void
test_glyphs (void)
{
  enum { SIZE = 24 };
  static guint8 glyphs[ENG_N_PATTERNS][SIZE * SIZE];

  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++) {
    ui_pattern_glyph_paint ((EngPattern) pattern, SIZE, glyphs[pattern]);
    for (int other = 0; other < pattern; other++)
      g_assert_cmpint (memcmp (glyphs[pattern], glyphs[other], SIZE * SIZE), !=, 0);
  }
  for (int i = 0; i < SIZE; i++) {
    g_assert_cmpint (glyphs[ENG_PATTERN_SAME_TOKEN][i * SIZE + i], ==, 255);
    g_assert_cmpint (glyphs[ENG_PATTERN_PREVIOUS][i * SIZE + i], ==, 0);
    g_assert_cmpint (glyphs[ENG_PATTERN_FIRST][i * SIZE], ==, 255);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/head-tiles/pixels", test_pixels);
  g_test_add_func ("/scene/head-tiles/long", test_long);
  g_test_add_func ("/scene/head-tiles/column", test_column);
  g_test_add_func ("/scene/head-tiles/enlarged", test_enlarged);
  g_test_add_func ("/scene/head-tiles/cancel", test_cancel);
  g_test_add_func ("/scene/head-tiles/cross", test_cross);
  g_test_add_func ("/scene/head-tiles/glyphs", test_glyphs);
  return g_test_run ();
}
