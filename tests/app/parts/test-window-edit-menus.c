/* SPDX-License-Identifier: MIT */
/* What the menus of the real window offer to do to a head, link, token or layer. */
#include "tests/app/parts/edits-case.h"

#include "app/parts/edits/edit-menu.h"
#include "ui/map/head-map.h"

/* The text forms that a menu holds, one a line, sections and submenus too. */
static void
append_targets (GMenuModel *model,
                GString    *text)
{
  for (int i = 0; i < g_menu_model_get_n_items (model); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (model, i, G_MENU_LINK_SECTION);
    g_autoptr (GMenuModel) below = g_menu_model_get_item_link (model, i, G_MENU_LINK_SUBMENU);
    g_autofree char *action = NULL;
    g_autofree char *target = NULL;

    if (section != NULL)
      append_targets (section, text);
    if (below != NULL)
      append_targets (below, text);
    if (g_menu_model_get_item_attribute (model, i, G_MENU_ATTRIBUTE_ACTION, "s", &action)
        && g_menu_model_get_item_attribute (model, i, G_MENU_ATTRIBUTE_TARGET, "s", &target))
      g_string_append_printf (text, "%s(%s)\n", action + strlen ("win."), target);
  }
}

static void
assert_menu (AppWindow    *window,
             const UiItem *item,
             const char   *expected)
{
  UiScene *scene = ui_scene_view_get_scene (window_view (window));
  const AppEditMenu edit_menu = { app_window_get_trace (window), app_window_get_shown (window),
                                 ui_scene_get_weights (scene),
                                  window_get_mask_id (window) };
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  app_edit_menu_append_item (&edit_menu, item, menu);
  append_targets (G_MENU_MODEL (menu), text);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_menus (AppWindow *window)
{
  const UiItem link = { .type = UI_ITEM_LINK, .head = 4, .query = 2, .key = 5 };
  const UiItem token = { .type = UI_ITEM_KEY, .key = 6 };
  const UiItem head = { .type = UI_ITEM_HEAD, .layer = 3, .head = 7 };

  assert_menu (window, &link,
               "edit(cut 0.4 2 5)\nedit(cut 0.4 2 5 renormalise)\n"
               "edit(cut 0.* 2 5)\nedit(cut 0.* 2 5 renormalise)\n"
               "edit(zero 0.4)\nscale-head(scale 0.4)\nedit(uniform 0.4)\n");
  assert_menu (window, &token,
               "edit(mask 6)\nedit(knock-out 6)\nedit(delete 6)\nswap-word(swap 6)\n");
  assert_menu (window, &head,
               "edit(zero 3.7)\nscale-head(scale 3.7)\nedit(uniform 3.7)\n"
               "edit(skip-attention 3)\nedit(skip-feed-forward 3)\n");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.head", "i", 0));
  wait_until (is_idle (window));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.filter", "s", "all"));
  for (int i = 3; i < 12; i++)
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.head", "i", i));
  wait_until (is_idle (window));
  assert_menu (window, &link,
               "edit(cut 0.4 2 5)\nedit(cut 0.4 2 5 renormalise)\n"
               "edit(cut 0.1 2 5; cut 0.2 2 5)\n"
               "edit(cut 0.1 2 5 renormalise; cut 0.2 2 5 renormalise)\n"
               "edit(zero 0.4)\nscale-head(scale 0.4)\nedit(uniform 0.4)\n");

  /* What is masked is not masked again. */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", "mask 6"));
  wait_until (is_idle (window) && eng_trace_get_edits (app_window_get_trace (window))[0] != NULL);
  assert_menu (window, &token,
               "take-back(mask 6)\nedit(knock-out 6)\nedit(delete 6)\nswap-word(swap 6)\n");
}

static void
take_back (AppWindow  *window,
           const char *text)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.take-back", "s", text));
  wait_until (is_idle (window));
}

/* What makes no difference a second time is taken back. */
static void
test_take_back (AppWindow *window)
{
  const UiItem link = { .type = UI_ITEM_LINK, .head = 4, .query = 2, .key = 5 };
  const UiItem token = { .type = UI_ITEM_KEY, .key = 5 };
  const UiItem head = { .type = UI_ITEM_HEAD, .layer = 0, .head = 4 };

  edit (window, "zero 0.4; uniform 0.4; skip-feed-forward 0; cut 0.4 2 5; mask 6; knock-out 5");
  edit (window, "delete 1");
  assert_menu (window, &head,
               "take-back(zero 0.4)\nscale-head(scale 0.4)\ntake-back(uniform 0.4)\n"
               "edit(skip-attention 0)\ntake-back(skip-feed-forward 0)\n");
  assert_menu (window, &(UiItem) { .type = UI_ITEM_LINK, .head = 4, .query = 1, .key = 4 },
               "take-back(cut 0.4 1 4)\nedit(cut 0.4 1 4 renormalise)\n"
               "edit(cut 0.* 1 4)\nedit(cut 0.* 1 4 renormalise)\n"
               "take-back(zero 0.4)\nscale-head(scale 0.4)\ntake-back(uniform 0.4)\n");
  /* The mask token has moved up. */
  assert_menu (window, &token,
               "take-back(mask 6)\nedit(knock-out 5)\nedit(delete 5)\nswap-word(swap 5)\n");
  take_back (window, "mask 6");
  take_back (window, "zero 0.4");
  assert_edits (window, "uniform 0.4; skip-feed-forward 0; cut 0.4 1 4; knock-out 4; delete 1");
  take_back (window, "uniform 0.4; skip-feed-forward 0; knock-out 4");
  assert_edits (window, "cut 0.4 1 4; delete 1");

  edit (window, "cut 0.4 2 5 renormalise; zero 0.*");
  assert_menu (window, &link,
               "take-back(cut 0.4 2 5 renormalise)\n"
               "edit(cut 0.* 2 5)\nedit(cut 0.* 2 5 renormalise)\n"
               "scale-head(scale 0.4)\nedit(uniform 0.4)\n");
}

/* The one that the window itself holds, beside those of its buttons. */
static GtkWidget *
find_menu (AppWindow *window)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (window)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER_MENU (child))
      return child;

  return NULL;
}

/* The menu of what the cursor is on, and of the head that has the focus. */
static void
test_menu_key (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  GtkWidget *map = window_find (window, "map");
  GtkPopoverMenu *menu;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) of_head = g_string_new (NULL);

  g_assert_null (find_menu (window));
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  ui_scene_view_set_cursor (window_view (window), &token);
  g_assert_true (driver_press_key (GTK_WIDGET (window_view (window)), "<Shift>F10"));
  menu = GTK_POPOVER_MENU (find_menu (window));
  append_targets (gtk_popover_menu_get_menu_model (menu), text);
  g_assert_cmpstr (text->str, ==,
                   "edit(mask 2)\nedit(knock-out 2)\nedit(delete 2)\nswap-word(swap 2)\n");

  /* The cursor goes on from where it was. */
  driver_settle (GTK_WIDGET (window));
  gtk_popover_popdown (GTK_POPOVER (menu));
  driver_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (window_view (window))));

  ui_head_map_set_cursor (UI_HEAD_MAP (map), 0, 3);
  gtk_widget_grab_focus (map);
  g_assert_true (driver_press_key (map, "Menu"));
  menu = GTK_POPOVER_MENU (find_menu (window));
  append_targets (gtk_popover_menu_get_menu_model (menu), of_head);
  g_assert_cmpstr (of_head->str, ==,
                   "edit(zero 0.3)\nscale-head(scale 0.3)\nedit(uniform 0.3)\n");
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/window-edit-menus/menus", (gconstpointer) test_menus, run_test);
  g_test_add_data_func ("/window-edit-menus/take-back", (gconstpointer) test_take_back, run_test);
  g_test_add_data_func ("/window-edit-menus/menu-key", (gconstpointer) test_menu_key, run_test);
  return g_test_run ();
}
