/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/normalized.h"

#include <string.h>

/* A piece of a word fits without growing. */
#define FEWEST_ALLOCATED 16

static void
reserve (EngNormalized *self,
         int            n)
{
  if (n <= self->n_allocated - self->n)
    return;

  self->n_allocated = MAX (self->n + n, self->n_allocated + self->n_allocated / 2);
  self->n_allocated = MAX (self->n_allocated, FEWEST_ALLOCATED);
  self->chars = g_renew (EngNormalizedChar, self->chars, self->n_allocated);
}

void
eng_normalized_clear (EngNormalized *self)
{
  g_free (self->chars);
  *self = (EngNormalized) { 0 };
}

void
eng_normalized_append (EngNormalized *self,
                       gunichar       c,
                       EngSpan        origin)
{
  reserve (self, 1);
  self->chars[self->n++] = (EngNormalizedChar) { c, origin };
}

void
eng_normalized_append_chars (EngNormalized           *self,
                             const EngNormalizedChar *chars,
                             int                      n)
{
  if (n == 0)
    return;

  reserve (self, n);
  memcpy (self->chars + self->n, chars, n * sizeof *chars);
  self->n += n;
}

void
eng_normalized_append_text (EngNormalized *self,
                            const char    *text)
{
  reserve (self, (int) g_utf8_strlen (text, -1));
  for (const char *at = text; *at; at = g_utf8_next_char (at))
    eng_normalized_append (self, g_utf8_get_char (at),
                           (EngSpan) { (int) (at - text), (int) (g_utf8_next_char (at) - text) });
}

void
eng_normalized_take (EngNormalized *self,
                     EngNormalized *other)
{
  eng_normalized_clear (self);
  *self = *other;
  *other = (EngNormalized) { 0 };
}
