/* SPDX-License-Identifier: MIT */
#include "ui/lists/prediction-list.h"

#include "tests/support/window/widget-driver.h"

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

  g_test_add_func ("/prediction-list/title-of-tags", test_title_of_tags);
  return g_test_run ();
}
