/* SPDX-License-Identifier: MIT */
/* What is pointed at in the real window: a link keeps its head, and its menu leads on. */
#include "tests/support/window/window-test.h"
#include "ui/controls/steady-label.h"
#include "ui/lists/reading-list.h"

#define HEAD 4
#define QUERY 2
#define KEY 9
#define N_WORDS 55

static const UiItem link_of_head = {
  .type = UI_ITEM_LINK, .head = HEAD, .query = QUERY, .key = KEY
};

static void
click (AppWindow    *window,
       const UiItem *item)
{
  g_signal_emit_by_name (window_view (window), "clicked", item, FALSE);
  wait_until (is_idle (window));
}

static void
assert_only_head (AppWindow *window,
                  int        layer,
                  int        head)
{
  const UiDocument *shown = app_window_get_shown (window);

  g_assert_cmpint (shown->layer, ==, layer);
  g_assert_cmpint (ui_head_set_count (&shown->heads, 12), ==, 1);
  g_assert_true (ui_head_set_has (&shown->heads, head));
}

static void
assert_pinned (AppWindow *window,
               int        query,
               int        key)
{
  const UiPins *pins = &app_window_get_shown (window)->pins;

  g_assert_cmpint (pins->n_queries, ==, 1);
  g_assert_cmpint (pins->queries[0], ==, query);
  g_assert_cmpint (pins->n_keys, ==, 1);
  g_assert_cmpint (pins->keys[0], ==, key);
}

/* Several heads are shown: the view of one head explains the link that was clicked, not the first
 * of them; the way back shows all again. */
static void
test_pinned_link (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY };

  click (window, &token);
  click (window, &link_of_head);
  assert_pinned (window, QUERY, KEY);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, HEAD);
  assert_pinned (window, QUERY, KEY);

  activate (window, "win.back");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 12);
  activate (window, "win.view::matrix");
  assert_only_head (window, 0, HEAD);
  assert_pinned (window, QUERY, KEY);
}

/* Whether the inspector says it, wherever. */
static gboolean
is_said_beside (AppWindow  *window,
                const char *start,
                const char *end)
{
  GtkWidget *inspector = window_find (window, "inspector");
  GtkWidget *label;

  for (int i = 0; (label = driver_find (inspector, UI_TYPE_STEADY_LABEL, i)) != NULL; i++) {
    const char *text = ui_steady_label_get_text (UI_STEADY_LABEL (label));

    if (gtk_widget_get_mapped (label) && g_str_has_prefix (text, start)
        && g_str_has_suffix (text, end))
      return TRUE;
  }
  return FALSE;
}

/* Of several heads that are drawn caption and inspector are about the link that was clicked, until
 * it is pinned no more. */
static void
test_clicked_link (AppWindow *window)
{
  click (window, &link_of_head);
  driver_settle (GTK_WIDGET (window));
  g_assert_true (g_str_has_suffix (window_get_label (window, "caption"), "in head 4 of layer 0."));
  g_assert_true (is_said_beside (window, "“cat” (2) reads “", "in head 4 of layer 0."));
  activate (window, "win.unpin");
  g_assert_cmpstr (window_get_label (window, "caption"), ==,
                   "All 12 heads of layer 0, each in its colour.");
}

/* Between the same tokens the link of another head: they stay pinned, by the link of the same head
 * they do not. */
static void
test_other_head (AppWindow *window)
{
  const UiItem query = { .type = UI_ITEM_QUERY, .query = QUERY };
  const UiItem key = { .type = UI_ITEM_KEY, .key = KEY };
  UiItem other = link_of_head;

  other.head = HEAD + 3;
  click (window, &link_of_head);
  click (window, &other);
  assert_pinned (window, QUERY, KEY);
  driver_settle (GTK_WIDGET (window));
  g_assert_true (g_str_has_suffix (window_get_label (window, "caption"), "in head 7 of layer 0."));
  g_assert_true (is_said_beside (window, "“cat” (2) reads “", "in head 7 of layer 0."));
  click (window, &other);
  g_assert_cmpint (app_window_get_shown (window)->pins.n_keys, ==, 0);

  /* Tokens that were pinned one by one. */
  activate (window, "win.unpin");
  click (window, &query);
  g_signal_emit_by_name (window_view (window), "clicked", &key, TRUE);
  wait_until (is_idle (window));
  click (window, &other);
  assert_pinned (window, QUERY, KEY);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, HEAD + 3);
}

/* In the trace itself; -1 = of any token. */
static int
find_strongest_head (AppWindow *window,
                     int        query,
                     int        key)
{
  g_autoptr (EngAttention) attention =
    eng_trace_dup_attention (app_window_get_trace (window), ENG_KIND_ENCODER, 0);
  const int n = attention->n_keys;
  float strongest = 0;
  int best = -1;

  for (int head = 0; head < attention->n_heads; head++)
    for (int i = 0; i < n * n; i++) {
      const float weight = attention->weights[head * n * n + i];

      if ((query >= 0 && i / n != query) || (key >= 0 && i % n != key) || weight <= strongest)
        continue;
      strongest = weight;
      best = head;
    }
  return best;
}

/* Tokens are pinned and no link of theirs is named: the head in which they have the strongest is
 * explained. A matrix goes on with all. */
static void
test_pinned_tokens (AppWindow *window)
{
  const UiItem query = { .type = UI_ITEM_QUERY, .query = QUERY + 1 };
  const UiItem key = { .type = UI_ITEM_KEY, .key = KEY };
  int of_query, of_key, of_both;

  click (window, &link_of_head);
  activate (window, "win.unpin");
  of_query = find_strongest_head (window, QUERY + 1, -1);
  of_key = find_strongest_head (window, -1, KEY);
  of_both = find_strongest_head (window, QUERY + 1, KEY);
  g_assert_true (of_query > 0 || of_key > 0 || of_both > 0);

  click (window, &key);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, of_key);
  activate (window, "win.back");
  activate (window, "win.view::matrix");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 12);
  activate (window, "win.back");

  g_signal_emit_by_name (window_view (window), "clicked", &query, TRUE);
  wait_until (is_idle (window));
  assert_pinned (window, QUERY + 1, KEY);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, of_both);
  activate (window, "win.back");

  activate (window, "win.unpin");
  click (window, &query);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, of_query);
}

/* The pointer is at one link of a pinned token. */
static void
test_pointed_link (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY };
  UiScene *scene;
  UiItem item = { .type = UI_ITEM_NONE };
  double width, height, x, y = 0;

  click (window, &token);
  driver_settle (GTK_WIDGET (window));
  scene = ui_scene_view_get_scene (window_view (window));
  ui_scene_get_size (scene, &width, &height);
  for (x = width / 2; item.type != UI_ITEM_LINK || item.head == 0; y += 1) {
    g_assert_cmpfloat (y, <, height);
    ui_scene_view_find_item (window_view (window), x, y, &item);
  }
  driver_point_at (GTK_WIDGET (window_view (window)), x, y - 1);
  activate (window, "win.view::neuron");
  assert_only_head (window, 0, item.head);
  g_assert_true (ui_pins_has (&app_window_get_shown (window)->pins, FALSE, QUERY));
}

/* Its item of that label, as (action, target); fails without one. */
static GVariant *
find_target (GMenuModel  *menu,
             const char  *label,
             char       **action)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    g_autofree char *own = NULL;

    if (section != NULL) {
      GVariant *target = find_target (section, label, action);

      if (target != NULL)
        return target;
    }
    if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &own)
        && g_str_equal (own, label)) {
      g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", action);
      return g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
    }
  }
  return NULL;
}

static void
choose (AppWindow    *window,
        const UiItem *item,
        const char   *label)
{
  g_autoptr (GMenuModel) menu = app_desk_new_item_menu (app_window_get_desk (window), item);
  g_autofree char *action = NULL;
  g_autoptr (GVariant) target = find_target (menu, label, &action);

  g_assert_nonnull (target);
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), action, target));
  wait_until (is_idle (window));
}

/* Keys reach tokens alone: that of one beside a pin has what the link of both has. */
static void
assert_menu_beside_pin (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY };
  const UiItem other = { .type = UI_ITEM_KEY, .key = KEY };
  UiDocument *document = ui_document_copy (app_window_get_document (window));
  g_autoptr (GMenuModel) menu = NULL;
  g_autofree char *action = NULL;

  ui_head_set_only (&document->heads, HEAD);
  window_change (window, document);
  wait_until (is_idle (window));
  click (window, &token);
  menu = app_desk_new_item_menu (app_window_get_desk (window), &other);
  g_variant_unref (find_target (menu, "Explain in Neurons", &action));
  activate (window, "win.unpin");
  activate (window, "win.all-heads");
}

/* A token that reads itself is one place; a head of several drawn has its way to Neurons, too. */
static void
test_menus_of_one (AppWindow *window)
{
  const UiItem itself = { .type = UI_ITEM_LINK, .head = HEAD, .query = QUERY, .key = QUERY };
  const UiItem head = { .type = UI_ITEM_HEAD, .layer = 3, .head = HEAD };
  g_autoptr (GMenuModel) menu = app_desk_new_item_menu (app_window_get_desk (window), &itself);
  int n = 0;

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

    for (int j = 0; section != NULL && j < g_menu_model_get_n_items (section); j++) {
      g_autofree char *label = NULL;

      g_menu_model_get_item_attribute (section, j, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      n += label != NULL && g_str_has_prefix (label, "Go to Token");
    }
  }
  g_assert_cmpint (n, ==, 1);

  choose (window, &head, "Only This Head (4)");
  assert_only_head (window, 3, HEAD);
  activate (window, "win.undo");
  choose (window, &head, "Explain in Neurons");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_NEURON);
  assert_only_head (window, 3, HEAD);
}

/* A row of the inspector for each head that is drawn. */
static void
test_head_rows (AppWindow *window)
{
  UiInspector *inspector = UI_INSPECTOR (window_find (window, "inspector"));
  GdkRectangle at;
  GtkWidget *list;
  UiItem item;
  double x, y;

  driver_settle (GTK_WIDGET (window));
  for (int i = 0; (list = driver_find (GTK_WIDGET (inspector), GTK_TYPE_LIST_BOX, i)) != NULL; i++)
    if (gtk_widget_get_mapped (list))
      break;
  g_assert_nonnull (list);
  gtk_widget_translate_coordinates (
    GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 2)), GTK_WIDGET (inspector), 9,
    9, &x, &y);
  g_assert_true (ui_inspector_find_row (inspector, x, y, &item, &at));
  g_assert_cmpint (item.type, ==, UI_ITEM_HEAD);
  g_assert_cmpint (item.head, ==, 2);
  g_assert_false (ui_inspector_find_row (inspector, x, 2, &item, &at));
}

static void
test_menu (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = QUERY };
  g_autoptr (GMenuModel) of_link = app_desk_new_item_menu (app_window_get_desk (window),
                                                           &link_of_head);
  g_autoptr (GMenuModel) of_token = app_desk_new_item_menu (app_window_get_desk (window), &token);
  g_autofree char *action = NULL;

  g_assert_nonnull (of_link);
  g_assert_null (find_target (of_token, "Only This Head (4)", &action));
  assert_menu_beside_pin (window);
  choose (window, &link_of_head, "Go to Token “cat” (2)");
  g_assert_cmpint (ui_scene_view_get_cursor (window_view (window))->type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (ui_scene_view_get_cursor (window_view (window))->query, ==, QUERY);

  choose (window, &link_of_head, "Only This Head (4)");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  assert_only_head (window, 0, HEAD);
  activate (window, "win.undo");

  choose (window, &link_of_head, "Explain in Neurons");
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_NEURON);
  assert_only_head (window, 0, HEAD);
  assert_pinned (window, QUERY, KEY);
}

/* A link of what stands for all heads is none of one. */
static void
test_mean (AppWindow *window)
{
  UiItem item = link_of_head;

  item.head = 0;
  activate (window, "win.aggregate::mean");
  click (window, &item);
  activate (window, "win.view::neuron");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 12);
}

/* In sight below the header. */
static gboolean
is_in_sight (AppWindow    *window,
             const UiItem *item)
{
  const UiRect area = ui_scene_view_get_area (window_view (window));
  UiRect rect;

  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (window_view (window)), item, &rect));
  return rect.y >= area.y && rect.y + rect.height <= area.y + area.height;
}

/* A text that is longer than the window. */
static void
type_long_text (AppWindow *window)
{
  g_autoptr (GString) text = g_string_new ("start");

  for (int i = 0; i < N_WORDS; i++)
    g_string_append (text, " the cat");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), text->str);
  wait_until (is_idle (window));
  ui_scene_view_set_zoom (window_view (window), 1);
}

/* Far from what is pinned a row leads to its token, by keyboard and by pointer. */
static void
test_rows (AppWindow *window)
{
  const UiItem first = { .type = UI_ITEM_QUERY, .query = 1 };
  UiItem last = { .type = UI_ITEM_KEY };
  GtkWidget *reads;
  double x, y;
  int head;

  type_long_text (window);
  click (window, &first);
  driver_settle (GTK_WIDGET (window));
  reads = driver_find (window_find (window, "inspector"), UI_TYPE_READING_LIST, 2);
  for (int row = 0; ui_reading_list_get_row (UI_READING_LIST (reads), row, &last.key, &head); row++)
    if (!is_in_sight (window, &last)) {
      gtk_widget_grab_focus (reads);
      for (int i = 0; i < row; i++)
        g_assert_true (driver_press_key (reads, "Down"));
      break;
    }
  g_assert_false (is_in_sight (window, &last));

  g_assert_true (driver_press_key (reads, "Return"));
  g_assert_true (is_in_sight (window, &last));
  g_assert_cmpint (ui_scene_view_get_cursor (window_view (window))->key, ==, last.key);
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (window_view (window))));

  ui_scene_view_scroll_to (window_view (window), 0, 0);
  g_assert_false (is_in_sight (window, &last));
  for (int row = 0, token = -1; token != last.key; row++) {
    GtkWidget *bar = ui_row_list_get_row_widget (UI_ROW_LIST (reads), row);

    g_assert_true (ui_reading_list_get_row (UI_READING_LIST (reads), row, &token, &head));
    gtk_widget_translate_coordinates (bar, reads, 5, 5, &x, &y);
  }
  driver_click_at (reads, 1, x, y);
  wait_until (is_idle (window));
  assert_pinned (window, 1, last.key);
  g_assert_true (is_in_sight (window, &last));
}

/* Of a long text the neuron view opens where its question is, and lets go of it then. */
static void
test_explained (AppWindow *window)
{
  UiDocument *document;
  UiItem query = { .type = UI_ITEM_QUERY };

  type_long_text (window);
  for (int pinned = 0; pinned < 2; pinned++) {
    document = ui_document_copy (app_window_get_document (window));
    ui_head_set_only (&document->heads, HEAD);
    if (pinned)
      ui_pins_click (&document->pins, FALSE, N_WORDS, FALSE);
    window_change (window, document);
    wait_until (is_idle (window));
    ui_scene_view_scroll_to (window_view (window), 0, 0);
    activate (window, "win.view::neuron");
    driver_settle (GTK_WIDGET (window));
    g_assert_true (ui_scene_get_subject (ui_scene_view_get_scene (window_view (window)), &query));
    query.type = UI_ITEM_QUERY;
    g_assert_true (is_in_sight (window, &query));
    if (pinned)
      g_assert_cmpint (query.query, ==, N_WORDS);

    ui_scene_view_scroll_to (window_view (window), 0, 0);
    activate (window, "win.bands::stripes");
    driver_settle (GTK_WIDGET (window));
    g_assert_cmpfloat (ui_scene_view_get_area (window_view (window)).y, ==, 0);
    activate (window, "win.view::head");
  }
  g_assert_false (is_in_sight (window, &query));
}

/* Several pictures below each other begin with the names of the first, as long as its question is in
 * sight there, be it in the lower half. */
static void
test_explained_panels (AppWindow *window)
{
  UiDocument *document = ui_document_copy (app_window_get_document (window));
  const int n = eng_trace_get_n_queries (app_window_get_trace (window), ENG_KIND_ENCODER);
  UiItem query = { .type = UI_ITEM_QUERY, .query = n - 1 }, link;
  double width, height;

  document->view = UI_VIEW_NEURON;
  document->compare = UI_COMPARE_HEADS;
  for (int i = 0; i < 3; i++)
    ui_cells_toggle (&document->panels, 0, HEAD + i);
  window_change (window, document);
  wait_until (is_idle (window));
  driver_settle (GTK_WIDGET (window));
  ui_scene_view_scroll_to (window_view (window), 0, 0);
  while (!is_in_sight (window, &query))
    query.query--;
  g_assert_cmpint (query.query, >, QUERY);

  activate (window, "win.view::head");
  document = ui_document_copy (app_window_get_document (window));
  ui_pins_click (&document->pins, FALSE, query.query, TRUE);
  ui_pins_click (&document->pins, TRUE, QUERY, TRUE);
  window_change (window, document);
  wait_until (is_idle (window));
  activate (window, "win.view::neuron");
  driver_settle (GTK_WIDGET (window));

  ui_scene_get_size (ui_scene_view_get_scene (window_view (window)), &width, &height);
  g_assert_cmpfloat (height, >, 1.6 * ui_scene_view_get_area (window_view (window)).height);
  g_assert_true (ui_scene_get_subject (ui_scene_view_get_scene (window_view (window)), &link));
  g_assert_cmpint (link.query, ==, query.query);
  g_assert_true (is_in_sight (window, &query));
  g_assert_cmpfloat (ui_scene_view_get_area (window_view (window)).y, ==, 0);
}

static gboolean
has_tooltip (GtkMenuButton *button)
{
  g_autoptr (GObject) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean is_shown;

  g_signal_emit_by_name (button, "query-tooltip", 1, 1, FALSE, tooltip, &is_shown);
  return is_shown;
}

/* The tooltip of a button would lie over the menu that it opened. */
static void
test_tooltip (AppWindow *window)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (window, "display_button"));

  g_assert_true (has_tooltip (button));
  gtk_menu_button_popup (button);
  driver_settle (GTK_WIDGET (window));
  g_assert_false (has_tooltip (button));
  gtk_menu_button_popdown (button);
  driver_settle (GTK_WIDGET (window));
  g_assert_true (has_tooltip (button));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-aim/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("pinned-link", test_pinned_link);
  ADD ("clicked-link", test_clicked_link);
  ADD ("other-head", test_other_head);
  ADD ("menus-of-one", test_menus_of_one);
  ADD ("head-rows", test_head_rows);
  ADD ("pinned-tokens", test_pinned_tokens);
  ADD ("pointed-link", test_pointed_link);
  ADD ("menu", test_menu);
  ADD ("mean", test_mean);
  ADD ("rows", test_rows);
  ADD ("explained-panels", test_explained_panels);
  ADD ("explained", test_explained);
  ADD ("tooltip", test_tooltip);
  return g_test_run ();
}
