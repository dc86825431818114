/* SPDX-License-Identifier: MIT */
/* A file mapped into memory to be read where it lies. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full) The bytes of a regular file, NULL with an error that names it. max: bytes that it
 * may have, 0 = any number. */
GBytes *eng_file_map (const char  *path,
                      gsize        max,
                      GError     **error);

G_END_DECLS
