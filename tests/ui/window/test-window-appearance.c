/* SPDX-License-Identifier: MIT */
/* Light and dark, and contrast of the real window; pictures take the desktop's size of text. */
#include "tests/support/window/window-test.h"

#define NORMAL_DPI  (96 * 1024)
#define TOKEN_UNITS 15 /* of token text at this */

static void
test_theme (AppWindow *window)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();

  activate (window, "win.theme::dark");
  g_assert_true (adw_style_manager_get_dark (manager));
  g_assert_cmpint (window_get_theme (window), ==, UI_THEME_DARK);
  activate (window, "win.theme::light");
  g_assert_false (adw_style_manager_get_dark (manager));
  g_assert_cmpint (window_get_theme (window), ==, UI_THEME_LIGHT);
  activate (window, "win.theme::system");
  g_assert_cmpint (adw_style_manager_get_color_scheme (manager), ==, ADW_COLOR_SCHEME_DEFAULT);
}

/* Whatever the desktop says, and back. */
static void
test_high_contrast (AppWindow *window)
{
  activate (window, "win.theme::light");
  activate (window, "win.high-contrast");
  g_assert_cmpint (window_get_theme (window), ==, UI_THEME_LIGHT_CONTRAST);
  activate (window, "win.theme::dark");
  g_assert_cmpint (window_get_theme (window), ==, UI_THEME_DARK_CONTRAST);
  activate (window, "win.theme::system");
  activate (window, "win.high-contrast");
  g_assert_cmpint (window_get_theme (window), ==, UI_THEME_LIGHT);
}

static double
get_token_height (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 1 };
  UiRect rect;

  wait_until (is_idle (window));
  driver_settle (GTK_WIDGET (window));
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (window_view (window)), &token, &rect));
  return rect.height;
}

/* Larger where the desktop wants it, and back. */
static void
test_text_size (AppWindow *window)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (window));
  const double height = get_token_height (window);
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * NORMAL_DPI, NULL);
  /* Rows stand closer where they are larger, but never closer than their text. */
  g_assert_cmpfloat (get_token_height (window), >=, 2 * TOKEN_UNITS);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  g_assert_cmpfloat (get_token_height (window), ==, height);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/window-appearance/theme", (gconstpointer) test_theme, run_test);
  g_test_add_data_func ("/window-appearance/high-contrast", (gconstpointer) test_high_contrast,
                        run_test);
  g_test_add_data_func ("/window-appearance/text-size", (gconstpointer) test_text_size, run_test);
  return g_test_run ();
}
