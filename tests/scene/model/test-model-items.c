/* SPDX-License-Identifier: MIT */
/* Where heads stand, are hit and are moved to. */
#include <locale.h>

#include "tests/scene/model/model-case.h"

/* Every head has a place of its own, where it is hit. */
static void
test_grid (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  double width, height;

  ui_scene_get_size (scene, &width, &height);
  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 12);
  for (int layer = 0; layer < 3; layer++) {
    for (int head = 0; head < 4; head++) {
      UiItem item = make_item (layer, head), hit, other;
      UiRect rect;

      g_assert_true (ui_scene_get_rect (scene, &item, &rect));
      g_assert_cmpfloat (rect.x, >, 0);
      g_assert_cmpfloat (rect.y, >=, ui_scene_get_header (scene));
      g_assert_cmpfloat (rect.x + rect.width, <, width);
      g_assert_cmpfloat (rect.y + rect.height, <, height);
      g_assert_true (ui_scene_hit (scene, rect.x + 1, rect.y + 1, &hit));
      assert_item (&hit, layer, head);
      g_assert_true (ui_scene_hit (scene, rect.x + rect.width - 1, rect.y + rect.height - 1, &hit));
      assert_item (&hit, layer, head);
      g_assert_false (ui_scene_hit (scene, rect.x - 2, rect.y + 1, &other));
    }
  }
}

static void
test_strange_items (void)
{
  static const UiItem strange[] = {
    { .type = UI_ITEM_HEAD, .layer = 3 }, { .type = UI_ITEM_HEAD, .layer = -1 },
    { .type = UI_ITEM_HEAD, .head = 4 },  { .type = UI_ITEM_HEAD, .head = -1 },
    { .type = UI_ITEM_QUERY, .query = 1 }, { .type = UI_ITEM_LINK, .query = 1, .key = 2 },
    { .type = UI_ITEM_NONE },
  };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) heads = ui_scene_new (trace, document, &window, NULL);
  UiItem known = make_item (1, 1);
  UiRect rect;

  for (gsize i = 0; i < G_N_ELEMENTS (strange); i++) {
    g_autofree char *sentence = ui_scene_describe (scene, &strange[i]);
    g_autofree char *overlay = scene_case_print (scene, &strange[i]);

    g_assert_false (ui_scene_get_rect (scene, &strange[i], &rect));
    g_assert_cmpstr (sentence, ==, "");
    g_assert_cmpstr (overlay, ==, "");
  }
  g_assert_false (ui_scene_get_rect (heads, &known, &rect));
}

static void
test_moves (void)
{
  static const struct {
    UiMove move;
    int    layer, head; /* -1 = the end */
  } steps[] = {
    { UI_MOVE_RIGHT, 1, 2 }, /* the marked head is where it begins */
    { UI_MOVE_RIGHT, 1, 3 }, { UI_MOVE_RIGHT, -1, -1 }, { UI_MOVE_DOWN, 2, 3 },
    { UI_MOVE_DOWN, -1, -1 }, { UI_MOVE_FIRST, 0, 0 }, { UI_MOVE_UP, -1, -1 },
    { UI_MOVE_LEFT, -1, -1 }, { UI_MOVE_DOWN, 1, 0 }, { UI_MOVE_LAST, 2, 3 },
  };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "layer=1 heads=2", &window);
  UiItem item = { .type = UI_ITEM_NONE };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    UiItem before = item;

    g_assert_cmpint (ui_scene_move (scene, steps[i].move, &item), ==, steps[i].layer >= 0);
    if (steps[i].layer >= 0)
      assert_item (&item, steps[i].layer, steps[i].head);
    else
      assert_item (&item, before.layer, before.head);
  }
}

/* In a flow left and right go on in the next row, up and down to what stands there. */
static void
test_moves_in_flow (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 8);
  g_autoptr (UiScene) scene = create_scene (trace, "order=entropy", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  UiItem item = make_item (layout->cells[0].layer, layout->cells[0].head);
  int n_rows = layout->cells[layout->n_cells - 1].row + 1;

  g_assert_cmpint (layout->n_cells, ==, 32);
  g_assert_cmpint (n_rows, >, 1);
  for (int i = 1; i < layout->n_cells; i++) {
    g_assert_true (ui_scene_move (scene, UI_MOVE_RIGHT, &item));
    assert_item (&item, layout->cells[i].layer, layout->cells[i].head);
  }
  g_assert_false (ui_scene_move (scene, UI_MOVE_RIGHT, &item));
  for (int row = n_rows - 2; row >= 0; row--) {
    g_assert_true (ui_scene_move (scene, UI_MOVE_UP, &item));
    g_assert_cmpint (layout->cells[ui_model_layout_find (layout, item.layer, item.head)].row, ==,
                     row);
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/model/grid", test_grid);
  g_test_add_func ("/scene/model/strange-items", test_strange_items);
  g_test_add_func ("/scene/model/moves", test_moves);
  g_test_add_func ("/scene/model/moves-in-flow", test_moves_in_flow);
  return g_test_run ();
}
