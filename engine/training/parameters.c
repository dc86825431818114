/* SPDX-License-Identifier: MIT */
#include "engine/training/parameters-private.h"

#include "engine/base/json.h"
#include "engine/families/lazy-weights.h"
#include "engine/families/weights-file.h"
#include "engine/families/weights.h"
#include "engine/training/learnable.h"
#include "engine/kernels/random.h"

#include <math.h>
#include <string.h>

#define DEVIATION 0.02 /* where the config says none */
#define MAX_DEPTH 64    /* of a config.json, which was read before */

struct _EngParameters {
  char             *text;
  EngConfig        *config;
  EngLoadedWeights *loaded;
  EngGradients      gradients;
  GArray           *tensors; /* of EngParameter */
};

static gboolean
read_deviation (const char  *text,
                const char  *what,
                double      *deviation,
                GError     **error)
{
  g_autoptr (cJSON) json = eng_json_parse (text, strlen (text), MAX_DEPTH, what, error);

  *deviation = DEVIATION;

  return json && eng_json_get_double (json, "init_std", what, deviation, error) &&
         eng_json_get_double (json, "initializer_range", what, deviation, error);
}

/* Numbers up to the end of the last tensor: behind it stands what is computed. */
static gsize
count_numbers (const EngLoadedWeights *loaded)
{
  gsize n = 0;

  for (guint i = 0; i < loaded->written->len; i++) {
    const EngWrittenTensor *form = &g_array_index (loaded->written, EngWrittenTensor, i);

    n = MAX (n, form->place + form->n_elements);
  }

  return n;
}

/* Values and gradients, all 0. */
static EngParameters *
lay_out (const char  *text,
         gsize        length,
         const char  *what,
         GError     **error)
{
  g_autoptr (EngParameters) self = g_new0 (EngParameters, 1);

  self->text = g_strndup (text, length);
  self->config = eng_config_parse (self->text, length, what, NULL, error);
  self->loaded = self->config ? eng_weights_lay_out (self->config, what, error) : NULL;
  if (!self->loaded || !eng_learnable_check (&self->loaded->spec, what, error))
    return NULL;

  self->gradients.values = self->loaded->widened;
  self->gradients.n = count_numbers (self->loaded);
  self->gradients.gradients = g_try_new0 (float, self->gradients.n);
  if (!self->gradients.gradients) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: there is no memory for the gradients of %" G_GINT64_FORMAT " parameters",
                 what, self->loaded->n_parameters);
    return NULL;
  }

  self->tensors = g_array_new (FALSE, FALSE, sizeof (EngParameter));
  for (guint i = 0; i < self->loaded->written->len; i++) {
    const EngWrittenTensor *form = eng_parameters_get_form (self, (int) i);
    EngParameter tensor = {
      form->name, self->loaded->widened + form->place, self->gradients.gradients + form->place,
      form->n_elements, form->rank > 1 && !g_str_has_suffix (form->name, "bias"),
    };

    g_array_append_val (self->tensors, tensor);
  }

  return g_steal_pointer (&self);
}

/* The deviation of what stands at the end of a residual branch: the sum of all branches is as wide
 * as one, however many layers there are. */
static double
get_branch_deviation (const EngParameters *self,
                      double               deviation)
{
  const EngStackSpec *decoder = &self->loaded->spec.stacks[ENG_KIND_DECODER];

  if (decoder->n_layers == 0 || eng_spec_has_cross (&self->loaded->spec) ||
      decoder->sorts[0].attention_norm != ENG_NORM_PRE)
    return deviation;

  return deviation / sqrt (2.0 * decoder->n_layers);
}

static gboolean
ends_branch (const EngParameters *self,
             const float         *values)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    for (int layer = 0; layer < self->loaded->spec.stacks[kind].n_layers; layer++) {
      const EngLayerWeights *weights = &self->loaded->weights.stacks[kind].layers[layer];

      if (values == weights->self.output.weight || values == weights->down.weight)
        return TRUE;
    }

  return FALSE;
}

static gboolean
is_norm (const EngParameter *tensor)
{
  return !tensor->decays && g_str_has_suffix (tensor->name, "weight");
}

static void
draw (EngParameters *self,
      double         deviation,
      guint64        seed)
{
  double branch_deviation = get_branch_deviation (self, deviation);

  for (int i = 0; i < eng_parameters_get_n_tensors (self); i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (self, i);
    gboolean ends = ends_branch (self, tensor->values);

    if (tensor->decays)
      eng_random_normals (eng_random_key (seed, (guint64) i), ends ? branch_deviation : deviation,
                          tensor->n_elements, tensor->values);
    for (gsize k = 0; is_norm (tensor) && k < tensor->n_elements; k++)
      tensor->values[k] = 1;
  }
}

EngParameters *
eng_parameters_new (const char  *config,
                    gssize       length,
                    const char  *what,
                    guint64      seed,
                    GError     **error)
{
  g_autoptr (EngParameters) self =
    lay_out (config, length < 0 ? strlen (config) : (gsize) length, what, error);
  double deviation;

  if (!self || !read_deviation (self->text, what, &deviation, error))
    return NULL;
  draw (self, deviation, seed);

  return g_steal_pointer (&self);
}

/* A pointer of from, and that to the same part of to, which is copied where both are there. */
typedef struct {
  const EngLoadedWeights *from;
  EngLoadedWeights       *to;
  gboolean                other_labels;
} Copy;

static void
copy_part (const float *from,
           const float *to,
           gsize        n)
{
  if (from && to)
    memcpy ((float *) to, from, n * sizeof (float));
}

static void
copy_linear (const EngLinear *from,
             const EngLinear *to)
{
  if (from->out != to->out || from->in != to->in)
    return;
  copy_part (from->weight, to->weight, (gsize) to->out * to->in);
  copy_part (from->bias, to->bias, to->out);
}

static void
copy_norm (const EngNorm *from,
           const EngNorm *to,
           int            size)
{
  copy_part (from->weight, to->weight, size);
  copy_part (from->bias, to->bias, size);
}

static void
copy_attention (const EngAttentionWeights *from,
                const EngAttentionWeights *to,
                int                        size)
{
  copy_linear (&from->query, &to->query);
  copy_linear (&from->key, &to->key);
  copy_linear (&from->value, &to->value);
  copy_linear (&from->output, &to->output);
  copy_norm (&from->norm, &to->norm, size);
}

static void
copy_stack (const Copy *copy,
            int         kind)
{
  const EngSpec *spec = &copy->to->spec;
  const EngStackSpec *stack = &spec->stacks[kind];
  const EngStackWeights *from = &copy->from->weights.stacks[kind];
  EngStackWeights *to = &copy->to->weights.stacks[kind];
  gsize width = (gsize) eng_spec_get_embedding_size (spec);

  if (stack->n_layers == 0)
    return;
  copy_part (from->word, to->word, stack->vocab_size * width);
  copy_part (from->position, to->position, spec->embedding.n_positions * width);
  copy_part (from->type, to->type, spec->embedding.n_types * width);
  copy_norm (&from->embedding_norm, &to->embedding_norm,
             spec->embedding.projects_first ? spec->hidden_size : (int) width);
  copy_linear (&from->projection, &to->projection);
  copy_norm (&from->final_norm, &to->final_norm, spec->hidden_size);
  for (int layer = 0; layer < stack->n_layers; layer++) {
    const EngLayerWeights *from_layer = &from->layers[layer];
    EngLayerWeights *to_layer = &to->layers[layer];

    copy_attention (&from_layer->self, &to_layer->self, spec->hidden_size);
    copy_attention (&from_layer->cross, &to_layer->cross, spec->hidden_size);
    copy_linear (&from_layer->gate, &to_layer->gate);
    copy_linear (&from_layer->up, &to_layer->up);
    copy_linear (&from_layer->down, &to_layer->down);
    copy_norm (&from_layer->feed_forward_norm, &to_layer->feed_forward_norm, spec->hidden_size);
  }
}

static gboolean
has_labels (EngTask task)
{
  return task == ENG_TASK_TEXT_CLASSIFICATION || task == ENG_TASK_ENTITIES;
}

static void
copy_heads (const Copy *copy)
{
  const EngWeights *from = &copy->from->weights;
  EngWeights *to = &copy->to->weights;

  copy_linear (&from->pooler, &to->pooler);
  for (int task = 0; task < ENG_N_TASKS; task++) {
    const EngHeadSpec *head = &copy->to->spec.heads[task];

    if (!head->present || !copy->from->spec.heads[task].present ||
        (copy->other_labels && has_labels ((EngTask) task)))
      continue;
    copy_linear (&from->heads[task].transform, &to->heads[task].transform);
    copy_linear (&from->heads[task].reduce, &to->heads[task].reduce);
    copy_norm (&from->heads[task].norm, &to->heads[task].norm,
               head->size > 0 ? head->size : copy->to->spec.hidden_size);
    copy_linear (&from->heads[task].output, &to->heads[task].output);
  }
}

/* All of it is there then; FALSE where the file was changed meanwhile. */
static gboolean
need_all (const EngLoadedWeights  *loaded,
          GError                 **error)
{
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    for (int layer = -1; layer <= loaded->spec.stacks[kind].n_layers; layer++)
      if (loaded->spec.stacks[kind].n_layers > 0)
        eng_lazy_weights_need (loaded->lazy, (EngKind) kind, layer);
  for (EngTask task = 0; task < ENG_N_TASKS; task++)
    if (loaded->spec.heads[task].present)
      eng_lazy_weights_need_head (loaded->lazy, task);

  return eng_lazy_weights_check (loaded->lazy, error);
}

static gboolean
are_same_labels (char *const *a,
                 char *const *b)
{
  return a == b || (a && b && g_strv_equal ((const char *const *) a, (const char *const *) b));
}

/* The folder's weights, read by its own config, into those of self. */
static gboolean
copy_folder (EngParameters    *self,
             const char       *folder,
             const EngConfig  *config,
             GError          **error)
{
  g_autoptr (EngTensorSet) file = eng_weights_open_file (folder, error);
  g_autoptr (EngLoadedWeights) loaded = file ? eng_weights_load (file, config, error) : NULL;
  Copy copy = { loaded, self->loaded, !are_same_labels (config->labels, self->config->labels) };

  if (!loaded || !need_all (loaded, error))
    return FALSE;
  for (int kind = 0; kind < ENG_N_STACKS; kind++)
    copy_stack (&copy, kind);
  copy_heads (&copy);

  return TRUE;
}

EngParameters *
eng_parameters_open_as (const char  *folder,
                        const char  *config,
                        guint64      seed,
                        GError     **error)
{
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) read_error = NULL;
  g_autoptr (EngParameters) self = NULL;
  g_autoptr (EngConfig) own = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &read_error)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: %s", folder, read_error->message);
    return NULL;
  }
  own = eng_config_parse (text, length, path, NULL, error);
  if (own)
    self = eng_parameters_new (config ? config : text, config ? -1 : (gssize) length, path, seed,
                               error);

  return self && copy_folder (self, folder, own, error) ? g_steal_pointer (&self) : NULL;
}

EngParameters *
eng_parameters_open (const char  *folder,
                     guint64      seed,
                     GError     **error)
{
  return eng_parameters_open_as (folder, NULL, seed, error);
}

void
eng_parameters_free (EngParameters *self)
{
  g_clear_pointer (&self->loaded, eng_weights_free);
  g_clear_pointer (&self->config, eng_config_free);
  g_clear_pointer (&self->tensors, g_array_unref);
  g_free (self->gradients.gradients);
  g_free (self->text);
  g_free (self);
}

const EngSpec *
eng_parameters_get_spec (const EngParameters *self)
{
  return &self->loaded->spec;
}

const EngWeights *
eng_parameters_get_weights (const EngParameters *self)
{
  return &self->loaded->weights;
}

const EngGradients *
eng_parameters_get_gradients (const EngParameters *self)
{
  return &self->gradients;
}

char *const *
eng_parameters_get_labels (const EngParameters *self)
{
  return self->config->labels;
}

const char *
eng_parameters_get_config (const EngParameters *self)
{
  return self->text;
}

int
eng_parameters_get_n_tensors (const EngParameters *self)
{
  return (int) self->tensors->len;
}

const EngParameter *
eng_parameters_get_tensor (const EngParameters *self,
                           int                  i)
{
  return &g_array_index (self->tensors, EngParameter, i);
}

const EngParameter *
eng_parameters_find (const EngParameters *self,
                     const char          *name)
{
  for (int i = 0; i < eng_parameters_get_n_tensors (self); i++)
    if (strcmp (eng_parameters_get_tensor (self, i)->name, name) == 0)
      return eng_parameters_get_tensor (self, i);

  return NULL;
}

gint64
eng_parameters_count (const EngParameters *self)
{
  return self->loaded->n_parameters;
}

void
eng_parameters_clear_gradients (EngParameters *self)
{
  memset (self->gradients.gradients, 0, self->gradients.n * sizeof (float));
}

void
eng_parameters_set_frozen (EngParameters *self,
                           gsize          n)
{
  self->gradients.n_frozen = n;
}

const EngWrittenTensor *
eng_parameters_get_form (const EngParameters *self,
                         int                  i)
{
  return &g_array_index (self->loaded->written, EngWrittenTensor, i);
}
