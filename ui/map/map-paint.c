/* SPDX-License-Identifier: MIT */
#include "ui/map/map-paint.h"

#include <string.h>

/* Cells of a tile that share a pixel. */
typedef struct {
  int first;
  int end;
} Span;

/* Of pixel i of size, which show n cells. */
static Span
get_span (int i,
          int size,
          int n)
{
  const int first = i * n / size;

  return (Span) { first, n <= size ? first + 1 : ((i + 1) * n + size - 1) / size };
}

static guint8
find_strongest (const UiTile *tile,
                Span          rows,
                Span          columns)
{
  guint8 strongest = 0;

  for (int y = rows.first; y < rows.end; y++)
    for (int x = columns.first; x < columns.end; x++)
      strongest = MAX (strongest, tile->alphas[y * tile->width + x]);
  return strongest;
}

static guint32
pack (UiColor color)
{
  return 0xff000000u | (guint32) color.r << 16 | (guint32) color.g << 8 | color.b;
}

void
ui_tile_paint (const UiTile    *tile,
               const UiTileInk *ink,
               int              size,
               guint32         *pixels,
               gsize            stride)
{
  g_autofree Span *columns = g_new (Span, size);
  guint32 shades[256];

  for (int alpha = 0; alpha < 256; alpha++)
    shades[alpha] = pack (ui_color_mix (ink->plate, ink->ink, ink->strength * alpha / 255.0));
  for (int column = 0; column < size; column++)
    columns[column] = get_span (column, size, tile->width);
  for (int row = 0; row < size; row++, pixels += stride) {
    const Span rows = get_span (row, size, tile->height);

    /* Of few tokens many rows of pixels are one row of cells. */
    if (row > 0 && tile->height <= size && rows.first == get_span (row - 1, size, tile->height).first)
      memcpy (pixels, pixels - stride, (gsize) size * sizeof *pixels);
    else
      for (int column = 0; column < size; column++)
        pixels[column] = shades[find_strongest (tile, rows, columns[column])];
  }
}

UiColor
ui_tile_get_plate (UiTheme theme)
{
  const UiPalette *palette = ui_palette_get (theme);

  return ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
}
