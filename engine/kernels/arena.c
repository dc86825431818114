/* SPDX-License-Identifier: MIT */
#include "engine/kernels/arena.h"

#include <stdlib.h>
#include <sys/mman.h>

#define ALIGNMENT 64
/* From here on a block is mapped with huge pages, whose first touch is cheaper by far. Below, the
 * heap gives back warm memory by itself. */
#define MAPPED_FROM (4u << 20)
#define HUGE_PAGE (2u << 20)
#define MOST_TIMES 4 /* what is needed: a larger block would be wasted on it */

/* The last mapped block that was given back. Zeroing fresh pages is a tenth of a long pass, so the
 * next pass takes them warm; meanwhile the system may have the pages when it needs them. */
static struct {
  GMutex  lock;
  guint8 *data;
  gsize   n_bytes;
} spare;

static gsize
round_up (gsize n_bytes,
          gsize unit)
{
  return (n_bytes + unit - 1) / unit * unit;
}

/* The spare block, if it is large enough and not wasted on so little; *n_bytes becomes its size. */
static guint8 *
take_spare (gsize *n_bytes)
{
  guint8 *data = NULL;

  g_mutex_lock (&spare.lock);
  if (spare.data != NULL && spare.n_bytes >= *n_bytes && spare.n_bytes / MOST_TIMES <= *n_bytes) {
    data = g_steal_pointer (&spare.data);
    *n_bytes = spare.n_bytes;
  }
  g_mutex_unlock (&spare.lock);
  return data;
}

static void
keep_as_spare (guint8 *data,
               gsize   n_bytes)
{
  guint8 *old;
  gsize old_n_bytes;

  madvise (data, n_bytes, MADV_FREE);
  g_mutex_lock (&spare.lock);
  old = spare.data;
  old_n_bytes = spare.n_bytes;
  spare.data = data;
  spare.n_bytes = n_bytes;
  g_mutex_unlock (&spare.lock);
  if (old != NULL)
    munmap (old, old_n_bytes);
}

static guint8 *
map_block (gsize *n_bytes)
{
  guint8 *data = take_spare (n_bytes);

  if (data != NULL)
    return data;

  data = mmap (NULL, *n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return NULL;

  /* Only a wish: without huge pages the block is merely slower. */
  madvise (data, *n_bytes, MADV_HUGEPAGE);
  return data;
}

/* *n_bytes: what is needed; becomes what the block has. */
static guint8 *
allocate_block (gsize *n_bytes)
{
  *n_bytes = round_up (*n_bytes, ALIGNMENT);
  if (*n_bytes >= MAPPED_FROM) {
    *n_bytes = round_up (*n_bytes, HUGE_PAGE);
    return map_block (n_bytes);
  }
  return aligned_alloc (ALIGNMENT, *n_bytes);
}

static void
free_block (guint8 *data,
            gsize   n_bytes)
{
  if (n_bytes < MAPPED_FROM)
    free (data);
  else
    keep_as_spare (data, n_bytes);
}

EngArena *
eng_arena_new (void)
{
  return g_new0 (EngArena, 1);
}

void
eng_arena_free (EngArena *self)
{
  eng_arena_clear (self);
  g_free (self);
}

void
eng_arena_clear (EngArena *self)
{
  if (self->data != NULL)
    free_block (self->data, self->n_bytes);
  *self = (EngArena) { 0 };
}

void
eng_arena_measure (EngArena *self)
{
  self->used = 0;
  self->measuring = TRUE;
}

gboolean
eng_arena_allocate (EngArena  *self,
                    GError   **error)
{
  gsize needed = MAX (self->used, ALIGNMENT);
  gboolean wasted = self->n_bytes >= MAPPED_FROM && self->n_bytes / MOST_TIMES > needed;

  if (self->data == NULL || self->n_bytes < needed || wasted) {
    eng_arena_clear (self);
    self->n_bytes = needed;
    self->data = allocate_block (&self->n_bytes);
    if (self->data == NULL) {
      *self = (EngArena) { 0 };
      g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                   "the pass needs %" G_GSIZE_FORMAT " MiB of memory, "
                   "more than this computer gives", needed >> 20);
      return FALSE;
    }
  }

  self->used = 0;
  self->measuring = FALSE;
  return TRUE;
}

gpointer
eng_arena_take (EngArena *self,
                gsize     n_bytes)
{
  gsize start = self->used;

  self->used += round_up (n_bytes, ALIGNMENT);
  if (self->measuring)
    return NULL;

  g_assert (self->used <= self->n_bytes);
  return self->data + start;
}

float *
eng_arena_floats (EngArena *self,
                  gsize     n)
{
  return eng_arena_take (self, n * sizeof (float));
}
