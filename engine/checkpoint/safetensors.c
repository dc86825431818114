/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/safetensors.h"

#include <string.h>

#include "engine/base/file-map.h"
#include "engine/base/json.h"
#include "engine/checkpoint/tensor-set-private.h"

#define LENGTH_BYTES 8
#define MAX_HEADER_BYTES 100000000
/* { "name": { "shape": [ */
#define HEADER_DEPTH 3
#define MAX_SIZE ((gint64) 1 << 53)

/* A tensor of the header before its place in the data is known to be sound. */
typedef struct {
  EngTensor tensor;
  gint64    begin;
  gint64    end;
} Entry;

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
check_spelling (const EngTensorSet  *self,
                const char          *header,
                gsize                length,
                GError             **error)
{
  gboolean in_string = FALSE;

  for (gsize i = 0; i < length; i++) {
    if (in_string && header[i] == '\\')
      i++;
    else if (header[i] == '"')
      in_string = !in_string;
    else if (!in_string && !strchr ("{}[]:, \t\r\n0123456789", header[i]))
      return eng_tensor_set_refuse (self, error, "header holds 0x%02X at byte %" G_GSIZE_FORMAT
                                    ", expected only texts and whole numbers from 0",
                                    (guchar) header[i], i);
  }

  return TRUE;
}

static gboolean
read_shape (const EngTensorSet  *self,
            const cJSON         *shape,
            EngTensor           *tensor,
            GError             **error)
{
  const cJSON *size;

  if (!cJSON_IsArray (shape))
    return eng_tensor_set_refuse (self, error, "tensor \"%s\" has no list \"shape\"", tensor->name);

  tensor->rank = 0;
  tensor->n_elements = 1;
  cJSON_ArrayForEach (size, shape) {
    if (tensor->rank == ENG_MAX_RANK)
      return eng_tensor_set_refuse (self, error, "tensor \"%s\" has more than %d dimensions",
                                    tensor->name, ENG_MAX_RANK);
    if (!get_size (size, &tensor->shape[tensor->rank]))
      return eng_tensor_set_refuse (self, error,
                                    "tensor \"%s\": dimension %d of shape is not a whole "
                                    "number below 2^53", tensor->name, tensor->rank);
    if (__builtin_mul_overflow (tensor->n_elements, tensor->shape[tensor->rank],
                                &tensor->n_elements))
      return eng_tensor_set_refuse (self, error,
                                    "tensor \"%s\": the product of its shape overflows",
                                    tensor->name);
    tensor->rank++;
  }

  return TRUE;
}

static gboolean
read_offsets (const EngTensorSet  *self,
              const cJSON         *offsets,
              Entry               *entry,
              GError             **error)
{
  if (!cJSON_IsArray (offsets) || cJSON_GetArraySize (offsets) != 2 ||
      !get_size (cJSON_GetArrayItem (offsets, 0), &entry->begin) ||
      !get_size (cJSON_GetArrayItem (offsets, 1), &entry->end))
    return eng_tensor_set_refuse (self, error,
                                  "tensor \"%s\": data_offsets is not a list of two whole "
                                  "numbers", entry->tensor.name);
  if (entry->end < entry->begin)
    return eng_tensor_set_refuse (self, error, "tensor \"%s\" ends at byte %" G_GINT64_FORMAT
                                  " before it begins at %" G_GINT64_FORMAT, entry->tensor.name,
                                  entry->end, entry->begin);

  return TRUE;
}

static gboolean
check_extent (const EngTensorSet  *self,
              const Entry         *entry,
              int                  bits,
              GError             **error)
{
  const EngTensor *tensor = &entry->tensor;
  g_autofree char *shape = NULL;
  gint64 n_bits;

  if (__builtin_mul_overflow (tensor->n_elements, (gint64) bits, &n_bits))
    return eng_tensor_set_refuse (self, error, "tensor \"%s\": the number of its bytes overflows",
                                  tensor->name);
  if (n_bits % 8 == 0 && n_bits / 8 == entry->end - entry->begin)
    return TRUE;

  shape = eng_tensor_dup_shape (tensor);
  if (n_bits % 8 != 0)
    return eng_tensor_set_refuse (self, error, "tensor \"%s\": %s %s does not fill whole bytes",
                                  tensor->name, tensor->type_name, shape);

  return eng_tensor_set_refuse (self, error, "tensor \"%s\": data_offsets hold %" G_GINT64_FORMAT
                                " bytes, but %s %s has %" G_GINT64_FORMAT, tensor->name,
                                entry->end - entry->begin, tensor->type_name, shape, n_bits / 8);
}

static gboolean
read_entry (EngTensorSet  *self,
            const cJSON   *member,
            Entry         *entry,
            GError       **error)
{
  EngTensor *tensor = &entry->tensor;
  const cJSON *type_name = eng_json_find (member, "dtype");
  int bits;

  *entry = (Entry) { 0 };
  if (strlen (member->string) > ENG_MAX_TENSOR_NAME_BYTES)
    return eng_tensor_set_refuse (self, error, "header holds a tensor name of more than %d bytes",
                                  ENG_MAX_TENSOR_NAME_BYTES);
  tensor->name = member->string;
  if (!cJSON_IsObject (member) || cJSON_GetArraySize (member) != 3 || !cJSON_IsString (type_name))
    return eng_tensor_set_refuse (self, error,
                                  "tensor \"%s\" is not an object with dtype, shape and "
                                  "data_offsets alone", tensor->name);
  tensor->type_name = eng_type_from_name (type_name->valuestring, &tensor->type, &bits);
  if (!tensor->type_name)
    return eng_tensor_set_refuse (self, error, "tensor \"%s\" has the unknown dtype \"%s\"",
                                  tensor->name, type_name->valuestring);

  return read_shape (self, eng_json_find (member, "shape"), tensor, error) &&
         read_offsets (self, eng_json_find (member, "data_offsets"), entry, error) &&
         check_extent (self, entry, bits, error);
}

static gboolean
read_metadata (EngTensorSet  *self,
               const cJSON   *metadata,
               GError       **error)
{
  const cJSON *member;

  if (!cJSON_IsObject (metadata))
    return eng_tensor_set_refuse (self, error, "__metadata__ is not an object");
  cJSON_ArrayForEach (member, metadata) {
    if (!cJSON_IsString (member))
      return eng_tensor_set_refuse (self, error, "__metadata__: \"%s\" is not a text",
                                    member->string);
    eng_tensor_set_add_metadata (self, member->string, member->valuestring);
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

/* Tensors tile the data: no hole, no overlap, nothing behind the last. */
static gboolean
place_entries (EngTensorSet  *self,
               GArray        *entries,
               const guint8  *data,
               gsize          n_bytes,
               GError       **error)
{
  gint64 end = 0;

  g_array_sort (entries, compare_entries);
  for (guint i = 0; i < entries->len; i++) {
    Entry *entry = &g_array_index (entries, Entry, i);

    if (entry->begin != end)
      return eng_tensor_set_refuse (self, error, "tensor \"%s\" begins at byte %" G_GINT64_FORMAT
                                    " of the data, expected %" G_GINT64_FORMAT
                                    ": tensors must neither overlap nor leave holes",
                                    entry->tensor.name, entry->begin, end);
    end = entry->end;
    if ((guint64) end > n_bytes)
      return eng_tensor_set_refuse (self, error, "tensor \"%s\" ends at byte %" G_GINT64_FORMAT
                                    " of the data, but the file has only %" G_GSIZE_FORMAT
                                    " bytes of data: it is cut short",
                                    entry->tensor.name, end, n_bytes);
    entry->tensor.data = data + entry->begin;
    entry->tensor.n_bytes = (gsize) (entry->end - entry->begin);
    eng_tensor_set_add (self, &entry->tensor);
  }
  if ((guint64) end != n_bytes)
    return eng_tensor_set_refuse (self, error, "%" G_GSIZE_FORMAT
                                  " bytes of data, but the tensors end at byte %" G_GINT64_FORMAT,
                                  n_bytes, end);

  return TRUE;
}

static gboolean
read_header (EngTensorSet  *self,
             const cJSON   *header,
             const guint8  *data,
             gsize          n_bytes,
             GError       **error)
{
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  const cJSON *member;
  Entry entry;

  if (!cJSON_IsObject (header))
    return eng_tensor_set_refuse (self, error, "header is not a JSON object");
  cJSON_ArrayForEach (member, header) {
    if (strcmp (member->string, "__metadata__") == 0) {
      if (!read_metadata (self, member, error))
        return FALSE;
      continue;
    }
    if (entries->len == ENG_MAX_TENSORS)
      return eng_tensor_set_refuse (self, error, "header lists more than %d tensors",
                                    ENG_MAX_TENSORS);
    if (!read_entry (self, member, &entry, error))
      return FALSE;
    g_array_append_val (entries, entry);
  }

  return place_entries (self, entries, data, n_bytes, error);
}

static gboolean
read_file (EngTensorSet  *self,
           GBytes        *bytes,
           GError       **error)
{
  g_autofree char *what = g_strconcat (eng_tensor_set_get_path (self), ": header", NULL);
  g_autoptr (cJSON) header = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  guint64 length;

  if (size < LENGTH_BYTES)
    return eng_tensor_set_refuse (self, error, "%" G_GSIZE_FORMAT
                                  " bytes are no safetensors file, whose header's length "
                                  "alone has 8", size);
  memcpy (&length, data, sizeof length);
  if (length > MAX_HEADER_BYTES)
    return eng_tensor_set_refuse (self, error, "no safetensors file: its header would have %"
                                  G_GUINT64_FORMAT " bytes, at most %d are allowed", length,
                                  MAX_HEADER_BYTES);
  if (length > size - LENGTH_BYTES)
    return eng_tensor_set_refuse (self, error, "header has %" G_GUINT64_FORMAT
                                  " bytes, but only %" G_GSIZE_FORMAT
                                  " are in the file: it is cut short or no safetensors file",
                                  length, size - LENGTH_BYTES);
  data += LENGTH_BYTES;
  if (length == 0 || data[0] != '{')
    return eng_tensor_set_refuse (self, error, "header does not begin with \"{\"");
  if (!check_spelling (self, (const char *) data, (gsize) length, error))
    return FALSE;
  header = eng_json_parse ((const char *) data, (gsize) length, HEADER_DEPTH, what, error);
  if (!header)
    return FALSE;

  eng_tensor_set_keep_file (self, bytes);

  return read_header (self, header, data + length, size - LENGTH_BYTES - (gsize) length, error);
}

EngTensorSet *
eng_safetensors_open (const char  *path,
                      GError     **error)
{
  g_autoptr (GBytes) bytes = eng_file_map (path, 0, error);

  return bytes ? eng_safetensors_open_bytes (bytes, path, error) : NULL;
}

EngTensorSet *
eng_safetensors_open_bytes (GBytes      *bytes,
                            const char  *what,
                            GError     **error)
{
  g_autoptr (EngTensorSet) self = eng_tensor_set_new (what);

  return read_file (self, bytes, error) ? g_steal_pointer (&self) : NULL;
}
