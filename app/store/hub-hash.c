/* SPDX-License-Identifier: MIT */
#include "app/store/hub-hash.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/store/hub-cache.h"

#define CHUNK_BYTES (1024 * 1024)
#define SHA256_DIGITS 64

static GChecksum *
checksum_new (const char *etag,
              gint64      size)
{
  g_autofree char *header = NULL;
  GChecksum *checksum;

  if (strlen (etag) == SHA256_DIGITS)
    return g_checksum_new (G_CHECKSUM_SHA256);

  checksum = g_checksum_new (G_CHECKSUM_SHA1);
  header = g_strdup_printf ("blob %" G_GINT64_FORMAT, size);
  g_checksum_update (checksum, (const guchar *) header, (gssize) strlen (header) + 1);
  return checksum;
}

gboolean
app_hub_hash_check (int                fd,
                    const AppHubFile  *file,
                    void             (*func) (gint64 bytes, gpointer data),
                    gpointer           data,
                    GCancellable      *cancellable,
                    GError           **error)
{
  g_autofree guint8 *chunk = g_malloc (CHUNK_BYTES);
  g_autoptr (GChecksum) checksum = NULL;
  struct stat status;
  gint64 bytes = 0;
  gssize n;

  if (fstat (fd, &status) != 0) {
    app_hub_cache_set_errno (file->path, errno, error);
    return FALSE;
  }

  checksum = checksum_new (file->etag, status.st_size);
  while ((n = pread (fd, chunk, CHUNK_BYTES, bytes)) > 0) {
    if (g_cancellable_is_cancelled (cancellable)) {
      g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_CANCELLED, "the download was cancelled");
      return FALSE;
    }
    g_checksum_update (checksum, chunk, n);
    bytes += n;
    func (bytes, data);
  }
  if (n < 0) {
    app_hub_cache_set_errno (file->path, errno, error);
    return FALSE;
  }
  if (g_str_equal (g_checksum_get_string (checksum), file->etag))
    return TRUE;

  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_ANSWER,
               "%s: the bytes that came have the hash %s, the hub announced %s",
               file->path, g_checksum_get_string (checksum), file->etag);
  return FALSE;
}
