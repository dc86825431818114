/* SPDX-License-Identifier: MIT */
/* The answer of each layer: a row a layer, of a deep model a row for those that say the same. */
#include "ui/beside/layer-answers.h"

#include "tests/support/window/widget-driver.h"
#include "ui/controls/bar-row.h"

/* words: a letter a row of states. */
static EngLayerAnswers *
make (const char *words)
{
  EngLayerAnswers *answers = g_new0 (EngLayerAnswers, 1);

  answers->n_layers = (int) strlen (words);
  answers->n_candidates = 1;
  answers->candidates = g_new0 (EngCandidate, answers->n_layers);
  for (int i = 0; i < answers->n_layers; i++)
    answers->candidates[i] = (EngCandidate) {
      .index = words[i], .text = g_strdup_printf (" %c", words[i]), .probability = 0.5,
    };

  return answers;
}

static void
assert_rows (GtkWidget         *list,
             const char        *words,
             const char *const *expected)
{
  EngLayerAnswers *answers = make (words);
  int n = 0;

  ui_layer_answers_set (UI_LAYER_ANSWERS (list), answers, 1, UI_THEME_LIGHT);
  for (int i = 0; driver_find (list, UI_TYPE_BAR_ROW, i) != NULL; i++) {
    GtkWidget *row = driver_find (list, UI_TYPE_BAR_ROW, i);
    gboolean is_cut;
    g_autofree char *name = ui_bar_row_dup_name (UI_BAR_ROW (row), &is_cut);

    if (!gtk_widget_get_visible (row))
      continue;
    g_assert_nonnull (expected[n]);
    g_assert_cmpstr (name, ==, expected[n]);
    g_assert_false (is_cut);
    n++;
  }
  g_assert_null (expected[n]);
  eng_layer_answers_free (answers);
}

static void
test_rows (void)
{
  static const char *const few[] = { "start → a", "layer 0 → a", "layer 1 → b", NULL };
  static const char *const deep[] = {
    "start–1 → a", "2–13 → b", "layer 14 → c", "15–16 → b", NULL
  };
  static const char *const none[] = { NULL };
  GtkWidget *list = g_object_new (UI_TYPE_LAYER_ANSWERS, NULL);
  GtkWindow *window = driver_show (list, 280, 300);

  assert_rows (list, "aab", few);
  assert_rows (list, "aaabbbbbbbbbbbbcbb", deep);
  assert_rows (list, "aab", few);
  assert_rows (list, "", none);
  ui_layer_answers_set (UI_LAYER_ANSWERS (list), NULL, -1, UI_THEME_DARK);
  g_assert_false (gtk_widget_get_visible (driver_find (list, UI_TYPE_BAR_ROW, 0)));
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/layer-answers/rows", test_rows);

  return g_test_run ();
}
