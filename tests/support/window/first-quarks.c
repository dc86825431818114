/* SPDX-License-Identifier: MIT */
/* GLib numbers strings in blocks of 2048. Once a program has more, GLib copies the first block and lets
 * it go, not freed, since another thread may still read it. A leak's report cannot tell that block from
 * others: it is allocated as GLib is loaded, below frames that the fast unwinder does not see. So the
 * block is held here. */
#include <stddef.h>

#define N_FIRST_QUARKS 2048

void        __sanitizer_malloc_hook (void   *block,
                                     size_t  size);

static void *volatile first_block;

/* Called by the sanitizer for each allocation. */
void
__sanitizer_malloc_hook (void   *block,
                         size_t  size)
{
  if (first_block == NULL && size == N_FIRST_QUARKS * sizeof (char *))
    first_block = block;
}
