/* SPDX-License-Identifier: MIT */
/* The line above the picture: where it stands, and what it says of what is shown, pinned, pointed
 * at. */
#include "tests/support/window/real-input.h"
#include "tests/app/parts/edits-case.h"
#include "ui/lists/reading-list.h"

#define HEAD_3_11 "Head 11 of layer 3 lets each word read its partner in the other sentence."

static void
show_head (AppWindow *window)
{
  UiDocument *document = ui_document_copy (app_window_get_document (window));

  document->layer = 3;
  g_assert_true (ui_document_set (document, ui_fields_find ("heads"), "11", NULL));
  window_change (window, document);
  wait_until (is_idle (window));
}

static const char *
get_caption (AppWindow *window)
{
  return window_get_label (window, "caption");
}

static int
get_top (AppWindow *window)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (window_find (window, "scene_view"),
                                            GTK_WIDGET (window), &bounds));
  return (int) bounds.origin.y;
}

/* The picture begins in the upper quarter, and a caption of any length leaves it there. */
static void
test_place (AppWindow *window)
{
  const UiItem link = { .type = UI_ITEM_LINK, .head = 11, .query = 2, .key = 9 };
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  const UiItem *const items[] = { &link, &token };
  int top;

  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  driver_settle (GTK_WIDGET (window));
  top = get_top (window);
  g_assert_cmpint (top, <=, 150 + 42);
  g_assert_cmpint (gtk_widget_get_height (window_find (window, "caption")), <=, 42);
  show_head (window);
  for (gsize i = 0; i < G_N_ELEMENTS (items); i++) {
    g_signal_emit_by_name (window_view (window), "clicked", items[i], FALSE);
    wait_until (is_idle (window));
    driver_settle (GTK_WIDGET (window));
    g_assert_cmpint (get_top (window), ==, top);
  }
}

static void
test_shown (AppWindow *window)
{
  g_assert_cmpstr (get_caption (window), ==, "All 12 heads of layer 0, each in its colour.");
  show_head (window);
  g_assert_cmpstr (get_caption (window), ==, HEAD_3_11);
  activate (window, "win.view::matrix");
  g_assert_cmpstr (get_caption (window), ==, HEAD_3_11);
  activate (window, "win.view::neuron");
  g_assert_cmpstr (get_caption (window), ==,
                   "Why “cat” (9) reads “cat” (2) in the other sentence: head 11 of layer 3.");
  activate (window, "win.view::model");
  g_assert_cmpstr (get_caption (window), ==, "72 heads of 6 layers, by layer.");
}

/* What the keyboard's cursor is on is pointed at while the picture has the keys, and while a menu is
 * about it. */
static void
test_keys (AppWindow *window)
{
  GtkWidget *view = GTK_WIDGET (window_view (window));
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };

  if (!has_real_input ())
    return;
  show_head (window);
  gtk_widget_grab_focus (view);
  ui_scene_view_set_cursor (window_view (window), &token);
  g_assert_nonnull (strstr (get_caption (window), "“cat” (2)"));
  press_key ("Tab");
  wait_until (g_str_equal (get_caption (window), HEAD_3_11));
  driver_settle (view);
  g_assert_null (driver_find_label (window_find (window, "inspector"), "“cat” · token 2"));
  gtk_widget_grab_focus (view);
  ui_scene_view_set_cursor (window_view (window), &token);
  press_key ("shift+F10");
  wait_until (!gtk_widget_has_focus (view));
  driver_settle (view);
  g_assert_nonnull (strstr (get_caption (window), "“cat” (2)"));
}

static gboolean
has_color (GdkTexture *texture,
           UiColor     color)
{
  const int n = gdk_texture_get_width (texture) * gdk_texture_get_height (texture);
  const guint32 wanted = 0xff000000u | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;
  g_autofree guint32 *pixels = g_new (guint32, n);

  gdk_texture_download (texture, (guchar *) pixels, 4 * (gsize) gdk_texture_get_width (texture));
  for (int i = 0; i < n; i++)
    if (pixels[i] == wanted)
      return TRUE;
  return FALSE;
}

/* Heads of several layers have their dots, as those of one layer. */
static void
test_dots (AppWindow *window)
{
  UiDocument *document = ui_document_copy (app_window_get_document (window));
  g_autoptr (GdkTexture) texture = NULL;

  document->compare = UI_COMPARE_HEADS;
  ui_cells_toggle (&document->panels, 3, 11);
  ui_cells_toggle (&document->panels, 0, 6);
  window_change (window, document);
  wait_until (is_idle (window));
  driver_settle (GTK_WIDGET (window));
  g_assert_cmpstr (get_caption (window), ==, "Head 11 of layer 3 beside head 6 of layer 0.");
  texture = driver_take_picture (window_find (window, "caption"));
  g_assert_true (has_color (texture, ui_palette_head (window_get_theme (window), 11)));
  g_assert_true (has_color (texture, ui_palette_head (window_get_theme (window), 6)));
  g_assert_false (has_color (texture, ui_palette_head (window_get_theme (window), 5)));
}

static void
test_pinned (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  const UiItem other = { .type = UI_ITEM_QUERY, .query = 4 };
  const UiItem key = { .type = UI_ITEM_KEY, .query = 6, .key = 6 };
  const UiItem link = { .type = UI_ITEM_LINK, .head = 11, .query = 2, .key = 6 };
  UiScene *scene;
  g_autofree char *sentence = NULL;
  g_autofree char *both = NULL;

  show_head (window);
  g_signal_emit_by_name (window_view (window), "clicked", &token, FALSE);
  wait_until (is_idle (window));
  scene = ui_scene_view_get_scene (window_view (window));
  sentence = ui_scene_describe (scene, &token);
  g_assert_cmpstr (get_caption (window), ==, sentence);

  /* A token on its side gets no links beside it, one on the other side has that with it. */
  ui_scene_view_set_cursor (window_view (window), &other);
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  g_assert_cmpstr (get_caption (window), ==, sentence);
  ui_scene_view_set_cursor (window_view (window), &key);
  both = ui_scene_describe (scene, &link);
  g_assert_cmpstr (get_caption (window), ==, both);
  gtk_window_set_focus (GTK_WINDOW (window), window_find (window, "entry_a"));

  activate (window, "win.view::neuron");
  g_assert_cmpstr (get_caption (window), ==,
                   "Why “cat” (2) reads “cat” (9) in the other sentence: head 11 of layer 3.");
  activate (window, "win.view::head");
  activate (window, "win.unpin");
  g_assert_cmpstr (get_caption (window), ==, HEAD_3_11);
}

/* The caption follows the pointer, and goes back to what is shown. */
static void
test_pointed (AppWindow *window)
{
  UiSceneView *view = window_view (window);
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  g_autofree char *sentence = NULL;
  UiRect rect;

  show_head (window);
  driver_settle (GTK_WIDGET (window));
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (view), &token, &rect));
  driver_point_at (GTK_WIDGET (view), rect.x + rect.width / 2, rect.y + rect.height / 2);
  sentence = ui_scene_describe (ui_scene_view_get_scene (view), ui_scene_view_get_item (view));
  g_assert_cmpstr (sentence, !=, "");
  g_assert_cmpstr (get_caption (window), ==, sentence);
  driver_point_away (GTK_WIDGET (view));
  g_assert_cmpstr (get_caption (window), ==, HEAD_3_11);
}

static void
test_edited (AppWindow *window)
{
  show_head (window);
  edit (window, "zero 3.11");
  g_assert_true (g_str_has_prefix (get_caption (window), "Head 11 of layer 3, edited, lets "));
  g_assert_true (g_str_has_suffix (window_get_label (window, "legend"),
                                   " Dashed: this head is edited."));
}

/* Beside the edits' chips the line says what both sides have to the end: it is opened by a key only
 * where it is cut. */
static void
test_sides (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  UiDocument *document;

  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 820);
  show_head (window);
  document = ui_document_copy (app_window_get_document (window));
  g_assert_true (ui_document_set (document, ui_fields_find ("edit"), "zero 1.5; zero 1.6", NULL));
  g_assert_true (ui_document_set (document, ui_fields_find ("compare"), "sides", NULL));
  g_assert_true (ui_document_set (document, ui_fields_find ("compare-edit"), "none", NULL));
  window_change (window, document);
  wait_until (window_get_second_trace (window) != NULL && is_idle (window));
  for (int i = 0; i < 2; i++) {
    activate (window, i == 0 ? "win.view::head" : "win.view::matrix");
    g_signal_emit_by_name (window_view (window), "clicked", &token, FALSE);
    wait_until (is_idle (window));
    driver_settle (GTK_WIDGET (window));
    g_assert_nonnull (strstr (get_caption (window), "Other: weight 0.9"));
    /* It finds out while it is drawn. */
    wait_until (!gtk_widget_get_focusable (window_find (window, "caption")));
    activate (window, "win.unpin");
  }
}

/* All of a line that is cut is in its tooltip. */
static gboolean
is_cut (AppWindow *window)
{
  g_autoptr (GObject) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows = FALSE;

  g_signal_emit_by_name (window_find (window, "caption"), "query-tooltip", 0, 0, FALSE, tooltip,
                         &shows);
  return shows;
}

/* A low window has two lines for it, too. */
static void
test_low (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  UiDocument *document = ui_document_copy (app_window_get_document (window));

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 540);
  wait_until (gtk_widget_has_css_class (GTK_WIDGET (window), "low"));
  g_assert_true (ui_document_set (document, ui_fields_find ("layer"), "3", NULL));
  g_assert_true (ui_document_set (document, ui_fields_find ("heads"), "8,9", NULL));
  window_change (window, document);
  wait_until (is_idle (window));
  g_signal_emit_by_name (window_view (window), "clicked", &token, FALSE);
  wait_until (is_idle (window));
  driver_settle (GTK_WIDGET (window));
  driver_point_away (GTK_WIDGET (window_view (window)));
  driver_settle (GTK_WIDGET (window));
  g_assert_nonnull (strstr (get_caption (window), "(mean of heads 8 and 9 of layer 3)."));
  g_assert_false (is_cut (window));
}

/* Of the inspector, in sight; of_aim: that is aimed at. */
static UiRowList *
find_rows (AppWindow *window,
           gboolean   of_aim)
{
  GtkWidget *list;

  for (int i = 0;
       (list = driver_find (window_find (window, "inspector"), UI_TYPE_READING_LIST, i)) != NULL; i++)
    if (gtk_widget_get_mapped (list) && ui_row_list_get_n (UI_ROW_LIST (list)) > 0
        && (!of_aim || ui_row_list_get_aim (UI_ROW_LIST (list)) >= 0))
      return UI_ROW_LIST (list);
  return NULL;
}

/* Escape lets go of the row that comes under the pointer, too: all is about the whole head. */
static void
test_escape_over_row (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  g_autofree char *whole = NULL;
  GtkWidget *list, *row;
  double x, y;

  if (!has_real_input ())
    return;
  show_head (window);
  whole = g_strdup (window_get_label (window, "caption"));
  driver_settle (GTK_WIDGET (window));
  list = GTK_WIDGET (find_rows (window, FALSE));
  row = ui_row_list_get_row_widget (UI_ROW_LIST (list), 1);
  gtk_widget_translate_coordinates (row, list, gtk_widget_get_width (row) / 2.0,
                                    gtk_widget_get_height (row) / 2.0, &x, &y);
  click_widget (row, "2");
  wait_until (find_rows (window, TRUE) != NULL);
  g_signal_emit_by_name (window_view (window), "clicked", &token, FALSE);
  wait_until (is_idle (window));
  driver_settle (GTK_WIDGET (window));
  g_assert_true (driver_press_key (GTK_WIDGET (window), "Escape"));
  wait_until (ui_pins_is_empty (&app_window_get_shown (window)->pins));
  driver_settle (GTK_WIDGET (window));
  driver_point_at (list, x, y);
  g_assert_null (find_rows (window, TRUE));
  g_assert_cmpstr (window_get_label (window, "caption"), ==, whole);
  gtk_test_accessible_assert_property (window_view (window), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "");
  driver_point_at (list, x + 3, y);
  g_assert_true (find_rows (window, TRUE) == UI_ROW_LIST (list));
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/window-caption/place", (gconstpointer) test_place, run_test);
  g_test_add_data_func ("/window-caption/shown", (gconstpointer) test_shown, run_test);
  g_test_add_data_func ("/window-caption/keys", (gconstpointer) test_keys, run_test);
  g_test_add_data_func ("/window-caption/dots", (gconstpointer) test_dots, run_test);
  g_test_add_data_func ("/window-caption/pinned", (gconstpointer) test_pinned, run_test);
  g_test_add_data_func ("/window-caption/pointed", (gconstpointer) test_pointed, run_test);
  g_test_add_data_func ("/window-caption/edited", (gconstpointer) test_edited, run_test);
  g_test_add_data_func ("/window-caption/sides", (gconstpointer) test_sides, run_test);
  g_test_add_data_func ("/window-caption/low", (gconstpointer) test_low, run_test);
  g_test_add_data_func ("/window-caption/escape-over-row", (gconstpointer) test_escape_over_row,
                        run_test);
  return g_test_run ();
}
