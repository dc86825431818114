/* SPDX-License-Identifier: MIT */
#include "tests/support/wait.h"
#include "tests/ui/inspector/inspector-case.h"

#include "tests/support/scene-trace.h"

static void
test_empty (Fixture       *self,
            gconstpointer  unused)
{
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector), "Point at a token"));
  show (self);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector), "Point at a token"));
  ui_inspector_set_scene (self->inspector, NULL);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector), "Point at a token"));
}

/* Token 1 in head 0 reads itself, in head 1 token 2: means (0.6 + 0.1) / 2 = 0.35. */
static void
test_hovered (Fixture       *self,
              gconstpointer  unused)
{
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 1 });

  assert_text (self, "“w1” · token 1 · sentence A");
  assert_text (self, "weight, mean of all 2 heads of layer 0");
  assert_row (self, 0, "reads “w1” (1) with weight 0.35");
  assert_row (self, 1, "reads “[SEP]” (2) with weight 0.35");
  assert_row (self, 2, "reads “w0” (0) with weight 0.10");
  /* Who reads token 1: itself in head 0, token 0 in head 1. */
  assert_row (self, 5, "is read by “w0” (0) with weight 0.35");
  assert_row (self, 6, "is read by “w1” (1) with weight 0.35");
  /* -2 · 0.35 log2 0.35 - 3 · 0.1 log2 0.1 = 2.057 bits; log2 5 = 2.322 */
  assert_text (self, "2.06 bits of at most 2.32");
  assert_text (self, "full bar 0.5");
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector),
                                       "“w1” (1) reads “w1” (1) with weight 0.60 in head 0"));

  point_at (self, NULL);
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector), "Point at a token"));
}

static void
test_heads_shown (Fixture       *self,
                  gconstpointer  unused)
{
  ui_head_set_only (&self->document->heads, 1);
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_KEY, .key = 1 });
  assert_text (self, "weight, head 1 of layer 0");
  assert_row (self, 0, "reads “[SEP]” (2) with weight 0.60");
  assert_row (self, 5, "is read by “w0” (0) with weight 0.60");
  assert_text (self, "full bar 1");
}

/* What a head does is said of the only one shown, whatever is pointed at, and of one of several by
 * its links; a mean of heads and a rollout are no head. */
static void
test_head_note (Fixture       *self,
                gconstpointer  unused)
{
  GtkWidget *inspector = GTK_WIDGET (self->inspector);
  UiItem link = { .type = UI_ITEM_LINK, .head = 0, .query = 1, .key = 1 };

  show (self);
  g_assert_null (driver_find_label (inspector, "What head"));
  point_at (self, &link);
  assert_text (self, "What head 0 of layer 0 does");
  g_assert_nonnull (driver_find_label (inspector, "Each word reads itself. Evidence: the token"
                                                  " itself gets the most weight in 5 of 5 rows"));
  point_at (self, NULL);
  g_assert_null (driver_find_label (inspector, "What head"));

  ui_head_set_only (&self->document->heads, 1);
  show (self);
  g_assert_null (driver_find_label (inspector, "What head"));
  point_at (self, &(UiItem) { .type = UI_ITEM_KEY, .key = 1 });
  assert_text (self, "What head 1 of layer 0 does");
  g_assert_nonnull (driver_find_label (inspector, "Each word reads the one after. Evidence"));

  self->document->measure = ENG_MEASURE_ROLLOUT;
  show (self);
  g_assert_null (driver_find_label (inspector, "What head"));
  self->document->measure = ENG_MEASURE_WEIGHT;
  ui_head_set_toggle (&self->document->heads, 0, 2);
  self->document->aggregate = UI_AGGREGATE_MEAN;
  show (self);
  point_at (self, &link);
  g_assert_null (driver_find_label (inspector, "What head"));
}

static void
head_chosen_cb (GArray *cells,
                int     layer,
                int     head)
{
  g_array_append_val (cells, ((UiCell) { layer, head }));
}

/* Nothing is chosen: the head that is drawn with its evidence, or a row for each. */
static void
test_overview (Fixture       *self,
               gconstpointer  unused)
{
  GtkWidget *inspector = GTK_WIDGET (self->inspector);
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (UiCell));
  GtkWidget *row;

  g_signal_connect_swapped (inspector, "head-chosen", G_CALLBACK (head_chosen_cb), chosen);
  show (self);
  assert_text (self, "All 2 heads of layer 0");
  row = driver_find (inspector, GTK_TYPE_LIST_BOX_ROW, 1);
  g_assert_nonnull (driver_find_label (row, "the word after"));
  g_signal_emit_by_name (gtk_widget_get_parent (row), "row-activated", row);
  g_assert_cmpuint (chosen->len, ==, 1);
  g_assert_cmpint (g_array_index (chosen, UiCell, 0).head, ==, 1);

  ui_head_set_only (&self->document->heads, 1);
  show (self);
  assert_text (self, "Head 1 of layer 0");
  assert_text (self, "the word after");
  /* Of five tokens the last has none after it. */
  g_assert_nonnull (driver_find_label (inspector, "The token after gets the most weight in 4 of 4"));
  assert_row (self, 0, "“w0” (0) reads “w1” (1) with weight 0.60");
  g_assert_null (driver_find (inspector, GTK_TYPE_LIST_BOX_ROW, 0));
  point_at (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 1 });
  g_assert_null (driver_find_label (inspector, "The token after gets"));
}

/* The same token with other numbers is read on, another one begins at the top. */
static void
test_place (Fixture       *self,
            gconstpointer  unused)
{
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (driver_find (GTK_WIDGET (self->inspector), GTK_TYPE_SCROLLED_WINDOW, 0)));

  gtk_window_set_default_size (self->window, 300, 120);
  ui_pins_click (&self->document->pins, FALSE, 0, FALSE);
  show (self);
  wait_until (gtk_adjustment_get_upper (place) > gtk_adjustment_get_page_size (place) + 60);
  gtk_adjustment_set_value (place, 60);
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_KEY, .key = 1 });
  g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, 60);
  ui_pins_click (&self->document->pins, FALSE, 1, FALSE);
  show (self);
  g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, 0);
  gtk_adjustment_set_value (place, 60);
  ui_head_set_only (&self->document->heads, 1);
  show (self);
  g_assert_cmpfloat (gtk_adjustment_get_value (place), ==, 0);
}

/* Heads of several layers stand beside each other: a row each, with its layer. */
static void
test_overview_of_layers (Fixture       *self,
                         gconstpointer  unused)
{
  GtkWidget *inspector = GTK_WIDGET (self->inspector);
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (UiCell));
  GtkWidget *row;

  eng_trace_unref (self->trace);
  self->trace = made_trace_new (N_A, N_B, 2, 2);
  self->document->compare = UI_COMPARE_HEADS;
  ui_cells_toggle (&self->document->panels, 0, 1);
  ui_cells_toggle (&self->document->panels, 1, 0);
  g_signal_connect_swapped (inspector, "head-chosen", G_CALLBACK (head_chosen_cb), chosen);
  show (self);
  assert_text (self, "2 heads");
  g_assert_null (driver_find_label (inspector, "of layer"));
  for (int i = 0; i < 2; i++) {
    row = driver_find (inspector, GTK_TYPE_LIST_BOX_ROW, i);
    g_assert_nonnull (driver_find_label (row, i == 0 ? "Head 0.1" : "Head 1.0"));
    g_assert_nonnull (driver_find_label (row, "the word after"));
  }
  g_assert_null (driver_find (inspector, GTK_TYPE_LIST_BOX_ROW, 2));
  g_signal_emit_by_name (gtk_widget_get_parent (row), "row-activated", row);
  g_assert_cmpuint (chosen->len, ==, 1);
  g_assert_cmpint (g_array_index (chosen, UiCell, 0).layer, ==, 1);
  g_assert_cmpint (g_array_index (chosen, UiCell, 0).head, ==, 0);

  ui_cells_toggle (&self->document->panels, 1, 0);
  show (self);
  assert_text (self, "Head 1 of layer 0");
  g_assert_null (driver_find (inspector, GTK_TYPE_LIST_BOX_ROW, 0));
}

/* A pin holds while the pointer goes elsewhere; several are summed, but no link is a sum. */
static void
test_pinned (Fixture       *self,
             gconstpointer  unused)
{
  ui_pins_click (&self->document->pins, FALSE, 3, FALSE);
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 0 });
  assert_text (self, "“w3” · token 3 · sentence B");

  ui_pins_click (&self->document->pins, FALSE, 2, TRUE);
  show (self);
  assert_text (self, "Sum of the pinned tokens “[SEP]” (2) and “w3” (3)");
  /* Token 3 is read by 2 in head 1 and by 3 in head 0: (0.6 + 0.1 + 0.6 + 0.1) / 2. */
  assert_row (self, 0, "reads “w3” (3) with weight 0.70");
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "bits of"));

  ui_pins_clear (&self->document->pins);
  ui_pins_click (&self->document->pins, FALSE, 2, FALSE);
  ui_pins_click (&self->document->pins, TRUE, 3, TRUE);
  show (self);
  assert_text (self, "“[SEP]” reads “w3”");
  /* Head 1 reads the token after. */
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector),
                                       "“[SEP]” (2) reads “w3” (3) with weight 0.60 in head 1"));
}

/* A filter without renormalising leaves a part of the row, and says so. */
static void
test_filtered_row (Fixture       *self,
                   gconstpointer  unused)
{
  self->document->filter = UI_FILTER_AB;
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 1 });
  g_assert_nonnull (driver_find_label (GTK_WIDGET (self->inspector),
                                       "0.20 of the row is shown"));
}

/* Which of the two texts a token is of, and how its vocabulary spells it. */
static void
test_two_stacks (Fixture       *self,
                 gconstpointer  unused)
{
  EngTokens *source;

  eng_trace_unref (self->trace);
  self->trace = scene_trace_new_two_stacks (4, 6);
  source = (EngTokens *) eng_trace_get_key_tokens (self->trace, ENG_KIND_CROSS);
  g_free (source->pieces[2]);
  source->pieces[2] = g_strdup ("▁w2");
  self->document->kind_set = TRUE;
  self->document->kind = ENG_KIND_CROSS;
  show (self);
  point_at (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 2 });
  assert_text (self, "“w2” · token 2 · target");
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "piece “"));
  point_at (self, &(UiItem) { .type = UI_ITEM_KEY, .key = 2 });
  assert_text (self, "“w2” · token 2 · source");
  assert_text (self, "weight, mean of all 2 heads of layer 0 of the cross-attention\npiece “▁w2”");
}

static void
test_cross (Fixture       *self,
            gconstpointer  unused)
{
  eng_trace_unref (self->trace);
  self->trace = scene_trace_new_cross (3, 6, 2);
  self->document->kind_set = TRUE;
  self->document->kind = ENG_KIND_CROSS;
  show (self);
  /* A key of cross-attention reads nothing here. */
  point_at (self, &(UiItem) { .type = UI_ITEM_KEY, .key = 1 });
  assert_text (self, "is read by");
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "Entropy"));
  /* This one is masked for all three queries. */
  point_at (self, &(UiItem) { .type = UI_ITEM_KEY, .key = 5 });
  assert_text (self, "“w5” (5) is hidden from all tokens: the model masks it.");
  point_at (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 2 });
  assert_text (self, "reads");
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "is read by"));
}

static void
add_prediction (GArray     *predictions,
                int         position,
                const char *token,
                const char *label,
                double      probability)
{
  const EngPrediction prediction = {
    .position = position,
    .token = g_strdup (token),
    .label = g_strdup (label),
    .probability = probability,
  };

  g_array_append_val (predictions, prediction);
}

static GArray *
new_predictions (void)
{
  GArray *predictions = g_array_new (FALSE, FALSE, sizeof (EngPrediction));

  g_array_set_clear_func (predictions, (GDestroyNotify) eng_prediction_clear);
  return predictions;
}

static void
test_predictions (Fixture       *self,
                  gconstpointer  unused)
{
  g_autoptr (GArray) words = new_predictions ();
  g_autoptr (GArray) pair = new_predictions ();
  g_autoptr (GArray) replaced = new_predictions ();

  add_prediction (words, 1, "mat", NULL, 0.5);
  add_prediction (words, 1, "rug", NULL, 0.25);
  add_prediction (words, 4, "sat", NULL, 0.125);
  add_prediction (pair, 0, NULL, "same", 0.75);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_FILL_MASK, words);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_NEXT_SENTENCE, pair);
  driver_settle (GTK_WIDGET (self->inspector));
  assert_text (self, "Masked words");
  assert_text (self, "for token 1");
  assert_text (self, "for token 4");
  assert_row (self, 0, "mat with probability 0.50");
  assert_row (self, 2, "sat with probability 0.12");
  assert_row (self, 3, "same with probability 0.75");

  ui_inspector_set_predictions (self->inspector, ENG_TASK_FILL_MASK, NULL);
  driver_settle (GTK_WIDGET (self->inspector));
  g_assert_null (driver_find_label (GTK_WIDGET (self->inspector), "Masked words"));
  assert_row (self, 0, "same with probability 0.75");

  /* The number is that it was replaced, also where it was not. */
  add_prediction (replaced, 3, "rug", "replaced", 0.75);
  add_prediction (replaced, 2, "sat", "original", 0.25);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_NEXT_SENTENCE, NULL);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_REPLACED_TOKENS, replaced);
  driver_settle (GTK_WIDGET (self->inspector));
  assert_text (self, "Replaced?");
  assert_row (self, 0, "rug 3 replaced with probability 0.75");
  assert_row (self, 1, "sat 2 replaced with probability 0.25");
}

static gboolean
has_rows (Fixture *self)
{
  GtkWidget *row;

  for (int i = 0; (row = driver_find (GTK_WIDGET (self->inspector), UI_TYPE_BAR_ROW, i)) != NULL;
       i++)
    if (gtk_widget_get_mapped (row))
      return TRUE;

  return FALSE;
}

/* What edits change is listed there alone, whichever is set first. */
static void
test_compared (Fixture       *self,
               gconstpointer  unused)
{
  const EngTaskChange change = {
    .task = ENG_TASK_NEXT_SENTENCE, .position = -1,
    .moves = g_array_new (FALSE, FALSE, sizeof (EngTaskMove)),
  };
  g_autoptr (GArray) moves = change.moves;
  g_autoptr (GArray) tasks = g_array_new (FALSE, FALSE, sizeof (EngTaskChange));
  g_autoptr (GArray) pair = new_predictions ();

  g_array_append_val (tasks, change);
  add_prediction (pair, 0, NULL, "same", 0.75);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_NEXT_SENTENCE, pair);
  ui_inspector_set_changes (self->inspector, tasks, NULL, NULL, NULL);
  driver_settle (GTK_WIDGET (self->inspector));
  g_assert_false (has_rows (self));
  ui_inspector_set_predictions (self->inspector, ENG_TASK_NEXT_SENTENCE, pair);
  driver_settle (GTK_WIDGET (self->inspector));
  g_assert_false (has_rows (self));
  ui_inspector_set_changes (self->inspector, NULL, NULL, NULL, NULL);
  driver_settle (GTK_WIDGET (self->inspector));
  assert_row (self, 0, "same with probability 0.75");
}

/* Where several heads answer, one of them or all are shown. */
static void
test_chooser (Fixture       *self,
              gconstpointer  unused)
{
  g_autoptr (GArray) answer = new_predictions ();
  g_autoptr (GArray) next = new_predictions ();
  GtkWidget *inspector = GTK_WIDGET (self->inspector);
  GtkDropDown *chooser = GTK_DROP_DOWN (driver_find (inspector, GTK_TYPE_DROP_DOWN, 0));

  add_prediction (answer, 0, "with Bob in the spring", NULL, 0.5);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_QUESTION_ANSWERING, answer);
  driver_settle (inspector);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (chooser)));
  assert_text (self, "with Bob in the spring");

  add_prediction (next, 6, " and", NULL, 0.25);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_LANGUAGE_MODEL, next);
  driver_settle (inspector);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (chooser)));
  assert_text (self, "Next token");
  assert_text (self, "after token 6");
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (chooser)), ==, 3);

  gtk_drop_down_set_selected (chooser, 2);
  driver_settle (inspector);
  g_assert_false (driver_shows_text (inspector, "with Bob in the spring"));
  assert_text (self, "after token 6");
  gtk_drop_down_set_selected (chooser, 1);
  driver_settle (inspector);
  assert_text (self, "with Bob in the spring");
  g_assert_false (driver_shows_text (inspector, "after token 6"));

  /* The chosen one says nothing any more. */
  ui_inspector_set_predictions (self->inspector, ENG_TASK_QUESTION_ANSWERING, NULL);
  driver_settle (inspector);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (chooser)));
  assert_text (self, "after token 6");
}

/* A line break is a token, too; a row stays one line. */
static void
test_line_break (Fixture       *self,
                 gconstpointer  unused)
{
  g_autoptr (GArray) next = new_predictions ();

  add_prediction (next, 6, "\n\n", NULL, 0.25);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_LANGUAGE_MODEL, next);
  driver_settle (GTK_WIDGET (self->inspector));
  assert_row (self, 0, "⏎⏎ with probability 0.25");
}

/* A regression gives a number of any size, which is no probability. */
static void
test_score (Fixture       *self,
            gconstpointer  unused)
{
  g_autoptr (GArray) scores = new_predictions ();

  add_prediction (scores, 0, NULL, "similarity", -1.5);
  ui_inspector_set_predictions (self->inspector, ENG_TASK_TEXT_CLASSIFICATION, scores);
  driver_settle (GTK_WIDGET (self->inspector));
  assert_row (self, 0, "similarity with score −1.500");
}

/* Whatever the pointer does between two frames, the numbers are those of the last item. */
static void
test_once_a_frame (Fixture       *self,
                   gconstpointer  unused)
{
  show (self);
  for (int i = 0; i < N_A + N_B; i++)
    ui_inspector_set_item (self->inspector, &(UiItem) { .type = UI_ITEM_QUERY, .query = i });
  point_at (self, &(UiItem) { .type = UI_ITEM_QUERY, .query = 3 });
  assert_text (self, "“w3” · token 3 · sentence B");
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  ADD ("empty", test_empty);
  ADD ("hovered", test_hovered);
  ADD ("heads-shown", test_heads_shown);
  ADD ("head-note", test_head_note);
  ADD ("overview", test_overview);
  ADD ("place", test_place);
  ADD ("overview-of-layers", test_overview_of_layers);
  ADD ("pinned", test_pinned);
  ADD ("filtered-row", test_filtered_row);
  ADD ("two-stacks", test_two_stacks);
  ADD ("cross", test_cross);
  ADD ("predictions", test_predictions);
  ADD ("compared", test_compared);
  ADD ("chooser", test_chooser);
  ADD ("line-break", test_line_break);
  ADD ("score", test_score);
  ADD ("once-a-frame", test_once_a_frame);
  return g_test_run ();
}
