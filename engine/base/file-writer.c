/* SPDX-License-Identifier: MIT */
#include "engine/base/file-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((gsize) 1 << 20)
#define PART_PREFIX ".headlight-"
#define PART_NAME PART_PREFIX "XXXXXX"
#define MOST_LINKS 40
#define MOST_NAMES 100

struct _EngFileWriter {
  char       *path;   /* as the caller named it, for messages */
  char       *target; /* where it leads to */
  /* the temporary file; NULL while it has no name, and once it is in its place */
  char       *part;
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

/* Where a path leads to, also when a link's target is not there yet. */
static char *
resolve (const char *path)
{
  g_autofree char *place = g_strdup (path);

  for (int i = 0; i < MOST_LINKS; i++) {
    g_autofree char *link = g_file_read_link (place, NULL);
    g_autofree char *folder = g_path_get_dirname (place);

    if (!link)
      break;
    g_free (place);
    place = g_path_is_absolute (link) ? g_steal_pointer (&link)
                                      : g_build_filename (folder, link, NULL);
  }

  return g_steal_pointer (&place);
}

/* A file without a name, which the system takes back when the program ends in the middle; with a
 * name where the file system has no such files. */
static gboolean
open_part (EngFileWriter  *self,
           GError        **error)
{
  g_autofree char *folder = g_path_get_dirname (self->target);
  struct stat status;
  gboolean exists = stat (self->target, &status) == 0;

  if (exists && !S_ISREG (status.st_mode))
    return refuse (self, S_ISDIR (status.st_mode) ? "it is a folder" : "it is no regular file",
                   error);

  /* The mode is what the user's umask leaves, as for any file that is saved. */
  self->fd = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (self->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    self->part = g_build_filename (folder, PART_NAME, NULL);
    self->fd = g_mkstemp_full (self->part, O_WRONLY | O_CLOEXEC, 0666);
    if (self->fd < 0)
      g_clear_pointer (&self->part, g_free);
  }
  if (self->fd < 0)
    return refuse (self, g_strerror (errno), error);
  /* A file that is overwritten stays as private as it was. */
  if (exists && fchmod (self->fd, status.st_mode & 07777) != 0)
    return refuse (self, g_strerror (errno), error);

  return TRUE;
}

/* Gives the file without a name a temporary one, from which it is renamed: a link alone replaces
 * nothing. */
static gboolean
name_part (EngFileWriter  *self,
           GError        **error)
{
  g_autofree char *folder = g_path_get_dirname (self->target);
  g_autofree char *open_file = g_strdup_printf ("/proc/self/fd/%d", self->fd);

  for (int i = 0; i < MOST_NAMES; i++) {
    g_autofree char *part = g_strdup_printf ("%s/" PART_PREFIX "%08x", folder, g_random_int ());

    if (linkat (AT_FDCWD, open_file, AT_FDCWD, part, AT_SYMLINK_FOLLOW) == 0) {
      self->part = g_steal_pointer (&part);
      return TRUE;
    }
    if (errno != EEXIST)
      break;
  }

  return refuse (self, g_strerror (errno), error);
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
  /* A full disk or a lost mount may say so only when the data is forced out or the file is closed.
   * Some file systems cannot force anything out, which is no reason to refuse. */
  if (fsync (fd) != 0 && errno != EINVAL && errno != EROFS)
    return refuse (self, g_strerror (errno), error);
  if (!self->part && !name_part (self, error))
    return FALSE;
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

gboolean
eng_file_writer_is_part (const char *name)
{
  return g_str_has_prefix (name, PART_PREFIX);
}

void
eng_file_writer_sweep (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)) != NULL)
    if (eng_file_writer_is_part (name)) {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
}

gboolean
eng_file_write (const char  *path,
                const void  *data,
                gsize        n_bytes,
                GError     **error)
{
  g_autoptr (EngFileWriter) writer = eng_file_writer_open (path, error);

  return writer && eng_file_writer_add (writer, data, n_bytes, error) &&
         eng_file_writer_commit (writer, error);
}
