/* SPDX-License-Identifier: MIT */
/* One block of memory that is laid out once and never grows while a pass runs. Layout is a function
 * that takes what it needs; it runs twice, first to measure, then for real, so no size is stated in
 * two places:
 *
 *   EngArena arena = { 0 };
 *   eng_arena_measure (&arena);
 *   lay_out (&arena, pass);                    every eng_arena_take() returns NULL and counts
 *   if (!eng_arena_allocate (&arena, error))   the block
 *     return FALSE;
 *   lay_out (&arena, pass);                    the same calls give the pieces
 *
 * A zeroed arena is empty and valid. Not for several threads at once. */
#pragma once

#include "engine/base/error.h"

G_BEGIN_DECLS

typedef struct {
  guint8  *data;
  gsize    n_bytes;   /* of the block */
  gsize    used;
  gboolean measuring;
} EngArena;

/* Starts to measure; a block that the arena has is kept for eng_arena_allocate() to reuse. */
void      eng_arena_measure  (EngArena  *self);
/* Makes the block as large as was measured, or keeps one that is larger, though not by far. Blocks
 * beyond some MiB come from huge pages. Fails with ENG_ERROR_RANGE when there is no such memory.
 * What the block holds is undefined. */
gboolean  eng_arena_allocate (EngArena  *self,
                              GError   **error);
/* n_bytes, aligned to a cache line. NULL while measuring. */
gpointer  eng_arena_take     (EngArena  *self,
                              gsize      n_bytes);
float    *eng_arena_floats   (EngArena  *self,
                              gsize      n);
void      eng_arena_clear    (EngArena  *self);

/* An arena on the heap, for an owner that knows only a GDestroyNotify. */
EngArena *eng_arena_new      (void);
void      eng_arena_free     (EngArena  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EngArena, eng_arena_free)

G_END_DECLS
