/* SPDX-License-Identifier: MIT */
#include "app/training/training-private.h"

#include "engine/base/file-writer.h"

/* Texts are cut to as many tokens as the model reads, but not to more than this. */
#define LONGEST 512

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
read_texts (AppTraining  *self,
            GError      **error)
{
  const AppRecipe *recipe = self->record->recipe;
  gboolean next_word = recipe->task == APP_TRAIN_NEXT_WORD;
  EngTextsSettings settings = {
    .longest = get_longest (self),
    .end_id = next_word ? eng_tokenizer_find_special (self->tokenizer, "eos_token") : -1,
    .pad_id = MAX (eng_tokenizer_find_special (self->tokenizer, "pad_token"), 0),
    .held_out = recipe->held_out,
  };

  return eng_texts_read (recipe->data, self->tokenizer, &settings, error);
}

static int
count_vocabulary (const EngSpec *spec)
{
  return (int) spec->stacks[eng_spec_get_last_kind (spec)].vocab_size;
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
    .step = { masked ? ENG_TASK_FILL_MASK : ENG_TASK_LANGUAGE_MODEL, recipe->dropout,
              recipe->dropout, recipe->dropout, recipe->smoothing },
    .schedule = app_recipe_get_schedule (recipe),
    .n_tokens = (int) recipe->batch_tokens,
    .n_together = (int) recipe->accumulate,
    .seed = (guint64) recipe->seed,
  };
  eng_optimizer_settings_init (&settings->optimizer);
  settings->optimizer.decay = recipe->weight_decay;
  settings->optimizer.longest = recipe->clip;
  if (masked && mask_id < 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s has no mask token, which --task masked needs",
                 eng_tokenizer_get_file (self->tokenizer));
    return FALSE;
  }
  eng_masking_init (&settings->masking, mask_id,
                    count_vocabulary (eng_parameters_get_spec (self->parameters)));

  return TRUE;
}

gboolean
app_training_open_parts (AppTraining  *self,
                         const char   *model,
                         GError      **error)
{
  EngTrainerSettings settings;

  self->tokenizer = eng_tokenizer_open (model, error);
  self->parameters = self->tokenizer
                       ? eng_parameters_open (model, (guint64) self->record->recipe->seed, error)
                       : NULL;
  self->texts = self->parameters ? read_texts (self, error) : NULL;
  if (!self->texts || !fill_settings (self, &settings, error))
    return FALSE;
  self->trainer = eng_trainer_new (self->parameters, self->texts, &settings, error);

  return self->trainer != NULL;
}

gboolean
app_training_copy_tokenizer (const char  *model,
                             const char  *folder,
                             GError     **error)
{
  static const char *const names[] = {
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "vocab.txt", "vocab.json", "merges.txt", "spiece.model", "sentencepiece.bpe.model",
    "tokenizer.model", "spm.model",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *from = g_build_filename (model, names[i], NULL);
    g_autofree char *to = g_build_filename (folder, names[i], NULL);
    g_autofree char *bytes = NULL;
    gsize length;

    if (g_file_get_contents (from, &bytes, &length, NULL) &&
        !eng_file_write (to, bytes, length, error))
      return FALSE;
  }

  return TRUE;
}
