/* SPDX-License-Identifier: MIT */
#include "ui/scene/numbers/npy.h"

#include <string.h>

/* Header and data begin at multiples of it. */
#define ALIGNMENT 64
#define MAGIC     "\x93NUMPY\x01"

/* The header is padded with blanks, as the format wants it. */
GByteArray *
ui_npy_new (const guint *shape,
            int          n_dimensions)
{
  g_autoptr (GString) header =
    g_string_new ("{'descr': '<f4', 'fortran_order': False, 'shape': (");
  gsize prefix = strlen (MAGIC) + 1 + 2; /* the minor version, which is 0, and the length */
  GByteArray *bytes = g_byte_array_new ();
  gsize padding;
  guint16 length;

  for (int i = 0; i < n_dimensions; i++)
    g_string_append_printf (header, i == 0 ? "%u" : ", %u", shape[i]);
  g_string_append (header, "), }");
  padding = (ALIGNMENT - (prefix + header->len + 1) % ALIGNMENT) % ALIGNMENT;
  for (gsize i = 0; i < padding; i++)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');
  length = GUINT16_TO_LE ((guint16) header->len);

  g_byte_array_append (bytes, (const guint8 *) MAGIC, strlen (MAGIC) + 1);
  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header->str, (guint) header->len);
  return bytes;
}

void
ui_npy_append (GByteArray *bytes,
               float       value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  bits = GUINT32_TO_LE (bits);
  g_byte_array_append (bytes, (const guint8 *) &bits, sizeof bits);
}
