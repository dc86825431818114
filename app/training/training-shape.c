/* SPDX-License-Identifier: MIT */
#include "app/training/training-private.h"

#include <string.h>

#include "engine/base/file-writer.h"
#include "engine/training/new-model.h"

static EngNewTokenizerKind
get_kind (const AppRecipe *recipe)
{
  switch (recipe->task) {
  case APP_TRAIN_NEXT_WORD:
    return ENG_NEW_TOKENIZER_NEXT_WORD;
  case APP_TRAIN_TRANSLATE:
    return ENG_NEW_TOKENIZER_TRANSLATE;
  default:
    return ENG_NEW_TOKENIZER_MASKED;
  }
}

static char *
read_shape (const AppRecipe  *recipe,
            GError          **error)
{
  g_autoptr (GError) read_error = NULL;
  char *text;

  if (g_file_get_contents (recipe->shape, &text, NULL, &read_error))
    return text;
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO,
               "--shape is “%s”, which is neither tiny nor mini nor a file: %s", recipe->shape,
               read_error->message);

  return NULL;
}

/* text: of a shape that is a file, else NULL. */
static gboolean
make_plan (const AppRecipe      *recipe,
           const char           *text,
           EngShape              shape,
           EngNewTokenizerPlan  *plan,
           GError              **error)
{
  eng_new_model_plan (get_kind (recipe), shape, plan);
  if (text && !eng_new_model_plan_config (text, recipe->shape, plan, error))
    return FALSE;
  if (recipe->vocabulary > 0)
    plan->n_entries = (int) recipe->vocabulary;

  return TRUE;
}

static gboolean
learn (const EngNewTokenizerPlan  *plan,
       const AppRecipe            *recipe,
       const GPtrArray            *examples,
       const char                 *folder,
       GError                    **error)
{
  g_autoptr (EngNewTokenizer) tokenizer = NULL;
  int n_entries;

  if (!examples)
    return eng_new_model_learn_tokenizer (plan, recipe->data, folder, NULL, error);
  tokenizer = eng_new_tokenizer_new (plan);
  for (guint i = 0; i < examples->len; i++) {
    const EngExample *example = examples->pdata[i];

    if (!eng_new_tokenizer_add (tokenizer, example->a, error) ||
        (example->b && !eng_new_tokenizer_add (tokenizer, example->b, error)))
      return FALSE;
  }

  return eng_new_tokenizer_write (tokenizer, folder, NULL, &n_entries, error);
}

static gboolean
write_generation (EngNewTokenizerKind   kind,
                  const EngTokenizer   *tokenizer,
                  const char           *folder,
                  GError              **error)
{
  g_autofree char *text = eng_new_model_make_generation (kind, tokenizer);
  g_autofree char *path = g_build_filename (folder, "generation_config.json", NULL);

  return !text || eng_file_write (path, text, strlen (text), error);
}

char *
app_training_begin_model (const AppRecipe  *recipe,
                          const GPtrArray  *examples,
                          const char       *folder,
                          GError          **error)
{
  EngShape shape = ENG_SHAPE_MINI;
  gboolean named = eng_shape_from_name (recipe->shape, &shape);
  g_autofree char *text = named ? NULL : read_shape (recipe, error);
  g_autoptr (EngTokenizer) tokenizer = NULL;
  EngNewTokenizerPlan plan;

  if ((!named && !text) || !make_plan (recipe, text, shape, &plan, error) ||
      !learn (&plan, recipe, examples, folder, error))
    return NULL;
  tokenizer = eng_tokenizer_open (folder, error);
  if (!tokenizer || !write_generation (plan.kind, tokenizer, folder, error))
    return NULL;

  return text ? eng_new_model_fit_config (text, recipe->shape, tokenizer, error)
              : eng_new_model_make_config (plan.kind, shape, tokenizer);
}
