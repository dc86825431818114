/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/torch-container.h"

#include <string.h>

#include "engine/checkpoint/zip.h"

#define MAX_PICKLE_BYTES (64 << 20)
#define MAX_KEY_BYTES 256
#define ZIP_START "PK"
#define PICKLE_START 0x80
#define STREAM_PROTOCOL 1001

struct _EngTorchContainer {
  char       *what;
  EngPickle  *object;
  EngZip     *zip;      /* NULL for a stream */
  char       *root;     /* of the zip: "archive/" */
  GHashTable *storages; /* of a stream: key → Stored */
};

/* What a persistent id says. */
typedef struct {
  char         *key;
  EngTorchType  type;
  gint64        n_elements;
  const guint8 *data; /* NULL until it was found in the stream */
} Stored;

static void
stored_clear (Stored *self)
{
  g_clear_pointer (&self->key, g_free);
}

static void
stored_free (gpointer data)
{
  stored_clear (data);
  g_free (data);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stored, stored_clear)

static const struct {
  const char *storage; /* NULL: newer types have none and lie in plain bytes */
  const char *dtype;
  const char *name;
} types[] = {
  { "torch FloatStorage", "torch float32", "F32" },
  { "torch HalfStorage", "torch float16", "F16" },
  { "torch BFloat16Storage", "torch bfloat16", "BF16" },
  { "torch DoubleStorage", "torch float64", "F64" },
  { "torch LongStorage", "torch int64", "I64" },
  { "torch IntStorage", "torch int32", "I32" },
  { "torch ShortStorage", "torch int16", "I16" },
  { "torch CharStorage", "torch int8", "I8" },
  { "torch ByteStorage", "torch uint8", "U8" },
  { "torch BoolStorage", "torch bool", "BOOL" },
  { "torch ComplexFloatStorage", "torch complex64", "C64" },
  { NULL, "torch uint16", "U16" },
  { NULL, "torch uint32", "U32" },
  { NULL, "torch uint64", "U64" },
  { NULL, "torch float8_e5m2", "F8_E5M2" },
  { NULL, "torch float8_e4m3fn", "F8_E4M3" },
  { NULL, "torch float8_e8m0fnu", "F8_E8M0" },
  { NULL, "torch float8_e5m2fnuz", "F8_E5M2FNUZ" },
  { NULL, "torch float8_e4m3fnuz", "F8_E4M3FNUZ" },
};

G_GNUC_PRINTF (3, 4)
static gboolean
refuse (const EngTorchContainer  *self,
        GError                  **error,
        const char               *format,
        ...)
{
  va_list arguments;

  va_start (arguments, format);
  eng_error_refuse (error, ENG_ERROR_FORMAT, self->what, format, arguments);
  va_end (arguments);

  return FALSE;
}

static gboolean
read_type (const EngTorchContainer  *self,
           const EngPickleValue     *value,
           EngTorchType             *type,
           GError                  **error)
{
  if (eng_pickle_is_global (value, "torch.storage UntypedStorage") ||
      eng_pickle_is_global (value, "torch UntypedStorage")) {
    *type = (EngTorchType) { NULL, ENG_TYPE_U8, 1 };
    return TRUE;
  }
  if (eng_torch_type_from_value (value, type))
    return TRUE;

  return refuse (self, error, "a storage of the type %s, which is not supported",
                 value->type == ENG_PICKLE_GLOBAL ? value->name : "of no name");
}

/* ("storage", type, key, device, number of elements) and in a stream the part of another storage
 * that it is. */
static gboolean
read_persistent (const EngTorchContainer  *self,
                 const EngPickleValue     *value,
                 Stored                   *stored,
                 GError                  **error)
{
  const EngPickleValue *id = value->argument;

  if (id->type != ENG_PICKLE_TUPLE || id->n_items < 5 || id->n_items > 6 ||
      !eng_pickle_is_string (id->items[0], "storage") || id->items[4]->type != ENG_PICKLE_INT ||
      id->items[4]->integer < 0)
    return refuse (self, error, "an id of stored data is not (\"storage\", type, key, device, "
                   "number of elements)");
  if (id->n_items == 6 && id->items[5]->type != ENG_PICKLE_NONE)
    return refuse (self, error, "a storage is part of another, which is not supported");
  if (!read_type (self, id->items[1], &stored->type, error))
    return FALSE;

  stored->n_elements = id->items[4]->integer;
  stored->key = eng_pickle_dup_string (id->items[2], MAX_KEY_BYTES);
  if (!stored->key)
    return refuse (self, error, "the key of a storage is no text of at most %d bytes",
                   MAX_KEY_BYTES);
  if (stored->n_elements > G_MAXINT64 / stored->type.size)
    return refuse (self, error, "the number of bytes of the storage %s overflows", stored->key);

  return TRUE;
}

/* The zip of torch 1.6 and newer. */

static gboolean
find_root (EngTorchContainer  *self,
           GError            **error)
{
  static const char suffix[] = "/data.pkl";

  for (int i = 0; i < eng_zip_get_n_entries (self->zip); i++) {
    const char *name = eng_zip_get_entry (self->zip, i)->name;

    if (!g_str_has_suffix (name, suffix))
      continue;
    if (self->root)
      return refuse (self, error, "the zip has two entries %sdata.pkl and %s, expected one",
                     self->root, name);
    self->root = g_strndup (name, strlen (name) - strlen (suffix) + 1);
  }

  return self->root ||
         refuse (self, error, "the zip has no entry data.pkl: torch did not write it");
}

static const EngZipEntry *
find_entry (const EngTorchContainer *self,
            const char              *name)
{
  g_autofree char *full = g_strconcat (self->root, name, NULL);

  return eng_zip_find (self->zip, full);
}

static gboolean
check_byte_order (const EngTorchContainer  *self,
                  GError                  **error)
{
  static const char little[] = "little";
  const EngZipEntry *order = find_entry (self, "byteorder");

  /* Before torch 2.1 nobody said. */
  if (!order ||
      (order->n_bytes == strlen (little) && memcmp (order->data, little, order->n_bytes) == 0))
    return TRUE;

  return refuse (self, error, "%sbyteorder is not \"little\", the only one supported", self->root);
}

static gboolean
read_zip (EngTorchContainer  *self,
          const guint8       *data,
          gsize               n_bytes,
          GError            **error)
{
  g_autofree char *what = NULL;
  const EngZipEntry *pickle;

  self->zip = eng_zip_read (data, n_bytes, self->what, error);
  if (!self->zip || !find_root (self, error) || !check_byte_order (self, error))
    return FALSE;

  pickle = find_entry (self, "data.pkl");
  if (pickle->n_bytes > MAX_PICKLE_BYTES)
    return refuse (self, error, "%sdata.pkl has %" G_GSIZE_FORMAT " bytes, at most %d are allowed",
                   self->root, pickle->n_bytes, MAX_PICKLE_BYTES);
  what = g_strconcat (self->what, ": ", self->root, "data.pkl", NULL);
  self->object = eng_pickle_read (pickle->data, pickle->n_bytes, what, NULL, error);

  return self->object != NULL;
}

static gboolean
find_in_zip (const EngTorchContainer  *self,
             Stored                   *stored,
             GError                  **error)
{
  g_autofree char *name = g_strconcat ("data/", stored->key, NULL);
  const EngZipEntry *entry = find_entry (self, name);
  gint64 n_bytes = stored->n_elements * stored->type.size;

  if (!entry)
    return refuse (self, error, "the storage %s is missing: no entry %s%s", stored->key, self->root,
                   name);
  if (entry->n_bytes != (gsize) n_bytes)
    return refuse (self, error, "%s%s has %" G_GSIZE_FORMAT " bytes, expected %" G_GINT64_FORMAT,
                   self->root, name, entry->n_bytes, n_bytes);
  stored->data = entry->data;

  return TRUE;
}

/* The stream before torch 1.6. */

/* Reads the next of the five pickles. */
static EngPickle *
read_next (const EngTorchContainer  *self,
           const char               *name,
           const guint8             *data,
           gsize                     n_bytes,
           gsize                    *at,
           GError                  **error)
{
  g_autofree char *what = g_strdup_printf ("%s: %s", self->what, name);
  gsize used;
  EngPickle *pickle = eng_pickle_read (data + *at, MIN (n_bytes - *at, MAX_PICKLE_BYTES), what,
                                       &used, error);

  if (pickle)
    *at += used;

  return pickle;
}

static gboolean
is_magic (const EngPickleValue *value)
{
  static const guint8 magic[] = { 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19 };

  return value->type == ENG_PICKLE_LONG && value->length == sizeof magic &&
         memcmp (value->text, magic, sizeof magic) == 0;
}

static const EngPickleValue *
find_item (const EngPickleValue *dict,
           const char           *key)
{
  for (guint i = 0; dict->type == ENG_PICKLE_DICT && i + 1 < dict->n_items; i += 2)
    if (eng_pickle_is_string (dict->items[i], key))
      return dict->items[i + 1];

  return NULL;
}

/* The first three pickles: a number to know the file by, the version, the machine. */
static gboolean
read_preamble (EngTorchContainer  *self,
               const guint8       *data,
               gsize               n_bytes,
               gsize              *at,
               GError            **error)
{
  g_autoptr (EngPickle) magic = read_next (self, "first pickle", data, n_bytes, at, error);
  g_autoptr (EngPickle) version = NULL;
  g_autoptr (EngPickle) machine = NULL;
  const EngPickleValue *value;

  if (!magic)
    return FALSE;
  if (!is_magic (eng_pickle_get_value (magic)))
    return refuse (self, error, "does not begin with the number that torch.save() writes");

  version = read_next (self, "second pickle", data, n_bytes, at, error);
  if (!version)
    return FALSE;
  value = eng_pickle_get_value (version);
  if (value->type != ENG_PICKLE_INT || value->integer != STREAM_PROTOCOL)
    return refuse (self, error, "is of another version of torch's stream than %d", STREAM_PROTOCOL);

  machine = read_next (self, "third pickle", data, n_bytes, at, error);
  if (!machine)
    return FALSE;
  value = find_item (eng_pickle_get_value (machine), "little_endian");
  if (!value || value->type != ENG_PICKLE_BOOL || !value->integer)
    return refuse (self, error, "little_endian is not true in its third pickle: the only byte "
                   "order supported");

  return TRUE;
}

/* Every storage that the object names, so that the size of each in the stream is known. */
static gboolean
collect_stored (EngTorchContainer  *self,
                GError            **error)
{
  const GPtrArray *values = eng_pickle_get_stored (self->object);

  self->storages = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, stored_free);
  for (guint i = 0; i < values->len; i++) {
    g_auto (Stored) stored = { 0 };
    const Stored *other;

    if (!read_persistent (self, g_ptr_array_index (values, i), &stored, error))
      return FALSE;
    other = g_hash_table_lookup (self->storages, stored.key);
    if (!other) {
      Stored *kept = g_memdup2 (&stored, sizeof stored);

      stored.key = NULL;
      g_hash_table_insert (self->storages, kept->key, kept);
    } else if (other->n_elements != stored.n_elements || other->type.name != stored.type.name)
      return refuse (self, error, "the storage %s is named with two types or sizes", stored.key);
  }

  return TRUE;
}

/* The number of elements and the elements, of every key in the order of the list. */
static gboolean
place_storage (EngTorchContainer     *self,
               const EngPickleValue  *key_value,
               const guint8          *data,
               gsize                  n_bytes,
               gsize                 *at,
               GError               **error)
{
  g_autofree char *key = eng_pickle_dup_string (key_value, MAX_KEY_BYTES);
  Stored *stored = key ? g_hash_table_lookup (self->storages, key) : NULL;
  gint64 n_elements;
  gint64 size;

  if (!stored || stored->data)
    return refuse (self, error, "the list of storages holds %s, expected each that a tensor names "
                   "once", key ? key : "a key that is no text");
  if (n_bytes - *at < sizeof n_elements)
    return refuse (self, error, "is cut short in front of the storage %s", key);
  memcpy (&n_elements, data + *at, sizeof n_elements);
  *at += sizeof n_elements;
  if (n_elements != stored->n_elements)
    return refuse (self, error, "the storage %s has %" G_GINT64_FORMAT " elements, expected %"
                   G_GINT64_FORMAT, key, n_elements, stored->n_elements);
  size = n_elements * stored->type.size;
  if ((guint64) size > n_bytes - *at)
    return refuse (self, error, "is cut short: the storage %s has %" G_GINT64_FORMAT
                   " bytes, but only %" G_GSIZE_FORMAT " are left", key, size, n_bytes - *at);
  stored->data = data + *at;
  *at += (gsize) size;

  return TRUE;
}

static gboolean
read_stream (EngTorchContainer  *self,
             const guint8       *data,
             gsize               n_bytes,
             GError            **error)
{
  g_autoptr (EngPickle) keys = NULL;
  const EngPickleValue *list;
  gsize at = 0;

  if (!read_preamble (self, data, n_bytes, &at, error))
    return FALSE;
  self->object = read_next (self, "fourth pickle", data, n_bytes, &at, error);
  if (!self->object || !collect_stored (self, error))
    return FALSE;
  keys = read_next (self, "fifth pickle", data, n_bytes, &at, error);
  if (!keys)
    return FALSE;

  list = eng_pickle_get_value (keys);
  if (list->type != ENG_PICKLE_LIST)
    return refuse (self, error, "the fifth pickle is no list of storages");
  for (guint i = 0; i < list->n_items; i++)
    if (!place_storage (self, list->items[i], data, n_bytes, &at, error))
      return FALSE;

  return TRUE;
}

static gboolean
find_in_stream (const EngTorchContainer  *self,
                Stored                   *stored,
                GError                  **error)
{
  const Stored *found = g_hash_table_lookup (self->storages, stored->key);

  if (!found->data)
    return refuse (self, error, "the storage %s is not in the list of storages", stored->key);
  stored->data = found->data;

  return TRUE;
}

EngTorchContainer *
eng_torch_container_read (const guint8  *data,
                          gsize          n_bytes,
                          const char    *what,
                          GError       **error)
{
  g_autoptr (EngTorchContainer) self = g_new0 (EngTorchContainer, 1);
  gboolean success = FALSE;

  self->what = g_strdup (what);
  if (n_bytes >= strlen (ZIP_START) && memcmp (data, ZIP_START, strlen (ZIP_START)) == 0)
    success = read_zip (self, data, n_bytes, error);
  else if (n_bytes > 0 && data[0] == PICKLE_START)
    success = read_stream (self, data, n_bytes, error);
  else
    refuse (self, error, "is no file of torch.save(), which begins with \"%s\" or 0x%02X",
            ZIP_START, PICKLE_START);

  return success ? g_steal_pointer (&self) : NULL;
}

void
eng_torch_container_free (EngTorchContainer *self)
{
  g_clear_pointer (&self->object, eng_pickle_free);
  g_clear_pointer (&self->zip, eng_zip_free);
  g_clear_pointer (&self->storages, g_hash_table_unref);
  g_free (self->root);
  g_free (self->what);
  g_free (self);
}

const EngPickleValue *
eng_torch_container_get_value (const EngTorchContainer *self)
{
  return eng_pickle_get_value (self->object);
}

gboolean
eng_torch_container_find_storage (const EngTorchContainer  *self,
                                  const EngPickleValue     *value,
                                  EngTorchStorage          *storage,
                                  GError                  **error)
{
  g_auto (Stored) stored = { 0 };

  if (!read_persistent (self, value, &stored, error) ||
      !(self->zip ? find_in_zip (self, &stored, error) : find_in_stream (self, &stored, error)))
    return FALSE;
  *storage = (EngTorchStorage) { stored.type, stored.data,
                                 (gsize) (stored.n_elements * stored.type.size) };

  return TRUE;
}

gboolean
eng_torch_type_from_value (const EngPickleValue *value,
                           EngTorchType         *type)
{
  if (value->type != ENG_PICKLE_GLOBAL)
    return FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    int bits;

    if (strcmp (value->name, types[i].dtype) != 0 && g_strcmp0 (value->name, types[i].storage) != 0)
      continue;
    type->name = eng_type_from_name (types[i].name, &type->type, &bits);
    type->size = bits / 8;
    return TRUE;
  }

  return FALSE;
}
