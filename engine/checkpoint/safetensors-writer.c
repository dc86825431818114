/* SPDX-License-Identifier: MIT */
#include "engine/checkpoint/safetensors.h"

#include <string.h>

#include "engine/base/file-writer.h"
#include "engine/base/json.h"

static void
append_text (GString    *header,
             const char *text)
{
  g_autoptr (cJSON) value = cJSON_CreateStringReference (text);
  char *printed = cJSON_PrintUnformatted (value);

  g_string_append (header, printed);
  cJSON_free (printed);
}

static void
append_metadata (GString    *header,
                 GHashTable *metadata)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (metadata), (GCompareFunc) strcmp);

  g_string_append (header, "\"__metadata__\":{");
  for (GList *link = keys; link; link = link->next) {
    append_text (header, link->data);
    g_string_append_c (header, ':');
    append_text (header, g_hash_table_lookup (metadata, link->data));
    if (link->next)
      g_string_append_c (header, ',');
  }
  g_string_append_c (header, '}');
}

static gsize
get_n_bytes (const EngTensorSource *tensor)
{
  gsize n_bytes = eng_type_get_size (tensor->type);

  for (int i = 0; i < tensor->rank; i++)
    n_bytes *= (gsize) tensor->shape[i];

  return n_bytes;
}

static void
append_tensor (GString               *header,
               const EngTensorSource *tensor,
               gsize                  begin)
{
  if (header->len > 1)
    g_string_append_c (header, ',');
  append_text (header, tensor->name);
  g_string_append_printf (header, ":{\"dtype\":\"%s\",\"shape\":[",
                          eng_type_get_name (tensor->type));
  for (int i = 0; i < tensor->rank; i++)
    g_string_append_printf (header, "%s%" G_GINT64_FORMAT, i ? "," : "", tensor->shape[i]);
  g_string_append_printf (header, "],\"data_offsets\":[%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT "]}",
                          begin, begin + get_n_bytes (tensor));
}

static GString *
build_header (GHashTable            *metadata,
              const EngTensorSource *tensors,
              int                    n_tensors)
{
  GString *header = g_string_new ("{");
  gsize begin = 0;

  if (metadata && g_hash_table_size (metadata) > 0)
    append_metadata (header, metadata);
  for (int i = 0; i < n_tensors; i++) {
    append_tensor (header, &tensors[i], begin);
    begin += get_n_bytes (&tensors[i]);
  }
  g_string_append_c (header, '}');
  /* So that the data, which begins behind the length's 8 bytes and the header, is aligned for any
   * type. */
  while (header->len % 8 != 0)
    g_string_append_c (header, ' ');

  return header;
}

static gboolean
write_tensor (EngFileWriter          *writer,
              const EngTensorSource  *tensor,
              GError                **error)
{
  gsize n_bytes = get_n_bytes (tensor);
  g_autofree guint8 *filled = NULL;

  if (tensor->data || n_bytes == 0)
    return eng_file_writer_add (writer, tensor->data, n_bytes, error);

  filled = g_try_malloc (n_bytes);
  if (!filled) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO,
                 "there is no memory for the %" G_GSIZE_FORMAT " bytes of %s",
                 n_bytes, tensor->name);
    return FALSE;
  }
  tensor->fill (filled, n_bytes, tensor->user_data);

  return eng_file_writer_add (writer, filled, n_bytes, error);
}

gboolean
eng_safetensors_write_watched (const char             *path,
                               GHashTable             *metadata,
                               const EngTensorSource  *tensors,
                               int                     n_tensors,
                               EngWriteFunc            func,
                               gpointer                data,
                               GError                **error)
{
  g_autoptr (GString) header = build_header (metadata, tensors, n_tensors);
  g_autoptr (EngFileWriter) writer = eng_file_writer_open (path, error);
  guint64 length = GUINT64_TO_LE (header->len);
  double n_bytes = 0, n_written = 0;

  for (int i = 0; i < n_tensors; i++)
    n_bytes += get_n_bytes (&tensors[i]);
  if (!writer || !eng_file_writer_add (writer, &length, sizeof length, error) ||
      !eng_file_writer_add (writer, header->str, header->len, error))
    return FALSE;
  for (int i = 0; i < n_tensors; i++) {
    if (func && !func (n_bytes > 0 ? n_written / n_bytes : 0, data)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_CANCELLED, "%s is not written: cancelled", path);
      return FALSE;
    }
    if (!write_tensor (writer, &tensors[i], error))
      return FALSE;
    n_written += get_n_bytes (&tensors[i]);
  }

  return eng_file_writer_commit (writer, error);
}

gboolean
eng_safetensors_write (const char             *path,
                       GHashTable             *metadata,
                       const EngTensorSource  *tensors,
                       int                     n_tensors,
                       GError                **error)
{
  return eng_safetensors_write_watched (path, metadata, tensors, n_tensors, NULL, NULL, error);
}
