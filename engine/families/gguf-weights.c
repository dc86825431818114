/* SPDX-License-Identifier: MIT */
#include "engine/families/gguf-weights.h"

#include "engine/checkpoint/tensor-set-private.h"
#include "engine/families/gguf-architectures.h"
#include "engine/kernels/quantised-blocks.h"

#include <string.h>

#define MAX_HEADS 1024

typedef struct {
  int n_heads;
  int n_kv_heads;
} HeadCounts;

static gboolean
read_count (const EngGguf              *file,
            const EngGgufArchitecture  *architecture,
            const char                 *name,
            int                        *count,
            GError                    **error)
{
  g_autofree char *key = g_strconcat (architecture->name, ".", name, NULL);
  gint64 n = *count;

  if (!eng_gguf_get_int (file->values, key, 1, MAX_HEADS, &n, error))
    return FALSE;
  *count = (int) n;

  return TRUE;
}

static gboolean
read_counts (const EngGguf              *file,
             const EngGgufArchitecture  *architecture,
             HeadCounts                 *counts,
             GError                    **error)
{
  counts->n_heads = 1;
  if (!read_count (file, architecture, "attention.head_count", &counts->n_heads, error))
    return FALSE;
  counts->n_kv_heads = counts->n_heads;

  return read_count (file, architecture, "attention.head_count_kv", &counts->n_kv_heads, error);
}

/* The words that a type could be. */
static char *
dup_type_names (void)
{
  GString *names = g_string_new ("F32, F16, BF16, F64");

  for (int i = 0; i < ENG_N_BLOCKS; i++)
    g_string_append_printf (names, "%s%s", i < ENG_N_BLOCKS - 1 ? ", " : " or ",
                            eng_block_formats[i].name);

  return g_string_free (names, FALSE);
}

static gboolean
check_type (const EngGguf    *file,
            const EngTensor  *tensor,
            GError          **error)
{
  g_autofree char *names = NULL;

  switch (tensor->type) {
  case ENG_TYPE_F32:
  case ENG_TYPE_F16:
  case ENG_TYPE_BF16:
  case ENG_TYPE_F64:
    return TRUE;
  default:
    if (eng_type_is_quantised (tensor->type))
      return TRUE;
  }
  names = dup_type_names ();
  g_set_error (error, ENG_ERROR, ENG_ERROR_UNSUPPORTED,
               "%s: the tensor %s is stored as %s, expected %s", file->path, tensor->name,
               tensor->type_name, names);

  return FALSE;
}

/* The projections of queries and keys of an architecture that moved their rows. */
static gboolean
find_pairs (const EngGguf    *file,
            const HeadCounts *counts,
            EngTensor        *tensor,
            GError          **error)
{
  gboolean is_query = strstr (tensor->name, ".attn_q.") != NULL;
  gboolean is_key = strstr (tensor->name, ".attn_k.") != NULL;
  int n = is_query ? counts->n_heads : counts->n_kv_heads;

  if (!is_query && !is_key)
    return TRUE;
  if (tensor->rank < 1 || tensor->shape[0] % (2 * n) != 0) {
    g_autofree char *shape = eng_tensor_dup_shape (tensor);

    g_set_error (error, ENG_ERROR, ENG_ERROR_SHAPE, "%s: the tensor %s has the shape %s, expected "
                 "an even number of rows for each of %d heads", file->path, tensor->name, shape, n);
    return FALSE;
  }
  tensor->form.n_pairs = n;

  return TRUE;
}

EngTensorSet *
eng_gguf_name_tensors (const EngGguf  *file,
                       GError        **error)
{
  const EngGgufArchitecture *architecture = eng_gguf_find_architecture (file, error);
  g_autoptr (EngTensorSet) set = eng_tensor_set_new (file->path);
  HeadCounts counts;

  if (!architecture || !read_counts (file, architecture, &counts, error))
    return NULL;
  eng_tensor_set_keep_set (set, file->tensors);

  for (int i = 0; i < eng_tensor_set_get_n_tensors (file->tensors); i++) {
    EngTensor tensor = *eng_tensor_set_get_tensor (file->tensors, i);
    g_autofree char *name = eng_gguf_dup_tensor_name (architecture, tensor.name);

    if (!name)
      continue;
    if (!check_type (file, &tensor, error) ||
        (architecture->has_pairs && !find_pairs (file, &counts, &tensor, error)))
      return NULL;
    tensor.form.sliced = TRUE;
    tensor.form.turned = TRUE;
    tensor.form.whole = TRUE;
    tensor.name = name;
    if (!eng_tensor_set_add (set, &tensor)) {
      eng_tensor_set_refuse (set, error, "two tensors are %s", name);
      return NULL;
    }
  }

  return g_steal_pointer (&set);
}
