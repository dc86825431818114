/* SPDX-License-Identifier: MIT */
/* Light and dark, and contrast of the real window; pictures take the desktop's size of text. */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "engine/trace/trace-file.h"
#include "tests/support/window/window-test.h"
#include "ui/controls/tame-menu.h"
#include "ui/sentences/sentence-entry.h"

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

/* Of WCAG 2. */
static double
get_luminance (const guchar *pixel)
{
  static const double parts[] = { 0.0722, 0.7152, 0.2126 }; /* blue, green, red */
  double luminance = 0;

  for (int i = 0; i < 3; i++) {
    const double value = pixel[i] / 255.0;

    luminance += parts[i] * (value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
  }
  return luminance;
}

/* Between the lightest and the darkest pixel behind the badge of an entry. */
static double
measure_contrast (AppWindow *window,
                  GtkWidget *entry)
{
  g_autoptr (GdkTexture) picture = driver_take_picture (GTK_WIDGET (window));
  const gsize stride = (gsize) gdk_texture_get_width (picture) * 4;
  g_autofree guchar *pixels = g_malloc (stride * (gsize) gdk_texture_get_height (picture));
  double low = 1, high = 0;
  graphene_rect_t at;

  g_assert_true (gtk_widget_compute_bounds (entry, GTK_WIDGET (window), &at));
  gdk_texture_download (picture, pixels, stride);
  for (int y = (int) at.origin.y + 5; y < (int) (at.origin.y + at.size.height) - 5; y++)
    for (int x = (int) at.origin.x + 40; x < (int) (at.origin.x + at.size.width) - 5; x++) {
      const double luminance = get_luminance (pixels + (gsize) y * stride + (gsize) x * 4);

      low = MIN (low, luminance);
      high = MAX (high, luminance);
    }
  return (high + 0.05) / (low + 0.05);
}

/* What cannot be typed in is read all the same. */
static void
test_text_of_trace (AppWindow *window)
{
  static const char *const themes[] = { "win.theme::light", "win.theme::dark" };
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "headlight-contrast-XXXXXX", NULL);
  const int file = g_mkstemp (path);

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (eng_trace_file_write (app_window_get_trace (window), path, NULL));
  window_open_trace (window, path);
  activate (window, "win.compare::sides");
  for (gsize i = 0; i < G_N_ELEMENTS (themes); i++) {
    activate (window, themes[i]);
    driver_settle (GTK_WIDGET (window));
    wait_until (measure_contrast (window, window_find (window, "entry_a")) >= 4.5);
    wait_until (measure_contrast (window, driver_find (window_find (window, "compare_bar"),
                                                       UI_TYPE_SENTENCE_ENTRY, 0)) >= 4.5);
  }
  activate (window, "win.theme::system");
  g_remove (path);
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

/* At the first start a line below the picture may offer the tour. */
static void
close_offer (AppWindow *window)
{
  g_signal_emit_by_name (window_find (window, "ways_decline"), "clicked");
}

/* Larger where the desktop wants it, and back. */
static void
test_text_size (AppWindow *window)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (window));
  const double height = get_token_height (window);
  int dpi;

  close_offer (window);
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

  close_offer (window);
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

/* What the header of a narrow window does not show leaves its room to the name of the model. */
static void
test_name (AppWindow *window)
{
  static const int widths[] = { 640, 900, 1280 };
  GtkLabel *name = GTK_LABEL (window_find (window, "model_name"));

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    gtk_window_set_default_size (GTK_WINDOW (window), widths[i], 760);
    wait_until (ABS (gtk_widget_get_width (GTK_WIDGET (window)) - widths[i]) < 60);
    driver_settle (GTK_WIDGET (window));
    wait_until (!pango_layout_is_ellipsized (gtk_label_get_layout (name)));
  }
}

/* At 420 pixels the toolbar is one line, its menu has what it leaves out, and caption and views stand
 * at the foot, the views not before people. */
static void
test_phone (AppWindow *window)
{
  GtkWidget *more = window_find (window, "more_button");
  GtkWidget *views = window_find (window, "foot_view");

  g_assert_cmpfloat (get_top (window, "caption"), <, get_top (window, "picture_scroller"));
  gtk_window_set_default_size (GTK_WINDOW (window), 420, 760);
  wait_until (!gtk_widget_get_mapped (window_find (window, "zoom_box")));
  driver_settle (GTK_WIDGET (window));
  wait_until (g_menu_model_get_n_items (
                ui_get_late_menu (GTK_MENU_BUTTON (more))) == 5);
  g_assert_cmpint (gtk_widget_get_height (window_find (window, "toolbar")), <, 60);
  g_assert_cmpfloat (get_top (window, "caption"), >, get_top (window, "picture_scroller"));
  wait_until (gtk_widget_get_mapped (views));
  g_action_group_activate_action (G_ACTION_GROUP (window), "fullscreen", NULL);
  wait_until (!gtk_widget_get_mapped (views));
  g_action_group_activate_action (G_ACTION_GROUP (window), "fullscreen", NULL);
  wait_until (gtk_widget_get_mapped (views));
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
  g_test_add_data_func ("/window-appearance/text-of-trace", (gconstpointer) test_text_of_trace,
                        run_test);
  g_test_add_data_func ("/window-appearance/text-size", (gconstpointer) test_text_size, run_test);
  g_test_add_data_func ("/window-appearance/low-window", (gconstpointer) test_low_window, run_test);
  g_test_add_data_func ("/window-appearance/name", (gconstpointer) test_name, run_test);
  g_test_add_data_func ("/window-appearance/phone", (gconstpointer) test_phone, run_test);
  return g_test_run ();
}
