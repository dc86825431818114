/* SPDX-License-Identifier: MIT */
/* The steps of a token in the real window: by keys and by its bar, numbers that are looked at, what
 * is tried, and away again. */
#include <math.h>

#include "tests/app/shell/window-case.h"
#include "tests/support/window/real-input.h"
#include "tests/support/window/widget-driver.h"
#include "ui/scene/steps/steps-facts.h"
#include "ui/scene/steps/steps-scene.h"
#include "ui/view/scene-view-private.h"

#define LAYOUT_MS 200 /* until a bar that has come stands where it stays */

static UiScene *
get_scene (Fixture *fixture)
{
  return ui_scene_view_get_scene (window_view (fixture->window));
}

static int
get_step (Fixture *fixture)
{
  return ui_steps_get_n (get_scene (fixture)) > 0 ? ui_steps_get_step (get_scene (fixture)) : -1;
}

static void
open_steps (Fixture *fixture)
{
  activate (fixture, "win.view::steps");
  wait_until (get_step (fixture) == 0);
}

/* The keys of the whole way there and back; none of them is a step of history. */
static void
test_keys (Fixture *fixture)
{
  const gboolean could_undo = is_enabled (fixture, "undo");
  const UiItem *cursor;

  if (!has_real_input ())
    return;
  gtk_widget_grab_focus (GTK_WIDGET (window_view (fixture->window)));
  press_key ("ctrl+5");
  wait_until (get_step (fixture) == 0);
  for (int step = 1; step <= 7; step++) {
    press_key ("space");
    wait_until (get_step (fixture) == step);
  }
  press_key ("BackSpace");
  wait_until (get_step (fixture) == 6);
  g_assert_cmpint (is_enabled (fixture, "undo"), ==, could_undo);

  /* Down into the card: a number, and Return looks at it. */
  press_key ("Down");
  press_key ("Down");
  wait_until ((cursor = ui_scene_view_get_cursor (window_view (fixture->window)))->type
              == UI_ITEM_NUMBER);
  press_key ("Return");
  wait_until (get_drawn_document (fixture)->number_set);
  press_key ("Escape");
  wait_until (!get_drawn_document (fixture)->number_set);

  press_key ("ctrl+1");
  wait_until (get_drawn_document (fixture)->view == UI_VIEW_HEAD);
  press_key ("ctrl+5");
  wait_until (get_step (fixture) == 6);
}

static void
test_bar (Fixture *fixture)
{
  GtkWidget *bar = window_find (fixture->window, "steps_bar");
  int n;

  g_assert_false (gtk_widget_get_visible (bar));
  g_assert_false (is_enabled (fixture, "step-forward"));
  open_steps (fixture);
  n = ui_steps_get_n (get_scene (fixture));
  g_assert_true (gtk_widget_get_visible (bar));
  g_assert_false (is_enabled (fixture, "step-back"));
  activate (fixture, "win.step-forward");
  wait_until (get_step (fixture) == 1);
  assert_contains (window_get_label (fixture->window, "steps_label"), "1 / ");
  gtk_range_set_value (GTK_RANGE (window_find (fixture->window, "steps_scale")), n - 1);
  wait_until (get_step (fixture) == n - 1);
  g_assert_false (is_enabled (fixture, "step-forward"));

  activate (fixture, "win.whole-way");
  wait_until (get_drawn_document (fixture)->step == UI_STEP_ALL);
  g_assert_false (is_enabled (fixture, "step-back"));
  activate (fixture, "win.whole-way");
  wait_until (get_drawn_document (fixture)->step == n - 1);

  activate (fixture, "win.play-steps");
  wait_until (get_step (fixture) == 2);
  activate (fixture, "win.play-steps");
  activate (fixture, "win.view::head");
  wait_until (!gtk_widget_get_visible (bar));
}

/* All opens with the step in sight that one came from, whichever that is, and leads back to it. Bar
 * and line agree on how many there are. */
static void
test_all (Fixture *fixture)
{
  UiSceneView *view = window_view (fixture->window);
  GtkRange *scale = GTK_RANGE (window_find (fixture->window, "steps_scale"));
  int n;

  open_steps (fixture);
  n = ui_steps_get_n (get_scene (fixture));
  for (int step = n - 1; step >= 0; step -= 7) {
    const UiItem item = { .type = UI_ITEM_STAGE, .stage = step };
    g_autofree char *words = g_strdup_printf ("0–%d", n - 1);
    g_autofree char *said = g_strdup_printf ("Steps 0 to %d of", n - 1);
    g_autofree char *headline = NULL;
    UiRect rect, area;

    gtk_range_set_value (scale, step);
    wait_until (get_step (fixture) == step);
    activate (fixture, "win.whole-way");
    wait_until (ui_steps_is_whole (get_scene (fixture)));
    driver_settle (GTK_WIDGET (view));
    area = ui_scene_view_get_area (view);
    g_assert_true (ui_scene_get_rect (get_scene (fixture), &item, &rect));
    /* Scrolling goes by whole pixels. */
    g_assert_cmpfloat (rect.y + 1, >=, area.y + ui_scene_get_header (get_scene (fixture)));
    g_assert_cmpfloat (rect.y, <, area.y + area.height / 2);
    headline = ui_scene_headline (get_scene (fixture));
    assert_contains (headline, said);
    g_assert_cmpstr (window_get_label (fixture->window, "steps_label"), ==, words);
    g_assert_cmpfloat (gtk_range_get_value (scale), ==, n - 1);
    activate (fixture, "win.whole-way");
    wait_until (!ui_steps_is_whole (get_scene (fixture)));
    g_assert_cmpint (get_step (fixture), ==, step);
  }
}

/* Of all of them Play goes on from the step that one came from, and from the end anew. */
static void
test_all_play (Fixture *fixture)
{
  GtkRange *scale = GTK_RANGE (window_find (fixture->window, "steps_scale"));
  int n;

  open_steps (fixture);
  n = ui_steps_get_n (get_scene (fixture));
  for (int is_last = 0; is_last < 2; is_last++) {
    const int step = is_last ? n - 1 : 5;

    gtk_range_set_value (scale, step);
    wait_until (get_step (fixture) == step);
    activate (fixture, "win.whole-way");
    wait_until (ui_steps_is_whole (get_scene (fixture)));
    activate (fixture, "win.play-steps");
    wait_until (!ui_steps_is_whole (get_scene (fixture)));
    g_assert_cmpint (get_step (fixture), ==, is_last ? 0 : step);
    activate (fixture, "win.play-steps");
  }
}

/* Behind the last step of the token come those of all tokens: what one had is a row of theirs, and
 * moves there unless the desktop wants no motion. */
static void
test_all_rows (Fixture *fixture)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (fixture->window));
  UiSceneView *view = window_view (fixture->window);
  int n_stages;

  open_steps (fixture);
  n_stages = eng_way_get_n_stages (ui_steps_scene_cast (get_scene (fixture))->way);
  gtk_range_set_value (GTK_RANGE (window_find (fixture->window, "steps_scale")), n_stages - 1);
  wait_until (get_step (fixture) == n_stages - 1);
  g_assert_false (ui_steps_has_all_rows (get_scene (fixture)));
  /* Play goes on where one was. */
  activate (fixture, "win.play-steps");
  wait_until (get_step (fixture) == n_stages);
  activate (fixture, "win.play-steps");
  g_assert_true (ui_steps_has_all_rows (get_scene (fixture)));
  for (int by = 1; by >= -1; by -= 2) {
    for (int is_calm = 0; is_calm < 2; is_calm++) {
      const int step = get_step (fixture) + by;
      const int stage = ui_steps_get_stage (get_scene (fixture));

      g_object_set (settings, "gtk-enable-animations", !is_calm, NULL);
      activate (fixture, by > 0 ? "win.step-forward" : "win.step-back");
      wait_until (get_step (fixture) == step);
      g_assert_true (ui_steps_has_all_rows (get_scene (fixture)));
      g_assert_cmpint (view->motion.stage, ==,
                       by > 0 ? ui_steps_get_stage (get_scene (fixture)) : stage);
      g_assert_cmpint (view->motion.moves, ==, !is_calm);
    }
  }
  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  activate (fixture, "win.step-back");
  wait_until (get_step (fixture) == n_stages - 1);
  g_assert_false (ui_steps_has_all_rows (get_scene (fixture)));
}

static GtkWidget *
get_focus (Fixture *fixture)
{
  return gtk_window_get_focus (GTK_WINDOW (fixture->window));
}

static gboolean
is_picture_focused (Fixture *fixture)
{
  return get_focus (fixture) == GTK_WIDGET (window_view (fixture->window));
}

static void
click_found (Fixture    *fixture,
             const char *id)
{
  let_pass (LAYOUT_MS);
  click_widget (window_find (fixture->window, id), "1");
}

/* What is chosen by a click gives the keys to the picture, wherever they were: Space goes on. Who
 * has come to a button by keys stays there. */
static void
test_focus (Fixture *fixture)
{
  static const struct { const char *id; UiViewKind view; } tabs[] = {
    { "heads_button", UI_VIEW_HEAD }, { "model_view_button", UI_VIEW_MODEL },
    { "neurons_button", UI_VIEW_NEURON }, { "matrix_button", UI_VIEW_MATRIX },
    { "steps_button", UI_VIEW_STEPS },
  };

  if (!has_real_input ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (tabs); i++) {
    gtk_widget_grab_focus (window_find (fixture->window, "entry_a"));
    click_found (fixture, tabs[i].id);
    wait_until (get_drawn_document (fixture)->view == tabs[i].view);
    wait_until (is_picture_focused (fixture));
  }
  press_key ("space");
  wait_until (get_step (fixture) == 1);

  click_found (fixture, "heads_button");
  wait_until (get_drawn_document (fixture)->view == UI_VIEW_HEAD);
  press_key ("ctrl+5");
  wait_until (get_step (fixture) == 1);
  press_key ("space");
  wait_until (get_step (fixture) == 2);

  click_found (fixture, "step_forward_button");
  wait_until (get_step (fixture) == 3);
  press_key ("space");
  wait_until (get_step (fixture) == 4);
  click_found (fixture, "whole_way_button");
  wait_until (get_drawn_document (fixture)->step == UI_STEP_ALL);
  click_found (fixture, "whole_way_button");
  wait_until (get_step (fixture) == 4 && get_drawn_document (fixture)->step == 4);
  press_key ("space");
  wait_until (get_step (fixture) == 5);

  gtk_widget_grab_focus (window_find (fixture->window, "step_forward_button"));
  press_key ("space");
  wait_until (get_step (fixture) == 6);
  g_assert_true (get_focus (fixture) == window_find (fixture->window, "step_forward_button"));

  /* Where the mouse left the focus space goes on, where the keyboard brought it space is that
   * widget's. */
  gtk_widget_grab_focus (window_find (fixture->window, "map"));
  gtk_window_set_focus_visible (GTK_WINDOW (fixture->window), FALSE);
  press_key ("space");
  wait_until (get_step (fixture) == 7);
  g_assert_true (get_focus (fixture) == window_find (fixture->window, "map"));

  gtk_widget_grab_focus (window_find (fixture->window, "entry_a"));
  press_key ("ctrl+1");
  wait_until (get_drawn_document (fixture)->view == UI_VIEW_HEAD);
  g_assert_true (is_picture_focused (fixture));
}

static void
click (Fixture      *fixture,
       const UiItem *item)
{
  g_signal_emit_by_name (window_view (fixture->window), "clicked", item, FALSE);
}

/* A click on a number works it out again in the picture; again takes that back. Of a token that is
 * clicked the way is shown. */
static void
test_clicks (Fixture *fixture)
{
  UiItem number = { .type = UI_ITEM_NUMBER, .stage = 7, .matrix = 0, .row = 2, .dimension = 3 };
  const UiItem stage = { .type = UI_ITEM_STAGE, .stage = 7 };
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 3 };
  const UiStepsScene *steps;
  gboolean agrees = FALSE;
  g_autofree char *check = NULL;

  open_steps (fixture);
  click (fixture, &stage);
  wait_until (get_step (fixture) == 7);
  click (fixture, &number);
  wait_until (get_drawn_document (fixture)->number_set);
  steps = ui_steps_scene_cast (get_scene (fixture));
  g_assert_cmpint (steps->looked.row, ==, 2);
  g_assert_cmpint (steps->looked.column, ==, 3);
  check = ui_steps_describe_check (steps, &steps->looked, &agrees);
  g_assert_true (agrees);
  g_assert_true (g_str_has_prefix (check, "✓"));
  click (fixture, &number);
  wait_until (!get_drawn_document (fixture)->number_set);

  /* Nor is it looked at on the next step. */
  click (fixture, &number);
  wait_until (get_drawn_document (fixture)->number_set);
  activate (fixture, "win.step-forward");
  wait_until (get_step (fixture) == 8);
  g_assert_false (get_drawn_document (fixture)->number_set);
  activate (fixture, "win.step-back");
  wait_until (get_step (fixture) == 7);

  click (fixture, &token);
  wait_until (eng_way_get_query (ui_steps_scene_cast (get_scene (fixture))->way) == 3);
  g_assert_cmpint (get_step (fixture), ==, 7);
}

/* What is tried is told, taken back, and one step of history. */
static void
test_what_if (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "what_if");
  g_autoptr (UiDocument) document = NULL;

  open_steps (fixture);
  g_assert_nonnull (box);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (driver_find (box, GTK_TYPE_SPIN_BUTTON, 1)), 2);
  wait_until (eng_way_is_what_if (ui_steps_scene_cast (get_scene (fixture))->way));
  g_assert_cmpfloat (get_drawn_document (fixture)->if_temperature, ==, 2);
  activate (fixture, "win.undo");
  wait_until (!eng_way_is_what_if (ui_steps_scene_cast (get_scene (fixture))->way));
}

/* To a pointer that rests there, and to who hears the window: keys do not reach what is greyed. */
static void
assert_explained (GtkWidget  *widget,
                  const char *words)
{
  const char *tooltip = gtk_widget_get_tooltip_text (widget);

  assert_contains (tooltip, words);
  gtk_test_accessible_assert_property (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tooltip);
}

/* Of a model that never had any nothing is said of another layer. */
static void
test_lacks (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "what_if");
  GtkWidget *positions = driver_find (box, GTK_TYPE_CHECK_BUTTON, 3);
  GtkWidget *segments = driver_find (box, GTK_TYPE_CHECK_BUTTON, 4);

  window_open_model (fixture->window, "headlight-en-fr");
  wait_until (window_is_idle (fixture->window));
  open_steps (fixture);
  activate (fixture, "win.previous-layer");
  activate (fixture, "win.previous-layer");
  wait_until (get_drawn_document (fixture)->layer == 0 && is_idle (fixture->window));
  g_assert_true (gtk_widget_get_sensitive (positions));
  assert_explained (positions, "order of words");
  g_assert_false (gtk_widget_get_sensitive (segments));
  assert_explained (segments, "this model has no segments");
  activate (fixture, "win.kind::cross");
  wait_until (get_drawn_document (fixture)->kind == ENG_KIND_CROSS && is_idle (fixture->window));
  wait_until (!gtk_widget_get_sensitive (positions));
  assert_explained (positions, "what reads the other side adds no positions");
  assert_explained (segments, "what reads the other side has no segments");
}

/* What is off shows what the model has, and says why it cannot be chosen. */
static void
test_knobs (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "what_if");
  GtkWidget *scale = driver_find (box, GTK_TYPE_SPIN_BUTTON, 0);
  GtkWidget *check = driver_find (box, GTK_TYPE_CHECK_BUTTON, 0);
  GtkWidget *segments = driver_find (box, GTK_TYPE_CHECK_BUTTON, 4);
  const UiStepsScene *steps;

  open_steps (fixture);
  steps = ui_steps_scene_cast (get_scene (fixture));
  g_assert_cmpfloat_with_epsilon (gtk_spin_button_get_value (GTK_SPIN_BUTTON (scale)),
                                  1 / sqrt (ui_steps_get_n_dimensions (&steps->scene)), 1e-3);
  g_assert_false (gtk_widget_is_sensitive (scale));
  assert_explained (scale, "“Scale” first");
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
  wait_until (get_drawn_document (fixture)->if_scale_set);
  g_assert_true (gtk_widget_is_sensitive (scale));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (scale)), ==, 1);

  activate (fixture, "win.next-layer");
  wait_until (get_drawn_document (fixture)->layer > 0 && is_idle (fixture->window));
  g_assert_false (gtk_widget_get_sensitive (segments));
  assert_explained (segments, "before layer 0");
  assert_explained (driver_find (box, GTK_TYPE_CHECK_BUTTON, 3), "enter before layer 0");
}

/* What is fed forward is an edit, which the way is then made with. */
static void
test_fed_forward (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "what_if");
  g_autofree char *expected = NULL;
  const UiDocument *document;
  int query;

  open_steps (fixture);
  query = eng_way_get_query (ui_steps_scene_cast (get_scene (fixture))->way);
  g_assert_cmpint (get_drawn_document (fixture)->pins.n_queries, ==, 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (driver_find (box, GTK_TYPE_SPIN_BUTTON, 1)), 2);
  wait_until (get_drawn_document (fixture)->if_temperature == 2);
  g_signal_emit_by_name (box, "fed-forward");
  wait_until (is_idle (fixture->window) && get_drawn_document (fixture)->edits[0] != NULL);
  document = get_drawn_document (fixture);
  expected = g_strdup_printf ("temperature %d.%d 2", document->layer,
                              ui_head_set_first (&document->heads, 12));
  g_assert_cmpstr (document->edits[0], ==, expected);
  g_assert_cmpfloat (document->if_temperature, ==, 1);
  g_assert_false (eng_way_is_what_if (ui_steps_scene_cast (get_scene (fixture))->way));
  /* Another token tells most now: the way stays that of the one that it was tried with. */
  g_assert_cmpint (eng_way_get_query (ui_steps_scene_cast (get_scene (fixture))->way), ==, query);
}

/* An item of a number of the mask's step. */
static UiItem
make_mask_item (Fixture *fixture,
                int      query,
                int      key)
{
  const UiStepsScene *steps = ui_steps_scene_cast (get_scene (fixture));
  const UiStepsPlace place = {
    eng_way_find (steps->way, ENG_PART_ATTENTION, ENG_NUMBERS_READINGS, 0), query, key,
  };

  return ui_steps_make_item (steps, &place);
}

/* A mask of one's own is made where masks are: numbers that are clicked hide keys, and show them
 * again; elsewhere, and without it, a click looks at a number. Fed forward it is cut links. */
static void
test_own_mask (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "what_if");
  GtkDropDown *mask = GTK_DROP_DOWN (driver_find (box, GTK_TYPE_DROP_DOWN, 0));
  g_autofree char *name = NULL;
  g_autofree char *expected = NULL;
  const UiDocument *document;
  UiItem item;

  open_steps (fixture);
  gtk_drop_down_set_selected (mask, UI_IF_MASK_OWN);
  wait_until (get_drawn_document (fixture)->if_mask == UI_IF_MASK_OWN && is_idle (fixture->window));
  name = ui_steps_dup_name (get_scene (fixture), get_step (fixture));
  g_assert_cmpstr (name, ==, "Mask");

  item = make_mask_item (fixture, 2, 1);
  click (fixture, &item);
  wait_until (get_drawn_document (fixture)->if_hidden != NULL && is_idle (fixture->window));
  g_assert_cmpstr (get_drawn_document (fixture)->if_hidden, ==, "2:1");
  g_assert_false (get_drawn_document (fixture)->number_set);
  item = make_mask_item (fixture, 2, 2);
  click (fixture, &item);
  wait_until (g_str_equal (get_drawn_document (fixture)->if_hidden, "2:1-2")
              && is_idle (fixture->window));
  item = make_mask_item (fixture, 2, 1);
  click (fixture, &item);
  wait_until (g_str_equal (get_drawn_document (fixture)->if_hidden, "2:2")
              && is_idle (fixture->window));
  g_assert_true (eng_way_is_what_if (ui_steps_scene_cast (get_scene (fixture))->way));

  g_signal_emit_by_name (box, "fed-forward");
  wait_until (is_idle (fixture->window) && get_drawn_document (fixture)->edits[0] != NULL);
  document = get_drawn_document (fixture);
  expected = g_strdup_printf ("cut %d.%d 2 2 renormalise", document->layer,
                              ui_head_set_first (&document->heads, 12));
  g_assert_cmpstr (document->edits[0], ==, expected);
  g_assert_null (document->if_hidden);
  g_assert_cmpint (document->if_mask, ==, UI_IF_MASK_MODEL);
  item = make_mask_item (fixture, 2, 2);
  click (fixture, &item);
  wait_until (get_drawn_document (fixture)->number_set);
  g_assert_null (get_drawn_document (fixture)->if_hidden);
}

/* Another mask takes the links of one's own back; so does Undo bring them back. */
static void
test_other_mask (Fixture *fixture)
{
  GtkWidget *box = window_find (fixture->window, "what_if");
  GtkDropDown *mask = GTK_DROP_DOWN (driver_find (box, GTK_TYPE_DROP_DOWN, 0));
  UiItem item;

  open_steps (fixture);
  gtk_drop_down_set_selected (mask, UI_IF_MASK_OWN);
  wait_until (get_drawn_document (fixture)->if_mask == UI_IF_MASK_OWN && is_idle (fixture->window));
  item = make_mask_item (fixture, 0, 3);
  click (fixture, &item);
  wait_until (get_drawn_document (fixture)->if_hidden != NULL && is_idle (fixture->window));
  gtk_drop_down_set_selected (mask, UI_IF_MASK_CAUSAL);
  wait_until (get_drawn_document (fixture)->if_mask == UI_IF_MASK_CAUSAL
              && is_idle (fixture->window));
  g_assert_null (get_drawn_document (fixture)->if_hidden);
  activate (fixture, "win.undo");
  wait_until (get_drawn_document (fixture)->if_hidden != NULL && is_idle (fixture->window));
  g_assert_cmpuint (gtk_drop_down_get_selected (mask), ==, UI_IF_MASK_OWN);
}

/* What is typed is followed from its first step to where one was. */
static void
test_typing (Fixture *fixture)
{
  open_steps (fixture);
  activate (fixture, "win.step-forward");
  wait_until (get_step (fixture) == 1);
  type (fixture, "The cat sat", "");
  wait_until (get_step (fixture) == 1
              && eng_way_get_query_tokens (ui_steps_scene_cast (get_scene (fixture))->way)->n == 5);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;

  g_test_add_data_func ("/window-steps/keys", test_keys, run_test);
  g_test_add_data_func ("/window-steps/focus", test_focus, run_test);
  g_test_add_data_func ("/window-steps/bar", test_bar, run_test);
  g_test_add_data_func ("/window-steps/all", test_all, run_test);
  g_test_add_data_func ("/window-steps/all-play", test_all_play, run_test);
  g_test_add_data_func ("/window-steps/all-rows", test_all_rows, run_test);
  g_test_add_data_func ("/window-steps/clicks", test_clicks, run_test);
  g_test_add_data_func ("/window-steps/what-if", test_what_if, run_test);
  g_test_add_data_func ("/window-steps/knobs", test_knobs, run_test);
  g_test_add_data_func ("/window-steps/lacks", test_lacks, run_test);
  g_test_add_data_func ("/window-steps/fed-forward", test_fed_forward, run_test);
  g_test_add_data_func ("/window-steps/own-mask", test_own_mask, run_test);
  g_test_add_data_func ("/window-steps/other-mask", test_other_mask, run_test);
  g_test_add_data_func ("/window-steps/typing", test_typing, run_test);
  return g_test_run ();
}
