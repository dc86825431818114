/* SPDX-License-Identifier: MIT */
/* SentencePiece's table of replacements: a darts-clone double array over the bytes of what is
 * replaced, then the replacements, each ended by NUL. Immutable after it was made. Comes from
 * outside: every step through it is checked. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

typedef struct _EngCharsmap EngCharsmap;

/* Copies data. Refuses sizes that do not fit and replacements that are not UTF-8. */
EngCharsmap *eng_charsmap_new           (const guint8       *data,
                                         gsize               length,
                                         const char         *what,
                                         GError            **error);
void         eng_charsmap_free          (EngCharsmap        *self);

/* What the shortest or the longest prefix of text that is in the table is replaced by; NULL when it
 * has none. n_bytes: length of that prefix. */
const char  *eng_charsmap_find_shortest (const EngCharsmap  *self,
                                         const char         *text,
                                         gsize               length,
                                         gsize              *n_bytes);
const char  *eng_charsmap_find_longest  (const EngCharsmap  *self,
                                         const char         *text,
                                         gsize               length,
                                         gsize              *n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngCharsmap, eng_charsmap_free)

G_END_DECLS
