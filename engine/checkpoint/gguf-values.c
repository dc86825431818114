/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/gguf-values.h"

#include <math.h>
#include <string.h>

#define MAX_KEYS 65536
#define MAX_KEY_BYTES 65535
/* A list's items are one byte at least. */
#define MAX_ITEMS G_MAXINT32

static const struct {
  const char *name;
  int         n_bytes; /* 0: says it itself */
} types[ENG_N_GGUF_TYPES] = {
  [ENG_GGUF_U8] = { "a whole number", 1 },
  [ENG_GGUF_I8] = { "a whole number", 1 },
  [ENG_GGUF_U16] = { "a whole number", 2 },
  [ENG_GGUF_I16] = { "a whole number", 2 },
  [ENG_GGUF_U32] = { "a whole number", 4 },
  [ENG_GGUF_I32] = { "a whole number", 4 },
  [ENG_GGUF_F32] = { "a number", 4 },
  [ENG_GGUF_BOOLEAN] = { "true or false", 1 },
  [ENG_GGUF_TEXT] = { "a text", 0 },
  [ENG_GGUF_LIST] = { "a list", 0 },
  [ENG_GGUF_U64] = { "a whole number", 8 },
  [ENG_GGUF_I64] = { "a whole number", 8 },
  [ENG_GGUF_F64] = { "a number", 8 },
};

struct _EngGgufValues {
  char       *what;
  GHashTable *table; /* key → EngGgufValue */
};

const guint8 *
eng_gguf_take (EngGgufCursor *cursor,
               guint64        n)
{
  const guint8 *taken = cursor->data + cursor->at;

  if (n > cursor->size - cursor->at)
    return NULL;
  cursor->at += (gsize) n;

  return taken;
}

gboolean
eng_gguf_take_u32 (EngGgufCursor *cursor,
                   guint32       *value)
{
  const guint8 *bytes = eng_gguf_take (cursor, sizeof *value);

  if (bytes)
    memcpy (value, bytes, sizeof *value);

  return bytes != NULL;
}

gboolean
eng_gguf_take_u64 (EngGgufCursor *cursor,
                   guint64       *value)
{
  const guint8 *bytes = eng_gguf_take (cursor, sizeof *value);

  if (bytes)
    memcpy (value, bytes, sizeof *value);

  return bytes != NULL;
}

gboolean
eng_gguf_take_text (EngGgufCursor  *cursor,
                    const char    **text,
                    gsize          *length)
{
  guint64 n;

  if (!eng_gguf_take_u64 (cursor, &n))
    return FALSE;
  *text = (const char *) eng_gguf_take (cursor, n);
  *length = (gsize) n;

  return *text != NULL;
}

static gboolean
refuse (const EngGgufValues  *self,
        EngError              code,
        GError              **error,
        const char           *format,
        ...)
{
  va_list arguments;

  va_start (arguments, format);
  eng_error_refuse (error, code, self->what, format, arguments);
  va_end (arguments);

  return FALSE;
}

static gboolean
refuse_end (const EngGgufValues  *self,
            const char           *key,
            GError              **error)
{
  return refuse (self, ENG_ERROR_FORMAT, error,
                 "the file ends inside of the value of %s: it is cut short", key);
}

static gboolean
take_type (const EngGgufValues  *self,
           EngGgufCursor        *cursor,
           const char           *key,
           EngGgufType          *type,
           GError              **error)
{
  guint32 number;

  if (!eng_gguf_take_u32 (cursor, &number))
    return refuse_end (self, key, error);
  if (number >= ENG_N_GGUF_TYPES)
    return refuse (self, ENG_ERROR_FORMAT, error, "%s is of type %u, expected one from 0 to %d",
                   key, number, ENG_N_GGUF_TYPES - 1);
  *type = (EngGgufType) number;

  return TRUE;
}

/* The type of the items and how many there are. */
static gboolean
take_list_header (const EngGgufValues  *self,
                  EngGgufCursor        *cursor,
                  const char           *key,
                  EngGgufValue         *value,
                  GError              **error)
{
  guint64 n;

  value->is_list = TRUE;
  if (!take_type (self, cursor, key, &value->type, error))
    return FALSE;
  if (value->type == ENG_GGUF_LIST)
    return refuse (self, ENG_ERROR_UNSUPPORTED, error, "%s is a list of lists, expected one of "
                   "numbers or texts", key);
  if (!eng_gguf_take_u64 (cursor, &n))
    return refuse_end (self, key, error);
  if (n > MAX_ITEMS)
    return refuse (self, ENG_ERROR_FORMAT, error, "%s is a list of %" G_GUINT64_FORMAT " items, "
                   "expected at most %d", key, n, MAX_ITEMS);
  value->n = (gint64) n;

  return TRUE;
}

static gboolean
take_value (const EngGgufValues  *self,
            EngGgufCursor        *cursor,
            const char           *key,
            EngGgufValue         *value,
            GError              **error)
{
  *value = (EngGgufValue) { .n = 1 };
  if (!take_type (self, cursor, key, &value->type, error) ||
      (value->type == ENG_GGUF_LIST && !take_list_header (self, cursor, key, value, error)))
    return FALSE;

  value->data = cursor->data + cursor->at;
  if (value->type != ENG_GGUF_TEXT)
    return eng_gguf_take (cursor, (guint64) value->n * (guint64) types[value->type].n_bytes) ||
           refuse_end (self, key, error);
  for (gint64 i = 0; i < value->n; i++) {
    const char *text;
    gsize length;

    if (!eng_gguf_take_text (cursor, &text, &length))
      return refuse_end (self, key, error);
  }

  return TRUE;
}

static gboolean
take_key (const EngGgufValues  *self,
          EngGgufCursor        *cursor,
          char                **key,
          GError              **error)
{
  const char *text;
  gsize length;

  if (!eng_gguf_take_text (cursor, &text, &length))
    return refuse (self, ENG_ERROR_FORMAT, error,
                   "the file ends inside of the name of a key: it is cut short");
  if (length == 0 || length > MAX_KEY_BYTES || !g_utf8_validate_len (text, length, NULL))
    return refuse (self, ENG_ERROR_FORMAT, error, "the name of a key is no UTF-8 text of 1 to %d "
                   "bytes", MAX_KEY_BYTES);
  *key = g_strndup (text, length);

  return TRUE;
}

EngGgufValues *
eng_gguf_values_read (EngGgufCursor  *cursor,
                      guint64         n,
                      const char     *what,
                      GError        **error)
{
  g_autoptr (EngGgufValues) self = g_new0 (EngGgufValues, 1);

  self->what = g_strdup (what);
  self->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (n > MAX_KEYS) {
    refuse (self, ENG_ERROR_FORMAT, error, "has %" G_GUINT64_FORMAT " keys, expected at most %d", n,
            MAX_KEYS);
    return NULL;
  }

  for (guint64 i = 0; i < n; i++) {
    g_autofree char *key = NULL;
    EngGgufValue value;

    if (!take_key (self, cursor, &key, error) || !take_value (self, cursor, key, &value, error))
      return NULL;
    if (g_hash_table_contains (self->table, key)) {
      refuse (self, ENG_ERROR_FORMAT, error, "the key %s stands twice", key);
      return NULL;
    }
    g_hash_table_insert (self->table, g_steal_pointer (&key), g_memdup2 (&value, sizeof value));
  }

  return g_steal_pointer (&self);
}

void
eng_gguf_values_free (EngGgufValues *self)
{
  g_hash_table_unref (self->table);
  g_free (self->what);
  g_free (self);
}

const EngGgufValue *
eng_gguf_values_find (const EngGgufValues *self,
                      const char          *key)
{
  return g_hash_table_lookup (self->table, key);
}

static gboolean
refuse_type (const EngGgufValues  *self,
             const char           *key,
             const EngGgufValue   *value,
             const char           *expected,
             GError              **error)
{
  return refuse (self, ENG_ERROR_FORMAT, error, "%s is %s, expected %s", key,
                 value->is_list ? "a list" : types[value->type].name, expected);
}

/* FALSE for what is no whole number, or none that a gint64 holds. */
static gboolean
read_int (const EngGgufValue *value,
          gint64             *number)
{
  gsize n_bytes = (gsize) types[value->type].n_bytes;
  gboolean is_signed = FALSE;
  guint64 bits = 0;

  switch (value->type) {
  case ENG_GGUF_I8:
  case ENG_GGUF_I16:
  case ENG_GGUF_I32:
  case ENG_GGUF_I64:
    is_signed = TRUE;
    break;
  case ENG_GGUF_U8:
  case ENG_GGUF_U16:
  case ENG_GGUF_U32:
  case ENG_GGUF_U64:
    break;
  default:
    return FALSE;
  }

  memcpy (&bits, value->data, n_bytes);
  if (is_signed && value->data[n_bytes - 1] & 0x80 && n_bytes < sizeof bits)
    bits |= ~G_GUINT64_CONSTANT (0) << (8 * n_bytes);
  if (!is_signed && bits > G_MAXINT64)
    return FALSE;
  *number = (gint64) bits;

  return TRUE;
}

gboolean
eng_gguf_get_int (const EngGgufValues  *self,
                  const char           *key,
                  gint64                min,
                  gint64                max,
                  gint64               *value,
                  GError              **error)
{
  const EngGgufValue *found = eng_gguf_values_find (self, key);
  gint64 number;

  if (!found)
    return TRUE;
  if (found->is_list || !read_int (found, &number))
    return refuse_type (self, key, found, "one whole number", error);
  if (number < min || number > max)
    return refuse (self, ENG_ERROR_RANGE, error, "%s is %" G_GINT64_FORMAT ", expected a whole "
                   "number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, key, number, min, max);
  *value = number;

  return TRUE;
}

gboolean
eng_gguf_get_double (const EngGgufValues  *self,
                     const char           *key,
                     double               *value,
                     GError              **error)
{
  const EngGgufValue *found = eng_gguf_values_find (self, key);
  gint64 whole;
  float single;

  if (!found)
    return TRUE;
  if (!found->is_list && found->type == ENG_GGUF_F32) {
    memcpy (&single, found->data, sizeof single);
    *value = (double) single;
  } else if (!found->is_list && found->type == ENG_GGUF_F64) {
    memcpy (value, found->data, sizeof *value);
  } else if (!found->is_list && read_int (found, &whole)) {
    *value = (double) whole;
  } else {
    return refuse_type (self, key, found, "one number", error);
  }

  return isfinite (*value) ||
         refuse (self, ENG_ERROR_RANGE, error, "%s is infinite or no number", key);
}

gboolean
eng_gguf_get_boolean (const EngGgufValues  *self,
                      const char           *key,
                      gboolean             *value,
                      GError              **error)
{
  const EngGgufValue *found = eng_gguf_values_find (self, key);

  if (!found)
    return TRUE;
  if (found->is_list || found->type != ENG_GGUF_BOOLEAN)
    return refuse_type (self, key, found, types[ENG_GGUF_BOOLEAN].name, error);
  *value = found->data[0] != 0;

  return TRUE;
}

gboolean
eng_gguf_dup_text (const EngGgufValues  *self,
                   const char           *key,
                   char                **value,
                   GError              **error)
{
  const EngGgufValue *found = eng_gguf_values_find (self, key);
  const guint8 *item;
  const char *text;
  gsize length;

  *value = NULL;
  if (!found)
    return TRUE;
  if (found->is_list || found->type != ENG_GGUF_TEXT)
    return refuse_type (self, key, found, "a text", error);
  item = found->data;
  text = eng_gguf_next_text (&item, &length);
  if (!g_utf8_validate_len (text, length, NULL))
    return refuse (self, ENG_ERROR_FORMAT, error, "%s is no UTF-8 text", key);
  *value = g_strndup (text, length);

  return TRUE;
}

gboolean
eng_gguf_get_list (const EngGgufValues  *self,
                   const char           *key,
                   EngGgufType           type,
                   const EngGgufValue  **list,
                   GError              **error)
{
  const EngGgufValue *found = eng_gguf_values_find (self, key);

  *list = found;
  if (!found || (found->is_list && found->type == type))
    return TRUE;
  if (found->is_list)
    return refuse (self, ENG_ERROR_FORMAT, error, "%s is a list whose items are %s each, expected "
                   "%s", key, types[found->type].name, types[type].name);
  return refuse_type (self, key, found, "a list", error);
}

float
eng_gguf_list_get_float (const EngGgufValue *list,
                         gint64              i)
{
  float value;

  memcpy (&value, list->data + (gsize) i * sizeof value, sizeof value);

  return value;
}

gint32
eng_gguf_list_get_int (const EngGgufValue *list,
                       gint64              i)
{
  gint32 value;

  memcpy (&value, list->data + (gsize) i * sizeof value, sizeof value);

  return value;
}

const char *
eng_gguf_next_text (const guint8 **item,
                    gsize         *length)
{
  guint64 n;
  const guint8 *text = *item + sizeof n;

  memcpy (&n, *item, sizeof n);
  *length = (gsize) n;
  *item = text + n;

  return (const char *) text;
}
