/* SPDX-License-Identifier: MIT */
/* The entries of a zip file as views into its bytes. Only what torch writes is read: entries stored
 * as they are, in one file. Sizes and places come from the central directory alone, because the
 * headers in front of the entries leave them open; the contents are not looked at. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

typedef struct _EngZip EngZip;

typedef struct {
  const char   *name;
  const guint8 *data;
  gsize         n_bytes;
} EngZipEntry;

/* Refuses entries that are compressed or encrypted, overlap, leave the file or share a name. data
 * must stay; what names it in messages. */
EngZip            *eng_zip_read          (const guint8  *data,
                                          gsize          n_bytes,
                                          const char    *what,
                                          GError       **error);
void               eng_zip_free          (EngZip        *self);

int                eng_zip_get_n_entries (const EngZip  *self);
/* in the order of the file */
const EngZipEntry *eng_zip_get_entry     (const EngZip  *self,
                                          int            index);
/* NULL when absent */
const EngZipEntry *eng_zip_find          (const EngZip  *self,
                                          const char    *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngZip, eng_zip_free)

G_END_DECLS
