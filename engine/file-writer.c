/* SPDX-License-Identifier: MIT */
#include "engine/file-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((gsize) 1 << 20)

struct _EngFileWriter {
  char       *path;   /* as the caller named it, for messages */
  char       *target; /* where it leads to */
  char       *part;   /* the temporary file; NULL once it is in its place */
  int         fd;     /* -1 once it is closed */
  GByteArray *buffer;
};

static gboolean
refuse (const EngFileWriter  *self,
        const char           *reason,
        GError              **error)
{
  g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s cannot be written: %s", self->path, reason);

  return FALSE;
}

static char *
resolve (const char *path)
{
  char *found = realpath (path, NULL);
  char *resolved = g_strdup (found ? found : path);

  free (found);

  return resolved;
}

static gboolean
open_part (EngFileWriter  *self,
           GError        **error)
{
  g_autofree char *folder = g_path_get_dirname (self->target);
  g_autofree char *part = g_build_filename (folder, ".headlight-XXXXXX", NULL);
  struct stat status;

  if (stat (self->target, &status) == 0 && !S_ISREG (status.st_mode))
    return refuse (self, S_ISDIR (status.st_mode) ? "it is a folder" : "it is no regular file", error);

  /* The file's mode is what the user's umask leaves, as for any file that is saved. */
  self->fd = g_mkstemp_full (part, O_WRONLY | O_CLOEXEC, 0666);
  if (self->fd < 0)
    return refuse (self, g_strerror (errno), error);
  self->part = g_steal_pointer (&part);

  return TRUE;
}

static gboolean
write_all (EngFileWriter  *self,
           const void     *data,
           gsize           n_bytes,
           GError        **error)
{
  const guint8 *bytes = data;

  while (n_bytes > 0) {
    gssize n_written = write (self->fd, bytes, MIN (n_bytes, (gsize) 1 << 30));

    if (n_written < 0 && errno == EINTR)
      continue;
    if (n_written < 0)
      return refuse (self, g_strerror (errno), error);
    bytes += n_written;
    n_bytes -= (gsize) n_written;
  }

  return TRUE;
}

static gboolean
flush (EngFileWriter  *self,
       GError        **error)
{
  gboolean done = write_all (self, self->buffer->data, self->buffer->len, error);

  g_byte_array_set_size (self->buffer, 0);

  return done;
}

EngFileWriter *
eng_file_writer_open (const char  *path,
                      GError     **error)
{
  g_autoptr (EngFileWriter) self = g_new0 (EngFileWriter, 1);

  self->path = g_strdup (path);
  self->target = resolve (path);
  self->fd = -1;
  self->buffer = g_byte_array_new ();
  if (!open_part (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

gboolean
eng_file_writer_add (EngFileWriter  *self,
                     const void     *data,
                     gsize           n_bytes,
                     GError        **error)
{
  if (self->buffer->len + n_bytes > BUFFER_BYTES && !flush (self, error))
    return FALSE;
  if (n_bytes > BUFFER_BYTES)
    return write_all (self, data, n_bytes, error);
  if (n_bytes > 0)
    g_byte_array_append (self->buffer, data, (guint) n_bytes);

  return TRUE;
}

gboolean
eng_file_writer_commit (EngFileWriter  *self,
                        GError        **error)
{
  int fd = self->fd;

  if (!flush (self, error))
    return FALSE;
  /* A full disk or a lost mount may say so only when the data is forced out or the file is closed. Some
   * file systems cannot force anything out, which is no reason to refuse. */
  if (fsync (fd) != 0 && errno != EINVAL && errno != EROFS)
    return refuse (self, g_strerror (errno), error);
  self->fd = -1;
  if (close (fd) != 0)
    return refuse (self, g_strerror (errno), error);
  if (g_rename (self->part, self->target) != 0)
    return refuse (self, g_strerror (errno), error);
  g_clear_pointer (&self->part, g_free);

  return TRUE;
}

void
eng_file_writer_free (EngFileWriter *self)
{
  if (self->fd >= 0)
    close (self->fd);
  if (self->part)
    g_unlink (self->part);
  g_free (self->part);
  g_free (self->path);
  g_free (self->target);
  g_byte_array_unref (self->buffer);
  g_free (self);
}
