/* SPDX-License-Identifier: MIT */
/* Tiles of heads against the weights they are made of. */
#include "ui/scene/base/head-tiles.h"

#include <string.h>

#include "tests/support/made-trace.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/pattern-glyph.h"
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

/* Of a long text each pixel is the strongest of what it stands for. */
static void
test_long (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (80, 80, 2);
  g_autoptr (UiHeadTiles) tiles = ui_head_tiles_new (trace, ENG_KIND_ENCODER);
  const guint8 *tile;

  ui_head_tiles_make (tiles, NULL, NULL, NULL);
  g_assert_cmpint (ui_head_tiles_get_width (tiles), ==, UI_MOST_TILE_PIXELS);
  tile = ui_head_tiles_get (tiles, 0, 0);
  for (int i = 0; i < UI_MOST_TILE_PIXELS; i++)
    g_assert_cmpint (tile[i * UI_MOST_TILE_PIXELS + i], ==, 255);
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
  g_test_add_func ("/scene/head-tiles/cancel", test_cancel);
  g_test_add_func ("/scene/head-tiles/cross", test_cross);
  g_test_add_func ("/scene/head-tiles/glyphs", test_glyphs);
  return g_test_run ();
}
