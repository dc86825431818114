/* SPDX-License-Identifier: MIT */
/* How a comparison begins in the real window: what is compared, by the menu and by edits. */
#include "tests/app/parts/compare-case.h"

static int
count_edits (const EngTrace *trace)
{
  return (int) g_strv_length ((char **) eng_trace_get_edits (trace));
}

/* With edits it begins with the edits beside without them. */
static void
test_without_edits (AppWindow *window)
{
  GtkCheckButton *plain;

  change (window, "edit", "zero 0.1");
  activate (window, "win.compare::difference");
  plain = GTK_CHECK_BUTTON (driver_find (window_find (window, "compare_bar"), GTK_TYPE_CHECK_BUTTON,
                                         0));
  g_assert_true (gtk_check_button_get_active (plain));
  g_assert_true (says_difference (window, "without edits"));
  g_assert_true (app_window_get_document (window)->compare_edits_set);
  wait_until (window_has_other_trace (window));
  g_assert_cmpint (count_edits (app_window_get_trace (window)), ==, 1);
  g_assert_cmpint (count_edits (window_get_second_trace (window)), ==, 0);
  assert_status (window, "minus the same without edits");
  gtk_check_button_set_active (plain, FALSE);
  g_assert_false (app_window_get_document (window)->compare_edits_set);
  g_assert_true (says_difference (window, "same model"));
  gtk_check_button_set_active (plain, TRUE);
  g_assert_true (app_window_get_document (window)->compare_edits_set);
}

static void
compare_with (AppWindow  *window,
              const char *what)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.compare-with", "s", what));
  driver_settle (GTK_WIDGET (window));
}

/* What the menu offers leads to where it is chosen, and says what differs. */
static void
test_choices (AppWindow *window)
{
  GtkWidget *bar = window_find (window, "compare_bar");
  GtkWidget *entry = get_text_entry (window, 0);
  const UiDocument *document;

  g_assert_false (gtk_widget_get_sensitive (window_find (window, "compare_edits_choice")));
  compare_with (window, "text");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_SIDES);
  g_assert_true (has_focus_within (entry));
  g_assert_cmpstr (ui_sentence_entry_get_placeholder (UI_SENTENCE_ENTRY (entry)), ==, "same text");

  /* The difference is switched on and off, and keeps what is compared. */
  activate (window, "win.compare-difference");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_DIFFERENCE);
  activate (window, "win.compare-difference");
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_SIDES);

  compare_with (window, "head");
  g_assert_true (has_focus_within (driver_find (bar, GTK_TYPE_DROP_DOWN, 0)));
  change (window, "compare-layer", "3");
  change (window, "compare-heads", "1,4");
  g_assert_true (says_difference (window, "layer 3, heads 1,4"));

  change (window, "edit", "zero 0.1");
  g_assert_true (gtk_widget_get_sensitive (window_find (window, "compare_edits_choice")));
  compare_with (window, "edits");
  document = app_window_get_document (window);
  g_assert_true (document->compare_edits_set && document->compare_layer_set);
  g_assert_true (says_difference (window, "layer 3, heads 1,4, without edits"));
  /* Who begins with another text compares that, not the edits. */
  activate (window, "win.compare::off");
  compare_with (window, "text");
  g_assert_false (app_window_get_document (window)->compare_edits_set);
}

/* What was compared before is no part of what begins. */
static void
test_one_thing (AppWindow *window)
{
  const UiDocument *document;

  compare_with (window, "text");
  type (window, 0, "A cat slept");
  wait_until (is_idle (window) && shows_second_text (window, "A cat slept"));
  activate (window, "win.compare::off");
  change (window, "edit", "scale 3.11 0.5");
  compare_with (window, "edits");
  wait_until (is_idle (window) && window_has_other_trace (window));
  document = app_window_get_document (window);
  g_assert_true (document->compare_edits_set);
  g_assert_false (document->compare_text_a_set);
  g_assert_cmpstr (eng_trace_get_text_a (window_get_second_trace (window)), ==, document->text_a);

  activate (window, "win.compare::off");
  change (window, "compare-layer", "3");
  compare_with (window, "text");
  g_assert_false (app_window_get_document (window)->compare_layer_set);
}

/* Where two sides are not seen whole they open at their top, with the name of the first. */
static void
test_opens_at_top (AppWindow *window)
{
  static const struct { const char *view; int width, height; } cases[] = {
    { "head", 420, 800 }, { "head", 900, 700 }, { "matrix", 900, 560 },
  };
  UiSceneView *view = window_view (window);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    double height;

    activate (window, "win.compare::off");
    change (window, "view", cases[i].view);
    resize (window, cases[i].width, cases[i].height);
    activate (window, "win.zoom-fit");
    wait_until (is_idle (window) && !window_is_fitting (window));
    ui_scene_view_set_zoom (view, 1);
    compare_with (window, "text");
    wait_until (is_idle (window) && !window_is_fitting (window));
    driver_settle (GTK_WIDGET (window));
    ui_scene_get_size (ui_scene_view_get_scene (view), NULL, &height);
    g_assert_cmpfloat (height, >, gtk_widget_get_height (GTK_WIDGET (view)));
    g_assert_cmpfloat (ui_scene_view_get_area (view).y, ==, 0);
  }
}

/* Words of what differs and of the examples stand in lines of their own where that is narrow. */
static void
test_narrow (AppWindow *window)
{
  static const char *const words[] = { "layer 5", "Examples" };
  static const char *const ids[] = { "compare_bar", "examples_button" };

  change (window, "compare-layer", "5");
  change (window, "compare", "sides");
  gtk_window_set_default_size (GTK_WINDOW (window), 420, 800);
  wait_until (gtk_widget_get_width (GTK_WIDGET (window)) < 481);
  driver_settle (GTK_WIDGET (window));
  for (int i = 0; i < 2; i++) {
    GtkWidget *label = driver_find_label (window_find (window, ids[i]), words[i]);

    g_assert_nonnull (label);
    g_assert_true (gtk_widget_get_child_visible (label) && gtk_widget_get_mapped (label));
    g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  }
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-compare-begin/" name, (gconstpointer) function, run_test)

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("without-edits", test_without_edits);
  ADD ("choices", test_choices);
  ADD ("one-thing", test_one_thing);
  ADD ("opens-at-top", test_opens_at_top);
  ADD ("narrow", test_narrow);
  return g_test_run ();
}
