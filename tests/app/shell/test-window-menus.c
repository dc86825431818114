/* SPDX-License-Identifier: MIT */
/* The menus of the real window: what is in them, and how high they are. */
#include "tests/app/shell/window-case.h"
#include "ui/controls/tame-menu.h"

static void
collect_actions (GMenuModel *menu,
                 GPtrArray  *actions)
{
  static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    char *action;

    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
      g_ptr_array_add (actions, action);
    for (gsize j = 0; j < G_N_ELEMENTS (links); j++) {
      g_autoptr (GMenuModel) below = g_menu_model_get_item_link (menu, i, links[j]);

      if (below != NULL)
        collect_actions (below, actions);
    }
  }
}

/* A menu is no higher than this, or than the window has room below its button; what has more
 * scrolls. */
#define MOST_HEIGHT 480

static int
get_room (Fixture       *fixture,
          GtkMenuButton *menu)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (menu), GTK_WIDGET (fixture->window),
                                            &bounds));
  return MAX (gtk_widget_get_height (GTK_WIDGET (fixture->window))
              - (int) (bounds.origin.y + bounds.size.height), MOST_HEIGHT);
}

static int
get_menu_height (Fixture    *fixture,
                 const char *button,
                 int        *room)
{
  GtkMenuButton *menu = GTK_MENU_BUTTON (window_find (fixture->window, button));
  GtkWidget *popover;
  int height;

  gtk_menu_button_popup (menu);
  popover = GTK_WIDGET (gtk_menu_button_get_popover (menu));
  wait_until (gtk_widget_get_mapped (popover));
  let_pass (200);
  /* Without its shadow. */
  gtk_widget_measure (gtk_widget_get_first_child (popover), GTK_ORIENTATION_VERTICAL, -1, NULL,
                      &height, NULL, NULL);
  *room = get_room (fixture, menu);
  g_test_message ("the menu of %s is %d high, of %d", button, height, *room);
  gtk_menu_button_popdown (menu);
  wait_until (!gtk_widget_get_mapped (popover));
  return height;
}

/* All that can be done is in the menus of header and toolbar, which have room in any window. */
static void
test_menus (Fixture *fixture)
{
  static const char *const wanted[] = {
    "win.open", "win.save", "win.save-as", "win.open-model", "win.open-trace",
    "win.download-model", "win.random-weights", "win.model-details", "win.pad-to",
    "win.no-special-tokens", "win.table", "win.ablate", "win.find-pattern", "win.find-heads",
    "win.search-file", "win.export", "win.copy-picture", "win.copy-numbers", "win.copy-csv",
    "win.copy-json", "win.copy-command", "win.zoom-in", "win.zoom-out", "win.zoom-normal",
    "win.zoom-fit", "win.fullscreen", "win.theme", "win.high-contrast", "win.shortcuts",
    "win.help", "win.about",
  };
  static const char *const buttons[] = {
    "menu_button", "more_button", "show_button", "display_button", "compare_button", "edit_button",
    "examples_button",
  };
  g_autoptr (GPtrArray) actions = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; i < 2; i++)
    collect_actions (ui_get_late_menu (
                       GTK_MENU_BUTTON (window_find (fixture->window, buttons[i]))), actions);
  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (!g_ptr_array_find_with_equal_func (actions, wanted[i], g_str_equal, NULL))
      g_error ("the menus lack %s", wanted[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (buttons); i++) {
    int room;
    const int height = get_menu_height (fixture, buttons[i], &room);

    g_assert_cmpint (height, >, 100);
    g_assert_cmpint (height, <=, room);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  g_test_add_data_func ("/window/menus", test_menus, run_test);
  return g_test_run ();
}
