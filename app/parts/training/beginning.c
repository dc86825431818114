/* SPDX-License-Identifier: MIT */
/* What a training begins with: the dialog, and the recipe that its choice is. */
#include "app/parts/training/training-private.h"

#include "app/store/paths.h"
#include "app/training/unsaved.h"
#include "ui/controls/words.h"

#define OWN_MINUTES 10
#define SEED 1

static const char *const tasks[] = {
  [APP_TRAIN_MASKED] = "Masked words",       [APP_TRAIN_NEXT_WORD] = "Next word",
  [APP_TRAIN_TRANSLATE] = "Translation",     [APP_TRAIN_CLASSIFY] = "Classes of texts",
  [APP_TRAIN_PAIRS] = "Classes of pairs",    [APP_TRAIN_TAGS] = "Tags of words",
  [APP_TRAIN_ANSWERS] = "Answers",           NULL
};
static const char *const lines[] = {
  [APP_TRAIN_MASKED] = "A line of the file is a text",
  [APP_TRAIN_NEXT_WORD] = "A line of the file is a text",
  [APP_TRAIN_TRANSLATE] = "A line of the file is a text, a tab, its translation",
  [APP_TRAIN_CLASSIFY] = "A line of the file is a text, a tab, its label",
  [APP_TRAIN_PAIRS] = "A line of the file is a text, a tab, another, a tab, their label",
  [APP_TRAIN_TAGS] = "A line of the file is a word, a tab, its tag; an empty line ends a sentence",
  [APP_TRAIN_ANSWERS] = "A line of the file is a question, a tab, a context, a tab, the answer",
  NULL
};

/* What the switches of presets make, by their bits. */
static const char *const switches[] = { "Without positions", "One head a layer", NULL };
static const char *const switch_notes[] = {
  "No token knows where it stands; all that is left is which ones are before it",
  "As wide as the four heads that a layer has otherwise", NULL
};
static const AppToyShape toy_shapes[] = {
  { FALSE, FALSE }, { TRUE, FALSE }, { FALSE, TRUE }, { TRUE, TRUE },
};
#define N_SHAPES 4

/* The open model's folder, which a training can go on from; NULL = none is. */
static const char *
find_folder (AppTrainingPart *self)
{
  EngModel *model = app_study_get_model (self->study);
  const char *folder = model != NULL ? eng_model_get_info (model)->folder : NULL;

  return folder != NULL && !eng_model_get_info (model)->untrained
         && g_file_test (folder, G_FILE_TEST_IS_DIR) ? folder : NULL;
}

/* What the open model can do already. */
static AppTrainTask
choose_task (AppTrainingPart *self)
{
  EngModel *model = app_study_get_model (self->study);

  if (model == NULL || eng_model_has_task (model, ENG_TASK_FILL_MASK))
    return APP_TRAIN_MASKED;
  if (!eng_model_has_task (model, ENG_TASK_LANGUAGE_MODEL))
    return APP_TRAIN_CLASSIFY;
  return eng_model_has_two_stacks (model) ? APP_TRAIN_TRANSLATE : APP_TRAIN_NEXT_WORD;
}

/* What was ended before it had saved anything is no model, and makes way. */
static gboolean
is_taken (const char *folder)
{
  return g_file_test (folder, G_FILE_TEST_EXISTS) && !app_training_unsaved_is_in (folder);
}

/* A name that no model here has yet. */
static char *
make_name (const char *wanted)
{
  g_autofree char *models = app_paths_get_data_models ();

  for (int i = 1;; i++) {
    g_autofree char *name = i == 1 ? g_strdup (wanted) : g_strdup_printf ("%s-%d", wanted, i);
    g_autofree char *path = g_build_filename (models, name, NULL);

    if (!is_taken (path))
      return g_steal_pointer (&name);
  }
}

static AppRecipe *
make_own_recipe (AppTrainingPart      *self,
                 const UiTrainChoice  *choice,
                 GError              **error)
{
  static const char *const shapes[] = { "tiny", "mini" };
  const int shape = choice->model - (self->from != NULL);
  g_autoptr (AppRecipe) recipe = app_recipe_new ();

  recipe->task = choice->task;
  recipe->data = g_strdup (choice->file);
  recipe->minutes = choice->minutes;
  recipe->seed = SEED;
  if (shape < 0)
    recipe->from = g_strdup (self->from);
  else
    recipe->shape = g_strdup (shapes[shape]);

  return app_recipe_settle (recipe, error) ? g_steal_pointer (&recipe) : NULL;
}

static void
start_cb (AppTrainingPart *self,
          UiTrainDialog   *dialog)
{
  g_autofree char *models = app_paths_get_data_models ();
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;
  UiTrainChoice choice;
  AppRecipe *recipe;

  ui_train_dialog_get (dialog, &choice);
  folder = g_canonicalize_filename (choice.name, models);
  if (is_taken (folder)) {
    g_autofree char *problem = g_strdup_printf ("There is a model “%s” already.", choice.name);

    ui_train_dialog_refuse (dialog, problem);
    return;
  }
  recipe = choice.preset < APP_N_TOYS
             ? app_toy_new_recipe ((AppToy) choice.preset, &toy_shapes[choice.switches],
                                   app_toy_get ((AppToy) choice.preset)->seed, choice.minutes)
             : make_own_recipe (self, &choice, &error);
  if (recipe == NULL) {
    ui_train_dialog_refuse (dialog, error->message);
    return;
  }
  g_free (self->example);
  self->example = choice.preset < APP_N_TOYS
                    ? g_strdup (app_toy_get ((AppToy) choice.preset)->example) : NULL;
  self->is_single = recipe->task == APP_TRAIN_NEXT_WORD || recipe->task == APP_TRAIN_TRANSLATE;
  app_training_part_begin (self, recipe, (AppToy) MIN (choice.preset, APP_N_TOYS), folder);
}

static void
chosen_cb (gpointer    owner,
           const char *path,
           gpointer    data)
{
  AppTrainingPart *self = owner;

  if (self->dialog != NULL)
    ui_train_dialog_set_file (self->dialog, path);
}

static void
choose_file_cb (AppTrainingPart *self,
                UiTrainDialog   *dialog)
{
  AppFileQuestion question = { "Learn From", GTK_FILE_CHOOSER_ACTION_OPEN, NULL,
                               { { "Texts", "txt tsv csv" } }, GTK_WINDOW (dialog) };

  app_desk_choose_file (self->desk, &question, self, chosen_cb, NULL, NULL);
}

/* What there is to choose. */
typedef struct {
  char       *presets[APP_N_TOYS + 2];
  char       *names[(APP_N_TOYS + 1) * N_SHAPES + 1];
  const char *notes[APP_N_TOYS + 2];
  double      minutes[APP_N_TOYS + 1];
  char       *models[4];
} Offer;

static void
fill_presets (Offer *offer)
{
  for (int i = 0; i < APP_N_TOYS; i++) {
    const AppToyFacts *facts = app_toy_get ((AppToy) i);
    g_autofree char *minutes = ui_words_number ("%.3g", facts->minutes);

    offer->presets[i] = g_strdup_printf ("%s · %s min", facts->title, minutes);
    for (int shape = 0; shape < N_SHAPES; shape++) {
      g_autofree char *name = app_toy_dup_name ((AppToy) i, &toy_shapes[shape]);

      offer->names[i * N_SHAPES + shape] = make_name (name);
    }
    offer->notes[i] = facts->note;
    offer->minutes[i] = facts->minutes;
  }
  offer->presets[APP_N_TOYS] = g_strdup ("From a text file");
  for (int shape = 0; shape < N_SHAPES; shape++)
    offer->names[APP_N_TOYS * N_SHAPES + shape] = make_name ("my-model");
  offer->notes[APP_N_TOYS] = "";
  offer->minutes[APP_N_TOYS] = OWN_MINUTES;
}

static void
fill_models (AppTrainingPart *self,
             Offer           *offer)
{
  int n = 0;

  if (self->from != NULL)
    offer->models[n++] = g_strdup_printf (
      "%s goes on", eng_model_get_info (app_study_get_model (self->study))->name);
  offer->models[n++] = g_strdup ("A new one, tiny");
  offer->models[n] = g_strdup ("A new one, small");
}

static void
clear_offer (Offer *offer)
{
  for (int i = 0; offer->presets[i] != NULL; i++)
    g_free (offer->presets[i]);
  for (int i = 0; offer->names[i] != NULL; i++)
    g_free (offer->names[i]);
  for (int i = 0; offer->models[i] != NULL; i++)
    g_free (offer->models[i]);
}

void
app_training_part_ask (AppTrainingPart *self)
{
  g_autofree char *folder = app_paths_get_data_models ();
  Offer made = { 0 };
  const UiTrainOffer offer = {
    (const char *const *) made.presets, made.notes, made.minutes, tasks, lines,
    (const char *const *) made.models, (const char *const *) made.names, switches, switch_notes
  };
  GtkWidget *dialog;

  g_free (self->from);
  self->from = g_strdup (find_folder (self));
  fill_presets (&made);
  fill_models (self, &made);
  dialog = ui_train_dialog_new (app_desk_get_window (self->desk), &offer,
                                (int) choose_task (self), folder);
  clear_offer (&made);
  g_set_weak_pointer (&self->dialog, UI_TRAIN_DIALOG (dialog));
  g_signal_connect_object (dialog, "choose-file", G_CALLBACK (choose_file_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "start", G_CALLBACK (start_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "stop", G_CALLBACK (app_training_part_leave), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}
