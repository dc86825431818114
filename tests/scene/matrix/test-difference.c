/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/difference-scene.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/support/fields.h"
#include "tests/support/golden.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/describe.h"

static const char *const first_words[] = { "the", "cat", "sat", NULL };
static const char *const second_words[] = { "the", "big", "Cat", "lay", "down", NULL };

static UiScene *
create_scene (EngTrace    *first,
              const char  *first_settings,
              EngTrace    *second,
              const char  *second_settings,
              GError     **error)
{
  g_autoptr (UiDocument) first_document = fields_make_document (first_settings);
  g_autoptr (UiDocument) second_document = fields_make_document (second_settings);
  UiSceneOptions options = { .width = 900, .view_height = 600, .text_scale = 1, .zoom = 1 };

  return ui_difference_scene_new (first, first_document, second, second_document, &options, error);
}

/* Two heads of one trace: every cell is the difference of what the trace holds. */
static void
test_values (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = create_scene (trace, "heads=0", trace, "heads=1,2", &error);
  const UiWeights *weights;
  double largest = 0;

  g_assert_no_error (error);
  g_assert_true (ui_scene_is_difference (scene));
  weights = ui_scene_get_weights (scene);
  for (int query = 0; query < 7; query++) {
    for (int key = 0; key < 7; key++) {
      double second = (scene_trace_weight (trace, ENG_KIND_ENCODER, 1, query, key)
                       + scene_trace_weight (trace, ENG_KIND_ENCODER, 2, query, key)) / 2;
      double difference = scene_trace_weight (trace, ENG_KIND_ENCODER, 0, query, key) - second;

      g_assert_cmpfloat_with_epsilon (ui_weights_get (weights, 0, query, key), difference, 1e-6);
      largest = MAX (largest, fabs (difference));
    }
  }
  /* Head 0 has 0.7 elsewhere than the two others have 0.35 each: 0.65 went there. */
  for (int row = 0; row < 7; row++)
    g_assert_cmpfloat_with_epsilon (((UiMatrixScene *) scene)->row_notes[row], 0.65, 1e-5);
  /* The scale is symmetric and holds the largest. */
  g_assert_cmpfloat (weights->block.unit, >=, largest);
  g_assert_cmpfloat (weights->block.unit, <=, 2.5 * largest);
}

/* The neuron view shows one head, the first that is on, and so does a difference in it. */
static void
test_one_head (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = create_scene (trace, "view=neuron", trace, "view=neuron heads=1,2",
                                            &error);
  g_autofree char *legend = NULL;
  g_autofree char *scope = NULL;

  g_assert_no_error (error);
  legend = ui_scene_legend (scene);
  g_assert_nonnull (strstr (legend, "This: head 0 of layer 0; Other: head 1 of layer 0."));
  scope = ui_describe_scope (scene, TRUE);
  g_assert_cmpstr (scope, ==, "head 0 of layer 0");
  for (int query = 0; query < 7; query++)
    for (int key = 0; key < 7; key++)
      g_assert_cmpfloat_with_epsilon (
        ui_weights_get (ui_scene_get_weights (scene), 0, query, key),
        scene_trace_weight (trace, ENG_KIND_ENCODER, 0, query, key)
        - scene_trace_weight (trace, ENG_KIND_ENCODER, 1, query, key), 1e-6);
}

/* What the inspector says of the difference is what its legend says. */
static void
test_scope_of_max (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "aggregate=max", trace, "aggregate=max", NULL);
  g_autofree char *scope = ui_describe_scope (scene, TRUE);

  g_assert_cmpstr (scope, ==, "max of all 3 heads of layer 0");
}

/* "- the cat+ …": the labels along an axis. */
static char *
list_labels (const UiScene *scene,
             UiAxis         axis)
{
  const UiMatrixAxisLayout *layout = &((UiMatrixScene *) scene)->layout.axes[axis];
  GString *text = g_string_new (NULL);

  for (int i = 0; i < layout->n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", layout->labels[i].text);
  return g_string_free (text, FALSE);
}

/* Numbers that a filter brought back to 1 say so here, too. */
static void
test_legend_of_filter (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  const char *first = "heads=1 filter=ab renormalise=true hide-special=true";
  const char *second = "heads=2 filter=ab renormalise=true hide-special=true";
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = create_scene (trace, first, trace, second, &error);
  g_autofree char *legend = NULL;

  g_assert_no_error (error);
  legend = ui_scene_legend (scene);
  g_assert_nonnull (strstr (legend, "Only A→B: what A reads of B. Special tokens are hidden."));
  g_assert_nonnull (strstr (legend, "Rows renormalised"));
}

/* What the two sides are, how the drawing is scaled and what of it is left out. */
static void
test_legend (void)
{
  static const struct { const char *first, *second, *words;
  } cases[] = {
    { "heads=0", "heads=1",
      "Weight, This minus Other. This: head 0 of layer 0; Other: head 1 of layer 0."
      " Differences under 0.004 are not drawn. Scale −1.00 to +1.00, warm where This is"
      " more, cool where Other is: opacity = |difference of weight| × 1.5, at most 1. "
      "Right: " },
    { "heads=0 threshold=0 mass=0.9", "heads=0,2 mass=0.9",
      " This: head 0 of layer 0; Other: mean of heads 0 and 2 of layer 0. A cell is drawn where, "
      "on"
      " either side, it is one of the strongest of its row that together have 90 % of it. Scale "
      "−0.50"
      " to +0.50, warm where This is more, cool where Other is: opacity = |difference of"
      " weight| ÷ 0.50 × 1.5, at most 1. Right: " },
    { "aggregate=max", "aggregate=max", " Both sides: max of all 3 heads of layer 0. " },
    { "measure=rollout", "measure=rollout",
      "Rollout, This minus Other. Both sides: rollout up to layer 0. " },
  };
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) scene = create_scene (trace, cases[i].first, trace, cases[i].second,
                                              &error);
    g_autofree char *legend = NULL;

    g_assert_no_error (error);
    legend = ui_scene_legend (scene);
    if (strstr (legend, cases[i].words) == NULL)
      g_error ("“%s” does not hold “%s”", legend, cases[i].words);
  }
}

/* Half of a row of head 0 is its 0.7, and half of one of head 1 is that of another place: of the
 * difference these two are drawn, and nothing else. */
static void
test_mass (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "heads=0 mass=0.5 threshold=0", trace,
                                            "heads=1 mass=0.5", NULL);
  g_autoptr (UiScene) all = create_scene (trace, "heads=0 threshold=0", trace, "heads=1", NULL);

  for (int row = 0; row < 7; row++) {
    for (int column = 0; column < 7; column++) {
      gboolean is_strong = column == row || column == (row + 1) % 7;

      g_assert_cmpint (ui_matrix_get_state ((UiMatrixScene *) scene, row, column), ==,
                       is_strong ? UI_CELL_SHOWN : UI_CELL_BLANK);
      g_assert_cmpint (ui_matrix_get_state ((UiMatrixScene *) all, row, column), ==,
                       UI_CELL_SHOWN);
    }
  }
}

static void
test_alignment (void)
{
  g_autoptr (EngTrace) first = scene_trace_new (first_words, NULL, 1);
  g_autoptr (EngTrace) second = scene_trace_new (second_words, NULL, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = create_scene (first, "pin=2", second, "", &error);
  g_autofree char *rows = NULL;
  g_autofree char *columns = NULL;
  g_autofree char *legend = NULL;
  double value;

  g_assert_no_error (error);
  rows = list_labels (scene, UI_AXIS_ROWS);
  columns = list_labels (scene, UI_AXIS_COLUMNS);
  legend = ui_scene_legend (scene);
  g_assert_cmpstr (rows, ==, "[CLS], the, − big, cat 2→3, + sat, − lay, − down, [SEP] 4→6");
  g_assert_cmpstr (columns, ==, rows);
  g_assert_nonnull (strstr (legend, "Hatched, +: in This alone."));
  g_assert_nonnull (strstr (legend, "Hatched, −: in Other alone."));
  /* “cat” is 2 on the first side, 3 on the second, and the fourth of all. */
  value = scene_trace_weight (first, ENG_KIND_ENCODER, 0, 2, 0)
          - scene_trace_weight (second, ENG_KIND_ENCODER, 0, 3, 0);
  g_assert_cmpfloat_with_epsilon (ui_weights_get (ui_scene_get_weights (scene), 0, 3, 0), value,
                                  1e-6);
  g_assert_cmpint (ui_difference_scene_get_token (scene, 0, FALSE, 3), ==, 2);
  g_assert_cmpint (ui_difference_scene_get_token (scene, 1, FALSE, 3), ==, 3);
  g_assert_cmpint (ui_difference_scene_get_token (scene, 1, TRUE, 4), ==, -1);
  /* The pin is that of the first side's token. */
  g_assert_cmpint (ui_scene_get_document (scene)->pins.n_queries, ==, 1);
  g_assert_cmpint (ui_scene_get_document (scene)->pins.queries[0], ==, 3);
}

/* A word in place of another is compared with it; case is no other word. */
static void
test_exchanged (void)
{
  static const char *const other_words[] = { "the", "dog", "Sat", NULL };
  g_autoptr (EngTrace) first = scene_trace_new (first_words, NULL, 1);
  g_autoptr (EngTrace) second = scene_trace_new (other_words, NULL, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = create_scene (first, "", second, "", &error);
  g_autofree char *rows = NULL;

  g_assert_no_error (error);
  rows = list_labels (scene, UI_AXIS_ROWS);
  g_assert_cmpstr (rows, ==, "[CLS], the, cat / dog, sat, [SEP]");
}

static void
test_states (void)
{
  g_autoptr (EngTrace) first = scene_trace_new (first_words, NULL, 1);
  g_autoptr (EngTrace) second = scene_trace_new (second_words, NULL, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = create_scene (first, "", second, "", &error);
  const UiMatrixScene *matrix = (const UiMatrixScene *) scene;

  g_assert_no_error (error);
  g_assert_cmpint (ui_matrix_get_state (matrix, 2, 0), ==, UI_CELL_SECOND_ONLY);
  g_assert_cmpint (ui_matrix_get_state (matrix, 0, 4), ==, UI_CELL_FIRST_ONLY);
  /* A row of the second side alone crosses a column of the first side alone. */
  g_assert_cmpint (ui_matrix_get_state (matrix, 2, 4), ==, UI_CELL_BLANK);
  g_assert_cmpint (ui_matrix_get_state (matrix, 2, 2), ==, UI_CELL_SECOND_ONLY);
}

static double
get_weight (EngTrace *trace,
            int       query,
            int       key)
{
  return key < 0 ? 0 : scene_trace_weight (trace, ENG_KIND_ENCODER, 0, query, key);
}

/* Rows of both sides sum to 1, so what moved is the total variation, with what went to tokens that
 * one side alone has. A row of one side moved nowhere. */
static void
test_moved (void)
{
  g_autoptr (EngTrace) first = scene_trace_new (first_words, NULL, 1);
  g_autoptr (EngTrace) second = scene_trace_new (second_words, NULL, 1);
  g_autoptr (UiScene) scene = create_scene (first, "", second, "", NULL);
  g_autofree char *legend = ui_scene_legend (scene);
  const int n_rows = ui_scene_get_weights (scene)->block.queries->n;
  int n_alone = 0;

  for (int row = 0; row < n_rows; row++) {
    const float moved = ((UiMatrixScene *) scene)->row_notes[row];
    double expected = 0;

    if (!ui_difference_scene_is_paired (scene, FALSE, row)) {
      g_assert_true (isnan (moved));
      n_alone++;
      continue;
    }
    for (int column = 0; column < ui_scene_get_weights (scene)->block.keys->n; column++)
      expected +=
        0.5
        * fabs (get_weight (first, ui_difference_scene_get_token (scene, 0, FALSE, row),
                            ui_difference_scene_get_token (scene, 0, TRUE, column))
                - get_weight (second, ui_difference_scene_get_token (scene, 1, FALSE, row),
                              ui_difference_scene_get_token (scene, 1, TRUE, column)));
    g_assert_cmpfloat_with_epsilon (moved, expected, 1e-5);
  }
  g_assert_cmpint (n_alone, >, 0);
  g_assert_nonnull (strstr (legend, "half of the sum of a row's amounts, hatched ones with them;"));
}

static void
test_words (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 2);
  g_autoptr (EngTrace) first = scene_trace_new (first_words, NULL, 1);
  g_autoptr (EngTrace) second = scene_trace_new (second_words, NULL, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = create_scene (trace, "heads=0", trace, "heads=1", &error);
  g_autoptr (UiScene) texts = create_scene (first, "", second, "", NULL);
  g_autofree char *cell = ui_scene_describe (scene, &(UiItem) { UI_ITEM_LINK, 0, 0, 1 });
  g_autofree char *moved = ui_scene_describe (texts, &(UiItem) { UI_ITEM_LINK, 0, 3, 0 });
  g_autofree char *alone = ui_scene_describe (texts, &(UiItem) { UI_ITEM_QUERY, 0, 4, 0 });
  g_autofree char *half = ui_scene_describe (texts, &(UiItem) { UI_ITEM_LINK, 0, 0, 4 });
  g_autofree char *line = ui_scene_describe (scene, &(UiItem) { UI_ITEM_QUERY, 0, 0, 0 });
  g_autofree char *caption = ui_scene_caption (scene);

  g_assert_no_error (error);
  g_assert_cmpstr (cell, ==, "“w0” (0) reads “w1” (1) with weight 0.050 in This and 0.70"
                             " in Other: −0.65.");
  g_assert_true (g_str_has_prefix (moved, "“cat” (2, in Other 3) reads “[CLS]” (0)"));
  g_assert_cmpstr (alone, ==, "“sat” (3) is in This alone.");
  g_assert_nonnull (strstr (half, " in This; Other has not both."));
  g_assert_cmpstr (line, ==, "“w0” (0) reads differently “w0” (0): +0.65; “w1” (1): −0.65.");
  g_assert_true (g_str_has_prefix (caption, "This: "));
  g_assert_nonnull (strstr (caption, "− Other: "));
}

/* Nothing differs from itself, and swapped sides differ by the sign. */
static void
test_symmetry (void)
{
  g_autoptr (EngTrace) first = scene_trace_new (first_words, second_words, 2);
  g_autoptr (EngTrace) second = scene_trace_new (second_words, first_words, 2);
  g_autoptr (UiScene) same = create_scene (first, "", first, "", NULL);
  g_autoptr (UiScene) forth = create_scene (first, "", second, "", NULL);
  g_autoptr (UiScene) back = create_scene (second, "", first, "", NULL);
  const EngTokens *tokens = ui_scene_get_weights (forth)->block.queries;
  g_autofree char *summary = ui_scene_summarise (same);
  int n_pairs = 0;

  for (int i = 0; i < same->queries->n; i++)
    for (int j = 0; j < same->keys->n; j++)
      g_assert_cmpfloat (ui_weights_get (ui_scene_get_weights (same), 0, i, j), ==, 0);
  g_assert_nonnull (strstr (summary, "which are alike"));
  g_assert_cmpint (ui_scene_get_weights (back)->block.queries->n, ==, tokens->n);
  for (int i = 0; i < tokens->n; i++)
    n_pairs += ui_difference_scene_get_token (forth, 0, FALSE, i) >= 0
               && ui_difference_scene_get_token (forth, 1, FALSE, i) >= 0;
  g_assert_cmpint (n_pairs, >, 4);
  for (int i = 0; i < tokens->n; i++) {
    for (int j = 0; j < tokens->n; j++) {
      int row = -1, column = -1;

      for (int k = 0; k < tokens->n; k++) {
        if (ui_difference_scene_get_token (back, 1, FALSE, k)
            == ui_difference_scene_get_token (forth, 0, FALSE, i)
            && ui_difference_scene_get_token (back, 0, FALSE, k)
               == ui_difference_scene_get_token (forth, 1, FALSE, i))
          row = k;
        if (ui_difference_scene_get_token (back, 1, TRUE, k)
            == ui_difference_scene_get_token (forth, 0, TRUE, j)
            && ui_difference_scene_get_token (back, 0, TRUE, k)
               == ui_difference_scene_get_token (forth, 1, TRUE, j))
          column = k;
      }
      if (row >= 0 && column >= 0)
        g_assert_cmpfloat (ui_weights_get (ui_scene_get_weights (forth), 0, i, j), ==,
                           -ui_weights_get (ui_scene_get_weights (back), 0, row, column));
    }
  }
}

static void
test_refused (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 2);
  g_autoptr (GError) error = NULL;

  g_assert_null (create_scene (trace, "heads=0", trace, "measure=rollout", &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
  g_assert_cmpstr (error->message, ==, "This shows weight and Other rollout; numbers"
                                       " of two measures cannot be subtracted");
  g_clear_error (&error);
  g_assert_null (create_scene (trace, "", trace, "layer=7", &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
}

/* On a small scale two decimals would be nought. */
static void
test_decimals (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 3);
  g_autoptr (UiScene) equal = create_scene (trace, "heads=0", trace, "heads=0", NULL);
  g_autoptr (UiScene) unequal = create_scene (trace, "heads=0", trace, "heads=1", NULL);
  g_autofree char *small = ui_matrix_format_cell ((UiMatrixScene *) equal, 0.004);
  g_autofree char *negative = ui_matrix_format_cell ((UiMatrixScene *) equal, -0.0096);
  g_autofree char *large = ui_matrix_format_cell ((UiMatrixScene *) unequal, -0.292);
  g_autofree char *hardly_more = ui_matrix_format_cell ((UiMatrixScene *) unequal, 0.0049);
  g_autofree char *hardly_less = ui_matrix_format_cell ((UiMatrixScene *) equal, -0.0004);

  g_assert_cmpstr (small, ==, "+.004");
  g_assert_cmpstr (negative, ==, "−.010");
  g_assert_cmpstr (large, ==, "−.29");
  g_assert_cmpstr (hardly_more, ==, "0");
  g_assert_cmpstr (hardly_less, ==, "0");
}

static void
test_golden (void)
{
  g_autoptr (EngTrace) first = scene_trace_new (first_words, NULL, 1);
  g_autoptr (EngTrace) second = scene_trace_new (second_words, NULL, 1);
  g_autoptr (UiScene) scene = create_scene (first, "", second, "", NULL);
  g_autofree char *text = scene_case_print (scene, NULL);

  golden_assert_equal ("difference.scene", text);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/difference/values", test_values);
  g_test_add_func ("/scene/difference/one-head", test_one_head);
  g_test_add_func ("/scene/difference/scope-of-max", test_scope_of_max);
  g_test_add_func ("/scene/difference/legend", test_legend);
  g_test_add_func ("/scene/difference/mass", test_mass);
  g_test_add_func ("/scene/difference/alignment", test_alignment);
  g_test_add_func ("/scene/difference/exchanged", test_exchanged);
  g_test_add_func ("/scene/difference/legend-of-filter", test_legend_of_filter);
  g_test_add_func ("/scene/difference/states", test_states);
  g_test_add_func ("/scene/difference/moved", test_moved);
  g_test_add_func ("/scene/difference/words", test_words);
  g_test_add_func ("/scene/difference/symmetry", test_symmetry);
  g_test_add_func ("/scene/difference/refused", test_refused);
  g_test_add_func ("/scene/difference/decimals", test_decimals);
  g_test_add_func ("/scene/difference/golden", test_golden);
  return g_test_run ();
}
