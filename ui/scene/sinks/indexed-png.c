/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/indexed-png.h"

#include <gio/gio.h>
#include <string.h>

#include "ui/document/figure-session.h"

#define PNG_SIGNATURE "\x89PNG\r\n\x1a\n"
#define MOST_COLORS   256
#define N_SLOTS       1024 /* four times as many, so that a color is found at once */
#define NO_COLOR      (-1)

typedef struct {
  guint32 colors[MOST_COLORS]; /* opaque ARGB */
  int     n_colors;
  gint16  slots[N_SLOTS];      /* index of a color whose hash leads here, or NO_COLOR */
} Palette;

/* The color's index, NO_COLOR when there is no place for it. */
static int
find_color (Palette *self,
            guint32  color)
{
  guint slot = (color * 2654435761u) >> 22;

  for (; self->slots[slot] != NO_COLOR; slot = (slot + 1) % N_SLOTS)
    if (self->colors[self->slots[slot]] == color)
      return self->slots[slot];
  if (color >> 24 != 0xff || self->n_colors == MOST_COLORS)
    return NO_COLOR;
  self->colors[self->n_colors] = color;
  self->slots[slot] = (gint16) self->n_colors;
  return self->n_colors++;
}

/* How a row is filtered stands before it: not at all, for neighbours among the indices say nothing
 * of each other, but a row like the one above as the difference from it, which is nought. */
#define FILTER_NONE 0
#define FILTER_UP 2

/* [height, 1 + width]. NULL = too many colours. */
static guint8 *
index_pixels (Palette      *palette,
              const guint8 *pixels,
              int           width,
              int           height,
              int           stride)
{
  g_autofree guint8 *rows = g_new (guint8, (gsize) height * (width + 1));
  guint8 *to = rows;

  for (int y = 0; y < height; y++) {
    const guint8 *row = pixels + (gsize) y * stride;

    if (y > 0 && memcmp (row, row - stride, (gsize) width * sizeof (guint32)) == 0) {
      *to++ = FILTER_UP;
      memset (to, 0, width);
      to += width;
      continue;
    }
    *to++ = FILTER_NONE;
    for (int x = 0; x < width; x++) {
      guint32 color;
      int index;

      memcpy (&color, row + (gsize) x * sizeof color, sizeof color);
      index = find_color (palette, color);
      if (index == NO_COLOR)
        return NULL;
      *to++ = (guint8) index;
    }
  }
  return g_steal_pointer (&rows);
}

static void
append_header (GByteArray *png,
               int         width,
               int         height)
{
  guint32 size[2] = { GUINT32_TO_BE ((guint32) width), GUINT32_TO_BE ((guint32) height) };
  /* Eight bits, indices; deflate, filters by row, no interlacing. */
  guint8 data[sizeof size + 5] = { [sizeof size] = 8, 3, 0, 0, 0 };

  memcpy (data, size, sizeof size);
  ui_png_append_chunk (png, "IHDR", data, sizeof data);
}

static void
append_palette (GByteArray    *png,
                const Palette *palette)
{
  guint8 data[3 * MOST_COLORS];

  for (int i = 0; i < palette->n_colors; i++) {
    data[3 * i] = (guint8) (palette->colors[i] >> 16);
    data[3 * i + 1] = (guint8) (palette->colors[i] >> 8);
    data[3 * i + 2] = (guint8) palette->colors[i];
  }
  ui_png_append_chunk (png, "PLTE", data, 3 * (gsize) palette->n_colors);
}

static gboolean
append_rows (GByteArray   *png,
             const guint8 *rows,
             gsize         size)
{
  g_autoptr (GZlibCompressor) compressor =
    g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, -1);
  /* Bytes that cannot be compressed become a little more. */
  gsize room = size + size / 8 + 64;
  g_autofree guint8 *data = g_new (guint8, room);
  gsize n_read, n_written;

  if (g_converter_convert (G_CONVERTER (compressor), rows, size, data, room,
                           G_CONVERTER_INPUT_AT_END, &n_read, &n_written,
                           NULL) != G_CONVERTER_FINISHED)
    return FALSE;
  ui_png_append_chunk (png, "IDAT", data, n_written);
  return TRUE;
}

GByteArray *
ui_indexed_png_new (const guint8 *pixels,
                    int           width,
                    int           height,
                    int           stride)
{
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autofree guint8 *rows = NULL;
  Palette palette = { .n_colors = 0 };

  for (int i = 0; i < N_SLOTS; i++)
    palette.slots[i] = NO_COLOR;
  rows = index_pixels (&palette, pixels, width, height, stride);
  if (rows == NULL)
    return NULL;
  g_byte_array_append (png, (const guint8 *) PNG_SIGNATURE, strlen (PNG_SIGNATURE));
  append_header (png, width, height);
  append_palette (png, &palette);
  if (!append_rows (png, rows, (gsize) height * (width + 1)))
    return NULL;
  ui_png_append_chunk (png, "IEND", NULL, 0);
  return g_steal_pointer (&png);
}
