/* SPDX-License-Identifier: MIT */
#include "app/store/hub-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/store/hub-answer.h"
#include "app/store/hub-name.h"
#include "app/store/hub-wait.h"
#include "engine/base/file-writer.h"

#define FOLDER_PREFIX    "models--"
#define LOCK_MODE        0664
#define LOCK_POLL_MS     50
#define MAX_REF_BYTES    4096

/* The text that the Cache Directory Tagging Specification asks for, and who made it, byte by byte
 * as huggingface_hub writes it. */
static const char tag[] =
  "Signature: 8a477f597d28d172789f06886806bc55\n"
  "# This file is a cache directory tag created by huggingface_hub.\n"
  "# For information about cache directory tags, see:\n"
  "#\thttps://bford.info/cachedir/\n";

/* "../../blobs/ETAG", with one more "../" for each folder in path. */
static char *
make_link_target (const char *path,
                  const char *etag)
{
  GString *target = g_string_new ("../../");

  for (const char *p = path; *p != '\0'; p++)
    if (*p == '/')
      g_string_append (target, "../");
  g_string_append_printf (target, "blobs/%s", etag);

  return g_string_free (target, FALSE);
}

static gboolean
is_link_to (const char *path,
            const char *target)
{
  g_autofree char *found = g_file_read_link (path, NULL);

  return g_strcmp0 (found, target) == 0;
}

/* File systems without symbolic links say one of these. */
static gboolean
cannot_link (int number)
{
  return number == EPERM || number == ENOSYS || number == EOPNOTSUPP || number == EACCES;
}

static gboolean
copy_file (const char  *from,
           const char  *to,
           GError     **error)
{
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  g_autoptr (GError) problem = NULL;

  if (g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &problem))
    return TRUE;
  g_set_error_literal (error, APP_HUB_ERROR, APP_HUB_ERROR_DISK, problem->message);
  return FALSE;
}

char *
app_hub_cache_get_folder (const char *cache,
                          const char *repository)
{
  g_auto (GStrv) parts = g_strsplit (repository, "/", -1);
  g_autofree char *joined = g_strjoinv ("--", parts);
  g_autofree char *folder = g_strconcat (FOLDER_PREFIX, joined, NULL);

  return g_build_filename (cache, folder, NULL);
}

char *
app_hub_cache_get_name (const char *folder_name)
{
  g_auto (GStrv) parts = g_strsplit (folder_name + strlen (FOLDER_PREFIX), "--", 2);

  return g_strjoinv ("/", parts);
}

char *
app_hub_cache_parse_ref (const char *contents,
                         gsize       length)
{
  g_autofree char *commit = NULL;

  if (length > MAX_REF_BYTES || memchr (contents, '\0', length) != NULL)
    return NULL;

  commit = g_strstrip (g_strndup (contents, length));
  return app_hub_is_commit (commit) ? g_steal_pointer (&commit) : NULL;
}

char *
app_hub_cache_read_ref (const char *hub_folder,
                        const char *revision)
{
  g_autofree char *path = g_build_filename (hub_folder, "refs", revision, NULL);
  g_autofree char *contents = NULL;
  gsize length;

  if (app_hub_is_commit (revision))
    return g_strdup (revision);
  if (!g_file_get_contents (path, &contents, &length, NULL))
    return NULL;
  return app_hub_cache_parse_ref (contents, length);
}

char *
app_hub_cache_get_snapshot (const char *hub_folder,
                            const char *commit)
{
  return g_build_filename (hub_folder, "snapshots", commit, NULL);
}

char *
app_hub_cache_get_blob (const char *hub_folder,
                        const char *etag)
{
  return g_build_filename (hub_folder, "blobs", etag, NULL);
}

char *
app_hub_cache_get_incomplete (const char *hub_folder,
                              const char *etag)
{
  g_autofree char *blob = app_hub_cache_get_blob (hub_folder, etag);

  return g_strconcat (blob, ".incomplete", NULL);
}

void
app_hub_cache_set_errno (const char  *path,
                         int          number,
                         GError     **error)
{
  g_set_error (error, APP_HUB_ERROR, APP_HUB_ERROR_DISK, "%s: %s", path, g_strerror (number));
}

gboolean
app_hub_cache_make_folder (const char  *path,
                           GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, 0777) == 0)
    return TRUE;
  app_hub_cache_set_errno (folder, errno, error);
  return FALSE;
}

gboolean
app_hub_cache_write_ref (const char  *hub_folder,
                         const char  *revision,
                         const char  *commit,
                         GError     **error)
{
  g_autofree char *path = g_build_filename (hub_folder, "refs", revision, NULL);
  g_autofree char *before = app_hub_cache_read_ref (hub_folder, revision);
  g_autoptr (EngFileWriter) writer = NULL;
  g_autoptr (GError) problem = NULL;

  if (g_strcmp0 (before, commit) == 0)
    return TRUE;
  if (!app_hub_cache_make_folder (path, error))
    return FALSE;

  writer = eng_file_writer_open (path, &problem);
  if (writer != NULL && eng_file_writer_add (writer, commit, strlen (commit), &problem)
      && eng_file_writer_commit (writer, &problem))
    return TRUE;
  g_set_error_literal (error, APP_HUB_ERROR, APP_HUB_ERROR_DISK, problem->message);
  return FALSE;
}

gboolean
app_hub_cache_place (const char  *hub_folder,
                     const char  *commit,
                     const char  *path,
                     const char  *etag,
                     gboolean     no_symlinks,
                     gboolean     keep_blob,
                     GError     **error)
{
  g_autofree char *snapshot = app_hub_cache_get_snapshot (hub_folder, commit);
  g_autofree char *place = g_build_filename (snapshot, path, NULL);
  g_autofree char *blob = app_hub_cache_get_blob (hub_folder, etag);
  g_autofree char *target = make_link_target (path, etag);

  if (!app_hub_cache_make_folder (place, error))
    return FALSE;
  if (!no_symlinks && is_link_to (place, target))
    return TRUE;

  /* A file that another version of this commit left, or a link that leads nowhere. */
  if (g_unlink (place) != 0 && errno != ENOENT) {
    app_hub_cache_set_errno (place, errno, error);
    return FALSE;
  }
  if (!no_symlinks) {
    if (symlink (target, place) == 0)
      return TRUE;
    if (!cannot_link (errno)) {
      app_hub_cache_set_errno (place, errno, error);
      return FALSE;
    }
  }
  if (keep_blob)
    return copy_file (blob, place, error);
  if (g_rename (blob, place) == 0)
    return TRUE;
  app_hub_cache_set_errno (place, errno, error);
  return FALSE;
}

void
app_hub_cache_mark_missing (const char *hub_folder,
                            const char *commit,
                            const char *path)
{
  g_autofree char *marker = g_build_filename (hub_folder, ".no_exist", commit, path, NULL);
  int fd;

  if (!app_hub_cache_make_folder (marker, NULL))
    return;

  fd = g_open (marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd >= 0)
    close (fd);
}

void
app_hub_cache_add_tag (const char *cache)
{
  g_autofree char *path = g_build_filename (cache, "CACHEDIR.TAG", NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_file_set_contents_full (path, tag, sizeof tag - 1, G_FILE_SET_CONTENTS_CONSISTENT, 0666,
                              NULL);
}

int
app_hub_cache_lock (const char   *cache,
                    const char   *repository,
                    const char   *etag,
                    void        (*waiting) (gpointer data),
                    gpointer      data,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_autofree char *locks = g_build_filename (cache, ".locks", NULL);
  g_autofree char *folder = app_hub_cache_get_folder (locks, repository);
  g_autofree char *name = g_strconcat (etag, ".lock", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gboolean has_waited = FALSE;
  int fd;

  if (!app_hub_cache_make_folder (path, error))
    return -1;
  fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_MODE);
  if (fd < 0) {
    app_hub_cache_set_errno (path, errno, error);
    return -1;
  }
  /* Others of the group wait for the same lock, whatever the umask. */
  (void) fchmod (fd, LOCK_MODE);

  /* A file system that knows no locks is no reason to stop: the hash is checked in any case. */
  while (flock (fd, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)) {
    if (!has_waited)
      waiting (data);
    has_waited = TRUE;
    if (!app_hub_wait (LOCK_POLL_MS, cancellable, error)) {
      close (fd);
      return -1;
    }
  }

  return fd;
}
