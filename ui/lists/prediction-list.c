/* SPDX-License-Identifier: MIT */
#include "ui/lists/prediction-list.h"

#include "ui/controls/bar-row.h"
#include "ui/controls/words.h"
#include "ui/document/bidi.h"
#include "ui/scene/sinks/text.h"

/* In the chooser, in front of the heads. */
#define ALL_ANSWERS "All answers"
#define SPEECH_TITLE "Parts of speech"

/* The answers of one head. */
typedef struct {
  GtkWidget *box;
  char      *layout;      /* a letter for each child; the same again keeps the children */
  GArray    *predictions; /* NULL = none */
  gboolean   is_left_out;
} Section;

struct _UiPredictionList {
  GtkWidget  parent_instance;

  GtkWidget *chooser;     /* GtkDropDown, in sight where several heads answer */
  GArray    *choices;     /* of EngTask, behind ALL_ANSWERS */
  int        chosen;      /* EngTask; -1 = all */
  gboolean   is_setting;  /* the chooser follows the answers, not a person */
  Section    sections[ENG_N_TASKS];
  UiTheme    theme;
};

G_DEFINE_FINAL_TYPE (UiPredictionList, ui_prediction_list, GTK_TYPE_WIDGET)

static const char *const task_titles[ENG_N_TASKS] = {
  [ENG_TASK_FILL_MASK] = "Masked words",
  [ENG_TASK_NEXT_SENTENCE] = "Sentence pair",
  [ENG_TASK_SENTENCE_ORDER] = "Sentence order",
  [ENG_TASK_TEXT_CLASSIFICATION] = "Text classification",
  [ENG_TASK_ENTITIES] = "Entities",
  [ENG_TASK_REPLACED_TOKENS] = "Replaced?",
  [ENG_TASK_QUESTION_ANSWERING] = "Answer",
  [ENG_TASK_LANGUAGE_MODEL] = "Next token",
};

/* What stands above the candidates for a place in the text; NULL = they are about all of it. */
static const char *const place_titles[ENG_N_TASKS] = {
  [ENG_TASK_FILL_MASK] = "for token %d",
  [ENG_TASK_LANGUAGE_MODEL] = "after token %d",
};

/* Of a head that has answers. */
static const char *
get_title (const UiPredictionList *self,
           EngTask                 task)
{
  return task == ENG_TASK_ENTITIES && eng_predict_tags_speech (self->sections[task].predictions)
         ? SPEECH_TITLE : task_titles[task];
}

/* The word of an answer: a token or a label, or both for an entity ("Paris, LOC"); of a token that
 * may have been replaced, of which the title says what its bar means, its place ("cat 3"). What was
 * found in a text may be long: it stands above its bar. */
static char *
name_of (EngTask              task,
         const EngPrediction *prediction)
{
  g_autofree char *word = NULL;
  g_autofree char *isolated = NULL;

  if (task == ENG_TASK_QUESTION_ANSWERING)
    return g_strdup ("probability");
  if (prediction->token == NULL)
    return g_strdup (prediction->label);
  /* A model may have more entries than its vocabulary. */
  if (*prediction->token == '\0' && place_titles[task] != NULL)
    return g_strdup_printf ("<id %d>", prediction->id);

  word = ui_text_make_visible (prediction->token);
  isolated = ui_bidi_isolate (word);
  if (task == ENG_TASK_REPLACED_TOKENS)
    return g_strdup_printf ("%s %d", isolated, prediction->position);
  return prediction->label != NULL ? g_strdup_printf ("%s, %s", isolated, prediction->label)
                                   : g_steal_pointer (&word);
}

/* A regression has no probability but a number of any size. */
static void
find_range (const GArray *predictions,
            double       *low,
            double       *high)
{
  *low = 0;
  *high = 1;
  for (guint i = 0; i < predictions->len; i++) {
    *low = MIN (*low, g_array_index (predictions, EngPrediction, i).probability);
    *high = MAX (*high, g_array_index (predictions, EngPrediction, i).probability);
  }
}

static void
set_row (UiPredictionList    *self,
         GtkWidget           *row,
         EngTask              task,
         const EngPrediction *prediction,
         double               low,
         double               high)
{
  const UiBarPart part = { prediction->probability, ui_palette_get (self->theme)->accent };
  const gboolean is_probability = low == 0 && high == 1;
  g_autofree char *name = name_of (task, prediction);
  g_autofree char *number = is_probability ? ui_describe_weight (prediction->probability)
                                           : ui_words_number ("%.3f", prediction->probability);
  g_autofree char *sentence =
    g_strdup_printf ("%s%s with %s %s",
                     task == ENG_TASK_QUESTION_ANSWERING ? prediction->token : name,
                     task == ENG_TASK_REPLACED_TOKENS ? " replaced" : "",
                     is_probability ? "probability" : "score", number);

  ui_bar_row_set (UI_BAR_ROW (row), name, number, sentence);
  ui_bar_row_set_parts (UI_BAR_ROW (row), &part, 1, low, high);
}

/* t = title, p = place in the text, w = words, r = row */
static char *
lay_out (EngTask       task,
         const GArray *predictions)
{
  GString *layout = g_string_new ("t");
  int position = -1;

  for (guint i = 0; i < predictions->len; i++) {
    const EngPrediction *prediction = &g_array_index (predictions, EngPrediction, i);

    if (place_titles[task] != NULL && prediction->position != position)
      g_string_append_c (layout, 'p');
    if (task == ENG_TASK_QUESTION_ANSWERING)
      g_string_append_c (layout, 'w');
    g_string_append_c (layout, 'r');
    position = prediction->position;
  }

  return g_string_free (layout, FALSE);
}

static GtkWidget *
child_new (char letter)
{
  switch (letter) {
  case 't':
    return ui_words_label_new (NULL, "heading");
  case 'p':
    return ui_words_label_new (NULL, "dim-label");
  case 'w':
    return ui_words_label_new (NULL, "body");
  default:
    return ui_bar_row_new ();
  }
}

/* While a text is written its answers change many times a second, but not their number: then
 * nothing is laid out again. */
static void
ensure_children (Section    *section,
                 const char *layout)
{
  GtkWidget *child;

  if (g_strcmp0 (section->layout, layout) == 0)
    return;

  while ((child = gtk_widget_get_first_child (section->box)) != NULL)
    gtk_box_remove (GTK_BOX (section->box), child);
  for (const char *letter = layout; *letter != '\0'; letter++)
    gtk_box_append (GTK_BOX (section->box), child_new (*letter));
  g_free (section->layout);
  section->layout = g_strdup (layout);
}

static void
fill_section (UiPredictionList *self,
              EngTask           task)
{
  Section *section = &self->sections[task];
  g_autofree char *layout = lay_out (task, section->predictions);
  GtkWidget *child;
  double low, high;
  guint i = 0;

  ensure_children (section, layout);
  find_range (section->predictions, &low, &high);
  child = gtk_widget_get_first_child (section->box);
  for (const char *letter = layout; *letter != '\0'; letter++) {
    const EngPrediction *prediction = i < section->predictions->len
                                      ? &g_array_index (section->predictions, EngPrediction, i)
                                      : NULL;

    if (*letter == 't')
      gtk_label_set_text (GTK_LABEL (child), get_title (self, task));
    else if (*letter == 'p') {
      g_autofree char *place = g_strdup_printf (place_titles[task], prediction->position);

      gtk_label_set_text (GTK_LABEL (child), place);
    } else if (*letter == 'w')
      gtk_label_set_text (GTK_LABEL (child), prediction->token);
    else {
      set_row (self, child, task, prediction, low, high);
      i++;
    }
    child = gtk_widget_get_next_sibling (child);
  }
}

static gboolean
has_answers (UiPredictionList *self,
             EngTask           task)
{
  const Section *section = &self->sections[task];

  return section->predictions != NULL && section->predictions->len > 0 && !section->is_left_out;
}

static void
update_visibility (UiPredictionList *self)
{
  for (int task = 0; task < ENG_N_TASKS; task++)
    gtk_widget_set_visible (self->sections[task].box,
                            has_answers (self, (EngTask) task)
                            && (self->chosen < 0 || self->chosen == task));
}

static void
chosen_cb (UiPredictionList *self)
{
  const guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->chooser));

  if (self->is_setting)
    return;

  self->chosen = selected > 0 && selected <= self->choices->len
                 ? (int) g_array_index (self->choices, EngTask, selected - 1) : -1;
  update_visibility (self);
}

/* A head that answers nothing any more is not the chosen one any more. */
static void
update_chooser (UiPredictionList *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = 0;

  g_array_set_size (self->choices, 0);
  gtk_string_list_append (names, ALL_ANSWERS);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    const EngTask choice = (EngTask) task;

    if (!has_answers (self, choice))
      continue;
    gtk_string_list_append (names, get_title (self, choice));
    g_array_append_val (self->choices, choice);
    if (task == self->chosen)
      selected = self->choices->len;
  }

  self->is_setting = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->chooser), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->chooser), selected);
  self->is_setting = FALSE;
  if (selected == 0)
    self->chosen = -1;
  gtk_widget_set_visible (self->chooser, self->choices->len > 1);
}

static void
ui_prediction_list_dispose (GObject *object)
{
  UiPredictionList *self = UI_PREDICTION_LIST (object);

  g_clear_pointer (&self->chooser, gtk_widget_unparent);
  g_clear_pointer (&self->choices, g_array_unref);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    g_clear_pointer (&self->sections[task].box, gtk_widget_unparent);
    g_clear_pointer (&self->sections[task].layout, g_free);
    g_clear_pointer (&self->sections[task].predictions, g_array_unref);
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
  self->chosen = -1;
  self->choices = g_array_new (FALSE, FALSE, sizeof (EngTask));
  self->chooser = gtk_drop_down_new (NULL, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chooser),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Whose answers are shown",
                                  -1);
  gtk_widget_set_visible (self->chooser, FALSE);
  g_signal_connect_swapped (self->chooser, "notify::selected", G_CALLBACK (chosen_cb), self);
  gtk_widget_set_parent (self->chooser, GTK_WIDGET (self));
  for (int task = 0; task < ENG_N_TASKS; task++) {
    self->sections[task].box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
    gtk_widget_set_visible (self->sections[task].box, FALSE);
    gtk_widget_set_parent (self->sections[task].box, GTK_WIDGET (self));
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
  Section *section;
  const char *title_before;
  const char *title;

  g_return_if_fail (UI_IS_PREDICTION_LIST (self));

  section = &self->sections[task];
  title_before = has_answers (self, task) ? get_title (self, task) : NULL;
  if (predictions != NULL)
    g_array_ref (predictions);
  g_clear_pointer (&section->predictions, g_array_unref);
  section->predictions = predictions;
  title = has_answers (self, task) ? get_title (self, task) : NULL;
  if (title != NULL)
    fill_section (self, task);
  if (title != title_before)
    update_chooser (self);
  update_visibility (self);
}

void
ui_prediction_list_leave_out (UiPredictionList *self,
                              const GArray     *changes)
{
  gboolean is_left_out[ENG_N_TASKS] = { FALSE };

  g_return_if_fail (UI_IS_PREDICTION_LIST (self));

  for (guint i = 0; changes != NULL && i < changes->len; i++)
    is_left_out[g_array_index (changes, EngTaskChange, i).task] = TRUE;
  for (int task = 0; task < ENG_N_TASKS; task++) {
    if (self->sections[task].is_left_out == is_left_out[task])
      continue;
    self->sections[task].is_left_out = is_left_out[task];
    if (has_answers (self, (EngTask) task))
      fill_section (self, (EngTask) task);
    update_chooser (self);
  }
  update_visibility (self);
}

gboolean
ui_prediction_list_has_answers (UiPredictionList *self)
{
  g_return_val_if_fail (UI_IS_PREDICTION_LIST (self), FALSE);

  return self->choices->len > 0;
}

void
ui_prediction_list_set_theme (UiPredictionList *self,
                              UiTheme           theme)
{
  g_return_if_fail (UI_IS_PREDICTION_LIST (self));

  self->theme = theme;
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (has_answers (self, (EngTask) task))
      fill_section (self, (EngTask) task);
}
