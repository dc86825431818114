/* SPDX-License-Identifier: MIT */
/* The matrix in the real window. */
#include "tests/support/window/window-test.h"

#include <string.h>

static UiScene *
get_scene (AppWindow *window)
{
  return ui_scene_view_get_scene (window_view (window));
}

static void
press (AppWindow  *window,
       const char *key)
{
  g_assert_true (driver_press_key (GTK_WIDGET (window_view (window)), key));
  wait_until (is_idle (window));
}

/* Heads are chosen as in the other views: the cells are the mean of several. */
static void
test_heads (AppWindow *window)
{
  UiDocument *document;
  g_autoptr (EngAttention) attention = NULL;
  int n;

  activate (window, "win.view::matrix");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MATRIX);
  g_assert_false (gtk_widget_get_visible (window_find (window, "neuron_box")));
  g_assert_true (ui_scene_get_weights (get_scene (window))->block.is_aggregate);
  g_assert_nonnull (strstr (window_get_label (window, "rule"), "Mean of all"));

  document = ui_document_copy (app_window_get_document (window));
  ui_head_set_only (&document->heads, 2);
  window_change (window, document);
  wait_until (is_idle (window));
  attention = eng_trace_dup_attention (app_window_get_trace (window),
                                       app_window_get_shown (window)->kind,
                                       app_window_get_shown (window)->layer);
  n = attention->n_keys;
  g_assert_false (ui_scene_get_weights (get_scene (window))->block.is_aggregate);
  for (int key = 0; key < n; key++)
    g_assert_cmpfloat (ui_weights_get (ui_scene_get_weights (get_scene (window)), 2, 1, key), ==,
                       attention->weights[((gsize) 2 * attention->n_queries + 1) * n + key]);
}

/* Arrows move over cells and labels, Return pins both ends of a cell, Escape lets go. */
static void
test_keyboard (AppWindow *window)
{
  const UiItem *item;

  activate (window, "win.view::matrix");
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  press (window, "Down");
  press (window, "Down");
  press (window, "Right");
  item = ui_scene_view_get_item (window_view (window));
  g_assert_cmpint (item->type, ==, UI_ITEM_LINK);
  g_assert_cmpint (item->query, ==, 1);
  g_assert_cmpint (item->key, ==, 1);
  press (window, "Return");
  g_assert_cmpint (app_window_get_shown (window)->pins.n_queries, ==, 1);
  g_assert_cmpint (app_window_get_shown (window)->pins.queries[0], ==, 1);
  g_assert_cmpint (app_window_get_shown (window)->pins.n_keys, ==, 1);
  g_assert_cmpint (app_window_get_shown (window)->pins.keys[0], ==, 1);
  press (window, "Escape");
  g_assert_true (ui_pins_is_empty (&app_window_get_shown (window)->pins));
}

/* A click on a cell pins both of its ends; the inspector and the status say so. */
static void
test_click (AppWindow *window)
{
  UiItem item = { .type = UI_ITEM_LINK, .query = 2, .key = 4 };
  GtkWidget *inspector = window_find (window, "inspector");
  UiRect rect;

  activate (window, "win.view::matrix");
  driver_settle (GTK_WIDGET (window));
  g_assert_true (ui_scene_get_rect (get_scene (window), &item, &rect));
  driver_click_at (GTK_WIDGET (window_view (window)), 1, rect.x + rect.width / 2,
                   rect.y + rect.height / 2);
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_shown (window)->pins.n_queries, ==, 1);
  g_assert_cmpint (app_window_get_shown (window)->pins.queries[0], ==, 2);
  g_assert_cmpint (app_window_get_shown (window)->pins.n_keys, ==, 1);
  g_assert_cmpint (app_window_get_shown (window)->pins.keys[0], ==, 4);
  wait_until (driver_find_label (inspector, "“cat” reads “on”") != NULL);
  g_assert_nonnull (strstr (window_get_label (window, "selection_status"), "2 tokens pinned"));
}

/* What is pointed at is read out: the sentence of the cell. */
static void
test_sentence (AppWindow *window)
{
  UiItem item = { .type = UI_ITEM_LINK, .query = 1, .key = 3 };
  g_autofree char *sentence = NULL;

  activate (window, "win.view::matrix");
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  ui_scene_view_set_cursor (window_view (window), &item);
  sentence = ui_scene_describe (get_scene (window), &item);
  g_assert_nonnull (strstr (sentence, " reads "));
  g_assert_true (gtk_test_accessible_has_property (GTK_ACCESSIBLE (window_view (window)),
                                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (window_view (window)),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sentence);
}

/* A large drawing keeps the labels of its rows at the left, and they can be pointed at there. */
static void
test_left_band (AppWindow *window)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (window_find (window, "picture_scroller"));
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (scroller);
  UiItem third = { .type = UI_ITEM_QUERY, .query = 2 };
  const UiItem *item;
  UiRect rect;

  activate (window, "win.view::matrix");
  ui_scene_view_set_zoom (window_view (window), 4);
  driver_settle (GTK_WIDGET (window));
  gtk_adjustment_set_value (across, 500);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (scroller), 0);
  driver_settle (GTK_WIDGET (window));
  g_assert_cmpfloat (gtk_adjustment_get_value (across), ==, 500);
  g_assert_true (ui_scene_get_rect (get_scene (window), &third, &rect));
  g_assert_cmpfloat (ui_scene_get_left_band (get_scene (window)), >, 60);
  driver_point_at (GTK_WIDGET (window_view (window)), 50, rect.y + rect.height / 2);
  wait_until (ui_scene_view_get_item (window_view (window))->type != UI_ITEM_NONE);
  item = ui_scene_view_get_item (window_view (window));
  g_assert_cmpint (item->type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (item->query, ==, 2);
}

/* From small, too: a matrix is as wide as its view there. */
static void
test_fit (AppWindow *window)
{
  double width, height, fitted, view_height;

  activate (window, "win.view::matrix");
  view_height = gtk_widget_get_height (GTK_WIDGET (window_view (window)));
  activate (window, "win.zoom-fit");
  wait_until (!window_is_fitting (window));
  ui_scene_get_size (get_scene (window), &width, &fitted);
  g_assert_cmpfloat (fitted, <=, view_height);
  g_assert_cmpfloat (fitted, >, 0.7 * view_height);

  ui_scene_view_set_zoom (window_view (window), 0.2);
  ui_scene_get_size (get_scene (window), &width, &height);
  g_assert_cmpfloat (height, <, 0.6 * fitted);
  activate (window, "win.zoom-fit");
  wait_until (!window_is_fitting (window));
  ui_scene_get_size (get_scene (window), &width, &height);
  g_assert_cmpfloat (height, ==, fitted);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-matrix/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("heads", test_heads);
  ADD ("keyboard", test_keyboard);
  ADD ("click", test_click);
  ADD ("sentence", test_sentence);
  ADD ("left-band", test_left_band);
  ADD ("fit", test_fit);
  return g_test_run ();
}
