/* SPDX-License-Identifier: MIT */
/* Comparing in the real window. What is drawn of two sides is tested in tests/scene/. */
#include "tests/app/parts/compare-case.h"

#include <math.h>
#include <stdlib.h>

#include "ui/lists/changed-link-list.h"
#include "ui/map/changed-head-list.h"
#include "ui/scene/matrix/difference-scene.h"
#include "ui/scene/views/panels.h"
#include "ui/scene/views/side-changes.h"

#define CAPTION 42 /* the line between toolbar and picture */

static UiScene *
get_scene (AppWindow *window)
{
  return ui_scene_view_get_scene (window_view (window));
}

static gboolean
says_whose_predictions (AppWindow *window)
{
  return driver_find_label (window_find (window, "inspector"),
                            "Predictions are those of This") != NULL;
}

static double
get_mean (EngTrace *trace,
          int       layer,
          int       query,
          int       key)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, layer);
  double sum = 0;

  for (int head = 0; head < attention->n_heads; head++)
    sum += attention->weights[((gsize) head * N_TOKENS + query) * N_TOKENS + key];
  return sum / attention->n_heads;
}

/* Layer 0 beside layer 3, with the trace's own numbers: all that a token reads, largest first. */
static void
assert_changes (AppWindow *window,
                int        query)
{
  UiItem item = { .type = UI_ITEM_QUERY, .query = query };
  g_autoptr (GArray) changes = ui_side_changes_new (get_scene (window), &item);
  double before = 1;

  g_assert_cmpuint (changes->len, ==, N_TOKENS);
  for (guint i = 0; i < changes->len; i++) {
    const UiSideChange *change = &g_array_index (changes, UiSideChange, i);
    int key = atoi (strrchr (change->name, ' '));

    g_assert_cmpfloat_with_epsilon (change->values[0],
                                    get_mean (app_window_get_trace (window), 0, query, key), 1e-6);
    g_assert_cmpfloat_with_epsilon (change->values[1],
                                    get_mean (app_window_get_trace (window), 3, query, key), 1e-6);
    g_assert_cmpfloat (fabs (change->values[0] - change->values[1]), <=, before);
    before = fabs (change->values[0] - change->values[1]);
  }
}

static const char *
get_lit_view (AppWindow *window)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "view");

  return g_intern_string (g_variant_get_string (state, NULL));
}

/* A difference is a matrix, and that is the view that is lit. Heads has the two sides beside each
 * other; the model view, which compares nothing, keeps the choice for whoever comes back. */
static void
test_view_of_difference (AppWindow *window)
{
  g_autofree char *headline = NULL;

  g_assert_cmpstr (get_lit_view (window), ==, "head");
  activate (window, "win.compare::difference");
  g_assert_true (ui_scene_is_difference (get_scene (window)));
  g_assert_cmpstr (get_lit_view (window), ==, "matrix");
  activate (window, "win.view::matrix");
  g_assert_true (ui_scene_is_difference (get_scene (window)));
  activate (window, "win.view::head");
  g_assert_cmpstr (get_lit_view (window), ==, "head");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_SIDES);
  g_assert_true (ui_scene_is_panels (get_scene (window)));
  activate (window, "win.undo");
  g_assert_true (ui_scene_is_difference (get_scene (window)));

  activate (window, "win.view::model");
  g_assert_cmpstr (get_lit_view (window), ==, "model");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_DIFFERENCE);
  g_assert_cmpstr (window_get_label (window, "compare_button"), ==, "Compare");
  headline = ui_scene_headline (get_scene (window));
  g_assert_true (g_str_has_suffix (headline, ", by layer. Nothing is compared here."));
  activate (window, "win.view::matrix");
  g_assert_cmpstr (window_get_label (window, "compare_button"), ==, "Compare difference");
  activate (window, "win.compare::off");
  g_assert_cmpstr (get_lit_view (window), ==, "matrix");
}

/* The same pass serves both sides; nothing runs. */
static void
test_same_pass (AppWindow *window)
{
  g_assert_false (gtk_widget_is_visible (window_find (window, "compare_bar")));
  g_assert_false (says_whose_predictions (window));
  activate (window, "win.compare::sides");
  g_assert_true (says_whose_predictions (window));
  g_assert_true (gtk_widget_is_visible (window_find (window, "compare_bar")));
  g_assert_true (ui_scene_is_panels (get_scene (window)));
  g_assert_true (window_get_second_trace (window) == app_window_get_trace (window));
  assert_status (window, "beside itself");

  gtk_drop_down_set_selected (GTK_DROP_DOWN (driver_find (window_find (window, "compare_bar"),
                                                          GTK_TYPE_DROP_DOWN, 0)), 3 + 1);
  g_assert_true (app_window_get_document (window)->compare_layer_set);
  g_assert_cmpint (app_window_get_document (window)->compare_layer, ==, 3);
  g_assert_true (window_get_second_trace (window) == app_window_get_trace (window));
  assert_status (window, "beside layer 3");
  assert_changes (window, 2);

  type (window, 2, "1,4");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->compare_heads, 12), ==, 2);
  assert_status (window, "layer 3, heads 1,4");
  activate (window, "win.view::neuron");
  assert_status (window, "beside layer 3, head 1");
  activate (window, "win.view::head");
  type (window, 2, "1,");
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->compare_heads, 12), ==, 2);
  type (window, 2, "");
  g_assert_false (app_window_get_document (window)->compare_heads_set);

  activate (window, "win.compare::difference");
  assert_status (window, "minus layer 3");
  assert_changes (window, 2);
  activate (window, "win.compare::off");
  g_assert_false (says_whose_predictions (window));
  g_assert_false (gtk_widget_is_visible (window_find (window, "compare_bar")));
  g_assert_false (ui_scene_is_panels (get_scene (window)));
  g_assert_null (window_get_second_trace (window));
}

/* A text of its own has a pass of its own, with the first side's B as long as that is not changed;
 * undo takes it back. */
static void
test_text (AppWindow *window)
{
  GtkEditable *entry;

  activate (window, "win.compare::sides");
  type (window, 0, "A dog sat");
  wait_until (shows_second_text (window, "A dog sat"));
  g_assert_true (window_get_second_trace (window) != app_window_get_trace (window));
  g_assert_cmpstr (eng_trace_get_text_b (window_get_second_trace (window)), ==,
                   app_window_get_document (window)->text_b);
  type (window, 1, "");
  wait_until (eng_trace_get_text_b (window_get_second_trace (window))[0] == '\0');
  g_assert_cmpint (eng_trace_get_n_queries (window_get_second_trace (window), ENG_KIND_ENCODER), ==,
                   5);
  g_assert_cmpint (eng_trace_get_n_queries (app_window_get_trace (window), ENG_KIND_ENCODER), ==,
                   N_TOKENS);
  assert_status (window, "beside another text");

  while (app_window_get_document (window)->compare_text_a_set)
    activate (window, "win.undo");
  g_assert_true (window_get_second_trace (window) == app_window_get_trace (window));
  entry = GTK_EDITABLE (get_text_entry (window, 0));
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "");
}

/* B alone stands behind the first side's A, and goes with it. */
static void
test_text_b (AppWindow *window)
{
  activate (window, "win.compare::sides");
  type (window, 1, "A dog");
  g_assert_true (app_window_get_document (window)->compare_text_a_set);
  g_assert_cmpstr (app_window_get_document (window)->compare_text_a, ==,
                   app_window_get_document (window)->text_a);
  g_assert_cmpstr (app_window_get_document (window)->compare_text_b, ==, "A dog");
  type (window, 0, "");
  g_assert_false (app_window_get_document (window)->compare_text_a_set);
  g_assert_null (app_window_get_document (window)->compare_text_b);
}

/* A model that cannot be opened leaves the first side alone and says why in the bar. */
static void
test_refusal (AppWindow *window)
{
  GtkWidget *bar = window_find (window, "compare_bar");

  activate (window, "win.compare::sides");
  activate (window, "win.compare-model::no-such-model");
  wait_until (driver_find_label (bar, "no-such-model") != NULL
              && driver_find_label (bar, "it is no folder") != NULL);
  g_assert_null (window_get_second_trace (window));
  g_assert_false (ui_scene_is_panels (get_scene (window)));
  activate (window, "win.compare-model::");
  g_assert_null (driver_find_label (bar, "it is no folder"));
  g_assert_true (ui_scene_is_panels (get_scene (window)));
}

/* Half of what the weights of a head differ by, a mean over its rows. */
static double
get_moved (AppWindow *window,
           int        layer,
           int        head)
{
  g_autoptr (EngAttention) first =
    eng_trace_dup_attention (app_window_get_trace (window), ENG_KIND_ENCODER, layer);
  g_autoptr (EngAttention) second =
    eng_trace_dup_attention (window_get_second_trace (window), ENG_KIND_ENCODER, layer);
  const gsize n = N_TOKENS * N_TOKENS;
  double sum = 0;

  for (gsize i = head * n; i < (head + 1) * n; i++)
    sum += fabs (first->weights[i] - second->weights[i]);
  return sum / 2 / N_TOKENS;
}

/* The inspector says what edits change: its rows are links of both sides, its heads those that
 * changed most, which are lit in the map by "changed"; a click shows one. */
static void
test_changed (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");
  GtkEditable *search = GTK_EDITABLE (window_find (window, "map_search"));
  UiChangedLinkList *links;
  UiChangedHeadList *heads;
  UiHeadChange most;
  UiLinkChange link;
  const UiItem *aim = ui_scene_view_get_cursor (window_view (window));

  gtk_editable_set_text (search, "changed");
  driver_settle (GTK_WIDGET (window));
  g_assert_nonnull (driver_find_label (window_find (window, "map_list"), "Nothing is compared"));
  gtk_editable_set_text (search, "");
  change (window, "edit", "zero 1.5");
  activate (window, "win.compare::sides");
  wait_until (window_has_other_trace (window) && is_idle (window));
  g_assert_nonnull (driver_find_label (inspector, "What the edit changes"));
  g_assert_nonnull (driver_find_label (inspector, "This, Other, change"));
  links = UI_CHANGED_LINK_LIST (driver_find (inspector, UI_TYPE_CHANGED_LINK_LIST, 0));
  heads = UI_CHANGED_HEAD_LIST (driver_find (inspector, UI_TYPE_CHANGED_HEAD_LIST, 0));
  g_assert_true (ui_changed_head_list_get_row (heads, 0, &most));
  g_assert_cmpfloat_with_epsilon (most.moved, get_moved (window, most.layer, most.head), 1e-6);
  for (int layer = 0; layer < 6; layer++)
    for (int head = 0; head < 12; head++)
      g_assert_cmpfloat (get_moved (window, layer, head), <=, most.moved + 1e-6);

  gtk_editable_set_text (search, "changed");
  driver_settle (GTK_WIDGET (window));
  g_assert_null (driver_find_label (window_find (window, "map_list"), "No head"));
  gtk_editable_set_text (search, "");

  gtk_widget_grab_focus (GTK_WIDGET (heads));
  g_assert_true (driver_press_key (GTK_WIDGET (heads), "Return"));
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_document (window)->layer, ==, most.layer);
  g_assert_cmpint (ui_head_set_first (&app_window_get_document (window)->heads, 12), ==, most.head);

  g_assert_true (ui_changed_link_list_get_row (links, 0, &link));
  g_assert_cmpint (link.heads[0], ==, most.head);
  gtk_widget_grab_focus (GTK_WIDGET (links));
  g_assert_true (driver_press_key (GTK_WIDGET (links), "space"));
  g_assert_true (ui_pins_has (&app_window_get_document (window)->pins, FALSE, link.queries[0]));
  g_assert_true (ui_pins_has (&app_window_get_document (window)->pins, TRUE, link.keys[0]));
  g_assert_true (driver_press_key (GTK_WIDGET (links), "Return"));
  g_assert_cmpint (aim->type, ==, UI_ITEM_QUERY);

  activate (window, "win.compare::off");
  wait_until (is_idle (window));
  g_assert_null (driver_find_label (inspector, "What the edit changes"));
  g_assert_null (driver_find_label (inspector, "This, Other, change"));
}

static void
click_token (AppWindow *window,
             int        panel,
             int        token)
{
  UiItem item = { .type = UI_ITEM_QUERY, .query = token, .panel = panel };
  UiRect rect;

  driver_settle (GTK_WIDGET (window));
  g_assert_true (ui_scene_get_rect (get_scene (window), &item, &rect));
  driver_click_at (GTK_WIDGET (window_view (window)), 1, rect.x + rect.width / 2,
                   rect.y + rect.height / 2);
  wait_until (is_idle (window));
}

/* [CLS] a the cat [SEP]: its cat (3) is the first side's second token. */
static void
test_click (AppWindow *window)
{
  UiItem second = { .type = UI_ITEM_QUERY, .query = 3, .panel = 1 };
  const UiPins *pins;

  activate (window, "win.compare::sides");
  type (window, 0, "A the cat");
  wait_until (shows_second_text (window, "A the cat"));
  click_token (window, 1, 3);
  g_assert_cmpint (app_window_get_document (window)->pins.n_queries, ==, 1);
  g_assert_cmpint (app_window_get_document (window)->pins.queries[0], ==, 2);
  pins = &ui_scene_get_document (ui_scene_get_part (get_scene (window), &second))->pins;
  g_assert_cmpint (pins->n_queries, ==, 1);
  g_assert_cmpint (pins->queries[0], ==, 3);

  /* The first side has no “a”: nothing is pinned instead. */
  click_token (window, 1, 1);
  g_assert_cmpint (app_window_get_document (window)->pins.n_queries, ==, 1);
  g_assert_cmpint (app_window_get_document (window)->pins.queries[0], ==, 2);
  g_assert_nonnull (driver_find_label (window_find (window, "inspector"), "on both sides"));
}

/* A link is of one head, while twelve are shown: that is said beside its numbers. */
static void
test_link_on_both_sides (AppWindow *window)
{
  UiItem link = { .type = UI_ITEM_LINK, .head = 5, .query = 3, .key = 5 };

  activate (window, "win.compare::sides");
  wait_until (ui_scene_is_panels (get_scene (window)));
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  ui_scene_view_set_cursor (window_view (window), &link);
  wait_until (driver_find_label (window_find (window, "inspector"),
                                 "reads in head 5, on both sides") != NULL);
}

static void
go_to_head (AppWindow *window,
            int        layer,
            int        head)
{
  UiItem item = { .type = UI_ITEM_HEAD, .layer = layer, .head = head };

  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  ui_scene_view_set_cursor (window_view (window), &item);
  g_assert_true (driver_press_key (GTK_WIDGET (window_view (window)), "<Shift>Return"));
  wait_until (is_idle (window));
}

static void
test_heads (AppWindow *window)
{
  UiItem item = { .type = UI_ITEM_QUERY, .panel = 1 };
  GtkWidget *choice = window_find (window, "compare_heads_choice");
  GtkWidget *button;

  g_assert_false (gtk_widget_get_sensitive (choice));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (choice), "collects"));
  activate (window, "win.compare::heads");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_OFF);

  activate (window, "win.view::model");
  go_to_head (window, 2, 9);
  go_to_head (window, 0, 1);
  g_assert_true (gtk_widget_get_sensitive (choice));
  button = gtk_widget_get_last_child (window_find (window, "collected_row"));
  g_assert_true (gtk_widget_get_visible (button));
  g_signal_emit_by_name (button, "clicked");
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_shown (window)->view, ==, UI_VIEW_HEAD);
  g_assert_cmpint (app_window_get_shown (window)->compare, ==, UI_COMPARE_HEADS);
  g_assert_true (ui_scene_is_panels (get_scene (window)));
  g_assert_cmpint (ui_scene_get_weights (ui_scene_get_part (get_scene (window), &item))->heads[0],
                   ==, 1);
  assert_status (window, "2 heads side by side");
  button = gtk_widget_get_last_child (window_find (window, "collected_row"));
  g_assert_false (gtk_widget_get_visible (button));
  g_assert_true (gtk_widget_is_visible (window_find (window, "collected_button")));

  /* The last head that is taken out ends the comparison. */
  g_signal_emit_by_name (driver_find (window_find (window, "collected_row"), GTK_TYPE_BUTTON, 0),
                         "clicked");
  assert_status (window, "1 head side by side");
  g_signal_emit_by_name (driver_find (window_find (window, "collected_row"), GTK_TYPE_BUTTON, 0),
                         "clicked");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_OFF);
}

/* A layer beyond the model's is put aside, not forgotten. */
static void
test_beyond (AppWindow *window)
{
  change (window, "compare-layer", "40");
  activate (window, "win.compare::sides");
  g_assert_cmpint (app_window_get_document (window)->compare_layer, ==, 40);
  g_assert_cmpint (app_window_get_shown (window)->compare_layer, ==, 5);
  g_assert_true (ui_scene_is_panels (get_scene (window)));
  change (window, "compare-heads", "90");
  g_assert_true (app_window_get_shown (window)->compare_heads.all);
}

/* Of the window, without what is drawn around it. */
static double
get_top (AppWindow *window,
         GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (window), &bounds));
  return bounds.origin.y;
}

/* The second side takes one line of 35; what was given comes back. */
static void
test_room (AppWindow *window)
{
  GtkWidget *picture = window_find (window, "picture_scroller");
  int height;

  resize (window, 1280, 800);
  height = gtk_widget_get_height (picture);
  activate (window, "win.compare::sides");
  driver_settle (GTK_WIDGET (window));
  g_assert_cmpint (height - gtk_widget_get_height (picture), <=, 36);
  g_assert_cmpfloat (get_top (window, picture), <=, 170 + CAPTION);
  activate (window, "win.compare::off");
  driver_settle (GTK_WIDGET (window));
  g_assert_cmpint (gtk_widget_get_height (picture), ==, height);
}

/* At 900 pixels the toolbar is one line, and so is the second side, whatever differs. */
static void
test_narrow (AppWindow *window)
{
  resize (window, 900, 700);
  g_assert_cmpint (gtk_widget_get_height (window_find (window, "toolbar")), <, 60);
  activate (window, "win.compare::sides");
  driver_settle (GTK_WIDGET (window));
  g_assert_cmpint (gtk_widget_get_height (window_find (window, "compare_bar")), <=, 36);
  change (window, "compare-layer", "3");
  change (window, "compare-heads", "1,4,5,6,7,8,9");
  driver_settle (GTK_WIDGET (window));
  g_assert_cmpint (gtk_widget_get_height (window_find (window, "compare_bar")), <=, 36);
  g_assert_cmpint (gtk_widget_get_height (window_find (window, "toolbar")), <, 60);
}

/* From the middle of an entry to that of the letter in it. */
static double
get_badge_drop (GtkWidget *entry)
{
  GtkWidget *badge = gtk_widget_get_next_sibling (entry);
  graphene_rect_t of_entry, of_badge;

  g_assert_true (gtk_widget_has_css_class (badge, "badge"));
  g_assert_true (gtk_widget_compute_bounds (entry, gtk_widget_get_parent (entry), &of_entry));
  g_assert_true (gtk_widget_compute_bounds (badge, gtk_widget_get_parent (entry), &of_badge));
  return of_badge.origin.y + of_badge.size.height / 2
         - (of_entry.origin.y + of_entry.size.height / 2);
}

/* The texts of both sides are read alike: letters in the middle of a line, and as many lines as the
 * same text has above. */
static void
test_texts (AppWindow *window)
{
  static const char *const ids[] = { "entry_a", "entry_b" };
  static const char long_text[] = "The cat sat on the mat that the dog lay on before";

  activate (window, "win.compare::sides");
  change (window, "compare-text-a", app_window_get_document (window)->text_a);
  change (window, "compare-text-b", app_window_get_document (window)->text_b);
  driver_settle (GTK_WIDGET (window));
  for (int i = 0; i < 2; i++) {
    g_assert_cmpfloat (fabs (get_badge_drop (window_find (window, ids[i]))), <=, 1);
    g_assert_cmpfloat (fabs (get_badge_drop (get_text_entry (window, i))), <=, 1);
  }

  for (int i = 0; i < 2; i++) {
    gtk_editable_set_text (GTK_EDITABLE (window_find (window, ids[i])), long_text);
    gtk_editable_set_text (GTK_EDITABLE (get_text_entry (window, i)), long_text);
  }
  resize (window, 420, 800);
  driver_settle (GTK_WIDGET (window));
  for (int i = 0; i < 2; i++) {
    g_assert_cmpint (gtk_widget_get_height (window_find (window, ids[i])), >=, 48);
    g_assert_cmpint (gtk_widget_get_height (get_text_entry (window, i)), >=,
                     gtk_widget_get_height (window_find (window, ids[i])));
  }
}

/* The bar takes room of the picture, and the second text comes later than the choice. */
static void
test_fit (AppWindow *window)
{
  double width, height, view_width, view_height;

  activate (window, "win.compare::sides");
  type (window, 0, "A second text which is much longer than the first one of the pair is, so that "
                   "the picture of both needs a smaller zoom than that of one did");
  activate (window, "win.zoom-fit");
  wait_until (is_idle (window) && window_has_other_trace (window) && !window_is_fitting (window));

  ui_scene_get_size (get_scene (window), &width, &height);
  view_width = gtk_widget_get_width (GTK_WIDGET (window_view (window)));
  view_height = gtk_widget_get_height (GTK_WIDGET (window_view (window)));
  g_assert_cmpfloat (width, <=, view_width + 1);
  g_assert_cmpfloat (height, <=, view_height + 1);
  g_assert_true (width > 0.9 * view_width || height > 0.9 * view_height);
}

static double
get_overflow (AppWindow *window)
{
  double height;

  ui_scene_get_size (get_scene (window), NULL, &height);
  return height - gtk_widget_get_height (GTK_WIDGET (window_view (window)));
}

static void
compare_sides (AppWindow *window)
{
  activate (window, "win.compare::sides");
  wait_until (is_idle (window) && !window_is_fitting (window));
  driver_settle (GTK_WIDGET (window));
}

/* What opens is seen as a whole where a row or two are missing, and is read as before where it is much
 * that is. */
static void
test_opens_in_sight (AppWindow *window)
{
  UiSceneView *view = window_view (window);

  compare_sides (window);
  ui_scene_view_set_zoom (view, 1);
  for (int height = 700; get_overflow (window) <= 0 && height > 560; height -= 10)
    resize (window, 1280, height);
  g_assert_cmpfloat (get_overflow (window), >, 0);
  activate (window, "win.compare::off");
  ui_scene_view_set_zoom (view, 1);
  compare_sides (window);
  g_assert_cmpfloat (get_overflow (window), <=, 1);
  g_assert_cmpfloat (ui_scene_view_get_zoom (view), >=, 0.8);
  g_assert_cmpfloat (ui_scene_view_get_zoom (view), <, 1);

  activate (window, "win.compare::off");
  ui_scene_view_set_zoom (view, 1);
  resize (window, 420, 800);
  compare_sides (window);
  g_assert_cmpfloat (get_overflow (window), >, 100);
  g_assert_cmpfloat (ui_scene_view_get_zoom (view), ==, 1);
}

/* Another pass with the same numbers: no head has changed, and none is listed. */
static void
test_nothing_changed (AppWindow *window)
{
  GtkWidget *inspector = window_find (window, "inspector");

  activate (window, "win.compare::sides");
  change (window, "compare-edit", "scale 0.1 1");
  wait_until (window_has_other_trace (window) && is_idle (window));
  g_assert_nonnull (driver_find_label (inspector, "No link differs"));
  g_assert_false (gtk_widget_get_visible (driver_find (inspector, UI_TYPE_CHANGED_HEAD_LIST, 0)));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-compare/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("view-of-difference", test_view_of_difference);
  ADD ("same-pass", test_same_pass);
  ADD ("text", test_text);
  ADD ("text-b", test_text_b);
  ADD ("refusal", test_refusal);
  ADD ("changed", test_changed);
  ADD ("click", test_click);
  ADD ("link-on-both-sides", test_link_on_both_sides);
  ADD ("heads", test_heads);
  ADD ("beyond", test_beyond);
  ADD ("room", test_room);
  ADD ("narrow", test_narrow);
  ADD ("texts", test_texts);
  ADD ("fit", test_fit);
  ADD ("opens-in-sight", test_opens_in_sight);
  ADD ("nothing-changed", test_nothing_changed);
  return g_test_run ();
}
