/* SPDX-License-Identifier: MIT */
/* Light and dark, and contrast of the real window; pictures take the desktop's size of text. */
#include <string.h>

#include "tests/support/window/window-test.h"

#define NORMAL_DPI  (96 * 1024)
#define LEAST_TOKEN 12 /* of a row at this */

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
  /* Rows stand closer where they are larger, so that all are in sight. */
  g_assert_cmpfloat (get_token_height (window), >=, 2 * LEAST_TOKEN);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  g_assert_cmpfloat (get_token_height (window), ==, height);
}

/* In a window of 1280 × 720 every token of the example pair is in sight, whatever the size of text;
 * where there is little height the sentences are a line of the toolbar until somebody types. */
static void
test_low_window (AppWindow *window)
{
  static const double scales[] = { 1, 1.5, 2 };
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (window));
  GtkWidget *view = GTK_WIDGET (window_view (window));
  GtkWidget *entry = window_find (window, "entry_a");
  GtkWidget *folded = window_find (window, "folded_button");
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 720);
  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++) {
    double width, height;

    g_object_set (settings, "gtk-xft-dpi", (int) (scales[i] * NORMAL_DPI), NULL);
    wait_until (gtk_widget_get_mapped (entry) == (scales[i] < 1.25));
    wait_until (gtk_widget_get_mapped (folded) == (scales[i] > 1.25));
    driver_settle (GTK_WIDGET (window));
    ui_scene_get_size (ui_scene_view_get_scene (window_view (window)), &width, &height);
    g_assert_cmpfloat (height, <=, gtk_widget_get_height (view));
    g_assert_true (gtk_widget_get_mapped (window_find (window, "caption")));
  }
  g_assert_nonnull (strstr (window_get_label (window, "folded_label"), "The cat sat on the mat"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.focus-a", NULL));
  wait_until (gtk_widget_get_mapped (entry));
  gtk_widget_grab_focus (view);
  wait_until (!gtk_widget_get_mapped (entry));
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  wait_until (gtk_widget_get_mapped (entry));
}

static double
get_top (AppWindow  *window,
         const char *id)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (window_find (window, id), GTK_WIDGET (window),
                                            &bounds));
  return bounds.origin.y;
}

/* At 420 pixels the toolbar is one line, its menu has what it leaves out, and the caption stands at
 * the foot. */
static void
test_phone (AppWindow *window)
{
  GtkWidget *more = window_find (window, "more_button");

  g_assert_cmpfloat (get_top (window, "caption"), <, get_top (window, "picture_scroller"));
  gtk_window_set_default_size (GTK_WINDOW (window), 420, 760);
  wait_until (!gtk_widget_get_mapped (window_find (window, "zoom_box")));
  driver_settle (GTK_WIDGET (window));
  wait_until (g_menu_model_get_n_items (
                gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (more))) == 5);
  g_assert_cmpint (gtk_widget_get_height (window_find (window, "toolbar")), <, 60);
  g_assert_cmpfloat (get_top (window, "caption"), >, get_top (window, "picture_scroller"));
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 760);
  wait_until (gtk_widget_get_mapped (window_find (window, "zoom_box")));
  driver_settle (GTK_WIDGET (window));
  g_assert_cmpfloat (get_top (window, "caption"), <, get_top (window, "picture_scroller"));
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
  g_test_add_data_func ("/window-appearance/low-window", (gconstpointer) test_low_window, run_test);
  g_test_add_data_func ("/window-appearance/phone", (gconstpointer) test_phone, run_test);
  return g_test_run ();
}
