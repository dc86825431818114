/* SPDX-License-Identifier: MIT */
/* A file mapped into memory to be read where it lies, for the readers of tensors. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (transfer full) The bytes of a regular file, NULL with an error that names it. */
GBytes *eng_file_map (const char  *path,
                      GError     **error);

G_END_DECLS
