/* SPDX-License-Identifier: MIT */
#include "engine/safetensors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/json.h"

#define LENGTH_BYTES 8
#define MAX_HEADER_BYTES 100000000
#define MAX_INDEX_BYTES 100000000
#define MAX_TENSORS 100000
#define MAX_NAME_BYTES 1024
/* { "name": { "shape": [ */
#define HEADER_DEPTH 3
#define MAX_SIZE ((gint64) 1 << 53)

struct _EngSafetensors {
  char         *path;
  GPtrArray    *blocks;   /* of GBytes: the mapped files that tensors point into */
  GStringChunk *names;
  GArray       *tensors;  /* of EngTensor, ordered by offset */
  GHashTable   *by_name;  /* name → index + 1 */
  GHashTable   *metadata; /* key → value */
  gint64        n_bytes;

  gatomicrefcount ref_count;
};

/* A tensor of the header before its place in the data is known to be sound. */
typedef struct {
  EngTensor tensor;
  gint64    begin;
  gint64    end;
} Entry;

static EngSafetensors *
safetensors_new (const char *path)
{
  EngSafetensors *self = g_new0 (EngSafetensors, 1);

  self->path = g_strdup (path);
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->names = g_string_chunk_new (4096);
  self->tensors = g_array_new (FALSE, FALSE, sizeof (EngTensor));
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_atomic_ref_count_init (&self->ref_count);

  return self;
}

G_GNUC_PRINTF (3, 4)
static gboolean
refuse (const EngSafetensors  *self,
        GError               **error,
        const char            *format,
        ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT, "%s: %s", self->path, message);

  return FALSE;
}

/* A whole number from 0 that a double holds exactly; check_spelling() has seen how it is spelt. */
static gboolean
get_size (const cJSON *value,
          gint64      *size)
{
  if (!cJSON_IsNumber (value) ||
      !(value->valuedouble >= 0 && value->valuedouble <= (double) MAX_SIZE))
    return FALSE;
  *size = (gint64) value->valuedouble;

  return TRUE;
}

/* Once in JSON's tree, 1e3 and 1.0 look like whole numbers. The format has digits alone, so that
 * outside of strings there is nothing but digits and punctuation. */
static gboolean
check_spelling (const EngSafetensors  *self,
                const char            *header,
                gsize                  length,
                GError               **error)
{
  gboolean in_string = FALSE;

  for (gsize i = 0; i < length; i++) {
    if (in_string && header[i] == '\\')
      i++;
    else if (header[i] == '"')
      in_string = !in_string;
    else if (!in_string && !strchr ("{}[]:, \t\r\n0123456789", header[i]))
      return refuse (self, error, "header holds 0x%02X at byte %" G_GSIZE_FORMAT
                     ", expected only texts and whole numbers from 0", (guchar) header[i], i);
  }

  return TRUE;
}

static gboolean
read_shape (const EngSafetensors  *self,
            const cJSON           *shape,
            EngTensor             *tensor,
            GError               **error)
{
  const cJSON *size;

  if (!cJSON_IsArray (shape))
    return refuse (self, error, "tensor \"%s\" has no list \"shape\"", tensor->name);

  tensor->rank = 0;
  tensor->n_elements = 1;
  cJSON_ArrayForEach (size, shape) {
    if (tensor->rank == ENG_MAX_RANK)
      return refuse (self, error, "tensor \"%s\" has more than %d dimensions", tensor->name,
                     ENG_MAX_RANK);
    if (!get_size (size, &tensor->shape[tensor->rank]))
      return refuse (self, error,
                     "tensor \"%s\": dimension %d of shape is not a whole number below 2^53",
                     tensor->name, tensor->rank);
    if (__builtin_mul_overflow (tensor->n_elements, tensor->shape[tensor->rank],
                                &tensor->n_elements))
      return refuse (self, error, "tensor \"%s\": the product of its shape overflows",
                     tensor->name);
    tensor->rank++;
  }

  return TRUE;
}

static gboolean
read_offsets (const EngSafetensors  *self,
              const cJSON           *offsets,
              Entry                 *entry,
              GError               **error)
{
  if (!cJSON_IsArray (offsets) || cJSON_GetArraySize (offsets) != 2 ||
      !get_size (cJSON_GetArrayItem (offsets, 0), &entry->begin) ||
      !get_size (cJSON_GetArrayItem (offsets, 1), &entry->end))
    return refuse (self, error, "tensor \"%s\": data_offsets is not a list of two whole numbers",
                   entry->tensor.name);
  if (entry->end < entry->begin)
    return refuse (self, error,
                   "tensor \"%s\" ends at byte %" G_GINT64_FORMAT " before it begins at %"
                   G_GINT64_FORMAT, entry->tensor.name, entry->end, entry->begin);

  return TRUE;
}

static gboolean
check_extent (const EngSafetensors  *self,
              const Entry           *entry,
              int                    bits,
              GError               **error)
{
  const EngTensor *tensor = &entry->tensor;
  g_autofree char *shape = NULL;
  gint64 n_bits;

  if (__builtin_mul_overflow (tensor->n_elements, (gint64) bits, &n_bits))
    return refuse (self, error, "tensor \"%s\": the number of its bytes overflows", tensor->name);
  if (n_bits % 8 == 0 && n_bits / 8 == entry->end - entry->begin)
    return TRUE;

  shape = eng_tensor_dup_shape (tensor);
  if (n_bits % 8 != 0)
    return refuse (self, error, "tensor \"%s\": %s %s does not fill whole bytes", tensor->name,
                   tensor->type_name, shape);

  return refuse (self, error,
                 "tensor \"%s\": data_offsets hold %" G_GINT64_FORMAT " bytes, but %s %s has %"
                 G_GINT64_FORMAT, tensor->name, entry->end - entry->begin, tensor->type_name, shape,
                 n_bits / 8);
}

static gboolean
read_entry (EngSafetensors  *self,
            const cJSON     *member,
            Entry           *entry,
            GError         **error)
{
  EngTensor *tensor = &entry->tensor;
  const cJSON *type_name = eng_json_find (member, "dtype");
  int bits;

  *entry = (Entry) { 0 };
  if (strlen (member->string) > MAX_NAME_BYTES)
    return refuse (self, error, "header holds a tensor name of more than %d bytes", MAX_NAME_BYTES);
  tensor->name = g_string_chunk_insert (self->names, member->string);
  if (!cJSON_IsObject (member) || cJSON_GetArraySize (member) != 3 || !cJSON_IsString (type_name))
    return refuse (self, error,
                   "tensor \"%s\" is not an object with dtype, shape and data_offsets alone",
                   tensor->name);
  tensor->type_name = eng_type_from_name (type_name->valuestring, &tensor->type, &bits);
  if (!tensor->type_name)
    return refuse (self, error, "tensor \"%s\" has the unknown dtype \"%s\"", tensor->name,
                   type_name->valuestring);

  return read_shape (self, eng_json_find (member, "shape"), tensor, error) &&
         read_offsets (self, eng_json_find (member, "data_offsets"), entry, error) &&
         check_extent (self, entry, bits, error);
}

static gboolean
read_metadata (EngSafetensors  *self,
               const cJSON     *metadata,
               GError         **error)
{
  const cJSON *member;

  if (!cJSON_IsObject (metadata))
    return refuse (self, error, "__metadata__ is not an object");
  cJSON_ArrayForEach (member, metadata) {
    if (!cJSON_IsString (member))
      return refuse (self, error, "__metadata__: \"%s\" is not a text", member->string);
    g_hash_table_insert (self->metadata, g_strdup (member->string),
                         g_strdup (member->valuestring));
  }

  return TRUE;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const Entry *first = a;
  const Entry *second = b;

  if (first->begin != second->begin)
    return first->begin < second->begin ? -1 : 1;
  if (first->end != second->end)
    return first->end < second->end ? -1 : 1;

  return strcmp (first->tensor.name, second->tensor.name);
}

static void
add_tensor (EngSafetensors  *self,
            const EngTensor *tensor)
{
  g_array_append_vals (self->tensors, tensor, 1);
  g_hash_table_insert (self->by_name, (char *) tensor->name, GUINT_TO_POINTER (self->tensors->len));
}

/* Tensors tile the data: no hole, no overlap, nothing behind the last. */
static gboolean
place_entries (EngSafetensors  *self,
               GArray          *entries,
               const guint8    *data,
               gsize            n_bytes,
               GError         **error)
{
  gint64 end = 0;

  g_array_sort (entries, compare_entries);
  for (guint i = 0; i < entries->len; i++) {
    Entry *entry = &g_array_index (entries, Entry, i);

    if (entry->begin != end)
      return refuse (self, error,
                     "tensor \"%s\" begins at byte %" G_GINT64_FORMAT " of the data, expected %"
                     G_GINT64_FORMAT ": tensors must neither overlap nor leave holes",
                     entry->tensor.name, entry->begin, end);
    end = entry->end;
    if ((guint64) end > n_bytes)
      return refuse (self, error,
                     "tensor \"%s\" ends at byte %" G_GINT64_FORMAT " of the data, but the file "
                     "has only %" G_GSIZE_FORMAT " bytes of data: it is cut short",
                     entry->tensor.name, end, n_bytes);
    entry->tensor.data = data + entry->begin;
    entry->tensor.n_bytes = (gsize) (entry->end - entry->begin);
    add_tensor (self, &entry->tensor);
  }
  if ((guint64) end != n_bytes)
    return refuse (self, error, "%" G_GSIZE_FORMAT " bytes of data, but the tensors end at byte %"
                   G_GINT64_FORMAT, n_bytes, end);

  return TRUE;
}

static gboolean
read_header (EngSafetensors  *self,
             const cJSON     *header,
             const guint8    *data,
             gsize            n_bytes,
             GError         **error)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  const cJSON *member;
  Entry entry;

  if (!cJSON_IsObject (header))
    return refuse (self, error, "header is not a JSON object");
  cJSON_ArrayForEach (member, header) {
    if (strcmp (member->string, "__metadata__") == 0) {
      if (!read_metadata (self, member, error))
        return FALSE;
      continue;
    }
    if (entries->len == MAX_TENSORS)
      return refuse (self, error, "header lists more than %d tensors", MAX_TENSORS);
    if (!read_entry (self, member, &entry, error))
      return FALSE;
    g_array_append_val (entries, entry);
  }

  return place_entries (self, entries, data, n_bytes, error);
}

static gboolean
read_file (EngSafetensors  *self,
           GBytes          *bytes,
           GError         **error)
{
  g_autofree char *what = g_strconcat (self->path, ": header", NULL);
  g_autoptr (cJSON) header = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  guint64 length;

  if (size < LENGTH_BYTES)
    return refuse (self, error, "%" G_GSIZE_FORMAT " bytes are no safetensors file, whose header's "
                   "length alone has 8", size);
  memcpy (&length, data, sizeof length);
  if (length > MAX_HEADER_BYTES)
    return refuse (self, error, "no safetensors file: its header would have %" G_GUINT64_FORMAT
                   " bytes, at most %d are allowed", length, MAX_HEADER_BYTES);
  if (length > size - LENGTH_BYTES)
    return refuse (self, error, "header has %" G_GUINT64_FORMAT " bytes, but only %" G_GSIZE_FORMAT
                   " are in the file: it is cut short or no safetensors file",
                   length, size - LENGTH_BYTES);
  data += LENGTH_BYTES;
  if (length == 0 || data[0] != '{')
    return refuse (self, error, "header does not begin with \"{\"");
  if (!check_spelling (self, (const char *) data, (gsize) length, error))
    return FALSE;
  header = eng_json_parse ((const char *) data, (gsize) length, HEADER_DEPTH, what, error);
  if (!header)
    return FALSE;

  g_ptr_array_add (self->blocks, g_bytes_ref (bytes));
  self->n_bytes = (gint64) size;

  return read_header (self, header, data + length, size - LENGTH_BYTES - (gsize) length, error);
}

static GBytes *
map_open_file (int          fd,
               const char  *path,
               GError     **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GError) map_error = NULL;
  struct stat before, after;

  if (fstat (fd, &before) == 0 && !S_ISREG (before.st_mode)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: not a regular file", path);
    return NULL;
  }
  file = g_mapped_file_new_from_fd (fd, FALSE, &map_error);
  if (!file) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: cannot be mapped: %s", path,
                 map_error->message);
    return NULL;
  }
  /* Somebody may be writing it, and a file that shrinks under the map ends the program. */
  if (fstat (fd, &after) != 0 || after.st_size != before.st_size ||
      (gsize) after.st_size != g_mapped_file_get_length (file)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: changed its size while it was opened",
                 path);
    return NULL;
  }

  return g_mapped_file_get_bytes (file);
}

static GBytes *
map_file (const char  *path,
          GError     **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  GBytes *bytes;

  if (fd < 0) {
    g_set_error (error, ENG_ERROR, errno == ENOENT ? ENG_ERROR_MISSING : ENG_ERROR_IO,
                 "%s: cannot be opened: %s", path, g_strerror (errno));
    return NULL;
  }
  bytes = map_open_file (fd, path, error);
  close (fd);

  return bytes;
}

/* A shard lies beside its index: a name that leads elsewhere is refused. */
static gboolean
is_plain_name (const char *name)
{
  return *name && !strpbrk (name, "/\\") && !strstr (name, "..") && strcmp (name, ".") != 0;
}

/* shards: file name → EngSafetensors. */
static gboolean
open_shards (EngSafetensors  *self,
             const cJSON     *weight_map,
             GHashTable      *shards,
             GError         **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  const cJSON *member;

  cJSON_ArrayForEach (member, weight_map) {
    g_autofree char *path = NULL;
    EngSafetensors *shard;

    if (!cJSON_IsString (member) || !is_plain_name (member->valuestring))
      return refuse (self, error, "weight_map: \"%s\" does not name a file of the same folder",
                     member->string);
    if (g_hash_table_contains (shards, member->valuestring))
      continue;
    path = g_build_filename (folder, member->valuestring, NULL);
    shard = eng_safetensors_open (path, error);
    if (!shard)
      return FALSE;
    g_hash_table_insert (shards, g_strdup (member->valuestring), shard);
    g_ptr_array_add (self->blocks, g_bytes_ref (g_ptr_array_index (shard->blocks, 0)));
    self->n_bytes += shard->n_bytes;
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

/* The map says which shard holds a tensor; what a shard holds beside that is left out. */
static gboolean
read_index (EngSafetensors  *self,
            const cJSON     *weight_map,
            GHashTable      *shards,
            GError         **error)
{
  const cJSON *member;

  cJSON_ArrayForEach (member, weight_map) {
    const EngSafetensors *shard = g_hash_table_lookup (shards, member->valuestring);
    const EngTensor *found = eng_safetensors_find (shard, member->string);
    EngTensor tensor;

    if (!found)
      return refuse (self, error, "weight_map: tensor \"%s\" is not in %s", member->string,
                     member->valuestring);
    tensor = *found;
    tensor.name = g_string_chunk_insert (self->names, found->name);
    g_array_append_val (self->tensors, tensor);
  }
  g_array_sort (self->tensors, compare_tensors);
  for (guint i = 0; i < self->tensors->len; i++)
    g_hash_table_insert (self->by_name, (char *) g_array_index (self->tensors, EngTensor, i).name,
                         GUINT_TO_POINTER (i + 1));

  return TRUE;
}

EngSafetensors *
eng_safetensors_open (const char  *path,
                      GError     **error)
{
  g_autoptr (GBytes) bytes = map_file (path, error);

  return bytes ? eng_safetensors_open_bytes (bytes, path, error) : NULL;
}

EngSafetensors *
eng_safetensors_open_index (const char  *path,
                            GError     **error)
{
  g_autoptr (EngSafetensors) self = safetensors_new (path);
  g_autoptr (cJSON) index = eng_json_read (path, MAX_INDEX_BYTES, 8, error);
  g_autoptr (GHashTable) shards = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                         (GDestroyNotify) eng_safetensors_unref);
  const cJSON *weight_map = eng_json_find (index, "weight_map");

  if (!index)
    return NULL;
  if (!cJSON_IsObject (weight_map) || !weight_map->child) {
    refuse (self, error, "has no object \"weight_map\" that names the file of each tensor");
    return NULL;
  }
  if (!open_shards (self, weight_map, shards, error) ||
      !read_index (self, weight_map, shards, error))
    return NULL;

  return g_steal_pointer (&self);
}

EngSafetensors *
eng_safetensors_open_bytes (GBytes      *bytes,
                            const char  *what,
                            GError     **error)
{
  g_autoptr (EngSafetensors) self = safetensors_new (what);

  return read_file (self, bytes, error) ? g_steal_pointer (&self) : NULL;
}

EngSafetensors *
eng_safetensors_ref (EngSafetensors *self)
{
  g_atomic_ref_count_inc (&self->ref_count);

  return self;
}

void
eng_safetensors_unref (EngSafetensors *self)
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
eng_safetensors_get_n_tensors (const EngSafetensors *self)
{
  return (int) self->tensors->len;
}

const EngTensor *
eng_safetensors_get_tensor (const EngSafetensors *self,
                            int                   index)
{
  g_return_val_if_fail (index >= 0 && (guint) index < self->tensors->len, NULL);

  return &g_array_index (self->tensors, EngTensor, index);
}

const EngTensor *
eng_safetensors_find (const EngSafetensors *self,
                      const char           *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, name));

  return index ? &g_array_index (self->tensors, EngTensor, index - 1) : NULL;
}

const char *
eng_safetensors_get_metadata (const EngSafetensors *self,
                              const char           *key)
{
  return g_hash_table_lookup (self->metadata, key);
}

const char *
eng_safetensors_get_path (const EngSafetensors *self)
{
  return self->path;
}

gint64
eng_safetensors_get_n_bytes (const EngSafetensors *self)
{
  return self->n_bytes;
}
