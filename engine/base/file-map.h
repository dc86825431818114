/* SPDX-License-Identifier: MIT */
/* A file mapped into memory to be read where it lies. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full) The bytes of a regular file, NULL with an error that names it. max: bytes that it
 * may have, 0 = any number. Bytes that another program takes away while they are read become
 * zeros. */
GBytes  *eng_file_map       (const char  *path,
                             gsize        max,
                             GError     **error);
/* After a use of mapped bytes: FALSE with a sentence where the file changed since it was mapped, so
 * that what was read is of no use. TRUE for bytes of anything else. */
gboolean eng_file_map_check (GBytes      *bytes,
                             GError     **error);

G_END_DECLS
