/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/charsmap.h"

#include <string.h>

#define UNIT_SIZE ((gsize) 4)

struct _EngCharsmap {
  guint32 *units;        /* [n_units] */
  gsize    n_units;
  char    *replacements; /* [n_replacements] the last byte is NUL */
  gsize    n_replacements;
};

static guint32
read_u32 (const guint8 *data)
{
  return data[0] | (guint32) data[1] << 8 | (guint32) data[2] << 16 | (guint32) data[3] << 24;
}

/* The fields of a unit of darts-clone. */

static gboolean
has_leaf (guint32 unit)
{
  return unit >> 8 & 1;
}

static guint32
get_value (guint32 unit)
{
  return unit & 0x7fffffff;
}

static guint32
get_label (guint32 unit)
{
  return unit & 0x800000ff;
}

static gsize
get_offset (guint32 unit)
{
  return (gsize) (unit >> 10) << ((unit & 0x200) >> 6);
}

/* A replacement, or NULL where the value leads nowhere or between two bytes of a character. */
static const char *
get_replacement (const EngCharsmap *self,
                 gsize              leaf)
{
  gsize value = leaf < self->n_units ? get_value (self->units[leaf]) : G_MAXSIZE;

  if (value >= self->n_replacements || (self->replacements[value] & 0xc0) == 0x80)
    return NULL;

  return self->replacements + value;
}

static const char *
find (const EngCharsmap *self,
      const char        *text,
      gsize              length,
      gboolean           longest,
      gsize             *n_bytes)
{
  const char *found = NULL;
  gsize at = get_offset (self->units[0]);

  for (gsize i = 0; i < length && text[i]; i++) {
    const char *replacement;
    guint8 byte = (guint8) text[i];

    at ^= byte;
    if (at >= self->n_units || get_label (self->units[at]) != byte)
      break;
    replacement = has_leaf (self->units[at])
                    ? get_replacement (self, at ^ get_offset (self->units[at])) : NULL;
    at ^= get_offset (self->units[at]);
    if (!replacement)
      continue;
    found = replacement;
    *n_bytes = i + 1;
    if (!longest)
      break;
  }

  return found;
}

/* Bytes of the replacement before its NUL, or all that are left. */
static gsize
measure (const EngCharsmap *self,
         gsize              at)
{
  const char *first = self->replacements + at;
  const char *end = memchr (first, '\0', self->n_replacements - at);

  return end ? (gsize) (end - first) : self->n_replacements - at;
}

static gboolean
check_replacements (const EngCharsmap  *self,
                    const char         *what,
                    GError            **error)
{
  gsize at = 0;

  while (at < self->n_replacements) {
    gsize length = measure (self, at);

    if (at + length == self->n_replacements ||
        !g_utf8_validate_len (self->replacements + at, length, NULL)) {
      g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                   "%s: the replacement at byte %" G_GSIZE_FORMAT " of precompiled_charsmap is not "
                   "UTF-8 that ends with NUL", what, at);
      return FALSE;
    }
    at += length + 1;
  }

  return TRUE;
}

EngCharsmap *
eng_charsmap_new (const guint8  *data,
                  gsize          length,
                  const char    *what,
                  GError       **error)
{
  g_autoptr (EngCharsmap) self = g_new0 (EngCharsmap, 1);
  gsize size = length >= UNIT_SIZE ? read_u32 (data) : 0;

  if (size < UNIT_SIZE || size % UNIT_SIZE != 0 || size > length - UNIT_SIZE) {
    g_set_error (error, ENG_ERROR, ENG_ERROR_FORMAT,
                 "%s: precompiled_charsmap has %" G_GSIZE_FORMAT " bytes and a table of %"
                 G_GSIZE_FORMAT ", expected a table of 4-byte units that fits into it",
                 what, length, size);
    return NULL;
  }
  self->n_units = size / UNIT_SIZE;
  self->units = g_new (guint32, self->n_units);
  for (gsize i = 0; i < self->n_units; i++)
    self->units[i] = read_u32 (data + UNIT_SIZE + i * UNIT_SIZE);
  self->n_replacements = length - UNIT_SIZE - size;
  self->replacements = g_memdup2 (data + UNIT_SIZE + size, self->n_replacements);
  if (!check_replacements (self, what, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
eng_charsmap_free (EngCharsmap *self)
{
  g_free (self->units);
  g_free (self->replacements);
  g_free (self);
}

const char *
eng_charsmap_find_shortest (const EngCharsmap *self,
                            const char        *text,
                            gsize              length,
                            gsize             *n_bytes)
{
  return find (self, text, length, FALSE, n_bytes);
}

const char *
eng_charsmap_find_longest (const EngCharsmap *self,
                           const char        *text,
                           gsize              length,
                           gsize             *n_bytes)
{
  return find (self, text, length, TRUE, n_bytes);
}
