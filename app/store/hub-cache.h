/* SPDX-License-Identifier: MIT */
/* The layout of the HuggingFace cache, for reading and for writing it as huggingface_hub does:
 *
 *   models--org--name/refs/REVISION             the commit, no line feed
 *                     blobs/ETAG                contents; ETAG.incomplete while they come
 *                     snapshots/COMMIT/PATH     relative link into blobs, else a file
 *                     .no_exist/COMMIT/PATH     the repository has no such file at that commit
 *   .locks/models--org--name/ETAG.lock          held (flock) by who writes that blob
 *   CACHEDIR.TAG
 *
 * hub_folder is models--org--name with the path of the cache. Errors are APP_HUB_ERROR_DISK. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full), all of them */
char     *app_hub_cache_get_folder   (const char  *cache,
                                      const char  *repository);
/* "models--org--name" → "org/name" */
char     *app_hub_cache_get_name     (const char  *folder_name);
/* The commit that a revision stands for; NULL when there is no sound reference. */
char     *app_hub_cache_read_ref     (const char  *hub_folder,
                                      const char  *revision);
char     *app_hub_cache_get_snapshot (const char  *hub_folder,
                                      const char  *commit);
char     *app_hub_cache_get_blob     (const char  *hub_folder,
                                      const char  *etag);
char     *app_hub_cache_get_incomplete (const char *hub_folder,
                                        const char *etag);

/* What a reference's file holds → commit, or NULL. (transfer full) */
char     *app_hub_cache_parse_ref    (const char  *contents,
                                      gsize        length);

gboolean  app_hub_cache_write_ref    (const char  *hub_folder,
                                      const char  *revision,
                                      const char  *commit,
                                      GError     **error);
/* Puts the finished blob in its place under snapshots; a link already there that leads to it is
 * left. Where links cannot be made the blob is moved, or copied when keep_blob. */
gboolean  app_hub_cache_place        (const char  *hub_folder,
                                      const char  *commit,
                                      const char  *path,
                                      const char  *etag,
                                      gboolean     no_symlinks,
                                      gboolean     keep_blob,
                                      GError     **error);
/* Saves later look-ups a question to the hub; a failure costs nothing and is not reported. */
void      app_hub_cache_mark_missing (const char  *hub_folder,
                                      const char  *commit,
                                      const char  *path);
/* Tells backup programs to leave the cache out, once. */
void      app_hub_cache_add_tag      (const char  *cache);

/* Takes the lock of a blob, as huggingface_hub does. Waits for whoever holds it, calling waiting()
 * once before; ends with APP_HUB_ERROR_CANCELLED. Returns a descriptor to close(), or -1. */
int       app_hub_cache_lock         (const char   *cache,
                                      const char   *repository,
                                      const char   *etag,
                                      void        (*waiting) (gpointer data),
                                      gpointer      data,
                                      GCancellable *cancellable,
                                      GError      **error);

/* Creates the folder of path and those above it. */
gboolean  app_hub_cache_make_folder  (const char  *path,
                                      GError     **error);
/* errno as a sentence about path. */
void      app_hub_cache_set_errno    (const char  *path,
                                      int          number,
                                      GError     **error);

G_END_DECLS
