/* SPDX-License-Identifier: MIT */
#include "ui/map/map-layout.h"

/* The content of a column of 240, and its height in a window of 800. */
#define WIDTH 226
#define HEIGHT 432

/* Layers × heads, and the cells that the design draws for them. */
static void
test_cells (void)
{
  static const struct { int layers, heads, cell, lines; } cases[] = {
    { 6, 12, 30, 2 }, { 12, 12, 14, 1 }, { 24, 16, 11, 1 }, { 32, 32, 5, 1 }, { 6, 8, 30, 2 },
    { 1, 1, 40, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiMapLayout layout;

    ui_map_layout_init (&layout, cases[i].layers, cases[i].heads, WIDTH, HEIGHT, 1);
    g_assert_cmpint (layout.cell, ==, cases[i].cell);
    g_assert_cmpint (layout.n_lines, ==, cases[i].lines);
    g_assert_cmpint (layout.width, <=, WIDTH);
    g_assert_cmpint (layout.height, <=, HEIGHT);
  }
}

/* Every cell has a place of its own, in the order of the heads, that a click finds again. */
static void
test_hits (void)
{
  for (int n_heads = 1; n_heads <= 64; n_heads++) {
    UiMapLayout layout;

    ui_map_layout_init (&layout, 7, n_heads, WIDTH, HEIGHT, 1);
    g_assert_cmpint (layout.width, <=, WIDTH);
    for (int layer = 0; layer < 7; layer++)
      for (int head = 0; head < n_heads; head++) {
        UiMapPlace place = ui_map_layout_get_place (&layout, layer, head);

        for (int corner = 0; corner < 4; corner++) {
          UiMapHit hit = ui_map_layout_hit (&layout, place.x + (corner & 1) * (place.size - 0.5),
                                            place.y + (corner >> 1) * (place.size - 0.5));

          g_assert_cmpint (hit.type, ==, UI_MAP_HIT_HEAD);
          g_assert_cmpint (hit.layer, ==, layer);
          g_assert_cmpint (hit.head, ==, head);
        }
      }
  }
}

/* A strip of 64 pixels: thumbnails below each other with their numbers before them. Larger text makes
 * all of it larger. */
static void
test_strip (void)
{
  for (int width = UI_MAP_STRIP; width <= 2 * UI_MAP_STRIP; width += UI_MAP_STRIP) {
    UiMapLayout layout;
    UiMapPlace last = { 0 };

    ui_map_layout_init_strip (&layout, 3, 12, width);
    g_assert_cmpint (layout.cell, ==, 38 * width / 64);
    for (int head = 0; head < 12; head++) {
      UiMapPlace place = ui_map_layout_get_place (&layout, 3, head);
      UiMapHit hit = ui_map_layout_hit (&layout, place.x + 1, place.y + 1);
      UiMapHit number = ui_map_layout_hit (&layout, 2, place.y + 1);

      g_assert_cmpint (place.x + place.size, <, width);
      g_assert_cmpint (place.y, >=, head > 0 ? last.y + last.size : 0);
      g_assert_cmpint (hit.layer, ==, 3);
      g_assert_cmpint (hit.head, ==, head);
      g_assert_cmpint (number.type, ==, UI_MAP_HIT_HEAD);
      g_assert_cmpint (number.head, ==, head);
      last = place;
    }
    g_assert_cmpint (layout.height, >=, last.y + last.size);
    g_assert_cmpint (ui_map_layout_hit (&layout, 30, layout.height).type, ==, UI_MAP_HIT_NONE);
  }
}

static void
test_layers (void)
{
  UiMapLayout layout;

  ui_map_layout_init (&layout, 6, 12, WIDTH, HEIGHT, 1);
  for (int layer = 0; layer < 6; layer++) {
    UiMapHit hit = ui_map_layout_hit (&layout, 5, ui_map_layout_get_top (&layout, layer) + 1);

    g_assert_cmpint (hit.type, ==, UI_MAP_HIT_LAYER);
    g_assert_cmpint (hit.layer, ==, layer);
  }
  g_assert_cmpint (ui_map_layout_hit (&layout, 5, layout.height).type, ==, UI_MAP_HIT_NONE);
  g_assert_cmpint (ui_map_layout_hit (&layout, layout.width, 5).type, ==, UI_MAP_HIT_NONE);
  g_assert_cmpint (ui_map_layout_hit (&layout, -1, 5).type, ==, UI_MAP_HIT_NONE);
}

/* With little height cells become smaller, down to the least; never wider than the column. */
static void
test_low (void)
{
  UiMapLayout before = { 0 };

  for (int height = 600; height >= 0; height -= 10) {
    UiMapLayout layout;

    ui_map_layout_init (&layout, 12, 12, WIDTH, height, 1);
    g_assert_cmpint (layout.cell, >=, UI_MAP_LEAST_CELL);
    g_assert_cmpint (layout.width, <=, WIDTH);
    if (before.cell > 0)
      g_assert_cmpint (layout.cell, <=, before.cell);
    if (layout.cell > UI_MAP_LEAST_CELL)
      g_assert_cmpint (layout.height, <=, height);
    before = layout;
  }
  g_assert_cmpint (before.cell, ==, UI_MAP_LEAST_CELL);
}

/* A column and a window that grow with text have cells that do. */
static void
test_text (void)
{
  for (int percent = 100; percent <= 200; percent += 50) {
    const double scale = percent / 100.0;
    UiMapLayout layout;

    ui_map_layout_init (&layout, 6, 12, (int) (WIDTH * scale), (int) (HEIGHT * scale), scale);
    g_assert_cmpint (layout.cell, >=, (int) (30 * scale));
    g_assert_cmpint (layout.labels, ==, (int) (34 * scale));
    g_assert_cmpint (layout.width, <=, (int) (WIDTH * scale));
    g_assert_cmpint (layout.height, <=, (int) (HEIGHT * scale));
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/map-layout/strip", test_strip);
  g_test_add_func ("/ui/map-layout/cells", test_cells);
  g_test_add_func ("/ui/map-layout/hits", test_hits);
  g_test_add_func ("/ui/map-layout/layers", test_layers);
  g_test_add_func ("/ui/map-layout/low", test_low);
  g_test_add_func ("/ui/map-layout/text", test_text);
  return g_test_run ();
}
