/* SPDX-License-Identifier: MIT */
/* What is drawn of attention, chosen in the real window. */
#include "tests/support/window/window-test.h"

#include <string.h>

static void
type (AppWindow  *window,
      const char *text_a)
{
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), text_a);
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  wait_until (is_idle (window));
}

static const UiWeights *
get_weights (AppWindow *window)
{
  return ui_scene_get_weights (ui_scene_view_get_scene (window_view (window)));
}

static void
assert_contains (const char *text,
                 const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” does not hold “%s”", text, part);
}

/* Actions, popover and picture say the same, and so does every line of words. */
static void
test_measures (AppWindow *window)
{
  activate (window, "win.measure::value-norm");
  g_assert_cmpint (get_weights (window)->block.measure, ==, ENG_MEASURE_VALUE_NORM);
  assert_contains (window_get_label (window, "rule"), "Weight × ‖v‖: the weight times");
  g_assert_cmpstr (window_get_label (window, "display_button"), ==,
                   "Measure weight × ‖v‖");

  activate (window, "win.measure::output-norm");
  g_assert_cmpint (get_weights (window)->block.measure, ==, ENG_MEASURE_OUTPUT_NORM);
  activate (window, "win.next-layer");
  activate (window, "win.measure::rollout");
  g_assert_true (get_weights (window)->block.is_aggregate);
  assert_contains (window_get_label (window, "selection_status"), "rollout up to layer 1");
  activate (window, "win.measure::weight");
  g_assert_cmpint (get_weights (window)->block.measure, ==, ENG_MEASURE_WEIGHT);

  activate (window, "win.aggregate::max");
  activate (window, "win.layers::mean");
  assert_contains (window_get_label (window, "selection_status"), "mean over 6 layers, max of ");
  assert_contains (window_get_label (window, "rule"), "each its mean over all 6 layers.");
  activate (window, "win.threshold(0.02)");
  activate (window, "win.mass(0.9)");
  activate (window, "win.gain(6.0)");
  assert_contains (window_get_label (window, "rule"), "Opacity = weight × 6");
  assert_contains (window_get_label (window, "rule"), "together have 90 % of it.");
  g_assert_cmpstr (window_get_label (window, "display_button"), ==,
                   "Measure weight · max · mean of layers");
  g_assert_cmpstr (window_get_label (window, "show_button"), ==, "Show all links ≥ 2 %");
}

/* Whatever is chosen, the legend is one line of plain words that leaves the picture where it is; all
 * of the rule is there for who asks, as text that can be copied. */
static void
test_long_legend (AppWindow *window)
{
  GtkWidget *line = window_find (window, "status_line");
  const char *const actions[] = {
    "win.measure::output-norm", "win.aggregate::max", "win.layers::mean", "win.words",
    "win.mass(0.9)", "win.filter::ab",
  };
  const char *rule;
  int height;

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  wait_until (is_idle (window));
  driver_settle (GTK_WIDGET (window));
  height = gtk_widget_get_height (line);
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    activate (window, actions[i]);
  driver_settle (GTK_WIDGET (window));

  rule = window_get_label (window, "rule");
  /* In plain words, in full, before the rule. */
  g_assert_true (g_str_has_prefix (rule, "A line runs from the word that reads"));
  g_assert_nonnull (strstr (rule, "‖α v W_O‖.\n‖α v W_O‖: the weight times"));
  g_assert_true (gtk_label_get_selectable (GTK_LABEL (window_find (window, "rule"))));
  g_assert_cmpstr (window_get_label (window, "legend"), ==,
                   "A line runs from the word that reads to the word that is read. "
                   "Bolder line = more ‖α v W_O‖.");
  g_assert_cmpint (gtk_widget_get_height (line), ==, height);
}

/* The rule opens without a tooltip over it, and the keys go back to where they were. */
static void
test_rule (AppWindow *window)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (window, "rule_button"));

  gtk_menu_button_popup (button);
  driver_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (window_find (window, "rule")));
  g_assert_false (gtk_widget_get_has_tooltip (GTK_WIDGET (button)));
  gtk_menu_button_popdown (button);
  driver_settle (GTK_WIDGET (window));
  g_assert_nonnull (gtk_window_get_focus (GTK_WINDOW (window)));
}

/* The picture follows the hand on a slider. */
static void
test_slider (AppWindow *window)
{
  GtkWidget *slider = driver_find (window_find (window, "amount_settings"), GTK_TYPE_SCALE, 0);

  /* That the faintest are not drawn everywhere is a matter of the exact rule. */
  g_assert_null (strstr (window_get_label (window, "legend"), "not drawn"));
  assert_contains (window_get_label (window, "rule"), "Links under 0.004 are not drawn.");
  gtk_range_set_value (GTK_RANGE (slider), 0.5);
  g_assert_cmpfloat (app_window_get_document (window)->threshold, ==, 0.12);
  g_assert_cmpfloat (get_weights (window)->threshold, ==, 0.12);
  assert_contains (window_get_label (window, "legend"), "Links under 0.12 are not drawn.");
  assert_contains (window_get_label (window, "rule"), "Links under 0.12 are not drawn.");
}

/* What is shown is taken back at once, in one step; what is measured stays. */
static void
test_plain (AppWindow *window)
{
  g_autoptr (UiDocument) plain = NULL;
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (window), "plain");

  activate (window, "win.measure::value-norm");
  plain = ui_document_copy (app_window_get_document (window));
  g_assert_false (g_action_get_enabled (action));
  activate (window, "win.filter::ab");
  activate (window, "win.threshold(0.02)");
  activate (window, "win.words");
  activate (window, "win.hide-special");
  activate (window, "win.bands::stripes");
  activate (window, "win.order::entropy");
  activate (window, "win.plain");
  g_assert_true (ui_document_equal (app_window_get_document (window), plain));
  g_assert_false (g_action_get_enabled (action));
  activate (window, "win.undo");
  g_assert_cmpint (app_window_get_document (window)->filter, ==, UI_FILTER_AB);
}

static void
click (AppWindow *window,
       UiItem     item,
       gboolean   extend)
{
  g_signal_emit_by_name (window_view (window), "clicked", &item, extend);
  wait_until (is_idle (window));
}

static void
assert_pins (AppWindow  *window,
             const char *expected)
{
  g_autofree char *pins = ui_document_get (app_window_get_document (window),
                                           ui_fields_find ("pin"));

  g_assert_cmpstr (pins, ==, expected);
}

/* The first word that has several pieces, after its first piece. -1 = none. */
static int
find_rest (AppWindow *window)
{
  const EngTokens *tokens = eng_trace_get_query_tokens (app_window_get_trace (window),
                                                        ENG_KIND_ENCODER);

  for (int i = 0; i < tokens->n; i++)
    if (g_str_has_prefix (tokens->texts[i], "##"))
      return i;
  return -1;
}

/* A word is pinned by its first piece; the words behind it are counted anew. */
static void
test_words (AppWindow *window)
{
  g_autofree char *pin = NULL;
  g_autofree char *status = NULL;
  int rest, word, n_words, n_tokens;

  type (window, "antidisestablishmentarianism is long");
  rest = find_rest (window);
  g_assert_cmpint (rest, >, 0);
  n_tokens = get_weights (window)->attention->n_queries;
  activate (window, "win.words");
  n_words = get_weights (window)->attention->n_queries;
  g_assert_cmpint (n_words, ==, 5);
  assert_contains (window_get_label (window, "rule"), "Pieces of a word are put together");

  /* "long", whose token stands as far from the end. */
  word = n_words - 2;
  click (window, (UiItem) { .type = UI_ITEM_QUERY, .query = word }, FALSE);
  pin = g_strdup_printf ("%d", n_tokens - 2);
  assert_pins (window, pin);
  status = g_strdup_printf ("“long” (%d) pinned", n_tokens - 2);
  assert_contains (window_get_label (window, "selection_status"), status);
  click (window, (UiItem) { .type = UI_ITEM_QUERY, .query = word }, FALSE);
  assert_pins (window, "");

  /* A pinned piece pins its word, and a click on that lets it go. */
  activate (window, "win.words");
  click (window, (UiItem) { .type = UI_ITEM_QUERY, .query = rest }, FALSE);
  activate (window, "win.words");
  g_assert_true (ui_pins_has (&ui_scene_get_document (
    ui_scene_view_get_scene (window_view (window)))->pins, FALSE, 1));
  click (window, (UiItem) { .type = UI_ITEM_QUERY, .query = 1 }, FALSE);
  assert_pins (window, "");
}

static void
test_special (AppWindow *window)
{
  GActionGroup *actions = G_ACTION_GROUP (window);

  g_assert_false (g_action_group_get_action_enabled (actions, "renormalise"));
  activate (window, "win.hide-special");
  g_assert_false (get_weights (window)->key_passes[0]);
  g_assert_true (g_action_group_get_action_enabled (actions, "renormalise"));
  activate (window, "win.renormalise");
  g_assert_nonnull (get_weights (window)->row_scale);
  assert_contains (window_get_label (window, "rule"), "Special tokens are hidden.");
  activate (window, "win.hide-special");
  g_assert_null (get_weights (window)->row_scale);
}

static GtkWidget *
find_check (AppWindow  *window,
            const char *label)
{
  GtkWidget *button;

  for (int i = 0; (button = driver_find (window_find (window, "display_settings"),
                                         GTK_TYPE_CHECK_BUTTON, i)) != NULL; i++)
    if (g_str_equal (gtk_check_button_get_label (GTK_CHECK_BUTTON (button)), label))
      return button;
  g_assert_not_reached ();
}

/* A trace of weights alone has no values: weights are shown, and the control says why. The choice
 * comes back with a model that has them. */
static void
test_measure_is_not_there (AppWindow *window)
{
  g_autofree char *path = g_build_filename (g_getenv ("HEADLIGHT_SHARED"), "data", "traces",
                                            "gpt2.fox.safetensors", NULL);
  UiDocument *document;
  GtkWidget *value_norm = find_check (window, "Weight × value norm");

  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("no shared data");
    return;
  }
  activate (window, "win.measure::value-norm");
  document = ui_document_copy (app_window_get_document (window));
  document->trace_file = g_strdup (path);
  window_change (window, document);
  wait_until (is_idle (window));
  g_assert_cmpint (get_weights (window)->block.measure, ==, ENG_MEASURE_WEIGHT);
  g_assert_false (gtk_widget_get_sensitive (value_norm));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (value_norm), ==,
                   "The trace holds no values of this layer");

  activate (window, "win.measure::rollout");
  g_assert_cmpint (get_weights (window)->block.measure, ==, ENG_MEASURE_ROLLOUT);
  activate (window, "win.measure::value-norm");
  g_assert_cmpint (app_window_get_document (window)->measure, ==, ENG_MEASURE_ROLLOUT);

  document = ui_document_copy (app_window_get_document (window));
  g_clear_pointer (&document->trace_file, g_free);
  document->measure = ENG_MEASURE_VALUE_NORM;
  window_change (window, document);
  wait_until (is_idle (window));
  g_assert_cmpint (get_weights (window)->block.measure, ==, ENG_MEASURE_VALUE_NORM);
  g_assert_true (gtk_widget_get_sensitive (value_norm));
}

/* What had the focus may be gone while its popover is open. GTK 4.8 warns, which ends a test, when a
 * popover hears Return and nothing has the focus. */
static void
test_focus_comes_back (AppWindow *window)
{
  GtkMenuButton *button = GTK_MENU_BUTTON (window_find (window, "display_button"));
  GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (button));

  gtk_menu_button_popup (button);
  driver_settle (GTK_WIDGET (window));
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  driver_settle (GTK_WIDGET (window));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (window)) == GTK_WIDGET (window_view (window)));
  driver_press_key (popover, "Return");
  g_assert_true (gtk_widget_get_visible (popover));
  /* GTK 4.8 looks for the pointer in a popover's surface once more after its window has gone. */
  gtk_menu_button_popdown (button);
  driver_settle (GTK_WIDGET (window));
}

/* The picture of a decoder is still there when the trace of an encoder has come. */
static void
test_kind_of_other_model (AppWindow *window)
{
  GAction *filter = g_action_map_lookup_action (G_ACTION_MAP (window), "filter");

  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "a dog");
  wait_until (is_idle (window) && g_action_get_enabled (filter));
  window_set_shown_kind (window, ENG_KIND_DECODER);
  window_update_actions (window);
  g_assert_false (g_action_get_enabled (filter));
  window_set_shown_kind (window, ENG_KIND_ENCODER);
  window_update_actions (window);
  g_assert_true (g_action_get_enabled (filter));
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_data_func ("/window-display/measures", (gconstpointer) test_measures, run_test);
  g_test_add_data_func ("/window-display/long-legend", (gconstpointer) test_long_legend, run_test);
  g_test_add_data_func ("/window-display/rule", (gconstpointer) test_rule, run_test);
  g_test_add_data_func ("/window-display/slider", (gconstpointer) test_slider, run_test);
  g_test_add_data_func ("/window-display/plain", (gconstpointer) test_plain, run_test);
  g_test_add_data_func ("/window-display/kind-of-other-model",
                        (gconstpointer) test_kind_of_other_model, run_test);
  g_test_add_data_func ("/window-display/words", (gconstpointer) test_words, run_test);
  g_test_add_data_func ("/window-display/special", (gconstpointer) test_special, run_test);
  g_test_add_data_func ("/window-display/measure-is-not-there",
                        (gconstpointer) test_measure_is_not_there, run_test);
  g_test_add_data_func ("/window-display/focus-comes-back",
                        (gconstpointer) test_focus_comes_back, run_test);
  return g_test_run ();
}
