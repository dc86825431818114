/* SPDX-License-Identifier: MIT */
#include "engine/arena.h"

#include <stdlib.h>
#include <sys/mman.h>

#define ALIGNMENT 64
/* From here on a block is mapped with huge pages: the first touch of 230 MiB, as a long text needs, costs
 * a tenth of what it costs with pages of 4 KiB. Below, the heap gives back warm memory. */
#define MAPPED_FROM (4u << 20)
#define HUGE_PAGE (2u << 20)

static gsize
round_up (gsize n_bytes,
          gsize unit)
{
  return (n_bytes + unit - 1) / unit * unit;
}

static guint8 *
allocate_block (gsize n_bytes)
{
  if (n_bytes < MAPPED_FROM)
    return aligned_alloc (ALIGNMENT, n_bytes);

  void *data = mmap (NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (data == MAP_FAILED)
    return NULL;

  /* Only a wish: without huge pages the block is merely slower. */
  madvise (data, n_bytes, MADV_HUGEPAGE);
  return data;
}

static void
free_block (guint8 *data,
            gsize   n_bytes)
{
  if (n_bytes < MAPPED_FROM)
    free (data);
  else
    munmap (data, n_bytes);
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

  if (self->data == NULL || self->n_bytes < needed)
    {
      eng_arena_clear (self);
      self->n_bytes = round_up (needed, needed < MAPPED_FROM ? ALIGNMENT : HUGE_PAGE);
      self->data = allocate_block (self->n_bytes);
      if (self->data == NULL)
        {
          g_set_error (error, ENG_ERROR, ENG_ERROR_RANGE,
                       "the pass needs %" G_GSIZE_FORMAT " MiB of memory, "
                       "more than this computer gives", self->n_bytes >> 20);
          *self = (EngArena) { 0 };
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
