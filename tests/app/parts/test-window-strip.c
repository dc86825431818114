/* SPDX-License-Identifier: MIT */
/* The strip of heads that stands where the map has no room, in the real window. */
#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"
#include "ui/map/map-layout.h"

#define TOAST_PADDING 6 /* at least, below its words */

static gboolean
is_seen (Fixture    *fixture,
         const char *name)
{
  return gtk_widget_get_mapped (window_find (fixture->window, name));
}

/* The frame of the window and its shadow are no more than 10 of it. */
static void
set_width (Fixture *fixture,
           int      width)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), width, 700);
  wait_until (gtk_widget_get_width (window_find (fixture->window, "columns")) <= width);
  driver_settle (GTK_WIDGET (fixture->window));
}

static graphene_rect_t
get_place (Fixture    *fixture,
           const char *name)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (window_find (fixture->window, name),
                                            window_find (fixture->window, "columns"), &bounds));
  return bounds;
}

static void
click_head (Fixture *fixture,
            int      head)
{
  UiMapLayout layout;
  UiMapPlace place;

  ui_map_layout_init_strip (&layout, 0, 12, UI_MAP_STRIP);
  place = ui_map_layout_get_place (&layout, 0, head);
  driver_click_at (window_find (fixture->window, "strip"), 1, place.x + 5, place.y + 5);
  wait_until (is_idle (fixture->window));
}

static void
assert_drawn_head (Fixture *fixture,
                   int      layer,
                   int      head)
{
  const UiDocument *document = get_drawn_document (fixture);

  g_assert_cmpint (document->layer, ==, layer);
  g_assert_cmpint (ui_head_set_count (&document->heads, 12), ==, 1);
  g_assert_true (ui_head_set_has (&document->heads, head));
}

/* Hidden by hand the map leaves the strip; so it does where it has no room, and below 481 pixels
 * there is none. What lies over the picture does not move it. */
static void
test_widths (Fixture *fixture)
{
  graphene_rect_t before, after;

  g_assert_true (is_seen (fixture, "map") && !is_seen (fixture, "strip"));
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "strip") && !is_seen (fixture, "map"));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_cmpfloat (get_place (fixture, "map_strip").size.width, ==, UI_MAP_STRIP);
  g_assert_cmpfloat (get_place (fixture, "picture_scroller").origin.x, ==, UI_MAP_STRIP);
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "map") && !is_seen (fixture, "strip"));

  set_width (fixture, 1000);
  g_assert_true (is_seen (fixture, "strip") && !is_seen (fixture, "map"));
  before = get_place (fixture, "picture_scroller");
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "map"));
  driver_settle (GTK_WIDGET (fixture->window));
  after = get_place (fixture, "picture_scroller");
  g_assert_true (graphene_rect_equal (&before, &after));
  g_assert_cmpfloat (get_place (fixture, "map_column").origin.x, ==, 0);
  activate (fixture, "win.map");
  wait_until (!is_seen (fixture, "map"));

  set_width (fixture, 500);
  g_assert_true (is_seen (fixture, "strip"));
  set_width (fixture, 470);
  g_assert_false (is_seen (fixture, "strip"));
  g_assert_cmpfloat (get_place (fixture, "picture_scroller").origin.x, ==, 0);
}

static gboolean
has_focus (Fixture    *fixture,
           const char *name)
{
  return gtk_window_get_focus (GTK_WINDOW (fixture->window)) == window_find (fixture->window, name);
}

/* The picture gets the keys back and shows the whole head: nobody has pointed at a token of it. */
static void
test_map_closes (Fixture *fixture)
{
  UiSceneView *view = window_view (fixture->window);

  if (!has_real_input ())
    return;
  /* Else it rests on a link. */
  run_xdotool ((const char *const[]) { "xdotool", "mousemove", "2", "2", NULL });
  set_width (fixture, 850);
  for (int i = 0; i < 3; i++) {
    g_autofree char *whole = NULL;

    activate (fixture, "win.map");
    wait_until (is_seen (fixture, "map") && has_focus (fixture, "map"));
    driver_press_key (window_find (fixture->window, "map"), "Right");
    driver_press_key (window_find (fixture->window, "map"), "space");
    wait_until (is_idle (fixture->window));
    whole = g_strdup (window_get_label (fixture->window, "caption"));
    activate (fixture, "win.map");
    wait_until (!is_seen (fixture, "map"));
    driver_settle (GTK_WIDGET (fixture->window));
    g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == GTK_WIDGET (view));
    g_assert_cmpint (ui_scene_view_get_item (view)->type, ==, UI_ITEM_NONE);
    g_assert_cmpstr (window_get_label (fixture->window, "caption"), ==, whole);
  }
}

/* A click shows a head, the buttons and Page Down go to the layer beside it, no further than there
 * are layers; the number says which it is. */
static void
test_choose (Fixture *fixture)
{
  GtkWidget *strip = window_find (fixture->window, "strip");

  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "strip"));
  driver_settle (GTK_WIDGET (fixture->window));
  click_head (fixture, 4);
  assert_drawn_head (fixture, 0, 4);
  g_assert_cmpstr (window_get_label (fixture->window, "strip_layer"), ==, "0");
  g_assert_false (is_enabled (fixture, "previous-layer"));

  gtk_widget_grab_focus (strip);
  g_assert_true (driver_press_key (strip, "Page_Down"));
  wait_until (is_idle (fixture->window));
  assert_drawn_head (fixture, 1, 4);
  g_assert_cmpstr (window_get_label (fixture->window, "strip_layer"), ==, "1");
  driver_press_key (strip, "Down");
  driver_press_key (strip, "Return");
  wait_until (is_idle (fixture->window));
  assert_drawn_head (fixture, 1, 5);
  driver_press_key (strip, "Down");
  driver_press_key (strip, "space");
  wait_until (is_idle (fixture->window));
  g_assert_true (ui_head_set_has (&get_drawn_document (fixture)->heads, 6));
  g_assert_true (ui_head_set_has (&get_drawn_document (fixture)->heads, 5));

  for (int i = 0; i < 9; i++) {
    driver_press_key (strip, "Page_Down");
    wait_until (is_idle (fixture->window));
  }
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, 5);
  g_assert_false (is_enabled (fixture, "next-layer"));
}

/* The strip is one stop for Tab. */
static void
test_one_stop (Fixture *fixture)
{
  GtkWidget *column = window_find (fixture->window, "map_strip");

  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "strip"));
  g_assert_true (gtk_widget_child_focus (column, GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_widget_has_focus (window_find (fixture->window, "strip")));
  g_assert_false (gtk_widget_child_focus (column, GTK_DIR_TAB_FORWARD));
}

/* The search opens the whole map, and its end brings the strip back. */
static void
test_search (Fixture *fixture)
{
  GtkWidget *search = window_find (fixture->window, "map_search");

  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "strip"));
  activate (fixture, "win.find-pattern");
  wait_until (is_seen (fixture, "map") && !is_seen (fixture, "strip"));
  g_assert_true (driver_press_key (search, "Escape"));
  wait_until (is_seen (fixture, "strip") && !is_seen (fixture, "map"));

  /* What was there before it stays. */
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "map"));
  activate (fixture, "win.find-pattern");
  g_assert_true (driver_press_key (search, "Escape"));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (is_seen (fixture, "map"));

  /* Over the picture it goes with what was found, and with one Escape. */
  set_width (fixture, 700);
  activate (fixture, "win.find-pattern");
  wait_until (is_seen (fixture, "map"));
  gtk_editable_set_text (GTK_EDITABLE (search), "1.2");
  g_signal_emit_by_name (search, "activate");
  wait_until (!is_seen (fixture, "map") && is_idle (fixture->window));
  assert_drawn_head (fixture, 1, 2);
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "map"));
  activate (fixture, "win.find-pattern");
  g_assert_true (driver_press_key (search, "Escape"));
  wait_until (!is_seen (fixture, "map"));
}

/* The strip shows all heads as they are, whatever was searched in the map before it closed. */
static void
test_search_ends (Fixture *fixture)
{
  GtkEditable *search = GTK_EDITABLE (window_find (fixture->window, "map_search"));

  activate (fixture, "win.find-pattern");
  gtk_editable_set_text (search, "previous");
  driver_settle (GTK_WIDGET (fixture->window));
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "strip"));
  g_assert_cmpstr (gtk_editable_get_text (search), ==, "");

  /* Over the picture it closes when a head was found. */
  set_width (fixture, 700);
  activate (fixture, "win.find-pattern");
  wait_until (is_seen (fixture, "map"));
  gtk_editable_set_text (search, "1.2");
  g_signal_emit_by_name (search, "activate");
  wait_until (!is_seen (fixture, "map") && is_idle (fixture->window));
  assert_drawn_head (fixture, 1, 2);
  g_assert_cmpstr (gtk_editable_get_text (search), ==, "");
}

static double
get_edge (Fixture    *fixture,
          GtkWidget  *widget,
          gboolean    is_bottom)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (fixture->window), &bounds));
  return bounds.origin.y + (is_bottom ? bounds.size.height : 0);
}

/* The hint of the full screen, and every toast, ends above the legend, of large text, too. */
static void
test_hint_above_legend (Fixture *fixture)
{
  GtkSettings *settings = gtk_settings_get_default ();
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  for (double scale = 1; scale <= 2; scale += 0.5) {
    GtkWidget *title, *legend;

    g_object_set (settings, "gtk-xft-dpi", (int) (scale * 96 * 1024), NULL);
    activate (fixture, "win.fullscreen");
    wait_until (window_get_toast (fixture->window) != NULL);
    driver_settle (GTK_WIDGET (fixture->window));
    title = adw_toast_get_custom_title (window_get_toast (fixture->window));
    wait_until (gtk_widget_get_mapped (title));
    driver_settle (GTK_WIDGET (fixture->window));
    legend = gtk_widget_get_parent (window_find (fixture->window, "legend"));
    g_assert_cmpfloat (get_edge (fixture, title, TRUE) + TOAST_PADDING, <=,
                       get_edge (fixture, legend, FALSE));
    activate (fixture, "win.fullscreen");
    wait_until (window_get_toast (fixture->window) == NULL);
    driver_settle (GTK_WIDGET (fixture->window));
  }
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
}

/* It stays while somebody presents; what is asked for then lies over the picture, and what a person
 * chose before is what comes back. */
static void
test_present (Fixture *fixture)
{
  GtkWidget *title;

  activate (fixture, "win.fullscreen");
  wait_until (is_seen (fixture, "strip") && !is_seen (fixture, "map")
              && !is_seen (fixture, "inspector") && !is_seen (fixture, "header"));
  driver_settle (GTK_WIDGET (fixture->window));
  g_assert_true (window_get_settings (fixture->window)->map);
  wait_until (window_get_toast (fixture->window) != NULL);
  title = adw_toast_get_custom_title (window_get_toast (fixture->window));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (title)), "F11"));
  activate (fixture, "win.map");
  wait_until (is_seen (fixture, "map") && is_seen (fixture, "strip"));
  activate (fixture, "win.map");
  wait_until (!is_seen (fixture, "map"));
  activate (fixture, "win.fullscreen");
  wait_until (is_seen (fixture, "map") && is_seen (fixture, "inspector")
              && !is_seen (fixture, "strip"));
  /* Who has left knows how. */
  g_assert_null (window_get_toast (fixture->window));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-strip/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("widths", test_widths);
  ADD ("map-closes", test_map_closes);
  ADD ("choose", test_choose);
  ADD ("one-stop", test_one_stop);
  ADD ("search", test_search);
  ADD ("search-ends", test_search_ends);
  ADD ("present", test_present);
  ADD ("hint-above-legend", test_hint_above_legend);
  return g_test_run ();
}
