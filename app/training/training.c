/* SPDX-License-Identifier: MIT */
#include "app/training/training-private.h"
#include "app/training/unsaved.h"

#include <glib/gstdio.h>

#include "app/store/model-store.h"

G_DEFINE_QUARK (headlight-training-error, app_training_error)

/* Of a folder with a record in it. */
static gboolean
refuse_begun (const char  *folder,
              GError     **error)
{
  g_autoptr (AppTrainingLock) lock = app_training_lock_take (folder, error);

  if (lock)
    g_set_error (error, APP_TRAINING_ERROR, APP_TRAINING_ERROR_BEGUN, "%s holds a training",
                 folder);

  return FALSE;
}

static gboolean
check_folder (AppTraining  *self,
              GError      **error)
{
  const char *folder = self->folder;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  if (!g_file_test (folder, G_FILE_TEST_EXISTS) || (dir && !g_dir_read_name (dir)))
    return TRUE;
  if (app_training_lock_is_held (folder))
    return refuse_begun (folder, error);
  self->anew = app_training_unsaved_is_in (folder);
  if (self->anew)
    return TRUE;
  if (app_training_record_is_in (folder))
    return refuse_begun (folder, error);
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s is there and is no empty folder", folder);

  return FALSE;
}

/* With the files in it. */
static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name; dir && (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);

    g_remove (path);
  }
  g_rmdir (folder);
}

/* Opens what goes on, or begins, and puts its tokenizer into the folder. */
static gboolean
begin_in (AppTraining      *self,
          const char       *model,
          const GPtrArray  *examples,
          const char       *config,
          GError          **error)
{
  if (!app_training_open_parts (self, model, examples, config, error))
    return FALSE;
  if (g_mkdir_with_parents (self->folder, 0777) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be made a folder", self->folder);
    return FALSE;
  }
  self->lock = app_training_lock_take (self->folder, error);
  if (!self->lock)
    return FALSE;
  /* Another one may have begun, and ended, since the folder was looked at. */
  if (app_training_record_is_in (self->folder) && !app_training_unsaved_is_in (self->folder)) {
    g_clear_pointer (&self->lock, app_training_lock_release);
    return refuse_begun (self->folder, error);
  }
  app_training_unsaved_clear (self->folder);

  /* The record first: of what is begun and no more it says that it is ours. */
  return app_training_record_save (self->record, self->folder, error) &&
         app_training_copy_tokenizer (model, self->folder, error);
}

static gboolean
begin_new (AppTraining      *self,
           const GPtrArray  *examples,
           GError          **error)
{
  g_autoptr (GError) tmp_error = NULL;
  /* What a model that begins is made of. */
  g_autofree char *scratch = g_dir_make_tmp ("headlight-training-XXXXXX", &tmp_error);
  g_autofree char *config = NULL;
  gboolean begun;

  if (!scratch) {
    g_set_error_literal (error, ENG_ERROR, ENG_ERROR_IO, tmp_error->message);
    return FALSE;
  }
  config = app_training_begin_model (self->record->recipe, examples, scratch, error);
  begun = config && begin_in (self, scratch, examples, config, error);
  remove_folder (scratch);

  return begun;
}

static gboolean
begin_from (AppTraining      *self,
            const GPtrArray  *examples,
            GError          **error)
{
  g_autofree char *name = NULL;
  g_autofree char *model = app_model_store_find (self->record->recipe->from, &name, error);

  if (!model)
    return FALSE;
  if (!g_file_test (model, G_FILE_TEST_IS_DIR)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "%s is a single file, expected the folder of a model to go on from", model);
    return FALSE;
  }

  return begin_in (self, model, examples, NULL, error);
}

AppTraining *
app_training_new (AppRecipe   *recipe,
                  const char  *folder,
                  GError     **error)
{
  g_autoptr (AppTraining) self = g_new0 (AppTraining, 1);
  g_autoptr (GPtrArray) examples = NULL;

  self->folder = g_strdup (folder);
  self->saved_step = -1;
  self->record = app_training_record_new (recipe, error);
  if (!self->record || !check_folder (self, error) ||
      !app_training_read_examples (recipe, &examples, error))
    return NULL;
  if (recipe->shape ? begin_new (self, examples, error) : begin_from (self, examples, error))
    return g_steal_pointer (&self);
  /* A folder that is not held may be that of another one, and what else came into it is not ours. */
  if (self->lock) {
    app_training_unsaved_clear (folder);
    g_clear_pointer (&self->lock, app_training_lock_release);
    g_rmdir (folder);
  }

  return NULL;
}

/* Another end. */
static void
change (AppTraining     *self,
        const AppRecipe *changes)
{
  AppRecipe *recipe = self->record->recipe;
  gboolean steps = app_recipe_has (changes, "steps"), minutes = app_recipe_has (changes, "minutes");

  if (!steps && !minutes)
    return;
  recipe->steps = changes->steps;
  recipe->minutes = minutes ? self->record->seconds / 60 + changes->minutes : 0;
}

static gboolean
check_unfinished (const AppTraining  *self,
                  GError            **error)
{
  const AppRecipe *recipe = self->record->recipe;
  gboolean late = recipe->minutes > 0 && self->record->seconds >= recipe->minutes * 60;

  if (!late && (recipe->steps == 0 || self->step < recipe->steps))
    return TRUE;
  g_set_error (error, APP_TRAINING_ERROR, APP_TRAINING_ERROR_OVER,
               "%s: the training came to its end at step %" G_GINT64_FORMAT, self->folder,
               self->step);

  return FALSE;
}

static AppTraining *
refuse_unsaved (const char  *folder,
                GError     **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
               "%s: the training was ended before it had saved anything; the command that began it "
               "begins it anew", folder);

  return NULL;
}

AppTraining *
app_training_resume (const char       *folder,
                     const AppRecipe  *changes,
                     GError          **error)
{
  g_autoptr (AppTraining) self = g_new0 (AppTraining, 1);
  g_autoptr (GPtrArray) examples = NULL;

  self->folder = g_strdup (folder);
  /* A folder that is none is refused by what it lacks. */
  if (app_training_record_is_in (folder) || app_training_unsaved_is_in (folder)) {
    self->lock = app_training_lock_take (folder, error);
    if (!self->lock)
      return NULL;
    if (app_training_unsaved_is_in (folder))
      return refuse_unsaved (folder, error);
  }
  self->record = app_training_record_open (folder, error);
  if (!self->record || !app_training_record_check (self->record, error))
    return NULL;
  change (self, changes);
  if (!app_training_read_examples (self->record->recipe, &examples, error) ||
      !app_training_open_parts (self, folder, examples, NULL, error) ||
      !eng_trainer_resume (self->trainer, folder, error))
    return NULL;
  self->step = eng_trainer_get_n_steps (self->trainer);
  self->saved_step = self->step;
  self->before = self->record->seconds;
  app_training_record_catch_up (self->record);

  return check_unfinished (self, error) ? g_steal_pointer (&self) : NULL;
}

void
app_training_free (AppTraining *self)
{
  g_clear_pointer (&self->trainer, eng_trainer_free);
  g_clear_pointer (&self->texts, eng_texts_free);
  g_clear_pointer (&self->parameters, eng_parameters_free);
  g_clear_pointer (&self->tokenizer, eng_tokenizer_free);
  g_clear_pointer (&self->record, app_training_record_free);
  g_clear_pointer (&self->kept, g_array_unref);
  g_clear_pointer (&self->lock, app_training_lock_release);
  g_free (self->folder);
  g_free (self);
}

void
app_training_give_up (AppTraining *self)
{
  if (self->saved_step < 0)
    remove_folder (self->folder);
  app_training_free (self);
}

const AppRecipe *
app_training_get_recipe (const AppTraining *self)
{
  return self->record->recipe;
}

AppTrainingSize
app_training_get_size (const AppTraining *self)
{
  return (AppTrainingSize) {
    .n_parameters = eng_parameters_count (self->parameters),
    .n_texts = eng_texts_get_n (self->texts, FALSE),
    .n_tokens = eng_texts_count_tokens (self->texts, FALSE),
    .n_words = eng_texts_count_words (self->texts, FALSE),
    .n_held_out = eng_texts_get_n (self->texts, TRUE),
    .n_joined = self->n_joined,
  };
}

AppHeldOut
app_training_get_held_out (const AppTraining *self)
{
  if (self->record->recipe->held_out > 0 && eng_texts_get_n (self->texts, TRUE) == 0)
    return APP_HELD_OUT_NONE;

  return self->n_joined > 0 ? APP_HELD_OUT_BY_FIRST : APP_HELD_OUT_AS_ASKED;
}

gboolean
app_training_begins_anew (const AppTraining *self)
{
  return self->anew;
}

gint64
app_training_get_step (const AppTraining *self)
{
  return self->step;
}

gint64
app_training_get_saved_step (const AppTraining *self)
{
  return self->saved_step;
}

const GArray *
app_training_get_curve (const AppTraining *self)
{
  return self->record->curve;
}

void
app_training_save_often (AppTraining *self)
{
  self->saves_often = TRUE;
}
