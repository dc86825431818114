/* SPDX-License-Identifier: MIT */
#include "engine/tokenizer/base/byte-text.h"

/* Bytes of the character that begins here, or of the beginning of one, at least 1; is_whole says
 * which, and never that of a zero byte. The second byte keeps out overlong forms, surrogates and what lies beyond U+10FFFF. */
static gsize
measure_character (const guint8 *bytes,
                   gsize         length,
                   gboolean     *is_whole)
{
  guint8 lead = bytes[0];
  gsize size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3
             : lead < 0xf5 ? 4 : 0;
  guint8 low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  guint8 high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  gsize n = 1;

  while (n < size && n < length && bytes[n] >= low && bytes[n] <= high) {
    low = 0x80;
    high = 0xbf;
    n++;
  }
  *is_whole = n == size && lead != 0;

  return n;
}

char *
eng_bytes_to_text (const char *bytes,
                   gsize       length)
{
  GString *text = g_string_sized_new (length);
  gboolean is_whole;

  for (gsize at = 0, n; at < length; at += n) {
    n = measure_character ((const guint8 *) bytes + at, length - at, &is_whole);
    if (is_whole)
      g_string_append_len (text, bytes + at, (gssize) n);
    else if (bytes[at] == '\0')
      g_string_append (text, ENG_ZERO_BYTE);
    else
      g_string_append_unichar (text, 0xfffd);
  }

  return g_string_free (text, FALSE);
}

char *
eng_bytes_to_drawn (const char *bytes,
                    gsize       length)
{
  GString *text = g_string_sized_new (length);
  gboolean is_whole;

  for (gsize at = 0, n; at < length; at += n) {
    n = measure_character ((const guint8 *) bytes + at, length - at, &is_whole);
    if (is_whole)
      g_string_append_len (text, bytes + at, (gssize) n);
    for (gsize i = 0; !is_whole && i < n; i++)
      g_string_append_printf (text, "<0x%02X>", (guint8) bytes[at + i]);
  }

  return g_string_free (text, FALSE);
}
