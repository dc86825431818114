/* SPDX-License-Identifier: MIT */
#include "engine/base/lfs-pointer.h"

#include <string.h>

#include "engine/base/error.h"

#define BEGIN "version https://git-lfs.github.com/spec/"
/* A pointer is smaller than this. */
#define MAX_BYTES 1024

gboolean
eng_lfs_pointer_refuse (gconstpointer   bytes,
                        gsize           n_bytes,
                        const char     *path,
                        GError        **error)
{
  g_autofree char *text = NULL;
  const char *size;
  guint64 n = 0;

  if (n_bytes >= MAX_BYTES || n_bytes < strlen (BEGIN) || memcmp (bytes, BEGIN, strlen (BEGIN)) != 0)
    return TRUE;
  text = g_strndup (bytes, n_bytes);
  size = strstr (text, "\nsize ");
  if (size)
    n = g_ascii_strtoull (size + strlen ("\nsize "), NULL, 10);
  g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
               "%s: is a pointer of Git LFS to %" G_GUINT64_FORMAT " bytes, expected the file "
               "itself; “git lfs pull” in its folder brings it", path, n);

  return FALSE;
}
