/* SPDX-License-Identifier: MIT */
/* Whether the bytes on the disk are those that the hub announced. */
#pragma once

#include "app/store/hub-answer.h"

G_BEGIN_DECLS

/* 64 digits: sha256 of the content; 40: git's hash of a blob, sha1 of "blob SIZE\0" and the
 * content. func is called with the bytes read so far. */
gboolean app_hub_hash_check (int                fd,
                             const AppHubFile  *file,
                             void             (*func) (gint64 bytes, gpointer data),
                             gpointer           data,
                             GCancellable      *cancellable,
                             GError           **error);

G_END_DECLS
