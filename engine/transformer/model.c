/* SPDX-License-Identifier: MIT */
#include "engine/transformer/model.h"

#include "engine/families/family.h"
#include "engine/families/lazy-weights.h"
#include "engine/families/weights.h"
#include "engine/families/weights-file.h"
#include "engine/transformer/model-private.h"

#include <string.h>

struct _EngModel {
  EngModelInfo      info;
  char             *name;
  char             *folder;
  EngSpec           spec;
  EngWeights        weights;
  EngTensorSet     *file;                 /* that the weights are read from in each pass, or NULL */
  EngTokenizer     *tokenizer;            /* NULL for a model without files */
  EngScores         scores;
  double            stored_unit;
  char            **languages;  /* by the rows of their vectors; NULL = none */
  char            **labels[ENG_N_TASKS];  /* one a class; NULL where classes have no names */
  EngGenerations   *generations;          /* NULL where generation_error says why */
  GError           *generation_error;

  GDestroyNotify    free_weights;
  gpointer          weights_owner;
  gatomicrefcount   ref_count;
};

static void
fill_info_from_spec (EngModelInfo  *info,
                     const EngSpec *spec)
{
  const EngStackSpec *stack = &spec->stacks[eng_spec_get_first_kind (spec)];
  const EngStackSpec *decoder = &spec->stacks[ENG_KIND_DECODER];
  const EngAttentionSpec *heads = eng_stack_spec_get_heads (stack);

  info->n_layers = stack->n_layers;
  info->n_heads = heads->n_heads;
  info->head_size = heads->head_size;
  info->hidden_size = spec->hidden_size;
  info->intermediate_size = stack->sorts[0].feed_forward.intermediate_size;
  info->n_decoder_layers = decoder != stack ? decoder->n_layers : 0;
  info->n_decoder_heads = decoder != stack ? eng_stack_spec_get_heads (decoder)->n_heads : 0;
  info->max_positions = eng_spec_get_max_positions (spec);
  info->strict_positions = spec->embedding.positions != ENG_POSITIONS_NONE;
  info->vocab_size = stack->vocab_size;
  for (int task = 0; task < ENG_N_TASKS; task++)
    if (spec->heads[task].present)
      info->tasks |= 1u << task;
}

/* Traces and figures carry the name: nobody shall take them for those of the model whose weights
 * were not made smaller. */
static char *
dup_quantised_name (const char *name,
                    const char *stored_type)
{
  return g_strdup_printf ("%s, quantised (%s)", name, stored_type);
}

static char *
dup_folder_name (const char *folder)
{
  g_autofree char *path = g_canonicalize_filename (folder, NULL);

  return g_path_get_basename (path);
}

/* TRUE when the config says something about two classes that a pair's answer can be named with. */
static gboolean
names_the_pair (const EngConfig *config)
{
  return config->n_labels == 2 &&
         !(strcmp (config->labels[0], "LABEL_0") == 0 &&
           strcmp (config->labels[1], "LABEL_1") == 0);
}

static char **
dup_labels (const EngConfig *config,
            EngTask          task,
            int              n_classes)
{
  static const char *const pair_labels[] = { "is-next", "not-next", NULL };
  static const char *const order_labels[] = { "in-order", "swapped", NULL };
  static const char *const token_labels[] = { "replaced", NULL };
  char **labels;

  if (task == ENG_TASK_NEXT_SENTENCE)
    return g_strdupv (names_the_pair (config) ? config->labels : (char **) pair_labels);
  if (task == ENG_TASK_SENTENCE_ORDER)
    return g_strdupv (names_the_pair (config) ? config->labels : (char **) order_labels);
  if (task == ENG_TASK_REPLACED_TOKENS)
    return g_strdupv ((char **) token_labels);
  if (task != ENG_TASK_TEXT_CLASSIFICATION && task != ENG_TASK_ENTITIES)
    return NULL;
  if (config->n_labels == n_classes)
    return g_strdupv (config->labels);

  labels = g_new0 (char *, n_classes + 1);
  for (int i = 0; i < n_classes; i++)
    labels[i] = g_strdup_printf ("LABEL_%d", i);

  return labels;
}

/* Files exist whose added tokens have no row, such as a padding that was never trained: a text that
 * names one is refused when it is run. */
static gboolean
check_vocabulary (const EngModel  *self,
                  GError         **error)
{
  int n_entries = self->tokenizer ? eng_tokenizer_get_n_pieces (self->tokenizer) : 0;

  if (n_entries <= self->info.vocab_size)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
               "%s: the vocabulary has %d entries, expected at most the %d rows of the embedding",
               eng_tokenizer_get_file (self->tokenizer), n_entries, self->info.vocab_size);

  return FALSE;
}

static gboolean
check_decoder_start (const EngSpec  *spec,
                     const char     *folder,
                     GError        **error)
{
  int start = spec->decoder_start_id, n = spec->stacks[ENG_KIND_DECODER].vocab_size;

  if (!eng_spec_has_cross (spec) || (start >= 0 && start < n))
    return TRUE;
  if (start < 0)
    g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                 "%s: decoder_start_token_id is neither in config.json nor in "
                 "generation_config.json, expected the id that the decoder begins with", folder);
  else
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: decoder_start_token_id is %d, expected one below the %d entries of the "
                 "decoder's vocabulary", folder, start, n);

  return FALSE;
}

static EngModel *
model_new (const EngSpec    *spec,
           const EngWeights *weights,
           GDestroyNotify    free_weights,
           gpointer          weights_owner)
{
  EngModel *self = g_new0 (EngModel, 1);

  self->spec = *spec;
  self->weights = *weights;
  self->free_weights = free_weights;
  self->weights_owner = weights_owner;
  self->stored_unit = eng_type_get_unit (ENG_TYPE_F32);
  fill_info_from_spec (&self->info, spec);
  self->generations = eng_generations_new ();
  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

/* A model whose settings are broken still shows what it looks at. */
static void
read_generations (EngModel *self)
{
  int n_words = self->spec.stacks[ENG_KIND_DECODER].vocab_size;
  int start_id;

  if (!self->spec.heads[ENG_TASK_LANGUAGE_MODEL].present)
    return;

  eng_generations_free (self->generations);
  self->generations = eng_generations_read (self->folder, &self->generation_error);
  if (!self->generations)
    return;

  start_id = self->generations->general->start_id;
  if (start_id >= n_words) {
    g_set_error (&self->generation_error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: decoder_start_token_id is %d, expected one of the %d tokens", self->folder,
                 start_id, n_words);
    g_clear_pointer (&self->generations, eng_generations_free);
  } else if (start_id >= 0) {
    self->spec.decoder_start_id = start_id;
  }
}

EngModel *
eng_model_new_from_weights (const EngSpec    *spec,
                            const EngWeights *weights,
                            GDestroyNotify    free_weights,
                            gpointer          data)
{
  EngModel *self = model_new (spec, weights, free_weights, data);

  self->info.name = "in memory";
  self->info.family = "none";

  return self;
}

/* A model of what was loaded, which it takes; tokenizer (nullable) too. */
static EngModel *
model_new_loaded (EngLoadedWeights  *loaded,
                  const EngConfig   *config,
                  EngTokenizer      *tokenizer,
                  const char        *folder,
                  const char        *name,
                  GError           **error)
{
  g_autoptr (EngModel) self =
    model_new (&loaded->spec, &loaded->weights, (GDestroyNotify) eng_weights_free, loaded);
  const EngSpec *spec = &loaded->spec;

  self->tokenizer = tokenizer;
  if (loaded->reads_file)
    self->file = eng_tensor_set_ref (loaded->file);
  if (!check_vocabulary (self, error) || !check_decoder_start (spec, folder, error))
    return NULL;

  self->name = name ? g_strdup (name) : dup_folder_name (folder);
  self->info.quantised = eng_type_is_quantised (loaded->stored_type);
  if (self->info.quantised) {
    g_autofree char *plain = g_steal_pointer (&self->name);

    self->name = dup_quantised_name (plain, loaded->stored_type_name);
  }
  self->folder = g_strdup (folder);
  self->scores = config->scores;
  self->languages = g_strdupv (config->languages);
  self->stored_unit = eng_type_get_unit (loaded->stored_type);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    if (loaded->spec.heads[task].present)
      self->labels[task] = dup_labels (config, task, loaded->spec.heads[task].n_classes);
    self->info.left_out[task] = loaded->left_out[task];
  }

  self->info.name = self->name;
  self->info.folder = self->folder;
  self->info.family = config->family->model_type;
  self->info.n_parameters = loaded->n_parameters;
  self->info.stored_type = loaded->stored_type_name;
  read_generations (self);

  return g_steal_pointer (&self);
}

/* *tokenizer (out, transfer full): NULL where the folder has none, so that texts are token ids. */
static gboolean
open_tokenizer (const char    *folder,
                EngTokenizer **tokenizer,
                GError       **error)
{
  *tokenizer = NULL;
  if (!eng_tokenizer_has_files (folder))
    return TRUE;
  *tokenizer = eng_tokenizer_open (folder, error);

  return *tokenizer != NULL;
}

EngModel *
eng_model_open (const char  *folder,
                const char  *name,
                GError     **error)
{
  g_autoptr (EngConfig) config = eng_config_read (folder, error);
  g_autoptr (EngTensorSet) file = config ? eng_weights_open_file (folder, error) : NULL;
  g_autoptr (EngLoadedWeights) loaded = file ? eng_weights_load (file, config, error) : NULL;
  EngTokenizer *tokenizer;
  EngModel *self;
  const char *path;

  if (!loaded || !open_tokenizer (folder, &tokenizer, error))
    return NULL;
  self = model_new_loaded (g_steal_pointer (&loaded), config, tokenizer, folder, name, error);
  if (!self)
    return NULL;

  path = eng_tensor_set_get_path (file);
  self->info.weights_file = g_intern_string (strrchr (path, G_DIR_SEPARATOR) + 1);
  self->info.weights_bytes = eng_tensor_set_get_n_bytes (file);

  return self;
}

EngModel *
eng_model_open_untrained (const char  *folder,
                          const char  *name,
                          guint32      seed,
                          GError     **error)
{
  g_autoptr (EngConfig) config = eng_config_read (folder, error);
  g_autoptr (EngLoadedWeights) loaded =
    config ? eng_weights_make_random (config, folder, seed, error) : NULL;
  g_autofree char *folder_name = dup_folder_name (folder);
  g_autofree char *shown = NULL;
  EngTokenizer *tokenizer;
  EngModel *self;

  if (!loaded || !open_tokenizer (folder, &tokenizer, error))
    return NULL;

  /* Traces and figures carry the name: nobody shall take them for those of the trained model. */
  shown = g_strdup_printf ("%s, untrained, seed %u", name ? name : folder_name, seed);
  self = model_new_loaded (g_steal_pointer (&loaded), config, tokenizer, folder, shown, error);
  if (self)
    self->info.untrained = TRUE;

  return self;
}

gboolean
eng_model_peek (const char    *folder,
                EngModelInfo  *info,
                GError       **error)
{
  g_autoptr (EngConfig) config = eng_config_read (folder, error);
  g_autofree char *name = NULL;

  if (!config)
    return FALSE;

  name = dup_folder_name (folder);
  *info = (EngModelInfo) {
    .name = g_intern_string (name),
    .folder = folder,
    .family = config->family->model_type,
  };
  info->stored_type = config->stored_type;
  info->quantised = config->quantised;
  fill_info_from_spec (info, &config->spec);

  return TRUE;
}

gboolean
eng_model_has_weights (const char *folder)
{
  return eng_weights_exist (folder);
}

EngModel *
eng_model_ref (EngModel *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
eng_model_unref (EngModel *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->free_weights)
    self->free_weights (self->weights_owner);
  g_clear_pointer (&self->file, eng_tensor_set_unref);
  g_clear_pointer (&self->tokenizer, eng_tokenizer_free);
  for (int task = 0; task < ENG_N_TASKS; task++)
    g_strfreev (self->labels[task]);
  g_strfreev (self->languages);
  g_clear_pointer (&self->generations, eng_generations_free);
  g_clear_error (&self->generation_error);
  g_free (self->name);
  g_free (self->folder);
  g_free (self);
}

const EngModelInfo *
eng_model_get_info (const EngModel *self)
{
  return &self->info;
}

const EngTokenizer *
eng_model_get_tokenizer (const EngModel *self)
{
  return self->tokenizer;
}

const EngSpec *
eng_model_get_spec (const EngModel *self)
{
  return &self->spec;
}

const EngWeights *
eng_model_get_weights (const EngModel *self)
{
  return &self->weights;
}

double
eng_model_get_stored_unit (const EngModel *self)
{
  return self->stored_unit;
}

gboolean
eng_model_check_files (const EngModel  *self,
                       GError         **error)
{
  return (!self->file || eng_tensor_set_check_files (self->file, error)) &&
         eng_lazy_weights_check (self->weights.lazy, error);
}

EngScores
eng_model_get_scores (const EngModel *self)
{
  return self->scores;
}

gboolean
eng_model_has_task (const EngModel *self,
                    EngTask         task)
{
  return self->spec.heads[task].present;
}

const char *
eng_model_get_label (const EngModel *self,
                     EngTask         task,
                     int             index)
{
  if (!self->labels[task] || index < 0 || index >= self->spec.heads[task].n_classes)
    return NULL;

  return self->labels[task][index];
}

gboolean
eng_model_has_two_stacks (const EngModel *self)
{
  return eng_spec_has_cross (&self->spec);
}

const EngGenerations *
eng_model_get_generations (const EngModel  *self,
                           GError         **error)
{
  if (!self->generations && error)
    *error = g_error_copy (self->generation_error);

  return self->generations;
}

const char *const *
eng_model_get_languages (const EngModel *self)
{
  return (const char *const *) self->languages;
}
