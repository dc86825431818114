/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/shards.h"

#include <string.h>

#include "engine/base/json.h"
#include "engine/checkpoint/tensor-set-private.h"

#define MAX_INDEX_BYTES 100000000
#define MAX_INDEX_DEPTH 8

/* A shard lies beside its index: a name that leads elsewhere is refused. */
static gboolean
is_plain_name (const char *name)
{
  return *name && !strpbrk (name, "/\\") && !strstr (name, "..") && strcmp (name, ".") != 0;
}

/* shards: file name → EngTensorSet. */
static gboolean
open_shards (EngTensorSet  *self,
             const cJSON   *weight_map,
             EngOpenShard   open_shard,
             GHashTable    *shards,
             GError       **error)
{
  g_autofree char *folder = g_path_get_dirname (eng_tensor_set_get_path (self));
  const cJSON *member;

  cJSON_ArrayForEach (member, weight_map) {
    g_autofree char *path = NULL;
    EngTensorSet *shard;

    if (!cJSON_IsString (member) || !is_plain_name (member->valuestring))
      return eng_tensor_set_refuse (self, error,
                                    "weight_map: \"%s\" does not name a file of the same folder",
                                    member->string);
    if (g_hash_table_contains (shards, member->valuestring))
      continue;
    path = g_build_filename (folder, member->valuestring, NULL);
    shard = open_shard (path, error);
    if (!shard)
      return FALSE;
    g_hash_table_insert (shards, g_strdup (member->valuestring), shard);
    eng_tensor_set_keep_set (self, shard);
  }

  return TRUE;
}

static int
compare_tensors (gconstpointer a,
                 gconstpointer b)
{
  const EngTensor *first = a;
  const EngTensor *second = b;

  if (first->data != second->data)
    return first->data < second->data ? -1 : 1;

  return strcmp (first->name, second->name);
}

static gboolean
add_tensors (EngTensorSet  *self,
             const cJSON   *weight_map,
             GHashTable    *shards,
             GError       **error)
{
  g_autoptr (GArray) tensors = g_array_new (FALSE, FALSE, sizeof (EngTensor));
  const cJSON *member;

  cJSON_ArrayForEach (member, weight_map) {
    const EngTensorSet *shard = g_hash_table_lookup (shards, member->valuestring);
    const EngTensor *tensor = eng_tensor_set_find (shard, member->string);

    if (!tensor)
      return eng_tensor_set_refuse (self, error, "weight_map: tensor \"%s\" is not in %s",
                                    member->string, member->valuestring);
    g_array_append_vals (tensors, tensor, 1);
  }

  g_array_sort (tensors, compare_tensors);
  for (guint i = 0; i < tensors->len; i++)
    eng_tensor_set_add (self, &g_array_index (tensors, EngTensor, i));

  return TRUE;
}

EngTensorSet *
eng_shards_open (const char    *index_path,
                 EngOpenShard   open_shard,
                 GError       **error)
{
  g_autoptr (EngTensorSet) self = eng_tensor_set_new (index_path);
  g_autoptr (cJSON) index = eng_json_read (index_path, MAX_INDEX_BYTES, MAX_INDEX_DEPTH, error);
  g_autoptr (GHashTable) shards = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                         (GDestroyNotify) eng_tensor_set_unref);
  const cJSON *weight_map = eng_json_find (index, "weight_map");

  if (!index)
    return NULL;
  if (!cJSON_IsObject (weight_map) || !weight_map->child) {
    eng_tensor_set_refuse (self, error,
                           "has no object \"weight_map\" that names the file of each tensor");
    return NULL;
  }
  if (!open_shards (self, weight_map, open_shard, shards, error) ||
      !add_tensors (self, weight_map, shards, error))
    return NULL;

  return g_steal_pointer (&self);
}
