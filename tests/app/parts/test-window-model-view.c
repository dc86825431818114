/* SPDX-License-Identifier: MIT */
/* The grid of all heads in the real window. */
#include "tests/support/window/window-test.h"

#include "engine/trace/trace-file.h"
#include "tests/support/made-trace.h"
#include "tests/support/temporary.h"
#include "ui/controls/bar-row.h"

static void
press (AppWindow  *window,
       const char *key)
{
  g_assert_true (driver_press_key (GTK_WIDGET (window_view (window)), key));
  wait_until (is_idle (window));
}

/* Enough words that the patterns of all heads are measured beside the window. */
#define N_WORDS 110

static void
go_to (AppWindow *window,
       int        layer,
       int        head)
{
  UiItem item = { .type = UI_ITEM_HEAD, .layer = layer, .head = head };

  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  ui_scene_view_set_cursor (window_view (window), &item);
}

static void
assert_cursor (AppWindow *window,
               int        layer,
               int        head)
{
  const UiItem *item = ui_scene_view_get_item (window_view (window));

  g_assert_cmpint (item->type, ==, UI_ITEM_HEAD);
  g_assert_cmpint (item->layer, ==, layer);
  g_assert_cmpint (item->head, ==, head);
}

static void
test_controls (AppWindow *window)
{
  activate (window, "win.view::model");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
  g_assert_true (gtk_widget_get_visible (window_find (window, "model_controls")));
  g_assert_false (gtk_widget_is_visible (window_find (window, "collected_button")));
  g_assert_cmpstr (window_get_label (window, "show_button"), ==, "Show by layer");
  g_assert_cmpstr (window_get_label (window, "selection_status"), ==, "72 heads by layer");

  activate (window, "win.view::head");
  g_assert_false (gtk_widget_get_visible (window_find (window, "model_controls")));
  g_assert_cmpstr (window_get_label (window, "show_button"), ==, "Show all links");
}

/* Return shows the links of a head beside the grid, once more the head alone; the way back shows the
 * grid with that head marked. */
static void
test_open (AppWindow *window)
{
  activate (window, "win.view::model");
  go_to (window, 3, 7);
  press (window, "Right");
  assert_cursor (window, 3, 8);
  press (window, "Return");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
  press (window, "Return");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  g_assert_cmpint (app_window_get_shown (window)->layer, ==, 3);
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 1);
  g_assert_true (ui_head_set_has (&app_window_get_shown (window)->heads, 8));

  activate (window, "win.view::model");
  g_assert_cmpstr (window_get_label (window, "selection_status"), ==,
                   "head 8 of layer 3, 72 heads by layer");
}

static void
find_middle (AppWindow *window,
             int        layer,
             int        head,
             double    *x,
             double    *y)
{
  const UiRect area = ui_scene_view_get_area (window_view (window));
  UiItem item = { .type = UI_ITEM_HEAD, .layer = layer, .head = head };
  UiRect rect;

  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (window_view (window)), &item, &rect));
  *x = rect.x + rect.width / 2 - area.x;
  *y = rect.y + rect.height / 2 - area.y;
}

static void
press_at (AppWindow *window,
          int        n_press,
          int        layer,
          int        head)
{
  double x, y;

  find_middle (window, layer, head, &x, &y);
  driver_point_at (GTK_WIDGET (window_view (window)), x, y);
  driver_click_at (GTK_WIDGET (window_view (window)), n_press, x, y);
  wait_until (is_idle (window));
}

/* The scene of the links that stand beside the grid; NULL = the map does. */
static UiScene *
find_links (AppWindow *window)
{
  GtkWidget *view = driver_find (window_find (window, "inspector"), UI_TYPE_SCENE_VIEW, 0);

  return view != NULL && gtk_widget_get_mapped (view)
         ? ui_scene_view_get_scene (UI_SCENE_VIEW (view)) : NULL;
}

static gboolean
shows_links_of (AppWindow *window,
                int        layer,
                int        head)
{
  UiScene *links = find_links (window);

  return links != NULL && ui_scene_get_document (links)->view == UI_VIEW_HEAD
         && ui_scene_get_document (links)->layer == layer
         && ui_head_set_count (&ui_scene_get_document (links)->heads, 12) == 1
         && ui_head_set_has (&ui_scene_get_document (links)->heads, head);
}

/* A double click opens a head in place; the arrows lead on, Escape brings the map back. With no room
 * beside the grid it opens in Heads. */
static void
test_open_beside (AppWindow *window)
{
  activate (window, "win.view::model");
  driver_settle (GTK_WIDGET (window));
  g_assert_null (find_links (window));
  press_at (window, 1, 2, 3);
  press_at (window, 2, 2, 3);
  wait_until (shows_links_of (window, 2, 3));
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
  press (window, "Right");
  wait_until (shows_links_of (window, 2, 4));
  press_at (window, 1, 1, 5);
  wait_until (shows_links_of (window, 1, 5));
  press_at (window, 2, 1, 5);
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
  g_assert_true (driver_press_key (GTK_WIDGET (window), "Escape"));
  wait_until (find_links (window) == NULL);

  activate (window, "win.head-picture::links");
  wait_until (shows_links_of (window, 1, 5));
  press (window, "Return");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  activate (window, "win.view::model");
  activate (window, "win.head-picture::map");
  activate (window, "win.inspector");
  press_at (window, 1, 4, 2);
  press_at (window, 2, 4, 2);
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  g_assert_cmpint (app_window_get_shown (window)->layer, ==, 4);
}

/* Whoever comes back to the grid with another head reads of that one. */
static void
test_marked_elsewhere (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");

  activate (window, "win.only-head((3, 11))");
  activate (window, "win.view::model");
  wait_until (is_idle (window) && driver_find_label (inspector, "Head 11 of layer 3") != NULL);
  activate (window, "win.view::head");
  activate (window, "win.only-head((1, 3))");
  activate (window, "win.view::model");
  wait_until (is_idle (window) && app_window_get_shown (window)->view == UI_VIEW_MODEL);
  driver_settle (GTK_WIDGET (window));
  g_assert_nonnull (driver_find_label (inspector, "Head 3 of layer 1"));
}

/* The buttons below the picture of a head do what its keys do, and one asks what it is good for. */
static void
test_actions (AppWindow *window)
{
  GVariant *head = g_variant_ref_sink (g_variant_new ("(ii)", 3, 11));

  activate (window, "win.view::model");
  press_at (window, 1, 3, 11);
  g_action_group_activate_action (G_ACTION_GROUP (window), "collect-head", head);
  wait_until (is_idle (window));
  g_assert_true (ui_cells_has (&app_window_get_document (window)->panels, 3, 11));
  wait_until (driver_find_label (window_find (window, "inspector"), "Take out of the picture")
              != NULL);
  g_action_group_activate_action (G_ACTION_GROUP (window), "collect-head", head);
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_document (window)->panels.n, ==, 0);

  g_action_group_activate_action (G_ACTION_GROUP (window), "what-if-zero", head);
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_HEAD);
  g_assert_cmpstr (app_window_get_document (window)->edits[0], ==, "zero 3.11");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_SIDES);
  g_assert_true (app_window_get_document (window)->compare_edits_set);
  g_variant_unref (head);
}

static void
edit (AppWindow  *window,
      const char *text)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.edit", "s", text));
  wait_until (is_idle (window));
}

/* What is zeroed already is given back instead, as far as it is of this head alone. */
static void
test_restore (AppWindow *window)
{
  GVariant *head = g_variant_ref_sink (g_variant_new ("(ii)", 3, 11));
  GtkWidget *inspector = window_find (window, "inspector");

  activate (window, "win.view::model");
  edit (window, "zero 1.2; zero 3.11");
  press_at (window, 1, 3, 10);
  wait_until (driver_find_label (inspector, "What if this head is zero?") != NULL);
  g_assert_null (driver_find_label (inspector, "Restore this head"));
  press_at (window, 1, 3, 11);
  wait_until (driver_find_label (inspector, "Restore this head") != NULL);
  g_assert_null (driver_find_label (inspector, "What if this head is zero?"));

  g_action_group_activate_action (G_ACTION_GROUP (window), "restore-head", head);
  wait_until (is_idle (window));
  g_assert_cmpstr (app_window_get_document (window)->edits[0], ==, "zero 1.2");
  g_assert_null (app_window_get_document (window)->edits[1]);
  wait_until (driver_find_label (inspector, "What if this head is zero?") != NULL);
  g_assert_null (driver_find_label (inspector, "Restore this head"));

  edit (window, "skip-attention 3");
  wait_until (driver_find_label (inspector, "What if this head is zero?") == NULL);
  g_assert_null (driver_find_label (inspector, "Restore this head"));
  g_variant_unref (head);
}

/* What is clicked in the head is pinned, and stands out in its links; once more it is let go. */
static void
test_links_of_head (AppWindow *window)
{
  UiItem link = { .type = UI_ITEM_LINK, .head = 11, .query = 12, .key = 5 };
  const UiPins *pins;

  activate (window, "win.view::model");
  press_at (window, 1, 3, 11);
  g_signal_emit_by_name (window_find (window, "inspector"), "head-clicked", &link, FALSE);
  wait_until (is_idle (window));
  wait_until (shows_links_of (window, 3, 11));
  pins = &ui_scene_get_document (find_links (window))->pins;
  g_assert_cmpint (pins->n_queries, ==, 1);
  g_assert_cmpint (pins->n_keys, ==, 1);
  g_assert_cmpint (pins->queries[0], ==, 12);
  g_assert_cmpint (pins->keys[0], ==, 5);
  g_signal_emit_by_name (window_find (window, "inspector"), "head-clicked", &link, FALSE);
  wait_until (is_idle (window));
  g_assert_true (ui_pins_is_empty (&app_window_get_document (window)->pins));
}

/* A click chooses what is read about, wherever the pointer goes; a second one opens it. */
static void
test_click (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");
  double x, y;

  activate (window, "win.view::model");
  driver_settle (GTK_WIDGET (window));
  press_at (window, 1, 1, 2);
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
  g_assert_cmpint (app_window_get_shown (window)->layer, ==, 1);
  g_assert_true (ui_head_set_has (&app_window_get_shown (window)->heads, 2));
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 1);
  wait_until (driver_find_label (inspector, "Head 2 of layer 1") != NULL);

  find_middle (window, 3, 5, &x, &y);
  driver_point_at (GTK_WIDGET (window_view (window)), x, y);
  driver_settle (GTK_WIDGET (window));
  driver_settle (GTK_WIDGET (window));
  g_assert_nonnull (driver_find_label (inspector, "Head 2 of layer 1"));
  driver_point_away (GTK_WIDGET (window_view (window)));
  driver_settle (GTK_WIDGET (window));
  g_assert_nonnull (driver_find_label (inspector, "Head 2 of layer 1"));

  activate (window, "win.head-picture::links");
  press_at (window, 2, 1, 2);
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
  press_at (window, 2, 1, 2);
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  g_assert_cmpint (app_window_get_shown (window)->layer, ==, 1);
  g_assert_true (ui_head_set_has (&app_window_get_shown (window)->heads, 2));
}

/* Escape lets go of it, so does the keyboard's cursor; undo goes back to the one before. */
static void
test_deselect (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");
  double x, y;

  activate (window, "win.view::model");
  driver_settle (GTK_WIDGET (window));
  press_at (window, 1, 1, 2);
  press_at (window, 1, 4, 6);
  find_middle (window, 3, 5, &x, &y);
  driver_point_at (GTK_WIDGET (window_view (window)), x, y);
  wait_until (driver_find_label (inspector, "Head 6 of layer 4") != NULL);
  activate (window, "win.undo");
  wait_until (driver_find_label (inspector, "Head 2 of layer 1") != NULL);

  g_assert_true (driver_press_key (GTK_WIDGET (window), "Escape"));
  driver_point_away (GTK_WIDGET (window_view (window)));
  driver_point_at (GTK_WIDGET (window_view (window)), x + 1, y);
  wait_until (driver_find_label (inspector, "Head 5 of layer 3") != NULL);

  press_at (window, 1, 1, 2);
  wait_until (driver_find_label (inspector, "Head 2 of layer 1") != NULL);
  press (window, "Right");
  wait_until (driver_find_label (inspector, "Head 3 of layer 1") != NULL);
  press (window, "Return");
  press (window, "Return");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  g_assert_true (ui_head_set_has (&app_window_get_shown (window)->heads, 3));
}

/* A step back shows what it brings, not where the keyboard was. */
static void
test_undo_to_several (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");

  activate (window, "win.view::model");
  driver_settle (GTK_WIDGET (window));
  press_at (window, 1, 1, 2);
  press (window, "Right");
  wait_until (driver_find_label (inspector, "Head 3 of layer 1") != NULL);
  activate (window, "win.undo");
  g_assert_true (app_window_get_document (window)->heads.all);
  wait_until (driver_find_label (inspector, "Head 0 of layer 0") != NULL);
}

/* The grid that a step back brings has the cursor on the head that it frames, and so has the grid beside
 * which another head's links stood. */
static void
test_cursor_follows (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");
  const UiDocument *document;

  activate (window, "win.view::model");
  press_at (window, 1, 3, 11);
  go_to (window, 4, 5);
  assert_cursor (window, 4, 5);
  press_at (window, 1, 2, 7);
  go_to (window, 4, 5);
  activate (window, "win.undo");
  assert_cursor (window, 3, 11);
  wait_until (driver_find_label (inspector, "Head 11 of layer 3") != NULL);

  press (window, "Return");
  press (window, "Down");
  wait_until (driver_find_label (inspector, "Head 11 of layer 4") != NULL);
  g_assert_true (driver_press_key (GTK_WIDGET (window), "Escape"));
  wait_until (is_idle (window));
  document = app_window_get_document (window);
  g_assert_cmpint (document->layer, ==, 4);
  g_assert_cmpint (ui_head_set_first (&document->heads, 12), ==, 11);
  g_assert_nonnull (driver_find_label (inspector, "Head 11 of layer 4"));
  press (window, "Return");
  press (window, "Down");
  press (window, "Return");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  activate (window, "win.undo");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
  assert_cursor (window, 4, 11);
}

static const char *
get_chip (AppWindow *window,
          int        index)
{
  GtkWidget *chip = driver_find (window_find (window, "collected_row"), GTK_TYPE_BUTTON, index);

  return gtk_label_get_text (GTK_LABEL (driver_find (chip, GTK_TYPE_LABEL, 0)));
}

static graphene_rect_t
get_place (AppWindow *window)
{
  graphene_rect_t place;

  driver_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_compute_bounds (window_find (window, "scene_view"),
                                            GTK_WIDGET (window), &place));
  return place;
}

/* Of the line above the picture. */
static int
get_least_width (AppWindow *window)
{
  int width;

  gtk_widget_measure (window_find (window, "caption_place"), GTK_ORIENTATION_HORIZONTAL, -1, &width,
                      NULL, NULL, NULL);
  return width;
}

/* What is collected has a chip that takes it out, moves nothing of the picture, and lets a narrow
 * window be as narrow. */
static void
test_collect (AppWindow *window)
{
  const UiCells *panels;
  graphene_rect_t before, after;
  GtkWidget *button;
  int width;

  activate (window, "win.view::model");
  before = get_place (window);
  width = get_least_width (window);
  go_to (window, 2, 9);
  press (window, "<Shift>Return");
  g_assert_cmpint (app_window_get_document (window)->panels.n, ==, 1);
  go_to (window, 0, 1);
  press (window, "<Shift>Return");
  panels = &app_window_get_document (window)->panels;
  g_assert_cmpint (panels->n, ==, 2);
  g_assert_true (ui_cells_has (panels, 2, 9));
  g_assert_true (ui_cells_has (panels, 0, 1));
  after = get_place (window);
  g_assert_true (graphene_rect_equal (&before, &after));
  g_assert_cmpint (get_least_width (window) - width, <, 20);
  g_assert_true (gtk_widget_is_visible (window_find (window, "collected_button")));
  g_assert_cmpstr (window_get_label (window, "collected_button"), ==, "Collected 2");
  g_assert_cmpstr (get_chip (window, 0), ==, "a  2.9");
  g_assert_cmpstr (get_chip (window, 1), ==, "b  0.1");

  button = driver_find (window_find (window, "collected_row"), GTK_TYPE_BUTTON, 0);
  g_signal_emit_by_name (button, "clicked");
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_document (window)->panels.n, ==, 1);
  g_assert_cmpstr (get_chip (window, 0), ==, "a  0.1");

  press (window, "<Shift>Return");
  g_assert_cmpint (app_window_get_document (window)->panels.n, ==, 0);
  g_assert_false (gtk_widget_is_visible (window_find (window, "collected_button")));
}

/* Titles name the heads that stand beside each other: letters are of the grid alone. */
static void
test_letters (AppWindow *window)
{
  activate (window, "win.view::model");
  go_to (window, 2, 9);
  press (window, "<Shift>Return");
  go_to (window, 0, 1);
  press (window, "<Shift>Return");
  activate (window, "win.compare::heads");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  g_assert_cmpstr (get_chip (window, 0), ==, "2.9");
  g_assert_cmpstr (get_chip (window, 1), ==, "0.1");
  activate (window, "win.view::model");
  g_assert_cmpstr (get_chip (window, 0), ==, "a  2.9");

  /* Alone in Heads it stands beside nothing. */
  activate (window, "win.compare::off");
  activate (window, "win.view::head");
  g_assert_false (gtk_widget_is_visible (window_find (window, "collected_button")));
}

static void
test_order (AppWindow *window)
{
  GtkDropDown *choice = GTK_DROP_DOWN (window_find (window, "order_choice"));

  activate (window, "win.view::model");
  gtk_drop_down_set_selected (choice, UI_ORDER_ENTROPY);
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_document (window)->order, ==, UI_ORDER_ENTROPY);
  g_assert_cmpint (app_window_get_shown (window)->order, ==, UI_ORDER_ENTROPY);
  activate (window, "win.order::traffic");
  g_assert_cmpint (gtk_drop_down_get_selected (choice), ==, UI_ORDER_TRAFFIC);
  g_assert_cmpint (app_window_get_shown (window)->order, ==, UI_ORDER_TRAFFIC);
}

/* Heads of a large model stand in groups until a person chooses another order. */
static void
test_order_of_large_model (AppWindow *window)
{
  g_autoptr (EngTrace) trace = made_trace_new (6, 6, 16, 24);
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "large.safetensors", NULL);

  made_trace_forget_vectors (trace);
  g_assert_true (eng_trace_file_write (trace, path, NULL));
  window_open_trace (window, path);
  activate (window, "win.view::model");
  g_assert_cmpint (app_window_get_shown (window)->order, ==, UI_ORDER_PATTERN);
  g_assert_cmpstr (window_get_label (window, "show_button"), ==, "Show by pattern");
  g_assert_false (app_window_get_document (window)->order_set);
  activate (window, "win.order::layer");
  g_assert_cmpint (app_window_get_shown (window)->order, ==, UI_ORDER_LAYER);
  g_assert_cmpstr (window_get_label (window, "show_button"), ==, "Show by layer");
  temporary_free (folder);
}

/* A long text: the grid stands until all heads are measured. */
static void
test_order_of_long_text (AppWindow *window)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < N_WORDS; i++)
    g_string_append (text, i % 2 == 0 ? "the " : "cat ");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), text->str);
  wait_until (is_idle (window));
  g_assert_cmpint (eng_trace_get_n_queries (app_window_get_trace (window), ENG_KIND_ENCODER), >,
                   N_WORDS);

  activate (window, "win.view::model");
  activate (window, "win.order::pattern");
  g_assert_cmpint (app_window_get_document (window)->order, ==, UI_ORDER_PATTERN);
  wait_until (app_window_get_shown (window)->order == UI_ORDER_PATTERN);
  wait_until (!window_has_job (window));
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_MODEL);
}

/* Names of patterns are said to their ends. */
static void
assert_whole_names (GtkWidget *panel)
{
  GtkWidget *row;

  for (int i = 0; (row = driver_find (panel, UI_TYPE_BAR_ROW, i)) != NULL; i++) {
    gboolean is_cut;
    g_autofree char *name = ui_bar_row_dup_name (UI_BAR_ROW (row), &is_cut);

    if (is_cut && gtk_widget_get_mapped (row))
      g_error ("“%s” is cut", name);
  }
}

/* The panel beside the grid says what the cursor is at. */
static void
test_inspector (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");

  activate (window, "win.view::model");
  go_to (window, 3, 11);
  wait_until (driver_find_label (inspector, "Head 11 of layer 3") != NULL);
  g_assert_nonnull (driver_find_label (inspector, "of its attention crosses"));
  g_assert_nonnull (driver_find_label (inspector, "Evidence: the same word"));
  assert_whole_names (inspector);
  go_to (window, 0, 4);
  wait_until (driver_find_label (inspector, "Head 4 of layer 0") != NULL);
  g_assert_nonnull (driver_find_label (inspector, "Evidence: the token after"));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-model-view/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("controls", test_controls);
  ADD ("open", test_open);
  ADD ("undo-to-several", test_undo_to_several);
  ADD ("cursor-follows", test_cursor_follows);
  ADD ("click", test_click);
  ADD ("open-beside", test_open_beside);
  ADD ("marked-elsewhere", test_marked_elsewhere);
  ADD ("actions", test_actions);
  ADD ("restore", test_restore);
  ADD ("links-of-head", test_links_of_head);
  ADD ("deselect", test_deselect);
  ADD ("collect", test_collect);
  ADD ("letters", test_letters);
  ADD ("order", test_order);
  ADD ("order-of-large-model", test_order_of_large_model);
  ADD ("order-of-long-text", test_order_of_long_text);
  ADD ("inspector", test_inspector);
  return g_test_run ();
}
