/* SPDX-License-Identifier: MIT */
#include "ui/map/map-paint.h"

#include <string.h>

#include "ui/scene/base/thumbnail.h"

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
  g_autofree guint8 *alphas = g_new (guint8, (gsize) size * size);
  guint32 shades[256];

  ui_thumbnail_resample (tile->alphas, tile->width, tile->height, size, alphas);
  for (int alpha = 0; alpha < 256; alpha++)
    shades[alpha] = pack (ui_color_mix (ink->plate, ink->ink, ink->strength * alpha / 255.0));
  for (int row = 0; row < size; row++, pixels += stride) {
    const guint8 *own = alphas + row * size;

    /* Of few tokens many rows of pixels are one row of cells. */
    if (row > 0 && memcmp (own, own - size, (gsize) size) == 0)
      memcpy (pixels, pixels - stride, (gsize) size * sizeof *pixels);
    else
      for (int column = 0; column < size; column++)
        pixels[column] = shades[own[column]];
  }
}

UiColor
ui_tile_get_plate (UiTheme theme)
{
  const UiPalette *palette = ui_palette_get (theme);

  return ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
}
