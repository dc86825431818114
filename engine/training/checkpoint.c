/* SPDX-License-Identifier: MIT */
#include "engine/training/checkpoint.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "engine/base/file-writer.h"
#include "engine/base/json.h"
#include "engine/checkpoint/safetensors.h"
#include "engine/kernels/gradient.h"
#include "engine/kernels/half.h"
#include "engine/training/parameters-private.h"

#define WEIGHTS_FILE "model.safetensors"
#define STATE_FILE "optimizer.safetensors"
#define STEPS_KEY "steps"
#define MAX_DEPTH 64 /* of a config.json, which was read before */
#define LARGEST_HALF 65504.0f

/* A tensor to be written as the family's files have it. */
typedef struct {
  const EngParameter     *tensor;
  const EngWrittenTensor *form;
} Source;

/* What a state has of each tensor. */
enum { VALUES, MEANS, SQUARES, N_PARTS };
static const char *const part_names[] = { "value", "mean", "square" };

/* The parts of all heads become the parts of each head. */
static void
mix_heads (const Source *source,
           float        *out)
{
  int n_heads = source->form->n_heads, n_slices = source->form->n_slices;
  gsize n = source->form->n_elements / (gsize) (n_heads * n_slices);

  for (int head = 0; head < n_heads; head++)
    for (int slice = 0; slice < n_slices; slice++)
      memcpy (out + (gsize) (head * n_slices + slice) * n,
              source->tensor->values + (gsize) (slice * n_heads + head) * n, n * sizeof (float));
}

static void
fill_values (const Source *source,
             float        *values)
{
  const EngWrittenTensor *form = source->form;

  if (form->n_heads > 0)
    mix_heads (source, values);
  else if (form->transposed)
    eng_transpose (source->tensor->values, (gsize) form->shape[0], (int) form->shape[1],
                   (int) form->shape[0], values, (gsize) form->shape[1]);
  else
    memcpy (values, source->tensor->values, form->n_elements * sizeof (float));
  for (gsize i = 0; form->one_less && i < form->n_elements; i++)
    values[i] -= 1;
}

static void
fill (gpointer out,
      gsize    n_bytes,
      gpointer data)
{
  fill_values (data, out);
}

static void
fill_halves (gpointer out,
             gsize    n_bytes,
             gpointer data)
{
  const Source *source = data;
  gsize n = source->form->n_elements;
  g_autofree float *values = g_new (float, n);
  guint16 *halves = out;

  fill_values (source, values);
  for (gsize i = 0; i < n; i++)
    halves[i] = eng_half_from_float (values[i]);
}

static gboolean
check_halves (const EngParameters  *parameters,
              const char           *path,
              GError              **error)
{
  const EngGradients *block = eng_parameters_get_gradients (parameters);

  for (gsize i = 0; i < block->n; i++)
    if (fabsf (block->values[i]) > LARGEST_HALF) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "%s: a weight is %g, expected at most %g, which is as much as F16 holds", path,
                   (double) block->values[i], (double) LARGEST_HALF);
      return FALSE;
    }

  return TRUE;
}

static GHashTable *
make_metadata (EngOptimizer *optimizer)
{
  GHashTable *metadata = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  /* transformers wants to be told. */
  g_hash_table_insert (metadata, (gpointer) "format", g_strdup ("pt"));
  if (optimizer)
    g_hash_table_insert (metadata, (gpointer) STEPS_KEY,
                         g_strdup_printf ("%" G_GINT64_FORMAT,
                                          eng_optimizer_get_n_steps (optimizer)));

  return metadata;
}

static gboolean
save_weights (const EngParameters  *parameters,
              const char           *folder,
              gboolean              half,
              GError              **error)
{
  g_autofree char *path = g_build_filename (folder, WEIGHTS_FILE, NULL);
  g_autoptr (GHashTable) metadata = make_metadata (NULL);
  int n = eng_parameters_get_n_tensors (parameters);
  g_autofree Source *sources = g_new0 (Source, n);
  g_autofree EngTensorSource *tensors = g_new0 (EngTensorSource, n);

  if (half && !check_halves (parameters, path, error))
    return FALSE;
  for (int i = 0; i < n; i++) {
    const EngWrittenTensor *form = eng_parameters_get_form (parameters, i);

    sources[i] = (Source) { eng_parameters_get_tensor (parameters, i), form };
    tensors[i] = (EngTensorSource) {
      .name = form->name, .type = half ? ENG_TYPE_F16 : ENG_TYPE_F32, .rank = form->rank,
      .fill = half ? fill_halves : fill, .user_data = &sources[i],
    };
    memcpy (tensors[i].shape, form->shape, sizeof form->shape);
  }

  return eng_safetensors_write (path, metadata, tensors, n, error);
}

static char *
dup_state_name (const EngParameter *tensor,
                int                 part)
{
  return g_strdup_printf ("%s.%s", part_names[part], tensor->name);
}

/* A part of the state of a tensor. */
static float *
find_state (EngOptimizer        *optimizer,
            const EngParameters *parameters,
            const EngParameter  *tensor,
            int                  part)
{
  const float *values = eng_parameters_get_gradients (parameters)->values;

  switch (part) {
  case MEANS:
    return eng_optimizer_get_means (optimizer) + (tensor->values - values);
  case SQUARES:
    return eng_optimizer_get_squares (optimizer) + (tensor->values - values);
  default:
    return tensor->values;
  }
}

static gboolean
save_state (EngOptimizer         *optimizer,
            const EngParameters  *parameters,
            const char           *folder,
            GError              **error)
{
  g_autofree char *path = g_build_filename (folder, STATE_FILE, NULL);
  g_autoptr (GHashTable) metadata = make_metadata (optimizer);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  int n = eng_parameters_get_n_tensors (parameters);
  g_autofree EngTensorSource *tensors = g_new0 (EngTensorSource, N_PARTS * n);

  for (int i = 0; i < N_PARTS * n; i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (parameters, i / N_PARTS);

    g_ptr_array_add (names, dup_state_name (tensor, i % N_PARTS));
    tensors[i] = (EngTensorSource) {
      .name = names->pdata[i], .type = ENG_TYPE_F32, .rank = 1,
      .shape = { (gint64) tensor->n_elements },
      .data = find_state (optimizer, parameters, tensor, i % N_PARTS),
    };
  }

  return eng_safetensors_write (path, metadata, tensors, N_PARTS * n, error);
}

/* That of a training before, which would go on from weights that are no more. */
static gboolean
drop_state (const char  *folder,
            GError     **error)
{
  g_autofree char *path = g_build_filename (folder, STATE_FILE, NULL);

  if (g_unlink (path) == 0 || errno == ENOENT)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be removed: %s", path,
               g_strerror (errno));

  return FALSE;
}

/* The text that the parameters were made from, but for the type of the weights: transformers opens
 * a model in the one that its config names. */
static gboolean
save_config (const EngParameters  *parameters,
             const char           *folder,
             gboolean              half,
             GError              **error)
{
  static const char *const keys[] = { "dtype", "torch_dtype" };
  const char *text = eng_parameters_get_config (parameters);
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (cJSON) json = eng_json_parse (text, strlen (text), MAX_DEPTH, path, error);
  char *printed;
  gboolean written;

  if (!json)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    cJSON_DeleteItemFromObjectCaseSensitive (json, keys[i]);
  cJSON_AddStringToObject (json, keys[0], half ? "float16" : "float32");
  printed = cJSON_Print (json);
  written = eng_file_write (path, printed, strlen (printed), error);
  cJSON_free (printed);

  return written;
}

gboolean
eng_training_save (const EngParameters  *parameters,
                   EngOptimizer         *optimizer,
                   const char           *folder,
                   gboolean              half,
                   GError              **error)
{
  if (g_mkdir_with_parents (folder, 0777) != 0) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: the folder cannot be made: %s", folder,
                 g_strerror (errno));
    return FALSE;
  }

  eng_file_writer_sweep (folder);

  return (optimizer || drop_state (folder, error)) &&
         save_config (parameters, folder, half, error) &&
         save_weights (parameters, folder, half, error) &&
         (!optimizer || save_state (optimizer, parameters, folder, error));
}

static gboolean
read_steps (const EngTensorSet  *state,
            gint64              *n_steps,
            GError             **error)
{
  const char *steps = eng_tensor_set_get_metadata (state, STEPS_KEY);

  if (steps && g_ascii_string_to_signed (steps, 10, 0, G_MAXINT64, n_steps, NULL))
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: the number of steps is %s, expected a whole one",
               eng_tensor_set_get_path (state), steps ? steps : "missing");

  return FALSE;
}

gboolean
eng_training_find_steps (const char *folder,
                         gint64     *n_steps)
{
  g_autofree char *path = g_build_filename (folder, STATE_FILE, NULL);
  g_autoptr (EngTensorSet) state = eng_safetensors_open (path, NULL);

  return state && read_steps (state, n_steps, NULL);
}

/* The tensors of the state, checked, part after part of each. */
static gboolean
find_tensors (const EngTensorSet  *state,
              const EngParameters *parameters,
              const EngTensor    **tensors,
              GError             **error)
{
  for (int i = 0; i < N_PARTS * eng_parameters_get_n_tensors (parameters); i++) {
    const EngParameter *tensor = eng_parameters_get_tensor (parameters, i / N_PARTS);
    g_autofree char *name = dup_state_name (tensor, i % N_PARTS);

    tensors[i] = eng_tensor_set_find (state, name);
    if (!tensors[i] || tensors[i]->type != ENG_TYPE_F32 ||
        tensors[i]->n_elements != (gint64) tensor->n_elements) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_MISSING,
                   "%s: the tensor %s is not there as F32 with %" G_GSIZE_FORMAT " numbers",
                   eng_tensor_set_get_path (state), name, tensor->n_elements);
      return FALSE;
    }
  }

  return TRUE;
}

gboolean
eng_training_resume (EngOptimizer         *optimizer,
                     EngParameters        *parameters,
                     const char           *folder,
                     GError              **error)
{
  g_autofree char *path = g_build_filename (folder, STATE_FILE, NULL);
  g_autoptr (EngTensorSet) state = eng_safetensors_open (path, error);
  int n = N_PARTS * eng_parameters_get_n_tensors (parameters);
  g_autofree const EngTensor **tensors = g_new0 (const EngTensor *, n);
  gint64 n_steps;

  if (!state || !read_steps (state, &n_steps, error) ||
      !find_tensors (state, parameters, tensors, error))
    return FALSE;

  for (int i = 0; i < n; i++)
    eng_tensor_widen (tensors[i], find_state (optimizer, parameters,
                                              eng_parameters_get_tensor (parameters, i / N_PARTS),
                                              i % N_PARTS));
  eng_optimizer_set_n_steps (optimizer, n_steps);

  return TRUE;
}
