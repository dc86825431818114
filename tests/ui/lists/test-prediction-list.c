/* SPDX-License-Identifier: MIT */
/* What a task head says: a row for each answer, with a name. */
#include "ui/lists/prediction-list.h"

#include "tests/support/window/widget-driver.h"
#include "ui/controls/bar-row.h"

static void
assert_name (GtkWidget  *list,
             int         row,
             const char *expected)
{
  gboolean is_cut;
  GtkWidget *bar = driver_find (list, UI_TYPE_BAR_ROW, row);
  g_autofree char *name = ui_bar_row_dup_name (UI_BAR_ROW (bar), &is_cut);

  g_assert_cmpstr (name, ==, expected);
}

/* A candidate that the vocabulary has no entry for is told by its id. */
static void
test_no_entry (void)
{
  GtkWidget *list = ui_prediction_list_new ();
  GtkWindow *window = driver_show (list, 300, 200);
  g_autoptr (GArray) predictions = g_array_new (FALSE, TRUE, sizeof (EngPrediction));
  const EngPrediction answers[] = {
    { .position = 3, .id = 7, .token = "mat", .probability = 0.5 },
    { .position = 3, .id = 509, .token = "", .probability = 0.25 },
  };

  g_array_append_vals (predictions, answers, G_N_ELEMENTS (answers));
  ui_prediction_list_set (UI_PREDICTION_LIST (list), ENG_TASK_LANGUAGE_MODEL, predictions);
  driver_settle (list);
  assert_name (list, 0, "mat");
  assert_name (list, 1, "<id 509>");
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/prediction-list/no-entry", test_no_entry);
  return g_test_run ();
}
