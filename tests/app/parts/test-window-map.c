/* SPDX-License-Identifier: MIT */
/* Heads chosen from the map in the real window. */
#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "tests/app/shell/window-case.h"
#include "ui/map/head-list.h"
#include "ui/map/head-map.h"

static void
choose (Fixture  *fixture,
        int       layer,
        int       head,
        gboolean  add)
{
  g_signal_emit_by_name (window_find (fixture->window, "map"), "chosen", layer, head, add);
  wait_until (is_idle (fixture->window));
}

static void
assert_heads (Fixture    *fixture,
              int         layer,
              const char *heads)
{
  const UiDocument *document = app_window_get_document (fixture->window);
  g_autofree char *drawn = ui_document_get (document, ui_fields_find ("heads"));

  g_assert_cmpint (document->compare, ==, UI_COMPARE_OFF);
  g_assert_cmpint (document->layer, ==, layer);
  g_assert_cmpstr (drawn, ==, heads);
}

static void
assert_panels (Fixture    *fixture,
               const char *panels)
{
  const UiDocument *document = app_window_get_document (fixture->window);
  g_autofree char *drawn = ui_document_get (document, ui_fields_find ("panels"));

  g_assert_cmpint (document->compare, ==, UI_COMPARE_HEADS);
  g_assert_cmpstr (drawn, ==, panels);
}

/* Heads of one layer lie in one picture, heads of several stand beside each other. */
static void
test_choose (Fixture *fixture)
{
  choose (fixture, 2, 9, FALSE);
  assert_heads (fixture, 2, "9");
  choose (fixture, 2, 3, TRUE);
  assert_heads (fixture, 2, "3,9");
  choose (fixture, 2, 9, TRUE);
  assert_heads (fixture, 2, "3");
  choose (fixture, 4, 1, TRUE);
  assert_panels (fixture, "2.3,4.1");
  choose (fixture, 4, 7, TRUE);
  assert_panels (fixture, "2.3,4.1,4.7");
  choose (fixture, 2, 3, TRUE);
  assert_heads (fixture, 4, "1,7");
  choose (fixture, 0, 0, TRUE);
  choose (fixture, 5, 5, FALSE);
  assert_heads (fixture, 5, "5");
  /* The last head stays. */
  choose (fixture, 5, 5, TRUE);
  assert_heads (fixture, 5, "5");

  activate (fixture, "win.undo");
  wait_until (is_idle (fixture->window));
  g_assert_cmpint (app_window_get_document (fixture->window)->compare, ==, UI_COMPARE_HEADS);
}

/* A view of one head shows the one that was chosen, and stays what it is. */
static void
test_views (Fixture *fixture)
{
  activate (fixture, "win.view::neuron");
  choose (fixture, 3, 11, FALSE);
  g_assert_cmpint (get_drawn_document (fixture)->view, ==, UI_VIEW_NEURON);
  assert_heads (fixture, 3, "11");
  /* It has room for one head: another of the same layer stands beside it, too. */
  choose (fixture, 3, 2, TRUE);
  assert_panels (fixture, "3.11,3.2");
  choose (fixture, 3, 11, TRUE);
  assert_panels (fixture, "3.2");
  activate (fixture, "win.view::matrix");
  choose (fixture, 1, 4, FALSE);
  g_assert_cmpint (get_drawn_document (fixture)->view, ==, UI_VIEW_MATRIX);
  assert_heads (fixture, 1, "4");
  activate (fixture, "win.view::model");
  choose (fixture, 1, 6, FALSE);
  g_assert_cmpint (get_drawn_document (fixture)->view, ==, UI_VIEW_MODEL);
  assert_heads (fixture, 1, "6");
  /* In the picture of all heads one that is added is collected, beside those that were. */
  choose (fixture, 0, 2, TRUE);
  g_assert_true (ui_cells_has (&app_window_get_document (fixture->window)->panels, 0, 2));
  g_assert_cmpint (app_window_get_document (fixture->window)->compare, ==, UI_COMPARE_OFF);
}

/* Where the mean weight on the next token is largest. */
static void
find_best_next (EngTrace *trace,
                int      *best_layer,
                int      *best_head)
{
  double best = -1;

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_ENCODER); layer++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);
    int n = attention->n_keys;

    for (int head = 0; head < attention->n_heads; head++) {
      double sum = 0;

      for (int i = 0; i + 1 < n; i++)
        sum += attention->weights[((gsize) head * n + i) * n + i + 1];
      if (sum > best) {
        best = sum;
        *best_layer = layer;
        *best_head = head;
      }
    }
  }
}

/* From every view; Return shows the best of the pattern that is typed, Escape goes back. */
static void
test_search (Fixture *fixture)
{
  GtkWidget *search = window_find (fixture->window, "map_search");
  GtkWidget *list = window_find (fixture->window, "map_list");
  int layer = -1, head = -1;

  find_best_next (app_window_get_trace (fixture->window), &layer, &head);
  activate (fixture, "win.view::matrix");
  activate (fixture, "win.find-pattern");
  g_assert_true (gtk_widget_has_focus (search)
                 || gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                                            search));
  gtk_editable_set_text (GTK_EDITABLE (search), "nex");
  g_signal_emit_by_name (search, "activate");
  wait_until (is_idle (fixture->window));
  g_assert_cmpint (get_drawn_document (fixture)->layer, ==, layer);
  g_assert_true (ui_head_set_has (&get_drawn_document (fixture)->heads, head));
  g_assert_cmpint (ui_head_set_count (&get_drawn_document (fixture)->heads, 12), ==, 1);
  g_assert_cmpint (get_drawn_document (fixture)->view, ==, UI_VIEW_MATRIX);

  /* What is typed there again takes the place of what was. */
  activate (fixture, "win.find-pattern");
  g_assert_true (gtk_editable_get_selection_bounds (GTK_EDITABLE (search), NULL, NULL));
  gtk_editable_set_text (GTK_EDITABLE (search), "nextt");
  g_assert_nonnull (driver_find_label (list, "No head and no pattern has this name"));
  g_assert_true (driver_press_key (search, "Escape"));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (search)), ==, "");
  g_assert_false (driver_shows_text (list, "No head and no pattern has this name, and no two words of the sentences"));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window))
                 == GTK_WIDGET (window_view (fixture->window)));
}

/* The largest weight from one word on the other, in either direction, of all heads. */
static double
find_best_link (EngTrace   *trace,
                const char *a,
                const char *b,
                int        *best_layer,
                int        *best_head)
{
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  double best = -1;

  for (int layer = 0; layer < eng_trace_get_n_layers (trace, ENG_KIND_ENCODER); layer++) {
    g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);
    int n = attention->n_keys;

    for (int head = 0; head < attention->n_heads; head++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          const char *reads = tokens->texts[i], *is_read = tokens->texts[j];
          double weight = attention->weights[((gsize) head * n + i) * n + j];

          if (((g_str_equal (reads, a) && g_str_equal (is_read, b))
               || (g_str_equal (reads, b) && g_str_equal (is_read, a))) && weight > best) {
            best = weight;
            *best_layer = layer;
            *best_head = head;
          }
        }
  }
  return best;
}

/* Two words that the sentences have: the heads that link them, both pinned in what is shown. */
static void
test_words (Fixture *fixture)
{
  GtkWidget *search = window_find (fixture->window, "map_search");
  GtkWidget *list = window_find (fixture->window, "map_list");
  const UiDocument *document;
  int layer = -1, head = -1;
  double best = find_best_link (app_window_get_trace (fixture->window), "sat", "lay", &layer, &head);

  g_assert_cmpfloat (best, >, 0.1);
  gtk_editable_set_text (GTK_EDITABLE (search), "Sat lay");
  g_signal_emit_by_name (search, "activate");
  wait_until (is_idle (fixture->window));
  document = get_drawn_document (fixture);
  g_assert_cmpint (document->layer, ==, layer);
  g_assert_cmpint (ui_head_set_first (&document->heads, 12), ==, head);
  g_assert_cmpint (document->pins.n_queries, ==, 1);
  g_assert_cmpint (document->pins.n_keys, ==, 1);
  g_assert_cmpint (document->pins.queries[0] + document->pins.keys[0], ==, 3 + 10);

  gtk_editable_set_text (GTK_EDITABLE (search), "sat elephant");
  g_assert_nonnull (driver_find_label (list, "No head and no pattern has this name"));
}

static gboolean
finds_nothing (Fixture    *fixture,
               const char *message)
{
  return driver_find_label (window_find (fixture->window, "map_list"), message) != NULL;
}

/* What was found is found again in another text, and after an edit. */
static void
test_search_again (Fixture *fixture)
{
  GtkEditable *search = GTK_EDITABLE (window_find (fixture->window, "map_search"));
  GtkWidget *list = window_find (fixture->window, "map_list");
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  int layer = -1, head = -1;
  UiDocument *document;

  gtk_editable_set_text (search, "sat lay");
  wait_until (is_idle (fixture->window));
  g_assert_true (ui_head_list_choose_first (UI_HEAD_LIST (list)));
  before = g_strdup (window_get_label (fixture->window, "map_heading"));
  g_assert_true (g_str_has_suffix (before, "them"));
  type (fixture, "the cat", "the dog");
  wait_until (finds_nothing (fixture, "No head and no pattern has this name"));
  type (fixture, "the cat sat here", "the dog lay there now");
  wait_until (!finds_nothing (fixture, "No head and no pattern has this name"));
  find_best_link (app_window_get_trace (fixture->window), "sat", "lay", &layer, &head);
  g_assert_true (ui_head_list_choose_first (UI_HEAD_LIST (list)));
  wait_until (is_idle (fixture->window));
  assert_heads (fixture, layer, after = g_strdup_printf ("%d", head));

  gtk_editable_set_text (search, "edited");
  g_assert_true (finds_nothing (fixture, "No head is edited"));
  document = ui_document_copy (app_window_get_document (fixture->window));
  g_assert_true (ui_document_set (document, ui_fields_find ("edit"), "zero 0.1", NULL));
  window_change (fixture->window, document);
  wait_until (g_str_equal (window_get_label (fixture->window, "map_heading"), "1 head found"));
  activate (fixture, "win.undo");
  wait_until (finds_nothing (fixture, "No head is edited"));
  gtk_editable_set_text (search, "3");
  g_assert_cmpstr (window_get_label (fixture->window, "map_heading"), ==, "Heads of layer 3");
  gtk_editable_set_text (search, "");
  g_assert_cmpstr (window_get_label (fixture->window, "map_heading"), ==, "What heads read");
}

/* A row shows its head; a row of many heads lights them and shows nothing else. */
static void
test_list (Fixture *fixture)
{
  GtkWidget *list = window_find (fixture->window, "map_list");

  g_signal_emit_by_name (list, "head-chosen", 1, 6);
  wait_until (is_idle (fixture->window));
  assert_heads (fixture, 1, "6");
  g_signal_emit_by_name (list, "pattern-chosen", ENG_PATTERN_BROAD);
  assert_heads (fixture, 1, "6");
}

/* Escape in the map leads to the picture. */
static void
test_focus (Fixture *fixture)
{
  GtkWidget *map = window_find (fixture->window, "map");

  gtk_widget_grab_focus (map);
  g_assert_true (gtk_widget_has_focus (map));
  g_assert_true (driver_press_key (map, "Escape"));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window))
                 == GTK_WIDGET (window_view (fixture->window)));
}

/* Real keys: Return draws the head under the ring, letters go to the search, "/" only leads there. */
static void
test_real_keys (Fixture *fixture)
{
  GtkWidget *map = window_find (fixture->window, "map");
  GtkEditable *search = GTK_EDITABLE (window_find (fixture->window, "map_search"));

  if (!has_real_input ())
    return;
  gtk_widget_grab_focus (map);
  driver_settle (GTK_WIDGET (fixture->window));
  press_key ("Right");
  press_key ("Return");
  wait_until (ui_head_set_count (&app_window_get_document (fixture->window)->heads, 12) == 1);
  assert_heads (fixture, 0, "1");
  press_key ("slash");
  wait_until (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                                      GTK_WIDGET (search)));
  g_assert_cmpstr (gtk_editable_get_text (search), ==, "");
  gtk_widget_grab_focus (map);
  press_key ("n");
  press_key ("e");
  wait_until (g_str_equal (gtk_editable_get_text (search), "ne"));
  assert_heads (fixture, 0, "1");
}

static void
count_choice (int *n)
{
  *n += 1;
}

/* Real keys: Down goes to the first head that was found, Return there opens it. */
static void
test_found_by_keys (Fixture *fixture)
{
  GtkEditable *search = GTK_EDITABLE (window_find (fixture->window, "map_search"));
  GtkWidget *list = window_find (fixture->window, "map_list");
  int n_chosen = 0;

  if (!has_real_input ())
    return;
  gtk_widget_grab_focus (GTK_WIDGET (search));
  gtk_editable_set_text (search, "layer 2");
  driver_settle (GTK_WIDGET (fixture->window));
  g_signal_connect_swapped (list, "head-chosen", G_CALLBACK (count_choice), &n_chosen);
  press_key ("Down");
  wait_until (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)), list));
  press_key ("Return");
  wait_until (n_chosen == 1 && is_idle (fixture->window));
  g_assert_cmpint (app_window_get_document (fixture->window)->layer, ==, 2);
  g_signal_handlers_disconnect_by_data (list, &n_chosen);
}

/* A text so long that its tiles are made beside the window. */
static void
test_long_text (Fixture *fixture)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 90; i++)
    g_string_append (text, i % 2 == 0 ? "the " : "cat ");
  type (fixture, text->str, "");
  wait_until (window_get_map_trace (fixture->window) == app_window_get_trace (fixture->window));
  choose (fixture, 5, 11, FALSE);
  assert_heads (fixture, 5, "11");
}

/* Down to its end, in sight below the header. */
static void
assert_in_sight (Fixture    *fixture,
                 UiItemType  type,
                 int         token)
{
  const UiRect area = ui_scene_view_get_area (window_view (fixture->window));
  const UiItem item = { .type = type, .query = token, .key = token };
  UiRect rect;

  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (window_view (fixture->window)), &item,
                                    &rect));
  g_assert_cmpfloat (rect.y, >=, area.y);
  g_assert_cmpfloat (rect.y + rect.height, <=, area.y + area.height);
}

/* Words far down in a long text: the picture goes to their link. */
static void
test_far_words (Fixture *fixture)
{
  static const char *const views[] = { "win.view::head", "win.view::matrix" };
  GtkEditable *search = GTK_EDITABLE (window_find (fixture->window, "map_search"));
  g_autoptr (GString) text = g_string_new ("start");

  for (int i = 0; i < 40; i++)
    g_string_append (text, " the cat");
  g_string_append (text, " bird dog");
  type (fixture, text->str, "");
  wait_until (window_get_map_trace (fixture->window) == app_window_get_trace (fixture->window));
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    const UiPins *pins;

    activate (fixture, views[i]);
    wait_until (is_idle (fixture->window));
    ui_scene_view_set_zoom (window_view (fixture->window), 1);
    driver_settle (GTK_WIDGET (fixture->window));
    ui_scene_view_scroll_to (window_view (fixture->window), 0, 0);
    gtk_editable_set_text (search, "bird dog");
    wait_until (g_str_has_suffix (window_get_label (fixture->window, "map_heading"), "them"));
    g_signal_emit_by_name (search, "activate");
    wait_until (is_idle (fixture->window) && !window_awaits_picture (fixture->window));
    pins = &get_drawn_document (fixture)->pins;
    g_assert_true (pins->n_queries == 1 && pins->n_keys == 1);
    assert_in_sight (fixture, UI_ITEM_QUERY, pins->queries[0]);
    if (i == 0)
      assert_in_sight (fixture, UI_ITEM_KEY, pins->keys[0]);
    activate (fixture, "win.unpin");
    gtk_editable_set_text (search, "");
  }
}

/* Who asks for nothing sees one telling head of a pair of which the model is not certain. */
static void
test_first_start (Fixture *fixture)
{
  assert_drawn (fixture, "[CLS] the bird sang on the roof [SEP] the dog slept on the grass [SEP]");
  assert_heads (fixture, 3, "11");
}

static void
run_first_start (void)
{
  run_application (app_application_new_example (), test_first_start);
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-map/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("choose", test_choose);
  ADD ("views", test_views);
  ADD ("search", test_search);
  ADD ("words", test_words);
  ADD ("search-again", test_search_again);
  ADD ("list", test_list);
  ADD ("focus", test_focus);
  ADD ("real-keys", test_real_keys);
  ADD ("found-by-keys", test_found_by_keys);
  ADD ("long-text", test_long_text);
  ADD ("far-words", test_far_words);
  g_test_add_func ("/ui/window-map/first-start", run_first_start);
  return g_test_run ();
}
