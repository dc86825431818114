/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/gguf.h"

#include "engine/base/file-map.h"
#include "engine/checkpoint/tensor-set-private.h"
#include "engine/kernels/quantised-blocks.h"

#include <string.h>

#define MAGIC "GGUF"
#define ENDING ".gguf"
#define MAX_SIZES 4
#define MAX_SIZE ((guint64) 1 << 53)
#define DEFAULT_ALIGNMENT 32
#define MAX_ALIGNMENT 65536

/* Types of tensors by ggml's number. name NULL: a number that is free, or was given up. Of a type
 * that is not readable, how many numbers are stored together in how many bytes. */
typedef struct {
  const char *name;
  EngType     type;
  int         n_together;
  int         n_bytes;
} TensorType;

#define PLAIN(name)           { #name, ENG_TYPE_##name, 0, 0 }
#define QUANTISED(name)       { #name, ENG_TYPE_BLOCKS + ENG_BLOCKS_##name, 0, 0 }
#define OTHER(name, n, bytes) { #name, ENG_TYPE_OTHER, n, bytes }

static const TensorType tensor_types[] = {
  [0] = PLAIN (F32),
  [1] = PLAIN (F16),
  [2] = QUANTISED (Q4_0),
  [3] = QUANTISED (Q4_1),
  [6] = QUANTISED (Q5_0),
  [7] = QUANTISED (Q5_1),
  [8] = QUANTISED (Q8_0),
  [10] = QUANTISED (Q2_K),
  [11] = QUANTISED (Q3_K),
  [12] = QUANTISED (Q4_K),
  [13] = QUANTISED (Q5_K),
  [14] = QUANTISED (Q6_K),
  [16] = OTHER (IQ2_XXS, 256, 66),
  [17] = OTHER (IQ2_XS, 256, 74),
  [18] = OTHER (IQ3_XXS, 256, 98),
  [19] = OTHER (IQ1_S, 256, 50),
  [20] = OTHER (IQ4_NL, 32, 18),
  [21] = OTHER (IQ3_S, 256, 110),
  [22] = OTHER (IQ2_S, 256, 82),
  [23] = OTHER (IQ4_XS, 256, 136),
  [24] = PLAIN (I8),
  [25] = PLAIN (I16),
  [26] = PLAIN (I32),
  [27] = PLAIN (I64),
  [28] = PLAIN (F64),
  [29] = OTHER (IQ1_M, 256, 56),
  [30] = PLAIN (BF16),
  [34] = OTHER (TQ1_0, 256, 54),
  [35] = OTHER (TQ2_0, 256, 66),
  [39] = OTHER (MXFP4, 32, 17),
  [40] = OTHER (NVFP4, 64, 36),
  [41] = OTHER (Q1_0, 128, 18),
};

/* A tensor of the header before its place in the data is known to be sound. */
typedef struct {
  EngTensor tensor;
  guint64   offset;
} Entry;

static gboolean
refuse_end (const EngTensorSet  *set,
            const char          *where,
            GError             **error)
{
  return eng_tensor_set_refuse (set, error, "the file ends inside of %s: it is cut short", where);
}

static gboolean
read_name (EngTensorSet   *set,
           EngGgufCursor  *cursor,
           char          **name,
           GError        **error)
{
  const char *text;
  gsize length;

  if (!eng_gguf_take_text (cursor, &text, &length))
    return refuse_end (set, "the name of a tensor", error);
  if (length > ENG_MAX_TENSOR_NAME_BYTES || !g_utf8_validate_len (text, length, NULL))
    return eng_tensor_set_refuse (set, error, "the name of a tensor is no UTF-8 text of at most %d "
                                  "bytes", ENG_MAX_TENSOR_NAME_BYTES);
  *name = g_strndup (text, length);

  return TRUE;
}

/* The file has the size of a row first. */
static gboolean
read_shape (EngTensorSet   *set,
            EngGgufCursor  *cursor,
            EngTensor      *tensor,
            GError        **error)
{
  guint32 rank;

  if (!eng_gguf_take_u32 (cursor, &rank))
    return refuse_end (set, "the list of tensors", error);
  if (rank > MAX_SIZES)
    return eng_tensor_set_refuse (set, error, "tensor \"%s\" has %u dimensions, expected at most "
                                  "%d", tensor->name, rank, MAX_SIZES);
  tensor->rank = (int) rank;
  tensor->n_elements = 1;
  for (guint32 i = 0; i < rank; i++) {
    guint64 size;

    if (!eng_gguf_take_u64 (cursor, &size))
      return refuse_end (set, "the list of tensors", error);
    if (size > MAX_SIZE || __builtin_mul_overflow (tensor->n_elements, (gint64) size,
                                                   &tensor->n_elements))
      return eng_tensor_set_refuse (set, error, "tensor \"%s\": the product of its sizes overflows",
                                    tensor->name);
    tensor->shape[rank - 1 - i] = (gint64) size;
  }

  return TRUE;
}

static gboolean
read_type (EngTensorSet   *set,
           EngGgufCursor  *cursor,
           EngTensor      *tensor,
           GError        **error)
{
  gint64 n_columns = tensor->rank > 0 ? tensor->shape[tensor->rank - 1] : 1;
  const TensorType *type;
  guint32 number;
  int n_together;
  gsize n_bytes;

  if (!eng_gguf_take_u32 (cursor, &number))
    return refuse_end (set, "the list of tensors", error);
  type = number < G_N_ELEMENTS (tensor_types) ? &tensor_types[number] : NULL;
  if (!type || !type->name)
    return eng_tensor_set_refuse (set, error, "tensor \"%s\" is of the unknown type %u",
                                  tensor->name, number);
  n_together = type->n_together > 0 ? type->n_together : eng_type_get_n_together (type->type);
  n_bytes = type->n_together > 0 ? (gsize) type->n_bytes : eng_type_get_size (type->type);
  if (n_columns % n_together != 0)
    return eng_tensor_set_refuse (set, error, "tensor \"%s\": %s has rows of %d numbers or a "
                                  "multiple, not of %" G_GINT64_FORMAT, tensor->name, type->name,
                                  n_together, n_columns);
  tensor->type = type->type;
  tensor->type_name = type->name;
  if (__builtin_mul_overflow ((gsize) (tensor->n_elements / n_together), n_bytes,
                              &tensor->n_bytes))
    return eng_tensor_set_refuse (set, error, "tensor \"%s\": the number of its bytes overflows",
                                  tensor->name);

  return TRUE;
}

static gboolean
read_entry (EngTensorSet   *set,
            EngGgufCursor  *cursor,
            Entry          *entry,
            GError        **error)
{
  char *name = NULL;

  *entry = (Entry) { 0 };
  if (!read_name (set, cursor, &name, error))
    return FALSE;
  entry->tensor.name = name;
  if (!read_shape (set, cursor, &entry->tensor, error) ||
      !read_type (set, cursor, &entry->tensor, error))
    return FALSE;

  return eng_gguf_take_u64 (cursor, &entry->offset) ||
         refuse_end (set, "the list of tensors", error);
}

static gboolean
place_entry (EngTensorSet         *set,
             const EngGgufCursor  *cursor,
             guint64               alignment,
             Entry                *entry,
             GError              **error)
{
  EngTensor *tensor = &entry->tensor;
  gsize n_left = cursor->size - cursor->at;

  if (entry->offset % alignment != 0)
    return eng_tensor_set_refuse (set, error, "tensor \"%s\" begins at byte %" G_GUINT64_FORMAT
                                  " of the data, expected a multiple of %" G_GUINT64_FORMAT,
                                  tensor->name, entry->offset, alignment);
  if (entry->offset > n_left || tensor->n_bytes > n_left - (gsize) entry->offset)
    return eng_tensor_set_refuse (set, error, "tensor \"%s\" has %" G_GSIZE_FORMAT " bytes from "
                                  "byte %" G_GUINT64_FORMAT " of the data, but the file has only %"
                                  G_GSIZE_FORMAT " bytes of data: it is cut short", tensor->name,
                                  tensor->n_bytes, entry->offset, n_left);
  tensor->data = cursor->data + cursor->at + entry->offset;
  if (!eng_tensor_set_add (set, tensor))
    return eng_tensor_set_refuse (set, error, "the tensor \"%s\" stands twice", tensor->name);

  return TRUE;
}

static gboolean
read_alignment (const EngGguf  *self,
                guint64        *alignment,
                GError        **error)
{
  gint64 value = DEFAULT_ALIGNMENT;

  if (!eng_gguf_get_int (self->values, "general.alignment", 1, MAX_ALIGNMENT, &value, error))
    return FALSE;
  *alignment = (guint64) value;
  if ((*alignment & (*alignment - 1)) == 0)
    return TRUE;

  return eng_tensor_set_refuse (self->tensors, error, "general.alignment is %" G_GINT64_FORMAT
                                ", expected a power of two", value);
}

static void
entry_clear (gpointer data)
{
  g_free ((char *) ((Entry *) data)->tensor.name);
}

static gboolean
read_tensors (EngGguf        *self,
              EngGgufCursor  *cursor,
              guint64         n,
              GError        **error)
{
  EngTensorSet *set = self->tensors;
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint64 alignment, padding;

  g_array_set_clear_func (entries, entry_clear);
  if (n > ENG_MAX_TENSORS)
    return eng_tensor_set_refuse (set, error, "has %" G_GUINT64_FORMAT " tensors, expected at most "
                                  "%d", n, ENG_MAX_TENSORS);
  for (guint64 i = 0; i < n; i++) {
    Entry entry;
    gboolean is_sound = read_entry (set, cursor, &entry, error);

    g_array_append_val (entries, entry);
    if (!is_sound)
      return FALSE;
  }

  if (!read_alignment (self, &alignment, error))
    return FALSE;
  padding = (alignment - cursor->at % alignment) % alignment;
  if (n > 0 && !eng_gguf_take (cursor, padding))
    return refuse_end (set, "what stands before the tensors", error);
  for (guint i = 0; i < entries->len; i++)
    if (!place_entry (set, cursor, alignment, &g_array_index (entries, Entry, i), error))
      return FALSE;

  return TRUE;
}

/* Written on a machine of the other order of bytes, the small number of a version is a huge one. */
static gboolean
check_version (EngTensorSet  *set,
               guint32        version,
               GError       **error)
{
  if (version == 2 || version == 3)
    return TRUE;
  if ((version & 0xffff) == 0 && version != 0)
    return eng_tensor_set_refuse (set, error, "is a big-endian GGUF file, expected a little-endian "
                                  "one");
  return eng_tensor_set_refuse (set, error, "is a GGUF file of version %u, expected 2 or 3",
                                version);
}

static gboolean
read_file (EngGguf     *self,
           const char  *what,
           GError     **error)
{
  EngGgufCursor cursor = { 0 };
  const guint8 *magic;
  guint32 version;
  guint64 n_tensors, n_keys;

  cursor.data = g_bytes_get_data (self->bytes, &cursor.size);
  magic = eng_gguf_take (&cursor, strlen (MAGIC));
  if (!magic || memcmp (magic, MAGIC, strlen (MAGIC)) != 0)
    return eng_tensor_set_refuse (self->tensors, error, "is no GGUF file: it does not begin with "
                                  MAGIC);
  if (!eng_gguf_take_u32 (&cursor, &version))
    return refuse_end (self->tensors, "its version", error);
  if (!check_version (self->tensors, version, error))
    return FALSE;
  if (!eng_gguf_take_u64 (&cursor, &n_tensors) || !eng_gguf_take_u64 (&cursor, &n_keys))
    return refuse_end (self->tensors, "its counts", error);

  self->values = eng_gguf_values_read (&cursor, n_keys, what, error);

  return self->values && read_tensors (self, &cursor, n_tensors, error);
}

EngGguf *
eng_gguf_open (const char  *path,
               GError     **error)
{
  g_autoptr (GBytes) bytes = eng_file_map (path, 0, error);

  return bytes ? eng_gguf_open_bytes (bytes, path, error) : NULL;
}

EngGguf *
eng_gguf_open_bytes (GBytes      *bytes,
                     const char  *what,
                     GError     **error)
{
  g_autoptr (EngGguf) self = g_new0 (EngGguf, 1);

  self->path = g_strdup (what);
  self->bytes = g_bytes_ref (bytes);
  self->tensors = eng_tensor_set_new (what);
  eng_tensor_set_keep_file (self->tensors, bytes);

  return read_file (self, what, error) ? g_steal_pointer (&self) : NULL;
}

void
eng_gguf_free (EngGguf *self)
{
  g_clear_pointer (&self->values, eng_gguf_values_free);
  eng_tensor_set_unref (self->tensors);
  g_bytes_unref (self->bytes);
  g_free (self->path);
  g_free (self);
}

static gboolean
is_model_file (const char *name)
{
  return g_str_has_suffix (name, ENDING) && !g_str_has_prefix (name, "mmproj");
}

char *
eng_gguf_find (const char *place,
               int        *n_files)
{
  g_autofree char *config = g_build_filename (place, "config.json", NULL);
  g_autofree char *found = NULL;
  g_autoptr (GDir) folder = NULL;
  const char *name;
  int n = 0;

  if (g_str_has_suffix (place, ENDING) && g_file_test (place, G_FILE_TEST_IS_REGULAR)) {
    found = g_strdup (place);
    n = 1;
  } else if (!g_file_test (config, G_FILE_TEST_EXISTS)) {
    folder = g_dir_open (place, 0, NULL);
  }
  while (folder && (name = g_dir_read_name (folder)))
    if (is_model_file (name)) {
      g_free (found);
      found = g_build_filename (place, name, NULL);
      n++;
    }
  if (n_files)
    *n_files = n;

  return n == 1 ? g_steal_pointer (&found) : NULL;
}
