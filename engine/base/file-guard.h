/* SPDX-License-Identifier: MIT */
/* A mapped file that another program shortens takes its pages away: who reads one gets SIGBUS, and
 * dies. Sizes that are checked before a use do not help, because a forward pass reads for seconds.
 * So a guarded map gets pages of zeros where its own are gone, from a handler of the signal, and
 * whoever has read from it asks afterwards whether the file was what it had been. A SIGBUS of
 * anything else goes where it went before. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _EngFileGuard EngFileGuard;

/* Guards n_bytes of a map of the file, whose descriptor is copied; path names it in messages. */
EngFileGuard *eng_file_guard_new   (gconstpointer        bytes,
                                    gsize                n_bytes,
                                    int                  fd,
                                    const char          *path,
                                    GError             **error);
/* Before the map ends. */
void          eng_file_guard_free  (EngFileGuard        *self);
/* The guard of a map that begins there, or NULL. */
EngFileGuard *eng_file_guard_find  (gconstpointer        bytes);
/* FALSE with a sentence where the file was shortened or written to since it was mapped. A file of
 * another name that has taken its place is none of its matter. */
gboolean      eng_file_guard_check (const EngFileGuard  *self,
                                    GError             **error);

G_END_DECLS
