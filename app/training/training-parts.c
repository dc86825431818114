/* SPDX-License-Identifier: MIT */
#include "app/training/training-private.h"

#include "engine/base/file-writer.h"
#include "engine/training/frozen.h"
#include "engine/training/labelled.h"
#include "engine/training/task-config.h"

/* Texts are cut to as many tokens as the model reads, but not to more than this. */
#define LONGEST 512

static EngTask
get_task (const AppTraining *self)
{
  return app_train_task_get_head ((AppTrainTask) self->record->recipe->task);
}

static int
get_longest (const AppTraining *self)
{
  int n_positions = eng_spec_get_max_positions (eng_parameters_get_spec (self->parameters));
  int wanted = eng_tokenizer_get_max_length (self->tokenizer);
  int longest = LONGEST;

  if (n_positions > 0)
    longest = MIN (longest, n_positions);

  return wanted > 0 ? MIN (longest, wanted) : longest;
}

static EngTexts *
tokenise (AppTraining             *self,
          const GPtrArray         *examples,
          const EngTextsSettings  *settings,
          GError                 **error)
{
  const EngSpec *spec = eng_parameters_get_spec (self->parameters);
  EngLabelling labelling = {
    .labels = (const char *const *) eng_parameters_get_labels (self->parameters),
    .input = spec->heads[get_task (self)].input,
    .types = spec->embedding.n_types > 1 && (eng_tokenizer_gives_types (self->tokenizer) ||
                                             spec->embedding.types_pairs),
  };
  g_autoptr (EngSides) sides = NULL;

  app_train_task_has_examples ((AppTrainTask) self->record->recipe->task, &labelling.kind);
  labelling.sides = sides = eng_sides_new (examples, labelling.kind, self->record->by_first);
  self->n_joined = settings->held_out > 0 ? sides->n_joined : 0;

  return eng_labelled_tokenise (examples, self->record->recipe->data, self->tokenizer, &labelling,
                                settings, error);
}

/* What stands behind a text that is written. */
static int
find_end (const AppTraining *self)
{
  int end = eng_tokenizer_find_special (self->tokenizer, "eos_token");

  return end >= 0 ? end : eng_parameters_get_spec (self->parameters)->end_id;
}

static int
count_vocabulary (const EngSpec *spec)
{
  return (int) spec->stacks[eng_spec_get_last_kind (spec)].vocab_size;
}

/* What fills short texts up. Some families have one by default that a small vocabulary lacks. */
static int
find_padding (const EngSpec *spec)
{
  return spec->pad_id > 0 && spec->pad_id < count_vocabulary (spec) ? spec->pad_id : 0;
}

/* examples: NULL where something is asked of plain texts. */
static EngTexts *
read_texts (AppTraining      *self,
            const GPtrArray  *examples,
            GError          **error)
{
  const AppRecipe *recipe = self->record->recipe;
  const EngSpec *spec = eng_parameters_get_spec (self->parameters);
  EngTextsSettings settings = {
    .longest = get_longest (self),
    .end_id = get_task (self) == ENG_TASK_LANGUAGE_MODEL ? find_end (self) : -1,
    /* Some count positions by it. */
    .pad_id = find_padding (spec),
    .held_out = recipe->held_out,
    .pairs = recipe->task == APP_TRAIN_TRANSLATE,
    .start_id = MAX (spec->decoder_start_id, 0),
  };

  return examples ? tokenise (self, examples, &settings, error)
                  : eng_texts_read (recipe->data, self->tokenizer, &settings, error);
}

/* Two classes at least. */
static gboolean
check_labels (const AppTraining  *self,
              const GPtrArray    *examples,
              char *const        *labels,
              GError            **error)
{
  if (!labels || g_strv_length ((char **) labels) > 1)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_TEXT,
               "%s:%d: all labels are “%s”, as this one is, expected at least two that differ",
               self->record->recipe->data, ((const EngExample *) examples->pdata[0])->line,
               labels[0]);

  return FALSE;
}

/* (transfer full) The text of the folder's. */
static char *
read_config (const char  *folder,
             GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (GError) read_error = NULL;
  char *text;

  if (g_file_get_contents (path, &text, NULL, &read_error))
    return text;
  g_set_error_literal (error, ENG_ERROR, ENG_ERROR_IO, read_error->message);

  return NULL;
}

/* (transfer full) A config with the head of the task, and the labels of the examples. */
static char *
fit_config (const AppTraining  *self,
            const char         *text,
            const char         *what,
            const GPtrArray    *examples,
            GError            **error)
{
  g_auto (GStrv) labels = NULL;

  if (examples && self->record->recipe->task != APP_TRAIN_ANSWERS)
    labels = eng_examples_dup_labels (examples);

  return check_labels (self, examples, labels, error)
           ? eng_task_config_make (text, what, get_task (self), (const char *const *) labels, error)
           : NULL;
}

static EngParameters *
open_parameters (const AppTraining  *self,
                 const char         *model,
                 const GPtrArray    *examples,
                 const char         *config,
                 GError            **error)
{
  const AppRecipe *recipe = self->record->recipe;
  g_autofree char *text = config ? g_strdup (config) : read_config (model, error);
  g_autofree char *fitted = text ? fit_config (self, text, config ? recipe->shape : model, examples,
                                               error)
                                 : NULL;
  guint64 seed = (guint64) recipe->seed;
  g_autoptr (EngParameters) parameters = NULL;

  if (fitted)
    parameters = config ? eng_parameters_new (fitted, -1, recipe->shape, seed, error)
                        : eng_parameters_open_as (model, fitted, seed, error);
  if (!parameters || (recipe->freeze >= 0 &&
                      !eng_freeze_layers (parameters, (int) recipe->freeze, error)))
    return NULL;

  return g_steal_pointer (&parameters);
}

static gboolean
fill_settings (const AppTraining   *self,
               EngTrainerSettings  *settings,
               GError             **error)
{
  const AppRecipe *recipe = self->record->recipe;
  gboolean masked = recipe->task == APP_TRAIN_MASKED;
  int mask_id = eng_tokenizer_get_mask_id (self->tokenizer);

  *settings = (EngTrainerSettings) {
    .step = { get_task (self), recipe->dropout, recipe->dropout, recipe->dropout,
              recipe->smoothing },
    .schedule = app_recipe_get_schedule (recipe),
    .n_tokens = (int) recipe->batch_tokens,
    .n_together = (int) recipe->accumulate,
    .seed = (guint64) recipe->seed,
    .half = recipe->f16,
  };
  eng_optimizer_settings_init (&settings->optimizer);
  settings->optimizer.decay = recipe->weight_decay;
  settings->optimizer.longest = recipe->clip;
  if (masked && mask_id < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s has no mask token, which masked words need",
                 eng_tokenizer_get_file (self->tokenizer));
    return FALSE;
  }
  if ((recipe->task == APP_TRAIN_TRANSLATE) !=
      eng_spec_has_cross (eng_parameters_get_spec (self->parameters))) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
                 "a model of two stacks learns to translate, and no other does");
    return FALSE;
  }
  eng_masking_init (&settings->masking, mask_id,
                    count_vocabulary (eng_parameters_get_spec (self->parameters)));
  settings->masking.whole_words = recipe->whole_words;

  return TRUE;
}

gboolean
app_training_read_examples (const AppRecipe  *recipe,
                            GPtrArray       **examples,
                            GError          **error)
{
  EngExamplesKind kind;

  *examples = NULL;
  if (!app_train_task_has_examples ((AppTrainTask) recipe->task, &kind))
    return TRUE;
  *examples = eng_examples_read (recipe->data, kind, error);

  return *examples != NULL;
}

gboolean
app_training_open_parts (AppTraining      *self,
                         const char       *model,
                         const GPtrArray  *examples,
                         const char       *config,
                         GError          **error)
{
  EngTrainerSettings settings;

  self->tokenizer = eng_tokenizer_open (model, error);
  self->parameters = self->tokenizer ? open_parameters (self, model, examples, config, error)
                                     : NULL;
  self->texts = self->parameters ? read_texts (self, examples, error) : NULL;
  if (!self->texts || !fill_settings (self, &settings, error))
    return FALSE;
  self->trainer = eng_trainer_new (self->parameters, self->texts, &settings, error);

  return self->trainer != NULL;
}

/* Of all families, and what a model writes by. */
static const char *const tokenizer_files[] = {
  "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
  "vocab.txt", "vocab.json", "merges.txt", "spiece.model", "sentencepiece.bpe.model",
  "tokenizer.model", "spm.model", "source.spm", "target.spm", "generation_config.json", NULL
};

gboolean
app_training_is_tokenizer_file (const char *name)
{
  return g_strv_contains (tokenizer_files, name);
}

gboolean
app_training_copy_tokenizer (const char  *model,
                             const char  *folder,
                             GError     **error)
{
  for (guint i = 0; tokenizer_files[i]; i++) {
    g_autofree char *from = g_build_filename (model, tokenizer_files[i], NULL);
    g_autofree char *to = g_build_filename (folder, tokenizer_files[i], NULL);
    g_autofree char *bytes = NULL;
    gsize length;

    if (g_file_get_contents (from, &bytes, &length, NULL) &&
        !eng_file_write (to, bytes, length, error))
      return FALSE;
  }

  return TRUE;
}
