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

static GArray *
entities_new (const char *const *labels)
{
  GArray *predictions = g_array_new (FALSE, TRUE, sizeof (EngPrediction));

  g_array_set_clear_func (predictions, (GDestroyNotify) eng_prediction_clear);
  for (int i = 0; labels[i] != NULL; i++) {
    EngPrediction prediction = {
      .token = g_strdup ("word"), .label = g_strdup (labels[i]), .end = 4, .probability = 0.5,
    };

    g_array_append_val (predictions, prediction);
  }
  return predictions;
}

/* The first label in sight that has a heading's style. */
static const char *
find_heading (GtkWidget *widget)
{
  const char *found = NULL;

  if (!gtk_widget_get_visible (widget))
    return NULL;
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "heading"))
    return gtk_label_get_text (GTK_LABEL (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_heading (child);
  return found;
}

/* Tags are called what they are, whatever stood there before. */
static void
test_title_of_tags (void)
{
  static const struct {
    const char *labels[4];
    const char *title;
  } cases[] = {
    { { "LOC", "PER" }, "Entities" },
    { { "DET", "NOUN", "VERB" }, "Parts of speech" },
    { { "DT", "NNS", "PRP$" }, "Parts of speech" },
    { { "NOUN", "LOC" }, "Entities" },
    { { "LABEL_0" }, "Entities" },
    { { NULL }, NULL },
    { { "X" }, "Parts of speech" },
  };
  GtkWidget *list = ui_prediction_list_new ();
  GtkWindow *window = driver_show (list, 300, 300);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GArray) entities = entities_new (cases[i].labels);

    ui_prediction_list_set (UI_PREDICTION_LIST (list), ENG_TASK_ENTITIES, entities);
    g_assert_cmpstr (find_heading (list), ==, cases[i].title);
  }
  gtk_window_destroy (window);
}

int
main (int    argc,
      char **argv)
{
  if (!driver_init (&argc, &argv))
    return 77;

  g_test_add_func ("/prediction-list/no-entry", test_no_entry);
  g_test_add_func ("/prediction-list/title-of-tags", test_title_of_tags);
  return g_test_run ();
}
