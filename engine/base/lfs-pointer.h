/* SPDX-License-Identifier: MIT */
/* Git LFS keeps large files elsewhere; what a clone has in their place, until they are pulled, is a
 * small text (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FALSE with a sentence that says how to bring the file where the bytes of path are a pointer. */
gboolean eng_lfs_pointer_refuse (gconstpointer   bytes,
                                 gsize           n_bytes,
                                 const char     *path,
                                 GError        **error);

G_END_DECLS
