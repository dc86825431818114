/* SPDX-License-Identifier: MIT */
#include "ui/dialogs/context-menu.h"

#include "tests/support/wait.h"
#include "tests/support/window/widget-driver.h"

#define WIDTH 300
#define HEIGHT 200

static void
assert_place (GtkWidget          *widget,
              const GdkRectangle *at,
              int                 x,
              int                 y)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (widget));
  GMenu *model = g_menu_new ();
  GtkWidget *menu;
  GdkRectangle place;

  g_menu_append (model, "Zero", "win.zero");
  ui_context_menu_show (widget, G_MENU_MODEL (model), at);
  menu = driver_find (root, GTK_TYPE_POPOVER_MENU, 0);
  g_assert_true (gtk_popover_get_pointing_to (GTK_POPOVER (menu), &place));
  g_assert_cmpint (place.x, ==, x);
  g_assert_cmpint (place.y, ==, y);
  /* However large the item is: below it or above it there must be room. */
  g_assert_cmpint (place.height, <=, HEIGHT / 3);
  wait_until (gtk_widget_get_mapped (menu));
}

/* At what it is about; at the edge of the window when that was scrolled away: off the display there
 * is no place for a menu. */
static void
test_place (void)
{
  GtkWidget *label = gtk_label_new ("token");
  GtkWindow *window = driver_show (label, WIDTH, HEIGHT);

  assert_place (label, &(GdkRectangle) { 20, 30, 1, 1 }, 20, 30);
  assert_place (label, &(GdkRectangle) { 20, 30, 1, 4000 }, 20, 30);
  assert_place (label, &(GdkRectangle) { -500, 4000, 1, 1 }, 0, HEIGHT - 1);
  assert_place (label, &(GdkRectangle) { 4000, -500, 1, 1 }, WIDTH - 1, 0);
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/context-menu/place", test_place);
  return g_test_run ();
}
