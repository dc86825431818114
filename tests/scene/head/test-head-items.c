/* SPDX-License-Identifier: MIT */
/* What of a head scene is hit, and how tokens are moved over. */
#include <locale.h>

#include "tests/scene/head/head-case.h"
#include "ui/scene/sinks/link-curve.h"

/* What is hit passes under the pointer, and no stronger one passes just there. */
static void
test_hit_links (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 12);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  g_autoptr (GArray) links = get_links (scene, NULL);
  int n_hits = 0;

  for (guint i = 0; i < links->len; i++) {
    const UiLink *link = &g_array_index (links, UiLink, i);

    for (int part = 1; part < 10; part++) {
      double across = part / 10.0, along;
      UiItem item;
      int query, key;

      ui_link_curve_at (across, &along, NULL);
      g_assert_true (ui_scene_hit (scene, link->x0 + (link->x1 - link->x0) * across,
                                   link->y0 + (link->y1 - link->y0) * along, &item));
      g_assert_cmpint (item.type, ==, UI_ITEM_LINK);
      find_ends (scene, link, &query, &key);
      g_assert_cmpfloat (get_weight (trace, item.head, item.query, item.key) + 1e-9, >=,
                         get_weight (trace, link->head, query, key));
      n_hits += item.head == link->head && item.query == query && item.key == key;
    }
  }
  g_assert_cmpint (n_hits, >, 0);
}

/* A strong link alone is found all along its way, and not beside it. */
static void
test_hit_one_link (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (6, 6, 5);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GArray) links = NULL;
  const UiLink *link;
  UiItem item;

  fields_set (document, "heads", "4");
  fields_set (document, "pin", "1");
  document->threshold = 0.5;
  scene = scene_case_new (trace, document, &window);
  links = get_links (scene, NULL);
  g_assert_cmpint (links->len, ==, 1);
  link = &g_array_index (links, UiLink, 0);
  for (double across = 0.002; across < 1; across += 0.01) {
    double along;
    double x = link->x0 + (link->x1 - link->x0) * across, y;

    ui_link_curve_at (across, &along, NULL);
    y = link->y0 + (link->y1 - link->y0) * along;
    g_assert_true (ui_scene_hit (scene, x, y + 1, &item));
    g_assert_true (item.head == 4 && item.query == 1 && item.key == 5);
    g_assert_false (ui_scene_hit (scene, x, y + 12, &item));
    g_assert_cmpint (item.type, ==, UI_ITEM_NONE);
  }
}

static void
test_hit_tokens (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new (words_a, words_b, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  UiItem item;

  for (int i = 0; i < 11; i++) {
    UiItem query = { .type = UI_ITEM_QUERY, .query = i }, key = { .type = UI_ITEM_KEY, .key = i };
    UiRect rect;

    g_assert_true (ui_scene_get_rect (scene, &query, &rect));
    g_assert_true (ui_scene_hit (scene, rect.x + 12, rect.y + rect.height / 2, &item));
    g_assert_true (item.type == UI_ITEM_QUERY && item.query == i);
    g_assert_true (ui_scene_get_rect (scene, &key, &rect));
    g_assert_true (ui_scene_hit (scene, rect.x + 12, rect.y + rect.height / 2, &item));
    g_assert_true (item.type == UI_ITEM_KEY && item.key == i);
  }
  g_assert_false (ui_scene_hit (scene, 5, 5, &item));
  g_assert_false (ui_scene_hit (scene, 1e6, 1e6, &item));
}

/* A bar beside a row is the pinned token's link with it. */
static void
test_hit_bars (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (6, 6, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  const UiHeadScene *self;
  UiHeadLanes lanes;
  UiItem item;
  double y;

  fields_set (document, "pin", "k:4");
  scene = scene_case_new (trace, document, &window);
  self = (const UiHeadScene *) scene;
  ui_head_lanes_init (&lanes, self, &document->pins);
  y = self->layout.columns[UI_SIDE_QUERIES].y[7];
  g_assert_true (ui_scene_hit (scene, lanes.x + 1.5 * lanes.width, y, &item));
  g_assert_true (item.type == UI_ITEM_LINK && item.head == 1 && item.query == 7 && item.key == 4);
}

static void
test_move (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_cross (3, 8, 2);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &window);
  UiItem item = { 0 };
  int steps = 0;

  g_assert_true (ui_scene_move (scene, UI_MOVE_DOWN, &item));
  g_assert_true (item.type == UI_ITEM_QUERY && item.query == 0);
  g_assert_false (ui_scene_move (scene, UI_MOVE_UP, &item));
  g_assert_false (ui_scene_move (scene, UI_MOVE_LEFT, &item));
  while (ui_scene_move (scene, UI_MOVE_DOWN, &item))
    steps++;
  g_assert_cmpint (steps, ==, 2);
  g_assert_true (ui_scene_move (scene, UI_MOVE_RIGHT, &item));
  g_assert_true (item.type == UI_ITEM_KEY && item.key == 2);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &item));
  g_assert_cmpint (item.key, ==, 7);
  g_assert_false (ui_scene_move (scene, UI_MOVE_DOWN, &item));
  /* There is no eighth query; the nearest one has the focus. */
  g_assert_true (ui_scene_move (scene, UI_MOVE_LEFT, &item));
  g_assert_true (item.type == UI_ITEM_QUERY && item.query == 2);
  g_assert_true (ui_scene_move (scene, UI_MOVE_FIRST, &item));
  g_assert_cmpint (item.query, ==, 0);
  item = (UiItem) { .type = UI_ITEM_LINK, .query = 1, .key = 5 };
  g_assert_true (ui_scene_move (scene, UI_MOVE_UP, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_QUERY);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/head/hit-links", test_hit_links);
  g_test_add_func ("/scene/head/hit-one-link", test_hit_one_link);
  g_test_add_func ("/scene/head/hit-tokens", test_hit_tokens);
  g_test_add_func ("/scene/head/hit-bars", test_hit_bars);
  g_test_add_func ("/scene/head/move", test_move);
  return g_test_run ();
}
