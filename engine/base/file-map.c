/* SPDX-License-Identifier: MIT */
#include "engine/base/file-map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/lfs-pointer.h"

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
  /* Somebody may be writing it, and a file that shrinks under the map ends the program. */
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

  return g_mapped_file_get_bytes (file);
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
