/* SPDX-License-Identifier: MIT */
/* Edits in the real window: actions and chips change the document and the run. */
#include "tests/app/parts/edits-case.h"

#include <stdlib.h>
#include <string.h>

#include "engine/trace/trace-file.h"
#include "tests/support/temporary.h"

static gboolean
is_enabled (AppWindow  *window,
            const char *name)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (window), name);
}

static float
get_weight (AppWindow *window,
            int        layer,
            int        head,
            int        query,
            int        key)
{
  g_autoptr (EngAttention) attention =
    eng_trace_dup_attention (app_window_get_trace (window), ENG_KIND_ENCODER, layer);

  return attention->weights[((gsize) head * (gsize) attention->n_queries + (gsize) query)
                            * (gsize) attention->n_keys + (gsize) key];
}

static GBytes *
copy_weights (AppWindow *window)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (app_window_get_trace (window),
                                                                ENG_KIND_ENCODER, 5);

  return g_bytes_new (attention->weights, (gsize) attention->n_heads * (gsize) attention->n_queries
                                          * (gsize) attention->n_keys * sizeof (float));
}

/* The chip's switch; part 1 is its cross. */
static GtkWidget *
find_button (AppWindow *window,
             int        chip,
             int        part)
{
  return driver_find (window_find (window, "edit_chips"), GTK_TYPE_BUTTON, 2 * chip + part);
}

static void
test_actions (AppWindow *window)
{
  g_autoptr (GBytes) before = copy_weights (window);
  g_autoptr (GBytes) after = NULL;

  assert_edits (window, "");
  g_assert_false (is_enabled (window, "clear-edits"));
  edit (window, "cut 2.9 3 5");
  assert_edits (window, "cut 2.9 3 5");
  /* It would cover the chip. */
  g_assert_false (gtk_widget_get_has_tooltip (window_find (window, "edit_button")));
  g_assert_cmpfloat (get_weight (window, 2, 9, 3, 5), ==, 0);
  g_assert_cmpfloat (get_weight (window, 2, 9, 3, 4), >, 0);
  g_assert_true (is_enabled (window, "clear-edits"));
  edit (window, "uniform 1.0; uniform 1.1");
  assert_edits (window, "cut 2.9 3 5; uniform 1.0; uniform 1.1");
  g_assert_cmpfloat_with_epsilon (get_weight (window, 1, 1, 2, 7), 1.0 / 15, 1e-6);
  activate (window, "win.undo");
  assert_edits (window, "cut 2.9 3 5");
  activate (window, "win.undo");
  assert_edits (window, "");
  after = copy_weights (window);
  g_assert_true (g_bytes_equal (before, after));
  activate (window, "win.redo");
  activate (window, "win.clear-edits");
  assert_edits (window, "");
  g_assert_true (gtk_widget_get_has_tooltip (window_find (window, "edit_button")));
}

static void
test_nonsense (AppWindow *window)
{
  edit (window, "melt 2.9");
  assert_edits (window, "");
  /* Of two that belong together none is taken. */
  edit (window, "zero 2.9; melt 2.9");
  assert_edits (window, "");
  /* The model refuses what is not there, and says so; the chip can be taken out. */
  edit (window, "zero 99.0");
  assert_edits (window, "zero 99.0");
  g_assert_true (window_reveals (window, "notice_revealer"));
  g_signal_emit_by_name (find_button (window, 0, 1), "clicked");
  wait_until (is_idle (window));
  assert_edits (window, "");
  g_assert_false (window_reveals (window, "notice_revealer"));
}

static void
test_chips (AppWindow *window)
{
  g_autoptr (GBytes) before = copy_weights (window);
  g_autoptr (GBytes) off = NULL;

  edit (window, "zero 0.3");
  edit (window, "cut 1.2 2 3 renormalise");
  g_assert_nonnull (driver_find_label (window_find (window, "edit_line"), "Zero head 0.3"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (window_find (window, "undo_button")),
                            "Cut “cat” → “sat” in 1.2, renormalised"));
  open_chips (window);
  g_assert_nonnull (driver_find_label (window_find (window, "edit_chips"),
                                       "Zero head 3 of layer 0"));
  g_assert_nonnull (driver_find_label (window_find (window, "edit_chips"),
                                       "Cut “cat” (2) → “sat” (3) in head 2 of layer 1"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_button (window, 0, 0)), FALSE);
  wait_until (is_idle (window));
  assert_edits (window, "off zero 0.3; cut 1.2 2 3 renormalise");
  g_signal_emit_by_name (window_find (window, "edit_chips"), "moved", 1, 0);
  wait_until (is_idle (window));
  assert_edits (window, "cut 1.2 2 3 renormalise; off zero 0.3");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_button (window, 0, 0)), FALSE);
  wait_until (is_idle (window));
  g_assert_nonnull (driver_find_label (window_find (window, "edit_chips"),
                                       "Cut “cat” (2) → “sat” (3) in head 2 of layer 1"));
  off = copy_weights (window);
  g_assert_true (g_bytes_equal (before, off));
  /* What is off and is asked for again is turned on. */
  edit (window, "zero 0.3");
  assert_edits (window, "off cut 1.2 2 3 renormalise; zero 0.3");
}

/* “cut 0.0 2 6” is of “cat” and “mat”, also when “sat” between them goes and comes back. */
static void
test_deletion (AppWindow *window)
{
  edit (window, "cut 0.0 2 6");
  edit (window, "delete 3");
  assert_edits (window, "cut 0.0 2 5; delete 3");
  open_chips (window);
  g_assert_nonnull (driver_find_label (window_find (window, "edit_chips"),
                                       "Cut “cat” (2) → “mat” (5)"));
  g_assert_cmpfloat (get_weight (window, 0, 0, 2, 5), ==, 0);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_button (window, 1, 0)), FALSE);
  wait_until (is_idle (window));
  assert_edits (window, "cut 0.0 2 6; off delete 3");
  g_assert_nonnull (driver_find_label (window_find (window, "edit_chips"),
                                       "Cut “cat” (2) → “mat” (6)"));
}

static void
test_keyboard (AppWindow *window)
{
  edit (window, "zero 0.1; zero 0.2; zero 0.3");
  open_chips (window);
  ui_edit_chips_focus (get_chips (window), 0);
  g_assert_true (ui_edit_chips_move_focused (get_chips (window), 1));
  wait_until (is_idle (window));
  assert_edits (window, "zero 0.2; zero 0.1; zero 0.3");
  g_assert_cmpint (ui_edit_chips_get_focused (get_chips (window)), ==, 1);
  g_assert_true (ui_edit_chips_move_focused (get_chips (window), 1));
  g_assert_true (ui_edit_chips_move_focused (get_chips (window), 1));
  wait_until (is_idle (window));
  assert_edits (window, "zero 0.2; zero 0.3; zero 0.1");
  gtk_widget_grab_focus (GTK_WIDGET (window_view (window)));
  g_assert_false (ui_edit_chips_move_focused (get_chips (window), -1));
}

#define SCATTERED "cut 0.1 1 2; cut 0.1 2 4; cut 0.1 3 6; cut 0.1 4 8-9"

/* Scattered links of one head have one chip, with one switch and one cross for all of them. */
static void
test_together (AppWindow *window)
{
  edit (window, "zero 0.2; " SCATTERED "; zero 0.3");
  open_chips (window);
  g_assert_cmpint (ui_edit_chips_get_n (get_chips (window)), ==, 3);
  g_assert_nonnull (driver_find_label (window_find (window, "edit_chips"),
                                       "5 links cut in head 1 of layer 0"));
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (find_button (window, 1, 0)),
                            "cut 0.1 4 8-9"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_button (window, 1, 0)), FALSE);
  wait_until (is_idle (window));
  assert_edits (window, "zero 0.2; off cut 0.1 1 2; off cut 0.1 2 4; off cut 0.1 3 6; "
                        "off cut 0.1 4 8-9; zero 0.3");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (find_button (window, 1, 0)), TRUE);
  wait_until (is_idle (window));
  ui_edit_chips_focus (get_chips (window), 1);
  g_assert_true (ui_edit_chips_move_focused (get_chips (window), -1));
  wait_until (is_idle (window));
  assert_edits (window, SCATTERED "; zero 0.2; zero 0.3");
  g_signal_emit_by_name (get_chips (window), "moved", 0, 2);
  wait_until (is_idle (window));
  assert_edits (window, "zero 0.2; zero 0.3; " SCATTERED);
  g_signal_emit_by_name (get_chips (window), "moved", 0, 2);
  wait_until (is_idle (window));
  assert_edits (window, "zero 0.3; " SCATTERED "; zero 0.2");
  g_signal_emit_by_name (find_button (window, 1, 1), "clicked");
  wait_until (is_idle (window));
  assert_edits (window, "zero 0.3; zero 0.2");
  activate (window, "win.undo");
  assert_edits (window, "zero 0.3; " SCATTERED "; zero 0.2");
}

/* A chip that leaves cuts beside each other makes one of them. */
static void
test_merging (AppWindow *window)
{
  edit (window, "cut 0.1 1 2; cut 0.1 2 4; cut 0.1 3 6; zero 0.2; cut 0.1 4 8");
  open_chips (window);
  g_assert_cmpint (ui_edit_chips_get_n (get_chips (window)), ==, 5);
  ui_edit_chips_focus (get_chips (window), 3);
  g_assert_true (ui_edit_chips_move_focused (get_chips (window), 1));
  wait_until (is_idle (window));
  g_assert_cmpint (ui_edit_chips_get_n (get_chips (window)), ==, 2);
  g_assert_cmpint (ui_edit_chips_get_focused (get_chips (window)), ==, 1);
}

static graphene_rect_t
get_bounds (AppWindow  *window,
            const char *id)
{
  graphene_rect_t bounds;

  driver_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_compute_bounds (window_find (window, id), GTK_WIDGET (window),
                                            &bounds));
  return bounds;
}

static const char *const fixed[] = {
  "picture_scroller", "toolbar", "compare_button", "edit_button"
};

/* Five edits, one after the other: what is fixed stays in its place. */
static void
edit_five (AppWindow *window)
{
  graphene_rect_t before[G_N_ELEMENTS (fixed)];

  for (gsize i = 0; i < G_N_ELEMENTS (fixed); i++)
    before[i] = get_bounds (window, fixed[i]);
  for (int head = 0; head < 5; head++) {
    g_autofree char *text = g_strdup_printf ("zero 1.%d", head);

    edit (window, text);
    for (gsize i = 0; i < G_N_ELEMENTS (fixed); i++) {
      graphene_rect_t after = get_bounds (window, fixed[i]);

      g_assert_true (graphene_rect_equal (&before[i], &after));
    }
  }
}

/* The chips have a place of their own: neither the picture nor a control moves, however many there
 * are, and what has no room in the line is in the menu. */
static void
test_nothing_moves (AppWindow *window)
{
  static const int widths[] = { 1280, 900 };
  UiEditChips *line = UI_EDIT_CHIPS (window_find (window, "edit_line"));
  GtkWidget *more = window_find (window, "more_edits");

  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++) {
    int n_shown;

    gtk_window_set_default_size (GTK_WINDOW (window), widths[w], 800);
    wait_until (ABS (gtk_widget_get_width (GTK_WIDGET (window)) - widths[w]) < 60);
    edit_five (window);
    n_shown = ui_edit_chips_get_n_shown (line);
    g_assert_cmpint (ui_edit_chips_get_n (line), ==, 5);
    g_assert_cmpint (n_shown, <, 5);
    g_assert_cmpint (n_shown, >=, widths[w] == 1280 ? 1 : 0);
    wait_until (atoi (gtk_menu_button_get_label (GTK_MENU_BUTTON (more)) + 1) == 5 - n_shown);
    activate (window, "win.clear-edits");
    g_assert_false (gtk_widget_get_visible (more));
  }
}

static gpointer
find_controller (GtkWidget *widget,
                 GType      type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

    if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
      return controller;
  }
  return NULL;
}

/* A little below the middle of a chip, or above it. */
static void
get_place (AppWindow *window,
           int        chip,
           gboolean   below,
           double    *x,
           double    *y)
{
  GtkWidget *box = gtk_widget_get_parent (find_button (window, chip, 0));
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (box, window_find (window, "edit_chips"), &bounds));
  *x = bounds.origin.x + bounds.size.width / 2;
  *y = bounds.origin.y + bounds.size.height / 2 + (below ? 5 : -5);
}

/* Drags a chip beside another one; lands: the style that marks the place, NULL = nothing moves. */
static void
drag (AppWindow  *window,
      int         from,
      int         beside,
      gboolean    below,
      const char *lands)
{
  GtkWidget *chip = gtk_widget_get_parent (find_button (window, from, 0));
  GtkWidget *other = gtk_widget_get_parent (find_button (window, beside, 0));
  gpointer source = find_controller (chip, GTK_TYPE_DRAG_SOURCE);
  gpointer target = find_controller (window_find (window, "edit_chips"), GTK_TYPE_DROP_TARGET);
  g_auto (GValue) value = G_VALUE_INIT;
  g_autoptr (GdkContentProvider) provider = NULL;
  GdkDragAction action;
  gboolean is_dropped;
  double x, y;

  driver_settle (GTK_WIDGET (window));
  get_place (window, beside, below, &x, &y);
  g_signal_emit_by_name (source, "prepare", 1.0, 1.0, &provider);
  g_value_init (&value, GTK_TYPE_BOX);
  g_assert_true (gdk_content_provider_get_value (provider, &value, NULL));
  g_signal_emit_by_name (target, "motion", x, y, &action);
  g_assert_cmpint (action, ==, GDK_ACTION_MOVE);
  if (lands != NULL)
    g_assert_true (gtk_widget_has_css_class (other, lands));
  g_signal_emit_by_name (target, "drop", &value, x, y, &is_dropped);
  g_assert_true (is_dropped == (lands != NULL));
  g_signal_emit_by_name (source, "drag-end", NULL, FALSE);
  g_assert_false (gtk_widget_has_css_class (other, "lands-above"));
  g_assert_false (gtk_widget_has_css_class (other, "lands-below"));
  wait_until (is_idle (window));
}

/* A popover keeps its keys for itself. */
static void
test_keys_of_list (AppWindow *window)
{
  GtkMenuButton *more = GTK_MENU_BUTTON (window_find (window, "more_edits"));
  gpointer keys = find_controller (GTK_WIDGET (gtk_menu_button_get_popover (more)),
                                   GTK_TYPE_EVENT_CONTROLLER_KEY);
  gboolean is_taken;

  edit (window, "zero 0.1; zero 0.2; zero 0.3");
  open_chips (window);
  ui_edit_chips_focus (get_chips (window), 1);
  g_signal_emit_by_name (keys, "key-pressed", GDK_KEY_Down, 0, GDK_ALT_MASK, &is_taken);
  g_assert_true (is_taken);
  wait_until (is_idle (window));
  assert_edits (window, "zero 0.1; zero 0.3; zero 0.2");
  g_assert_cmpint (ui_edit_chips_get_focused (get_chips (window)), ==, 2);
}

static void
test_drag (AppWindow *window)
{
  gpointer target = find_controller (window_find (window, "edit_chips"), GTK_TYPE_DROP_TARGET);
  GdkDragAction action;

  edit (window, "zero 0.1; zero 0.2; zero 0.3");
  open_chips (window);
  drag (window, 0, 1, TRUE, "lands-below");
  assert_edits (window, "zero 0.2; zero 0.1; zero 0.3");
  drag (window, 2, 0, FALSE, "lands-above");
  assert_edits (window, "zero 0.3; zero 0.2; zero 0.1");
  drag (window, 0, 2, FALSE, "lands-above");
  assert_edits (window, "zero 0.2; zero 0.3; zero 0.1");
  /* Where it stands already. */
  drag (window, 0, 1, FALSE, NULL);
  drag (window, 1, 1, TRUE, NULL);
  assert_edits (window, "zero 0.2; zero 0.3; zero 0.1");
  activate (window, "win.undo");
  assert_edits (window, "zero 0.3; zero 0.2; zero 0.1");
  /* Nothing of these is dragged. */
  g_signal_emit_by_name (target, "motion", 5.0, 5.0, &action);
  g_assert_cmpint (action, ==, 0);
}

static const char *
get_token (AppWindow *window,
           int        token)
{
  return eng_trace_get_query_tokens (app_window_get_trace (window), ENG_KIND_ENCODER)->texts[token];
}

static void
test_swap (AppWindow *window)
{
  const UiItem other = { .type = UI_ITEM_KEY, .key = 6 };

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.swap-word", "s", "swap 2"));
  g_assert_true (window_reveals (window, "notice_revealer"));
  g_signal_emit_by_name (window_view (window), "clicked", &other, FALSE);
  wait_until (is_idle (window));
  assert_edits (window, "swap 2 6");
  open_chips (window);
  g_assert_nonnull (driver_find_label (window_find (window, "edit_chips"),
                                       "Swap the words of “cat” (2) and “mat” (6)"));
  g_assert_cmpstr (get_token (window, 2), ==, "mat");
  g_assert_cmpstr (get_token (window, 6), ==, "cat");
  g_assert_true (ui_pins_is_empty (&app_window_get_document (window)->pins));
  /* The question is answered: a click pins again. */
  g_signal_emit_by_name (window_view (window), "clicked", &other, FALSE);
  g_assert_true (ui_pins_has (&app_window_get_document (window)->pins, TRUE, 6));
}

/* A file holds no model: nothing of it can be edited, and the menu says so. */
static void
test_trace_file (AppWindow *window)
{
  char *folder = temporary_new ();
  g_autofree char *path = g_build_filename (folder, "trace.safetensors", NULL);
  UiDocument *document;

  edit (window, "zero 0.1");
  g_assert_true (eng_trace_file_write (app_window_get_trace (window), path, NULL));
  document = ui_document_copy (app_window_get_document (window));
  document->trace_file = g_strdup (path);
  window_change (window, document);
  wait_until (is_idle (window) && window_get_model (window) == NULL);
  g_assert_false (is_enabled (window, "edit"));
  g_assert_false (is_enabled (window, "scale-head"));
  g_assert_false (is_enabled (window, "swap-word"));
  g_assert_false (is_enabled (window, "clear-edits"));
  g_assert_false (is_enabled (window, "ablate"));
  g_assert_false (gtk_widget_get_visible (window_find (window, "edit_chips")));
  g_assert_false (gtk_widget_get_visible (find_changes (window)));
  activate (window, "win.undo");
  wait_until (window_get_model (window) != NULL);
  assert_edits (window, "zero 0.1");
  temporary_free (folder);
}

/* The factor of a head is asked for; Return in its entry is the answer. */
static void
test_scale_head (AppWindow *window)
{
  GListModel *windows = gtk_window_get_toplevels ();
  GtkWidget *dialog = NULL, *factor;

  activate (window, "win.scale-head('scale 3.7')");
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) toplevel = g_list_model_get_item (windows, i);

    if (ADW_IS_MESSAGE_DIALOG (toplevel))
      dialog = toplevel;
  }
  g_assert_nonnull (dialog);
  factor = driver_find (dialog, GTK_TYPE_SPIN_BUTTON, 0);
  g_assert_true (gtk_text_get_activates_default (
    GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (factor)))));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (factor), 1.5);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "scale");
  gtk_window_destroy (GTK_WINDOW (dialog));
  wait_until (is_idle (window));
  assert_edits (window, "scale 3.7 1.5");
}

int
main (int    argc,
      char **argv)
{
  static const struct {
    const char *name;
    void      (*body) (AppWindow *window);
  } tests[] = {
    { "actions", test_actions },
    { "nonsense", test_nonsense },
    { "chips", test_chips },
    { "nothing-moves", test_nothing_moves },
    { "deletion", test_deletion },
    { "keyboard", test_keyboard },
    { "together", test_together },
    { "merging", test_merging },
    { "keys-of-list", test_keys_of_list },
    { "drag", test_drag },
    { "swap", test_swap },
    { "trace-file", test_trace_file },
    { "scale-head", test_scale_head },
  };

  if (!driver_init (&argc, &argv))
    return 77;
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strdup_printf ("/window-edits/%s", tests[i].name);

    g_test_add_data_func (path, tests[i].body, run_test);
  }
  return g_test_run ();
}
