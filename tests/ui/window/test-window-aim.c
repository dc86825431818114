/* SPDX-License-Identifier: MIT */
/* What is pointed at in the real window: a link keeps its head, and its menu leads on. */
#include "tests/support/window/window-test.h"

#define HEAD 4
#define QUERY 2
#define KEY 9

static const UiItem link_of_head = {
  .type = UI_ITEM_LINK, .head = HEAD, .query = QUERY, .key = KEY
};

static void
click (AppWindow    *window,
       const UiItem *item)
{
  g_signal_emit_by_name (window_view (window), "clicked", item, FALSE);
  wait_until (is_idle (window));
}

static void
assert_only_head (AppWindow *window,
                  int        layer,
                  int        head)
{
  const UiDocument *shown = app_window_get_shown (window);

  g_assert_cmpint (shown->layer, ==, layer);
  g_assert_cmpint (ui_head_set_count (&shown->heads, 12), ==, 1);
  g_assert_true (ui_head_set_has (&shown->heads, head));
}

static void
assert_pinned (AppWindow *window,
               int        query,
               int        key)
{
  const UiPins *pins = &app_window_get_shown (window)->pins;

  g_assert_cmpint (pins->n_queries, ==, 1);
  g_assert_cmpint (pins->queries[0], ==, query);
  g_assert_cmpint (pins->n_keys, ==, 1);
  g_assert_cmpint (pins->keys[0], ==, key);
}

/* Several heads are shown: the view of one head explains the link that was clicked, not the first
 * of them; the way back shows all again. */
static void
test_pinned_link (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY };

  click (window, &token);
  click (window, &link_of_head);
  assert_pinned (window, QUERY, KEY);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, HEAD);
  assert_pinned (window, QUERY, KEY);

  activate (window, "win.back");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 12);
  activate (window, "win.view::matrix");
  assert_only_head (window, 0, HEAD);
  assert_pinned (window, QUERY, KEY);
}

/* Other pins are another link, of no head that was named. */
static void
test_forgotten_link (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY + 1 };

  click (window, &link_of_head);
  click (window, &token);
  activate (window, "win.view::neuron");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 12);
}

/* The pointer is at one link of a pinned token. */
static void
test_pointed_link (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY };
  UiScene *scene;
  UiItem item = { .type = UI_ITEM_NONE };
  double width, height, x, y = 0;

  click (window, &token);
  driver_settle (GTK_WIDGET (window));
  scene = ui_scene_view_get_scene (window_view (window));
  ui_scene_get_size (scene, &width, &height);
  for (x = width / 2; item.type != UI_ITEM_LINK || item.head == 0; y += 1) {
    g_assert_cmpfloat (y, <, height);
    ui_scene_view_find_item (window_view (window), x, y, &item);
  }
  driver_point_at (GTK_WIDGET (window_view (window)), x, y - 1);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, item.head);
  g_assert_true (ui_pins_has (&app_window_get_shown (window)->pins, FALSE, QUERY));
}

/* Its item of that label, as (action, target); fails without one. */
static GVariant *
find_target (GMenuModel  *menu,
             const char  *label,
             char       **action)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    g_autofree char *own = NULL;

    if (section != NULL) {
      GVariant *target = find_target (section, label, action);

      if (target != NULL)
        return target;
    }
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &own)
        && g_str_equal (own, label)) {
      g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", action);
      return g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    }
  }
  return NULL;
}

static void
choose (AppWindow    *window,
        const UiItem *item,
        const char   *label)
{
  g_autoptr (GMenuModel) menu = app_desk_new_item_menu (app_window_get_desk (window), item);
  g_autofree char *action = NULL;
  g_autoptr (GVariant) target = find_target (menu, label, &action);

  g_assert_nonnull (target);
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), action, target));
  wait_until (is_idle (window));
}

static void
test_menu (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY };
  g_autoptr (GMenuModel) of_link = app_desk_new_item_menu (app_window_get_desk (window),
                                                           &link_of_head);
  g_autoptr (GMenuModel) of_token = app_desk_new_item_menu (app_window_get_desk (window), &token);
  g_autofree char *action = NULL;

  g_assert_nonnull (of_link);
  g_assert_null (find_target (of_token, "Only This Head", &action));
  choose (window, &link_of_head, "Go to Token “cat” (2)");
  g_assert_cmpint (ui_scene_view_get_cursor (window_view (window))->type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (ui_scene_view_get_cursor (window_view (window))->query, ==, QUERY);

  choose (window, &link_of_head, "Only This Head");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  assert_only_head (window, 0, HEAD);
  activate (window, "win.undo");

  choose (window, &link_of_head, "Explain in Neurons");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_NEURON);
  assert_only_head (window, 0, HEAD);
  assert_pinned (window, QUERY, KEY);
}

/* A link of what stands for all heads is none of one. */
static void
test_mean (AppWindow *window)
{
  UiItem item = link_of_head;

  item.head = 0;
  activate (window, "win.aggregate::mean");
  click (window, &item);
  activate (window, "win.view::neuron");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 12);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-aim/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("pinned-link", test_pinned_link);
  ADD ("forgotten-link", test_forgotten_link);
  ADD ("pointed-link", test_pointed_link);
  ADD ("menu", test_menu);
  ADD ("mean", test_mean);
  return g_test_run ();
}
