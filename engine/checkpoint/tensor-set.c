/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/tensor-set.h"

#include "engine/base/file-map.h"
#include "engine/checkpoint/tensor-set-private.h"

struct _EngTensorSet {
  char         *path;
  GPtrArray    *blocks;   /* of GBytes: what the tensors point into */
  GStringChunk *names;
  GArray       *tensors;  /* of EngTensor, in the order of the file */
  GHashTable   *by_name;  /* name → index + 1 */
  GHashTable   *metadata; /* key → value */
  gint64        n_bytes;

  gatomicrefcount ref_count;
};

EngTensorSet *
eng_tensor_set_new (const char *path)
{
  EngTensorSet *self = g_new0 (EngTensorSet, 1);

  self->path = g_strdup (path);
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->names = g_string_chunk_new (4096);
  self->tensors = g_array_new (FALSE, FALSE, sizeof (EngTensor));
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

void
eng_tensor_set_keep_file (EngTensorSet *self,
                          GBytes       *file)
{
  g_ptr_array_add (self->blocks, g_bytes_ref (file));
  self->n_bytes += (gint64) g_bytes_get_size (file);
}

void
eng_tensor_set_keep_memory (EngTensorSet *self,
                            gpointer      memory,
                            gsize         n_bytes)
{
  g_ptr_array_add (self->blocks, g_bytes_new_take (memory, n_bytes));
}

void
eng_tensor_set_keep_set (EngTensorSet *self,
                         EngTensorSet *other)
{
  for (guint i = 0; i < other->blocks->len; i++)
    g_ptr_array_add (self->blocks, g_bytes_ref (g_ptr_array_index (other->blocks, i)));
  self->n_bytes += other->n_bytes;
}

gboolean
eng_tensor_set_add (EngTensorSet    *self,
                    const EngTensor *tensor)
{
  EngTensor added = *tensor;

  if (g_hash_table_contains (self->by_name, tensor->name))
    return FALSE;

  added.name = g_string_chunk_insert (self->names, tensor->name);
  g_array_append_val (self->tensors, added);
  g_hash_table_insert (self->by_name, (char *) added.name, GUINT_TO_POINTER (self->tensors->len));

  return TRUE;
}

void
eng_tensor_set_add_metadata (EngTensorSet *self,
                             const char   *key,
                             const char   *value)
{
  g_hash_table_insert (self->metadata, g_strdup (key), g_strdup (value));
}

gboolean
eng_tensor_set_refuse (const EngTensorSet  *self,
                       GError             **error,
                       const char          *format,
                       ...)
{
  va_list arguments;

  va_start (arguments, format);
  eng_error_refuse (error, ENG_ERROR_FORMAT, self->path, format, arguments);
  va_end (arguments);

  return FALSE;
}

EngTensorSet *
eng_tensor_set_ref (EngTensorSet *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
eng_tensor_set_unref (EngTensorSet *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->metadata);
  g_array_unref (self->tensors);
  g_string_chunk_free (self->names);
  g_ptr_array_unref (self->blocks);
  g_free (self->path);
  g_free (self);
}

int
eng_tensor_set_get_n_tensors (const EngTensorSet *self)
{
  return (int) self->tensors->len;
}

const EngTensor *
eng_tensor_set_get_tensor (const EngTensorSet *self,
                           int                 index)
{
  g_return_val_if_fail (index >= 0 && (guint) index < self->tensors->len, NULL);

  return &g_array_index (self->tensors, EngTensor, index);
}

const EngTensor *
eng_tensor_set_find (const EngTensorSet *self,
                     const char         *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));

  return index ? &g_array_index (self->tensors, EngTensor, index - 1) : NULL;
}

const EngTensor *
eng_tensor_set_find_telling (const EngTensorSet *self)
{
  const EngTensor *found = NULL;

  for (guint i = 0; i < self->tensors->len; i++) {
    const EngTensor *tensor = &g_array_index (self->tensors, EngTensor, i);

    if (eng_tensor_tells_more (tensor, found))
      found = tensor;
  }

  return found;
}

const char *
eng_tensor_set_get_metadata (const EngTensorSet *self,
                             const char         *key)
{
  return g_hash_table_lookup (self->metadata, key);
}

const char *
eng_tensor_set_get_path (const EngTensorSet *self)
{
  return self->path;
}

gint64
eng_tensor_set_get_n_bytes (const EngTensorSet *self)
{
  return self->n_bytes;
}

gboolean
eng_tensor_set_check_files (const EngTensorSet  *self,
                            GError             **error)
{
  for (guint i = 0; i < self->blocks->len; i++)
    if (!eng_file_map_check (g_ptr_array_index (self->blocks, i), error))
      return FALSE;

  return TRUE;
}
