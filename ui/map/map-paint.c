/* SPDX-License-Identifier: MIT */
#include "ui/map/map-paint.h"

#include <math.h>

/* The cells that pixel i of size shows of n. */
static void
get_cells (int  i,
           int  size,
           int  n,
           int *first,
           int *end)
{
  *first = i * n / size;
  *end = n <= size ? *first + 1 : ((i + 1) * n + size - 1) / size;
}

static guint8
find_strongest (const UiTile *tile,
                int           size,
                int           row,
                int           column)
{
  int first_row, end_row, first_column, end_column;
  guint8 strongest = 0;

  get_cells (row, size, tile->height, &first_row, &end_row);
  get_cells (column, size, tile->width, &first_column, &end_column);
  for (int y = first_row; y < end_row; y++)
    for (int x = first_column; x < end_column; x++)
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
  guint32 shades[256];

  for (int alpha = 0; alpha < 256; alpha++)
    shades[alpha] = pack (ui_color_mix (ink->plate, ink->ink, ink->strength * alpha / 255.0));
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      pixels[row * stride + column] = shades[find_strongest (tile, size, row, column)];
}

UiColor
ui_tile_get_plate (UiTheme theme)
{
  const UiPalette *palette = ui_palette_get (theme);

  return ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
}
