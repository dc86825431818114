/* SPDX-License-Identifier: MIT */
/* Pixels of a map of heads. Pure. */
#pragma once

#include "ui/scene/base/head-tiles.h"
#include "ui/scene/sinks/palette.h"

G_BEGIN_DECLS

/* Opacities, [height, width]; borrowed. */
typedef struct {
  const guint8 *alphas;
  int           width;
  int           height;
} UiTile;

/* How a tile is inked: its opacities are multiplied by strength, 0..1. */
typedef struct {
  UiColor ink;
  UiColor plate; /* opaque */
  double  strength;
} UiTileInk;

/* size × size opaque ARGB pixels, rows stride pixels apart, of ui_thumbnail_resample(). */
void ui_tile_paint       (const UiTile    *tile,
                          const UiTileInk *ink,
                          int              size,
                          guint32         *pixels,
                          gsize            stride);
/* The plate of tiles on the ground of a window of that theme. */
UiColor ui_tile_get_plate (UiTheme         theme);

G_END_DECLS
