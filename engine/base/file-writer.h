/* SPDX-License-Identifier: MIT */
/* Writes a file so that it is there whole or not at all: into a temporary file of the target's
 * folder, forced to the disk, then renamed. After an error, or when the program is ended in the
 * middle, nothing is left and an older file is as it was; one that is replaced hands its
 * permissions on. A link is followed, not replaced; a folder or a device is refused. Used by one
 * thread. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

typedef struct _EngFileWriter EngFileWriter;

EngFileWriter *eng_file_writer_open   (const char     *path,
                                       GError        **error);
/* Small pieces are gathered, so that many calls cost little. */
gboolean       eng_file_writer_add    (EngFileWriter  *self,
                                       const void     *data,
                                       gsize           n_bytes,
                                       GError        **error);
/* Puts the file in its place. */
gboolean       eng_file_writer_commit (EngFileWriter  *self,
                                       GError        **error);
/* Without a commit before: takes everything back. */
void           eng_file_writer_free   (EngFileWriter  *self);

/* All of a file at once. */
gboolean       eng_file_write         (const char     *path,
                                       const void     *data,
                                       gsize           n_bytes,
                                       GError        **error);

/* Takes away the temporary files that a folder has from programs that were killed in the very moment
 * of the renaming; nothing may be writing into it meanwhile. */
void           eng_file_writer_sweep  (const char     *folder);
/* Whether the name is that of such a file. */
gboolean       eng_file_writer_is_part (const char    *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngFileWriter, eng_file_writer_free)

G_END_DECLS
