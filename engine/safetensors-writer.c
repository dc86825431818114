/* SPDX-License-Identifier: MIT */
#include "engine/safetensors.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/json.h"

#define BUFFER_BYTES ((gsize) 1 << 20)

/* A file that is not there until commit() puts it in its place. Small pieces are gathered. */
typedef struct {
  const char *path;
  char       *part;  /* beside path; NULL once it is gone or in place */
  int         fd;
  GByteArray *buffer;
} Writer;

static gboolean
refuse_errno (const char  *path,
              int          code,
              GError     **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: cannot be written: %s", path,
               g_strerror (code));

  return FALSE;
}

static gboolean
writer_open (Writer      *self,
             const char  *path,
             GError     **error)
{
  g_autofree char *part = g_strconcat (path, ".part-XXXXXX", NULL);

  *self = (Writer) { .path = path };
  /* The file's mode is what the user's umask leaves, as for any file that is saved. */
  self->fd = g_mkstemp_full (part, O_WRONLY | O_CLOEXEC, 0666);
  if (self->fd < 0)
    return refuse_errno (path, errno, error);
  self->part = g_steal_pointer (&part);
  self->buffer = g_byte_array_sized_new (BUFFER_BYTES);

  return TRUE;
}

static gboolean
write_all (Writer      *self,
           const void  *data,
           gsize        n_bytes,
           GError     **error)
{
  const guint8 *bytes = data;

  while (n_bytes > 0)
    {
      gssize n_written = write (self->fd, bytes, MIN (n_bytes, (gsize) 1 << 30));

      if (n_written < 0 && errno == EINTR)
        continue;
      if (n_written < 0)
        return refuse_errno (self->path, errno, error);
      bytes += n_written;
      n_bytes -= (gsize) n_written;
    }

  return TRUE;
}

static gboolean
writer_flush (Writer  *self,
              GError **error)
{
  gboolean done = write_all (self, self->buffer->data, self->buffer->len, error);

  g_byte_array_set_size (self->buffer, 0);

  return done;
}

static gboolean
writer_add (Writer      *self,
            const void  *data,
            gsize        n_bytes,
            GError     **error)
{
  if (self->buffer->len + n_bytes > BUFFER_BYTES && !writer_flush (self, error))
    return FALSE;
  if (n_bytes > BUFFER_BYTES)
    return write_all (self, data, n_bytes, error);
  if (n_bytes > 0)
    g_byte_array_append (self->buffer, data, (guint) n_bytes);

  return TRUE;
}

/* A full disk or a lost mount may say so only when the data is forced out or the file is closed. */
static gboolean
writer_commit (Writer  *self,
               GError **error)
{
  int fd = self->fd;

  if (!writer_flush (self, error))
    return FALSE;
  if (fsync (fd) != 0 && errno != EINVAL && errno != EROFS)
    return refuse_errno (self->path, errno, error);
  self->fd = -1;
  if (close (fd) != 0)
    return refuse_errno (self->path, errno, error);
  if (g_rename (self->part, self->path) != 0)
    return refuse_errno (self->path, errno, error);
  g_clear_pointer (&self->part, g_free);

  return TRUE;
}

static void
writer_clear (Writer *self)
{
  if (self->fd >= 0)
    close (self->fd);
  if (self->part)
    g_unlink (self->part);
  g_free (self->part);
  g_clear_pointer (&self->buffer, g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writer, writer_clear)

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
  for (GList *link = keys; link; link = link->next)
    {
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
  for (int i = 0; i < n_tensors; i++)
    {
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
write_tensor (Writer                 *writer,
              const EngTensorSource  *tensor,
              GError                **error)
{
  gsize n_bytes = get_n_bytes (tensor);
  g_autofree guint8 *filled = NULL;

  if (tensor->data || n_bytes == 0)
    return writer_add (writer, tensor->data, n_bytes, error);

  filled = g_try_malloc (n_bytes);
  if (!filled)
    return refuse_errno (writer->path, ENOMEM, error);
  tensor->fill (filled, n_bytes, tensor->user_data);

  return writer_add (writer, filled, n_bytes, error);
}

gboolean
eng_safetensors_write (const char             *path,
                       GHashTable             *metadata,
                       const EngTensorSource  *tensors,
                       int                     n_tensors,
                       GError                **error)
{
  g_autoptr (GString) header = build_header (metadata, tensors, n_tensors);
  g_auto (Writer) writer = { .fd = -1 };
  guint64 length = header->len;

  if (!writer_open (&writer, path, error) ||
      !writer_add (&writer, &length, sizeof length, error) ||
      !writer_add (&writer, header->str, header->len, error))
    return FALSE;
  for (int i = 0; i < n_tensors; i++)
    if (!write_tensor (&writer, &tensors[i], error))
      return FALSE;

  return writer_commit (&writer, error);
}
