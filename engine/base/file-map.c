/* SPDX-License-Identifier: MIT */
#include "engine/base/file-map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/file-guard.h"
#include "engine/base/lfs-pointer.h"

/* A map with its guard. */
typedef struct {
  GMappedFile  *file;
  EngFileGuard *guard;
} Map;

static void
map_free (gpointer data)
{
  Map *self = data;

  eng_file_guard_free (self->guard);
  g_mapped_file_unref (self->file);
  g_free (self);
}

static GBytes *
guard_map (GMappedFile  *file,
           int           fd,
           const char   *path,
           GError      **error)
{
  const char *contents = g_mapped_file_get_contents (file);
  gsize n_bytes = g_mapped_file_get_length (file);
  EngFileGuard *guard = eng_file_guard_new (contents, n_bytes, fd, path, error);
  Map *map;

  if (!guard)
    return NULL;
  map = g_new0 (Map, 1);
  map->file = g_mapped_file_ref (file);
  map->guard = guard;

  return g_bytes_new_with_free_func (contents, n_bytes, map_free, map);
}

static GBytes *
map_open_file (int          fd,
               const char  *path,
               gsize        max,
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
  /* Somebody may be writing it. */
  if (fstat (fd, &after) != 0 || after.st_size != before.st_size ||
      (gsize) after.st_size != g_mapped_file_get_length (file)) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_IO, "%s: changed its size while it was opened",
                 path);
    return NULL;
  }

  if (max > 0 && (gsize) after.st_size > max) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                 "%s: %" G_GSIZE_FORMAT " bytes, expected at most %" G_GSIZE_FORMAT, path,
                 (gsize) after.st_size, max);
    return NULL;
  }

  if (!eng_lfs_pointer_refuse (g_mapped_file_get_contents (file), (gsize) after.st_size, path,
                               error))
    return NULL;

  return guard_map (file, fd, path, error);
}

GBytes *
eng_file_map (const char  *path,
              gsize        max,
              GError     **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  GBytes *bytes;

  if (fd < 0) {
    g_set_error (error, ENG_ERROR, errno == ENOENT ? ENG_ERROR_MISSING : ENG_ERROR_IO,
                 "%s: cannot be opened: %s", path, g_strerror (errno));
    return NULL;
  }
  bytes = map_open_file (fd, path, max, error);
  close (fd);

  return bytes;
}

gboolean
eng_file_map_check (GBytes  *bytes,
                    GError **error)
{
  const EngFileGuard *guard = eng_file_guard_find (g_bytes_get_data (bytes, NULL));

  return !guard || eng_file_guard_check (guard, error);
}
