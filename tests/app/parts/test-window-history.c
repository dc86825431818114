/* SPDX-License-Identifier: MIT */
/* Undo and redo of the real window, and the way back between its views. */
#include "tests/support/window/window-test.h"

#include <string.h>

static void
type (AppWindow  *window,
      const char *text_a)
{
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), text_a);
  wait_until (is_idle (window));
}

static gboolean
is_enabled (AppWindow  *window,
            const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), name);
}

static const char *
get_typed (AppWindow *window)
{
  return window_get_text (window, "entry_a");
}

/* The weights that are on show, to the last bit. (transfer full) */
static GBytes *
copy_weights (AppWindow *window)
{
  EngTrace *trace = app_window_get_trace (window);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 5);

  return g_bytes_new (attention->weights, (gsize) attention->n_heads * (gsize) attention->n_queries
                                          * (gsize) attention->n_keys * sizeof (float));
}

/* The keys behind it are in the language of the desktop. */
static void
assert_says (GtkWidget  *button,
             const char *words)
{
  g_assert_true (g_str_has_prefix (gtk_widget_get_tooltip_text (button), words));
}

static void
test_text (AppWindow *window)
{
  g_autofree char *before = g_strdup (get_typed (window));
  g_autoptr (GBytes) weights = copy_weights (window);
  g_autoptr (GBytes) again = NULL;
  GtkEditable *entry = GTK_EDITABLE (window_find (window, "entry_a"));

  g_assert_false (is_enabled (window, "undo"));
  g_assert_false (is_enabled (window, "redo"));
  gtk_widget_grab_focus (GTK_WIDGET (entry));
  type (window, "The cat sat on the rug");
  g_assert_true (is_enabled (window, "undo"));
  assert_says (window_find (window, "undo_button"), "Undo: Sentence A “The cat sat on the rug” (");

  activate (window, "win.undo");
  g_assert_cmpstr (get_typed (window), ==, before);
  /* The cursor is where the word came back. */
  g_assert_cmpint (gtk_editable_get_position (entry), ==, (int) strlen ("The cat sat on the mat"));
  /* Where nobody types one sees how the sentence begins. */
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  activate (window, "win.redo");
  g_assert_cmpint (gtk_editable_get_position (entry), ==, 0);
  activate (window, "win.undo");
  again = copy_weights (window);
  g_assert_true (g_bytes_equal (weights, again));
  g_assert_false (is_enabled (window, "undo"));
  assert_says (window_find (window, "undo_button"), "Undo (");
  assert_says (window_find (window, "redo_button"), "Redo: Sentence A “The cat sat on the rug” (");

  activate (window, "win.redo");
  g_assert_cmpstr (get_typed (window), ==, "The cat sat on the rug");
  g_assert_false (is_enabled (window, "redo"));
}

/* Nobody points at what a step brings under the pointer. */
static void
test_pointer (AppWindow *window)
{
  const UiItem token = { .type = UI_ITEM_QUERY, .query = 2 };
  UiSceneView *view = window_view (window);
  UiRect rect;

  activate (window, "win.next-layer");
  g_assert_true (ui_scene_get_rect (ui_scene_view_get_scene (view), &token, &rect));
  driver_point_at (GTK_WIDGET (view), rect.x + rect.width / 2, rect.y + rect.height / 2);
  g_assert_cmpint (ui_scene_view_get_item (view)->type, ==, UI_ITEM_QUERY);
  wait_until (driver_find_label (window_find (window, "inspector"), "Point at a token") == NULL);
  activate (window, "win.undo");
  g_assert_cmpint (ui_scene_view_get_item (view)->type, ==, UI_ITEM_NONE);
  wait_until (driver_find_label (window_find (window, "inspector"), "Point at a token") != NULL);
}

/* What an entry does by itself to a part of a text, letter by letter of several bytes too. */
static void
test_entry_follows (AppWindow *window)
{
  static const char *const texts[] = { "Grüße an alle", "Größe an alle", "Größe", "", "слово",
                                       "слива", "слива и вода", "ив" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    UiDocument *document = ui_document_copy (app_window_get_document (window));

    g_free (document->text_a);
    document->text_a = g_strdup (texts[i]);
    window_change (window, document);
    g_assert_cmpstr (get_typed (window), ==, texts[i]);
  }
  wait_until (is_idle (window));
  g_assert_false (gtk_editable_get_enable_undo (GTK_EDITABLE (window_find (window, "entry_a"))));
  g_assert_false (gtk_editable_get_enable_undo (GTK_EDITABLE (window_find (window, "entry_b"))));
}

/* Everything that is a choice comes back, the latest first. */
static void
test_choices (AppWindow *window)
{
  g_autoptr (UiDocument) first = ui_document_copy (app_window_get_document (window));
  static const char *const actions[] = {
    "win.next-layer", "win.head(3)", "win.filter::ab", "win.renormalise", "win.words",
    "win.example(2)", "win.swap", "win.truncate",
  };
  g_autoptr (UiDocument) last = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    activate (window, actions[i]);
    g_assert_cmpint (app_history_get_n_steps (window_get_history (window)), ==, (int) i + 1);
  }
  last = ui_document_copy (app_window_get_document (window));
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    activate (window, "win.undo");
  g_assert_true (ui_document_equal (app_window_get_document (window), first));
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++)
    activate (window, "win.redo");
  g_assert_true (ui_document_equal (app_window_get_document (window), last));
}

/* A model that cannot be opened leaves no step behind, one that can is one. */
static void
test_models (AppWindow *window)
{
  window_open_model (window, "/no/such/model");
  wait_until (is_idle (window));
  g_assert_cmpint (app_history_get_n_steps (window_get_history (window)), ==, 0);

  activate (window, "win.next-layer");
  window_open_model (window, "headlight-mini");
  wait_until (is_idle (window));
  g_assert_cmpint (app_history_get_n_steps (window_get_history (window)), ==, 2);
  assert_says (window_find (window, "undo_button"), "Undo: Model headlight-mini (");
  activate (window, "win.undo");
  g_assert_null (app_window_get_document (window)->model);
}

static void
test_places (AppWindow *window)
{
  g_assert_false (is_enabled (window, "back"));
  activate (window, "win.next-layer");
  activate (window, "win.head(3)");
  type (window, "another text");
  activate (window, "win.view::neuron");
  activate (window, "win.next-layer");
  g_assert_cmpint (app_window_get_document (window)->layer, ==, 2);
  g_assert_false (is_enabled (window, "forward"));

  activate (window, "win.back");
  g_assert_cmpint (app_window_get_document (window)->layer, ==, 1);
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_NEURON);
  activate (window, "win.back");
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_HEAD);
  g_assert_false (ui_head_set_has (&app_window_get_document (window)->heads, 3));
  g_assert_cmpstr (get_typed (window), ==, "another text");
  activate (window, "win.back");
  g_assert_cmpint (app_window_get_document (window)->layer, ==, 0);
  g_assert_true (app_window_get_document (window)->heads.all);
  g_assert_false (is_enabled (window, "back"));
  activate (window, "win.forward");
  g_assert_cmpint (app_window_get_document (window)->layer, ==, 1);

  /* Going back is a step like any other. */
  activate (window, "win.undo");
  g_assert_cmpint (app_window_get_document (window)->layer, ==, 0);
  g_assert_cmpstr (get_typed (window), ==, "another text");
}

/* A view is no step: what is undone leaves it as it is, unless the step has chosen it. */
static void
test_views (AppWindow *window)
{
  activate (window, "win.view::neuron");
  g_assert_false (is_enabled (window, "undo"));
  g_assert_true (is_enabled (window, "back"));
  activate (window, "win.words");
  activate (window, "win.view::matrix");
  activate (window, "win.undo");
  g_assert_false (app_window_get_document (window)->words);
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_MATRIX);
  activate (window, "win.view::model");
  activate (window, "win.redo");
  g_assert_true (app_window_get_document (window)->words);
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_MODEL);

  activate (window, "win.open-head((2, 5))");
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_HEAD);
  activate (window, "win.undo");
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_MODEL);
  activate (window, "win.redo");
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_HEAD);
  activate (window, "win.back");
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_MODEL);
}

/* What was let go of because the system is short of memory is run again, to the same bits. */
static void
test_low_memory (AppWindow *window)
{
  g_autoptr (GMemoryMonitor) monitor = g_memory_monitor_dup_default ();
  g_autoptr (EngTrace) first = eng_trace_ref (app_window_get_trace (window));
  g_autoptr (GBytes) weights = copy_weights (window);
  g_autoptr (GBytes) again = NULL;

  activate (window, "win.compare::sides");
  type (window, "The cat sat on the rug");
  g_signal_emit_by_name (monitor, "low-memory-warning", G_MEMORY_MONITOR_WARNING_LEVEL_LOW);
  wait_until (is_idle (window));
  g_assert_cmpstr (get_typed (window), ==, "The cat sat on the rug");

  activate (window, "win.undo");
  g_assert_true (app_window_get_trace (window) != first);
  again = copy_weights (window);
  g_assert_true (g_bytes_equal (weights, again));
}

#define ADD(name, function) \
  g_test_add_data_func ("/ui/window-history/" name, (gconstpointer) function, run_test)

/* To ask what a head does when it is zero is one step: it is taken back at once, all of it. */
static void
test_what_if (AppWindow *window)
{
  GVariant *head = g_variant_ref_sink (g_variant_new ("(ii)", 3, 11));

  activate (window, "win.view::model");
  wait_until (is_idle (window));
  g_action_group_activate_action (G_ACTION_GROUP (window), "what-if-zero", head);
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_SIDES);
  activate (window, "win.undo");
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_document (window)->view, ==, UI_VIEW_MODEL);
  g_assert_cmpint (app_window_get_document (window)->compare, ==, UI_COMPARE_OFF);
  g_assert_null (app_window_get_document (window)->edits[0]);
  g_variant_unref (head);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("text", test_text);
  ADD ("entry-follows", test_entry_follows);
  ADD ("choices", test_choices);
  ADD ("models", test_models);
  ADD ("places", test_places);
  ADD ("views", test_views);
  ADD ("pointer", test_pointer);
  ADD ("low-memory", test_low_memory);
  ADD ("what-if", test_what_if);
  return g_test_run ();
}
