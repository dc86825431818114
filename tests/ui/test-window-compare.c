/* SPDX-License-Identifier: MIT */
/* Comparing in the real window. What is drawn of two sides is tested in tests/scene/. */
#include "tests/support/window-test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/scene/panels.h"
#include "ui/scene/side-changes.h"

static UiScene *
get_scene (AppWindow *window)
{
  return ui_scene_view_get_scene (window->scene_view);
}

#define N_TOKENS 15 /* of the example pair */

/* Every test compares in its own window. */
/* The n-th entry of the bar: A, B, heads. */
static void
type (AppWindow  *window,
      int         entry,
      const char *text)
{
  GtkWidget *widget = driver_find (GTK_WIDGET (window->compare_bar), GTK_TYPE_ENTRY, entry);

  g_assert_nonnull (widget);
  gtk_editable_set_text (GTK_EDITABLE (widget), text);
}

static void
assert_status (AppWindow  *window,
               const char *part)
{
  g_assert_nonnull (strstr (gtk_label_get_label (window->selection_status), part));
}

static void
change (AppWindow  *window,
        const char *field,
        const char *value)
{
  UiDocument *document = ui_document_copy (window->document);

  g_assert_true (ui_document_set (document, ui_fields_find (field), value, NULL));
  app_window_change (window, document);
  wait_until (is_idle (window));
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
                                    get_mean (window->trace, 0, query, key), 1e-6);
    g_assert_cmpfloat_with_epsilon (change->values[1],
                                    get_mean (window->trace, 3, query, key), 1e-6);
    g_assert_cmpfloat (fabs (change->values[0] - change->values[1]), <=, before);
    before = fabs (change->values[0] - change->values[1]);
  }
}

/* The same pass serves both sides; nothing runs. */
static void
test_same_pass (AppWindow *window)
{
  g_assert_false (gtk_widget_is_visible (GTK_WIDGET (window->compare_bar)));
  activate (window, "win.compare::sides");
  g_assert_true (gtk_widget_is_visible (GTK_WIDGET (window->compare_bar)));
  g_assert_true (ui_scene_is_panels (get_scene (window)));
  g_assert_true (window->second_trace == window->trace);
  assert_status (window, "beside itself");

  gtk_drop_down_set_selected (GTK_DROP_DOWN (driver_find (GTK_WIDGET (window->compare_bar),
                                                          GTK_TYPE_DROP_DOWN, 0)), 3 + 1);
  g_assert_true (window->document->compare_layer_set);
  g_assert_cmpint (window->document->compare_layer, ==, 3);
  g_assert_true (window->second_trace == window->trace);
  assert_status (window, "beside layer 3");
  assert_changes (window, 2);

  type (window, 2, "1,4");
  g_assert_cmpint (ui_head_set_count (&window->shown->compare_heads, 12), ==, 2);
  assert_status (window, "layer 3, heads 1,4");
  type (window, 2, "1,");
  g_assert_cmpint (ui_head_set_count (&window->shown->compare_heads, 12), ==, 2);
  type (window, 2, "");
  g_assert_false (window->document->compare_heads_set);

  activate (window, "win.compare::difference");
  assert_status (window, "minus layer 3");
  assert_changes (window, 2);
  activate (window, "win.compare::off");
  g_assert_false (gtk_widget_is_visible (GTK_WIDGET (window->compare_bar)));
  g_assert_false (ui_scene_is_panels (get_scene (window)));
  g_assert_null (window->second_trace);
}

static gboolean
shows_second_text (AppWindow  *window,
                   const char *text)
{
  return window->second_trace != NULL
         && g_strcmp0 (eng_trace_get_text_a (window->second_trace), text) == 0;
}

/* A text of its own has a pass of its own; undo takes it back. */
static void
test_text (AppWindow *window)
{
  GtkEditable *entry;

  activate (window, "win.compare::sides");
  type (window, 0, "A dog sat");
  wait_until (shows_second_text (window, "A dog sat"));
  g_assert_true (window->second_trace != window->trace);
  g_assert_cmpstr (eng_trace_get_text_b (window->second_trace), ==, "");
  g_assert_cmpint (eng_trace_get_n_queries (window->second_trace, ENG_KIND_ENCODER), ==, 5);
  g_assert_cmpint (eng_trace_get_n_queries (window->trace, ENG_KIND_ENCODER), ==, N_TOKENS);
  assert_status (window, "beside another text");

  activate (window, "win.undo");
  g_assert_false (window->document->compare_text_a_set);
  g_assert_true (window->second_trace == window->trace);
  entry = GTK_EDITABLE (driver_find (GTK_WIDGET (window->compare_bar), GTK_TYPE_ENTRY, 0));
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "");
}

/* B alone stands behind the first side's A, and goes with it. */
static void
test_text_b (AppWindow *window)
{
  activate (window, "win.compare::sides");
  type (window, 1, "A dog");
  g_assert_true (window->document->compare_text_a_set);
  g_assert_cmpstr (window->document->compare_text_a, ==, window->document->text_a);
  g_assert_cmpstr (window->document->compare_text_b, ==, "A dog");
  type (window, 0, "");
  g_assert_false (window->document->compare_text_a_set);
  g_assert_null (window->document->compare_text_b);
}

/* A model that cannot be opened leaves the first side alone and says why in the bar. */
static void
test_refusal (AppWindow *window)
{
  GtkWidget *bar = GTK_WIDGET (window->compare_bar);

  activate (window, "win.compare::sides");
  activate (window, "win.compare-model::no-such-model");
  wait_until (driver_find_label (bar, "no-such-model") != NULL
              && driver_find_label (bar, "it is no folder") != NULL);
  g_assert_null (window->second_trace);
  g_assert_false (ui_scene_is_panels (get_scene (window)));
  activate (window, "win.compare-model::");
  g_assert_null (driver_find_label (bar, "it is no folder"));
  g_assert_true (ui_scene_is_panels (get_scene (window)));
}

/* With the edits beside without them. */
static void
test_without_edits (AppWindow *window)
{
  GtkCheckButton *plain;

  change (window, "edit", "zero 0.1");
  activate (window, "win.compare::difference");
  plain = GTK_CHECK_BUTTON (driver_find (GTK_WIDGET (window->compare_bar), GTK_TYPE_CHECK_BUTTON,
                                         0));
  g_assert_true (gtk_widget_is_visible (GTK_WIDGET (plain)));
  gtk_check_button_set_active (plain, TRUE);
  g_assert_true (window->document->compare_edits_set);
  wait_until (window->second_trace != NULL && window->second_trace != window->trace);
  g_assert_cmpint (g_strv_length ((char **) eng_trace_get_edits (window->trace)), ==, 1);
  g_assert_cmpint (g_strv_length ((char **) eng_trace_get_edits (window->second_trace)), ==, 0);
  assert_status (window, "minus the pass without edits");
  gtk_check_button_set_active (plain, FALSE);
  g_assert_false (window->document->compare_edits_set);
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
  driver_click_at (GTK_WIDGET (window->scene_view), 1, rect.x + rect.width / 2,
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
  g_assert_cmpint (window->document->pins.n_queries, ==, 1);
  g_assert_cmpint (window->document->pins.queries[0], ==, 2);
  pins = &ui_scene_get_document (ui_scene_get_part (get_scene (window), &second))->pins;
  g_assert_cmpint (pins->n_queries, ==, 1);
  g_assert_cmpint (pins->queries[0], ==, 3);

  /* The first side has no “a”: nothing is pinned instead. */
  click_token (window, 1, 1);
  g_assert_cmpint (window->document->pins.n_queries, ==, 1);
  g_assert_cmpint (window->document->pins.queries[0], ==, 2);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (window->inspector), "on both sides"));
}

static void
go_to_head (AppWindow *window,
            int        layer,
            int        head)
{
  UiItem item = { .type = UI_ITEM_HEAD, .layer = layer, .head = head };

  gtk_widget_grab_focus (GTK_WIDGET (window->scene_view));
  ui_scene_view_set_cursor (window->scene_view, &item);
  g_assert_true (driver_press_key (GTK_WIDGET (window->scene_view), "<Shift>Return"));
  wait_until (is_idle (window));
}

static void
test_heads (AppWindow *window)
{
  UiItem item = { .type = UI_ITEM_QUERY, .panel = 1 };
  GtkWidget *button;

  g_assert_false (gtk_widget_get_sensitive (window->compare_heads_choice));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (window->compare_heads_choice),
                            "collects"));
  activate (window, "win.compare::heads");
  g_assert_cmpint (window->document->compare, ==, UI_COMPARE_OFF);

  activate (window, "win.view::model");
  go_to_head (window, 2, 9);
  go_to_head (window, 0, 1);
  g_assert_true (gtk_widget_get_sensitive (window->compare_heads_choice));
  button = gtk_widget_get_last_child (window->collected_row);
  g_assert_true (gtk_widget_is_visible (button));
  g_signal_emit_by_name (button, "clicked");
  wait_until (is_idle (window));
  g_assert_cmpint (window->shown->view, ==, UI_VIEW_HEAD);
  g_assert_cmpint (window->shown->compare, ==, UI_COMPARE_HEADS);
  g_assert_true (ui_scene_is_panels (get_scene (window)));
  g_assert_cmpint (ui_scene_get_weights (ui_scene_get_part (get_scene (window), &item))->heads[0],
                   ==, 1);
  assert_status (window, "2 heads side by side");
  g_assert_false (gtk_widget_is_visible (window->chip_row));
  g_assert_true (gtk_widget_is_visible (window->collected_row));

  /* The last head that is taken out ends the comparison. */
  g_signal_emit_by_name (driver_find (window->collected_row, GTK_TYPE_BUTTON, 0), "clicked");
  assert_status (window, "1 head side by side");
  g_signal_emit_by_name (driver_find (window->collected_row, GTK_TYPE_BUTTON, 0), "clicked");
  g_assert_cmpint (window->document->compare, ==, UI_COMPARE_OFF);
  g_assert_true (gtk_widget_is_visible (window->chip_row));
}

/* A layer beyond the model's is put aside, not forgotten. */
static void
test_beyond (AppWindow *window)
{
  change (window, "compare-layer", "40");
  activate (window, "win.compare::sides");
  g_assert_cmpint (window->document->compare_layer, ==, 40);
  g_assert_cmpint (window->shown->compare_layer, ==, 5);
  g_assert_true (ui_scene_is_panels (get_scene (window)));
  change (window, "compare-heads", "90");
  g_assert_true (window->shown->compare_heads.all);
}

/* Only the first side is edited: what the second one alone has has no menu. */
static void
test_menu (AppWindow *window)
{
  const char *longer = "the old cat sat on the mat and the dog lay on the rug by the fire all day";
  UiItem item = { .type = UI_ITEM_QUERY, .query = N_TOKENS + 1, .panel = 1 };
  GtkWidget *view = GTK_WIDGET (window->scene_view);

  activate (window, "win.compare::sides");
  type (window, 0, longer);
  wait_until (shows_second_text (window, longer) && is_idle (window));
  ui_scene_view_set_cursor (window->scene_view, &item);
  g_assert_cmpint (ui_scene_view_get_cursor (window->scene_view)->query, ==, N_TOKENS + 1);
  g_assert_false (driver_press_key (view, "Menu"));

  item = (UiItem) { .type = UI_ITEM_QUERY, .query = 2 };
  ui_scene_view_set_cursor (window->scene_view, &item);
  g_assert_true (driver_press_key (view, "Menu"));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-compare/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("same-pass", test_same_pass);
  ADD ("text", test_text);
  ADD ("text-b", test_text_b);
  ADD ("refusal", test_refusal);
  ADD ("without-edits", test_without_edits);
  ADD ("click", test_click);
  ADD ("heads", test_heads);
  ADD ("beyond", test_beyond);
  ADD ("menu", test_menu);
  return g_test_run ();
}
