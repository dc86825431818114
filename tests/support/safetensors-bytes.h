/* SPDX-License-Identifier: MIT */
/* safetensors files put together by hand, sound or not, for tests of the readers. */
#pragma once

#include <string.h>

#include <glib.h>

/* The 8 bytes of length, the header, n_data bytes that count 0, 1, 2, … 255, 0, … */
static inline GBytes *
safetensors_bytes_new (const char *header,
                       gsize       n_data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint64 length = strlen (header);

  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) length);
  for (gsize i = 0; i < n_data; i++) {
    guint8 byte = (guint8) i;

    g_byte_array_append (bytes, &byte, 1);
  }

  return g_byte_array_free_to_bytes (bytes);
}

/* The same with data of the caller's. */
static inline GBytes *
safetensors_bytes_new_with_data (const char    *header,
                                 gconstpointer  data,
                                 gsize          n_data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint64 length = strlen (header);

  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) length);
  g_byte_array_append (bytes, data, (guint) n_data);

  return g_byte_array_free_to_bytes (bytes);
}
