/* SPDX-License-Identifier: MIT */
#include "engine/families/gguf-config.h"

#include "engine/families/gguf-architectures.h"
#include "engine/spec/spec.h"

#include <string.h>

#define MAX_SIZE (1 << 24)

/* Behind the architecture's name and a dot. */
static const EngGgufName sizes[] = {
  { "context_length", "max_position_embeddings" },
  { "block_count", "num_hidden_layers" },
  { "embedding_length", "hidden_size" },
  { "feed_forward_length", "intermediate_size" },
  { "attention.head_count", "num_attention_heads" },
  { "attention.head_count_kv", "num_key_value_heads" },
  { "attention.key_length", "head_dim" },
  { "attention.sliding_window", "sliding_window" },
  { "rope.scaling.original_context_length", "original_max_position_embeddings" },
  { NULL, NULL }
};

static const EngGgufName numbers[] = {
  { "attention.layer_norm_rms_epsilon", "rms_norm_eps" },
  { "attention.layer_norm_epsilon", "layer_norm_eps" },
  { "rope.freq_base", "rope_theta" },
  { NULL, NULL }
};

static const EngGgufName ids[] = {
  { "tokenizer.ggml.bos_token_id", "bos_token_id" },
  { "tokenizer.ggml.eos_token_id", "eos_token_id" },
  { "tokenizer.ggml.padding_token_id", "pad_token_id" },
  { NULL, NULL }
};

typedef struct {
  const EngGguf             *file;
  const EngGgufArchitecture *architecture;
  cJSON                     *config;
} Maker;

static char *
dup_key (const Maker *self,
         const char  *name)
{
  return g_strconcat (self->architecture->name, ".", name, NULL);
}

static gboolean
get_size (const Maker  *self,
          const char   *name,
          gint64       *size,
          GError      **error)
{
  g_autofree char *key = dup_key (self, name);

  return eng_gguf_get_int (self->file->values, key, 1, MAX_SIZE, size, error);
}

static gboolean
get_number (const Maker  *self,
            const char   *name,
            double       *number,
            GError      **error)
{
  g_autofree char *key = dup_key (self, name);

  return eng_gguf_get_double (self->file->values, key, number, error);
}

static gboolean
add_sizes (Maker   *self,
           GError **error)
{
  for (const EngGgufName *name = sizes; name->from; name++) {
    gint64 size = 0;

    if (!get_size (self, name->from, &size, error))
      return FALSE;
    if (size > 0)
      cJSON_AddNumberToObject (self->config, name->to, (double) size);
  }

  return TRUE;
}

static gboolean
add_numbers (Maker              *self,
             const EngGgufName  *names,
             GError            **error)
{
  for (const EngGgufName *name = names; name->from; name++) {
    g_autofree char *key = dup_key (self, name->from);
    double number;

    if (!eng_gguf_values_find (self->file->values, key))
      continue;
    if (!eng_gguf_get_double (self->file->values, key, &number, error))
      return FALSE;
    cJSON_AddNumberToObject (self->config, name->to, number);
  }

  return TRUE;
}

static gboolean
add_ids (Maker   *self,
         GError **error)
{
  for (const EngGgufName *name = ids; name->from; name++) {
    gint64 id = -1;

    if (!eng_gguf_get_int (self->file->values, name->from, 0, MAX_SIZE, &id, error))
      return FALSE;
    if (id >= 0)
      cJSON_AddNumberToObject (self->config, name->to, (double) id);
  }

  return TRUE;
}

/* Whether attention and feed-forward read the same states, where the file says. */
static gboolean
add_parallel (Maker   *self,
              GError **error)
{
  g_autofree char *key = dup_key (self, "use_parallel_residual");
  gboolean parallel = FALSE;

  if (!eng_gguf_values_find (self->file->values, key))
    return TRUE;
  if (!eng_gguf_get_boolean (self->file->values, key, &parallel, error))
    return FALSE;
  cJSON_AddBoolToObject (self->config, "use_parallel_residual", parallel);

  return TRUE;
}

/* The rows of tables, which no key has to state. */
static gboolean
add_rows (Maker       *self,
          const char  *tensor_name,
          const char  *key,
          GError     **error)
{
  const EngTensor *tensor = eng_tensor_set_find (self->file->tensors, tensor_name);

  if (!tensor)
    return TRUE;
  if (tensor->rank != 2 || tensor->shape[0] < 1) {
    g_autofree char *shape = eng_tensor_dup_shape (tensor);

    g_set_error (error, ENG_ERROR, ENG_ERROR_SHAPE, "%s: the tensor %s has the shape %s, expected "
                 "rows and columns", self->file->path, tensor_name, shape);
    return FALSE;
  }
  cJSON_AddNumberToObject (self->config, key, (double) tensor->shape[0]);

  return TRUE;
}

/* Where the heads' size is not said, what is turned of them is all of them, unless the architecture
 * turns a part. The fraction is of half a feature more, because its reader rounds down. */
static gboolean
add_turned_part (Maker   *self,
                 GError **error)
{
  gint64 turned = 0, head_size = 0, hidden_size = 0, n_heads = 0;

  if (!get_size (self, "rope.dimension_count", &turned, error) ||
      !get_size (self, "attention.key_length", &head_size, error) ||
      !get_size (self, "embedding_length", &hidden_size, error) ||
      !get_size (self, "attention.head_count", &n_heads, error))
    return FALSE;
  if (turned == 0)
    return TRUE;
  if (!self->architecture->turned_part) {
    if (head_size == 0)
      cJSON_AddNumberToObject (self->config, "head_dim", (double) turned);
    return TRUE;
  }

  if (head_size == 0)
    head_size = n_heads > 0 ? hidden_size / n_heads : 0;
  if (head_size >= turned)
    cJSON_AddNumberToObject (self->config, self->architecture->turned_part,
                             ((double) turned + 0.5) / (double) head_size);

  return TRUE;
}

/* A list of the numbers of a tensor; FALSE where it is none. */
static gboolean
add_factors (Maker      *self,
             cJSON      *scaling,
             const char *tensor_name,
             const char *key)
{
  const EngTensor *tensor = eng_tensor_set_find (self->file->tensors, tensor_name);
  g_autofree float *factors = NULL;
  cJSON *list;

  if (!tensor || tensor->rank != 1 || tensor->n_elements > ENG_MAX_ROTARY_PAIRS)
    return FALSE;
  factors = g_new (float, tensor->n_elements + 1);
  if (!eng_tensor_widen (tensor, factors))
    return FALSE;
  list = cJSON_AddArrayToObject (scaling, key);
  for (gint64 i = 0; i < tensor->n_elements; i++)
    cJSON_AddItemToArray (list, cJSON_CreateNumber ((double) factors[i]));

  return TRUE;
}

/* What every frequency is divided by stands in tensors: in one where it holds for all texts, as in
 * Llama 3, else in two, for short and for long ones. */
static gboolean
add_frequencies (Maker     *self,
                 gboolean  *is_there,
                 GError   **error)
{
  g_autoptr (cJSON) scaling = cJSON_CreateObject ();
  gint64 n = 0;
  double factor = 1;

  cJSON_AddStringToObject (scaling, "rope_type", "longrope");
  *is_there = (add_factors (self, scaling, "rope_freqs.weight", "short_factor") &&
               add_factors (self, scaling, "rope_freqs.weight", "long_factor")) ||
              (add_factors (self, scaling, "rope_factors_short.weight", "short_factor") &&
               add_factors (self, scaling, "rope_factors_long.weight", "long_factor"));
  if (!*is_there)
    return TRUE;
  if (!get_number (self, "rope.scaling.attn_factor", &factor, error) ||
      !get_size (self, "rope.scaling.original_context_length", &n, error))
    return FALSE;
  cJSON_AddNumberToObject (scaling, "attention_factor", factor);
  if (n > 0)
    cJSON_AddNumberToObject (scaling, "original_max_position_embeddings", (double) n);
  cJSON_AddItemToObject (self->config, "rope_scaling", g_steal_pointer (&scaling));

  return TRUE;
}

static gboolean
add_scaling (Maker   *self,
             GError **error)
{
  g_autofree char *key = dup_key (self, "rope.scaling.type");
  g_autofree char *type = NULL;
  gboolean is_there;
  double factor = 0;
  cJSON *scaling;

  if (!add_frequencies (self, &is_there, error) ||
      !eng_gguf_dup_text (self->file->values, key, &type, error) ||
      !get_number (self, "rope.scaling.factor", &factor, error))
    return FALSE;
  if (is_there || !type || strcmp (type, "none") == 0 || strcmp (type, "longrope") == 0)
    return TRUE;

  scaling = cJSON_AddObjectToObject (self->config, "rope_scaling");
  cJSON_AddStringToObject (scaling, "rope_type", type);
  if (factor != 0)
    cJSON_AddNumberToObject (scaling, "factor", factor);

  return TRUE;
}

/* The largest Gemmas alone scale their scores by the hidden size over the number of heads, which no
 * key says; they are known by the number of their layers. */
static gboolean
add_query_scalar (Maker   *self,
                  GError **error)
{
  gint64 n_layers = 0, hidden_size = 0, n_heads = 1;

  if (!get_size (self, "block_count", &n_layers, error) ||
      !get_size (self, "embedding_length", &hidden_size, error) ||
      !get_size (self, "attention.head_count", &n_heads, error))
    return FALSE;
  if (self->architecture->n_layers_wide > 0 && n_layers == self->architecture->n_layers_wide)
    cJSON_AddNumberToObject (self->config, "query_pre_attn_scalar",
                             (double) hidden_size / (double) n_heads);

  return TRUE;
}

/* A model that was cut into several files says so in each. */
static gboolean
check_whole (const EngGguf  *file,
             GError        **error)
{
  gint64 n = 1;

  if (!eng_gguf_get_int (file->values, "split.count", 0, G_MAXUINT16, &n, error))
    return FALSE;
  if (n <= 1)
    return TRUE;
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: is one of %d files of a model, expected a model in one file; llama-gguf-split "
               "--merge makes one of them", file->path, (int) n);

  return FALSE;
}

cJSON *
eng_gguf_make_config (const EngGguf  *file,
                      GError        **error)
{
  g_autoptr (cJSON) config = cJSON_CreateObject ();
  Maker self = { .file = file, .config = config };

  self.architecture = eng_gguf_find_architecture (file, error);
  if (!self.architecture || !check_whole (file, error))
    return NULL;

  cJSON_AddStringToObject (config, "model_type", self.architecture->model_type);
  cJSON_AddItemToArray (cJSON_AddArrayToObject (config, "architectures"),
                        cJSON_CreateString (self.architecture->class_name));
  cJSON_AddBoolToObject (config, "tie_word_embeddings",
                         !eng_tensor_set_find (file->tensors, "output.weight"));
  if (!add_sizes (&self, error) || !add_numbers (&self, numbers, error) ||
      !add_numbers (&self, self.architecture->numbers, error) || !add_ids (&self, error) ||
      !add_rows (&self, "token_embd.weight", "vocab_size", error) ||
      !add_rows (&self, "token_types.weight", "type_vocab_size", error) ||
      !add_parallel (&self, error) || !add_turned_part (&self, error) ||
      !add_scaling (&self, error) || !add_query_scalar (&self, error))
    return NULL;

  return g_steal_pointer (&config);
}

cJSON *
eng_gguf_read_config (const char  *path,
                      GError     **error)
{
  g_autoptr (EngGguf) file = eng_gguf_open (path, error);

  return file ? eng_gguf_make_config (file, error) : NULL;
}
