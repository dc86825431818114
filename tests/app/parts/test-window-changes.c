/* SPDX-License-Identifier: MIT */
/* What edits change of what is predicted, in the real window; all heads in turn, too. */
#include "tests/app/parts/edits-case.h"

#include <math.h>

#include "ui/lists/change-row.h"
#include "ui/lists/prediction-list.h"
#include "ui/lists/sweep-grid.h"

/* The probability that the row of that label has; -1 = there is no such prediction. */
static double
predict (AppWindow  *window,
         const char *label)
{
  g_autoptr (GArray) predictions =
    eng_predict (window_get_model (window), app_window_get_trace (window), ENG_TASK_NEXT_SENTENCE,
                 2, NULL);

  for (guint i = 0; i < predictions->len; i++)
    if (g_str_equal (g_array_index (predictions, EngPrediction, i).label, label))
      return g_array_index (predictions, EngPrediction, i).probability;
  return -1;
}

/* Against what the model itself answers, before and after. */
static void
test_changes (AppWindow *window)
{
  GtkWidget *changes = find_changes (window);
  double before = predict (window, "same"), after, divergence;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *words = NULL;

  g_assert_false (gtk_widget_get_visible (changes));
  edit (window, "skip-attention 0; skip-feed-forward 0; skip-attention 1");
  g_assert_true (gtk_widget_get_visible (changes));
  after = predict (window, "same");
  g_assert_cmpfloat (fabs (after - before), >, 1e-6);
  divergence = before * log2 (before / after)
               + (1 - before) * log2 ((1 - before) / (1 - after));
  g_ascii_formatd (number, sizeof number, "%.3f", divergence);
  words = g_strdup_printf ("KL divergence %s bits", divergence < 0.0005 ? "<0.001" : number);
  g_assert_nonnull (driver_find_label (changes, "Sentence pair"));
  g_assert_nonnull (driver_find_label (changes, words));
  g_assert_nonnull (driver_find (changes, UI_TYPE_CHANGE_ROW, 1));
  /* Not twice, whatever is looked at next. */
  activate (window, "win.next-layer");
  g_assert_null (driver_find_label (driver_find (window_find (window, "inspector"),
                                                 UI_TYPE_PREDICTION_LIST, 0), "Sentence pair"));
  activate (window, "win.clear-edits");
  g_assert_false (gtk_widget_get_visible (changes));
  g_assert_nonnull (driver_find_label (driver_find (window_find (window, "inspector"),
                                                    UI_TYPE_PREDICTION_LIST, 0),
                                       "Sentence pair"));
}

/* A text that was never shown without its edits is run without them, too; masks keep their places
 * when a token before them goes. */
static void
test_changes_of_new_text (AppWindow *window)
{
  GtkWidget *changes = find_changes (window);

  edit (window, "delete 1");
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_b")), "");
  wait_until (is_idle (window));
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")),
                         "The cat sat on the [MASK]");
  wait_until (is_idle (window));
  wait_until (driver_find_label (changes, "Masked word for token 5") != NULL);
  g_assert_nonnull (driver_find (changes, UI_TYPE_CHANGE_ROW, 4));

  /* Where nothing is predicted before, the states of the tokens are compared. */
  gtk_editable_set_text (GTK_EDITABLE (window_find (window, "entry_a")), "The cat sat on the mat");
  wait_until (is_idle (window));
  wait_until (driver_find_label (changes, "Last hidden states") != NULL);
}

/* What a cut link changes in the answers is in sight beside both sides, above what is pinned. */
static void
test_changes_of_sides (AppWindow *window)
{
  GtkWidget *changes = find_changes (window);
  GtkWidget *scroller = driver_find (window_find (window, "inspector"), GTK_TYPE_SCROLLED_WINDOW, 0);
  UiDocument *document = ui_document_copy (app_window_get_document (window));
  graphene_rect_t bounds;

  g_assert_true (ui_document_set (document, ui_fields_find ("pin"), "9,k:2", NULL));
  window_change (window, document);
  edit (window, "cut 3.11 9 2");
  g_action_group_activate_action (G_ACTION_GROUP (window), "compare-with",
                                  g_variant_new_string ("edits"));
  wait_until (is_idle (window));
  wait_until (driver_find_label (changes, "Sentence pair") != NULL);
  driver_settle (GTK_WIDGET (window));
  g_assert_true (gtk_widget_compute_bounds (changes, scroller, &bounds));
  g_assert_cmpfloat (bounds.origin.y + bounds.size.height, <, gtk_widget_get_height (scroller) / 2.0 + 120);
}

static void
test_sweep (AppWindow *window)
{
  GtkWidget *dialog, *grid;
  GListModel *rows;

  activate (window, "win.ablate");
  dialog = window_get_sweep_dialog (window);
  g_assert_nonnull (dialog);
  grid = driver_find (dialog, UI_TYPE_SWEEP_GRID, 0);
  wait_until (driver_find_label (dialog, "Before: “same”") != NULL);
  g_assert_cmpfloat (ui_sweep_grid_get_full (UI_SWEEP_GRID (grid)), >, 0);
  /* All heads in the end, though not all at once. */
  rows = G_LIST_MODEL (gtk_column_view_get_model (
    GTK_COLUMN_VIEW (driver_find (dialog, GTK_TYPE_COLUMN_VIEW, 0))));
  wait_until (g_list_model_get_n_items (rows) == 6 * 12);
  g_signal_emit_by_name (grid, "clicked", 3, 7);
  wait_until (is_idle (window));
  g_assert_cmpint (app_window_get_shown (window)->layer, ==, 3);
  g_assert_cmpint (ui_head_set_first (&app_window_get_shown (window)->heads, 12), ==, 7);
  g_assert_cmpint (ui_head_set_count (&app_window_get_shown (window)->heads, 12), ==, 1);
  assert_edits (window, "");

  /* Once is enough; closing it in the middle stops the work. */
  activate (window, "win.ablate");
  g_assert_true (window_get_sweep_dialog (window) == dialog);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (driver_find (dialog, GTK_TYPE_DROP_DOWN, 0)), 1);
  g_assert_true (driver_press_key (dialog, "Escape"));
  g_assert_null (window_get_sweep_dialog (window));
}

int
main (int    argc,
      char **argv)
{
  static const struct {
    const char *name;
    void      (*body) (AppWindow *window);
  } tests[] = {
    { "sweep", test_sweep },
    { "changes", test_changes },
    { "changes-of-new-text", test_changes_of_new_text },
    { "changes-of-sides", test_changes_of_sides },
  };

  if (!driver_init (&argc, &argv))
    return 77;
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strdup_printf ("/window-edits/%s", tests[i].name);

    g_test_add_data_func (path, tests[i].body, run_test);
  }
  return g_test_run ();
}
