/* SPDX-License-Identifier: MIT */
#include "ui/prediction-list.h"

#include "ui/bar-row.h"
#include "ui/words.h"

struct _UiPredictionList {
  GtkWidget  parent_instance;

  GtkWidget *boxes[ENG_N_TASKS];        /* a section each, with its rows */
  GArray    *predictions[ENG_N_TASKS];
  UiTheme    theme;
};

G_DEFINE_FINAL_TYPE (UiPredictionList, ui_prediction_list, GTK_TYPE_WIDGET)

static const char *const task_titles[ENG_N_TASKS] = {
  [ENG_TASK_FILL_MASK] = "Masked words",
  [ENG_TASK_NEXT_SENTENCE] = "Sentence pair",
  [ENG_TASK_TEXT_CLASSIFICATION] = "Text classification",
  [ENG_TASK_ENTITIES] = "Entities",
  [ENG_TASK_QUESTION_ANSWERING] = "Answer",
  [ENG_TASK_LANGUAGE_MODEL] = "Next token",
};

/* What stands above the candidates for a place in the text; NULL = they are about all of it. */
static const char *const place_titles[ENG_N_TASKS] = {
  [ENG_TASK_FILL_MASK] = "for token %d",
  [ENG_TASK_LANGUAGE_MODEL] = "after token %d",
};

static void
append_label (GtkWidget  *box,
              const char *text,
              const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
}

/* The word of an answer: a token or a label, or both for an entity ("Paris, LOC"). */
static char *
name_of (const EngPrediction *prediction)
{
  if (prediction->token != NULL && prediction->label != NULL)
    return g_strdup_printf ("%s, %s", prediction->token, prediction->label);

  return g_strdup (prediction->token != NULL ? prediction->token : prediction->label);
}

static void
append_row (UiPredictionList    *self,
            GtkWidget           *box,
            const EngPrediction *prediction)
{
  const UiBarPart part = { prediction->probability, ui_palette_get (self->theme)->accent };
  g_autofree char *name = name_of (prediction);
  g_autofree char *number = ui_describe_weight (prediction->probability);
  g_autofree char *sentence = g_strdup_printf ("%s with probability %s", name, number);
  GtkWidget *row = ui_bar_row_new ();

  ui_bar_row_set (UI_BAR_ROW (row), name, number, sentence);
  ui_bar_row_set_parts (UI_BAR_ROW (row), &part, 1, 0, 1);
  gtk_box_append (GTK_BOX (box), row);
}

static void
clear_box (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

static void
update_section (UiPredictionList *self,
                EngTask           task)
{
  GtkWidget *box = self->boxes[task];
  GArray *predictions = self->predictions[task];
  int position = -1;

  clear_box (box);
  gtk_widget_set_visible (box, predictions != NULL && predictions->len > 0);
  if (predictions == NULL)
    return;

  append_label (box, task_titles[task], "heading");
  for (guint i = 0; i < predictions->len; i++) {
    const EngPrediction *prediction = &g_array_index (predictions, EngPrediction, i);

    if (place_titles[task] != NULL && prediction->position != position) {
      g_autofree char *heading = g_strdup_printf (place_titles[task], prediction->position);

      position = prediction->position;
      append_label (box, heading, "dim-label");
    }
    append_row (self, box, prediction);
  }
}

static void
ui_prediction_list_dispose (GObject *object)
{
  UiPredictionList *self = UI_PREDICTION_LIST (object);

  for (int task = 0; task < ENG_N_TASKS; task++) {
    g_clear_pointer (&self->boxes[task], gtk_widget_unparent);
    g_clear_pointer (&self->predictions[task], g_array_unref);
  }
  G_OBJECT_CLASS (ui_prediction_list_parent_class)->dispose (object);
}

static void
ui_prediction_list_class_init (UiPredictionListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ui_prediction_list_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_css_name (widget_class, "predictionlist");
}

static void
ui_prediction_list_init (UiPredictionList *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 18);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Answers of the model",
                                  -1);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    self->boxes[task] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
    gtk_widget_set_visible (self->boxes[task], FALSE);
    gtk_widget_set_parent (self->boxes[task], GTK_WIDGET (self));
  }
}

GtkWidget *
ui_prediction_list_new (void)
{
  return g_object_new (UI_TYPE_PREDICTION_LIST, NULL);
}

void
ui_prediction_list_set (UiPredictionList *self,
                        EngTask           task,
                        GArray           *predictions)
{
  g_return_if_fail (UI_IS_PREDICTION_LIST (self));

  g_clear_pointer (&self->predictions[task], g_array_unref);
  self->predictions[task] = predictions != NULL ? g_array_ref (predictions) : NULL;
  update_section (self, task);
}

void
ui_prediction_list_set_theme (UiPredictionList *self,
                              UiTheme           theme)
{
  g_return_if_fail (UI_IS_PREDICTION_LIST (self));

  self->theme = theme;
  for (int task = 0; task < ENG_N_TASKS; task++)
    update_section (self, task);
}
