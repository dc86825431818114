/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/palette.h"

#include <math.h>

#define RGB(hex) { (hex) >> 16 & 0xff, (hex) >> 8 & 0xff, (hex) & 0xff, 0xff }
#define RGBA(hex, alpha) { (hex) >> 16 & 0xff, (hex) >> 8 & 0xff, (hex) & 0xff, (alpha) }

/* With and without contrast a head has its colour. */
#define LIGHT_HEADS \
  RGB (0xba8578), RGB (0x44059b), RGB (0x860205), RGB (0x4c7bfc), \
  RGB (0x634e90), RGB (0x798206), RGB (0x660268), RGB (0x82530f), \
  RGB (0x3343c4), RGB (0xa30c66), RGB (0x467e92), RGB (0x9989c1), \
  RGB (0x60a900), RGB (0xc4466b), RGB (0xa559cb), RGB (0x145245)
#define DARK_HEADS \
  RGB (0xccbe02), RGB (0x7b5fea), RGB (0xcb8e10), RGB (0x19f4f8), \
  RGB (0xa782c6), RGB (0xbeec38), RGB (0xf59cc3), RGB (0x887c18), \
  RGB (0x109efb), RGB (0xe75093), RGB (0x2c8e6a), RGB (0x9bbafd), \
  RGB (0x98b17a), RGB (0xfbcac3), RGB (0xb246b5), RGB (0x2ae583)

typedef struct {
  UiPalette palette;
  UiColor   heads[UI_N_HEAD_COLORS];
} Theme;

static const Theme themes[] = {
  [UI_THEME_LIGHT] = {
    .palette = {
      .ground = RGB (0xffffff),
      .text = RGB (0x1c1c1e),
      .dim = RGB (0x6a6a6e),
      .faint = RGB (0xb4b4b8),
      .plate = RGBA (0x000000, 9),
      .rule = RGB (0xd3d3d6),
      .accent = RGB (0x1c71d8),
      .accent_text = RGB (0xffffff),
      .sentence = { RGB (0x2a6f97), RGB (0x9a4d0c) },
      .side = { RGB (0x613583), RGB (0x1b7a43) },
      .good = RGB (0x1b7a43),
      .positive = RGB (0xb5500a),
      .negative = RGB (0x1a62a8),
      .warning = RGB (0xc01c28),
      .hatch = RGBA (0x000000, 60),
    },
    .heads = { LIGHT_HEADS },
  },
  [UI_THEME_DARK] = {
    .palette = {
      .ground = RGB (0x1e1e1e),
      .text = RGB (0xf0f0f2),
      .dim = RGB (0xa2a2a8),
      .faint = RGB (0x66666c),
      .plate = RGBA (0xffffff, 9),
      .rule = RGB (0x46464a),
      .accent = RGB (0x78aeed),
      .accent_text = RGB (0x10151c),
      .sentence = { RGB (0x7cc4ea), RGB (0xf0a35c) },
      .side = { RGB (0xd0a8f5), RGB (0x7fd6a0) },
      .good = RGB (0x7fd6a0),
      .positive = RGB (0xf2a65a),
      .negative = RGB (0x6db4f0),
      .warning = RGB (0xff7b63),
      .hatch = RGBA (0xffffff, 64),
    },
    .heads = { DARK_HEADS },
  },
  [UI_THEME_LIGHT_CONTRAST] = {
    .palette = {
      .ground = RGB (0xffffff),
      .text = RGB (0x000000),
      .dim = RGB (0x2e2e30),
      .faint = RGB (0x707074),
      .plate = RGBA (0x000000, 24),
      .rule = RGB (0x8a8a8e),
      .accent = RGB (0x1552a0),
      .accent_text = RGB (0xffffff),
      .sentence = { RGB (0x174d6d), RGB (0x7a3a04) },
      .side = { RGB (0x4a2566), RGB (0x0f5a2f) },
      .good = RGB (0x0f5a2f),
      .positive = RGB (0x963f04),
      .negative = RGB (0x124a80),
      .warning = RGB (0xa00d18),
      .hatch = RGBA (0x000000, 120),
    },
    .heads = { LIGHT_HEADS },
  },
  [UI_THEME_DARK_CONTRAST] = {
    .palette = {
      .ground = RGB (0x000000),
      .text = RGB (0xffffff),
      .dim = RGB (0xd8d8dc),
      .faint = RGB (0x98989e),
      .plate = RGBA (0xffffff, 28),
      .rule = RGB (0x86868a),
      .accent = RGB (0x99c1f1),
      .accent_text = RGB (0x000000),
      .sentence = { RGB (0x9bd6f5), RGB (0xffb877) },
      .side = { RGB (0xe2c8ff), RGB (0xa6f0c0) },
      .good = RGB (0xa6f0c0),
      .positive = RGB (0xffbd7a),
      .negative = RGB (0x8ecbff),
      .warning = RGB (0xff9a88),
      .hatch = RGBA (0xffffff, 128),
    },
    .heads = { DARK_HEADS },
  },
  [UI_THEME_PRINT] = {
    .palette = {
      .ground = RGB (0xffffff),
      .text = RGB (0x000000),
      .dim = RGB (0x4a4a4a),
      .faint = RGB (0xa6a6a6),
      .plate = RGBA (0x000000, 10),
      .rule = RGB (0xc0c0c0),
      .accent = RGB (0x000000),
      .accent_text = RGB (0xffffff),
      .sentence = { RGB (0x6f9fbd), RGB (0x6b2f00) },
      .side = { RGB (0x613583), RGB (0x1b7a43) },
      .good = RGB (0x1b7a43),
      .positive = RGB (0x7a2f00),
      .negative = RGB (0x5b9bd5),
      .warning = RGB (0x8a0010),
      .hatch = RGBA (0x000000, 90),
    },
    .heads = {
      RGB (0x7b4b3f), RGB (0x24005b), RGB (0xca5044), RGB (0x0d24a2),
      RGB (0x937ec4), RGB (0x282c00), RGB (0x9d439d), RGB (0x663e01),
      RGB (0x6d8afe), RGB (0x4a012b), RGB (0x2d6679), RGB (0x473768),
      RGB (0x529003), RGB (0x66002b), RGB (0x9a4ebf), RGB (0x1c584b),
    },
  },
};

const UiPalette *
ui_palette_get (UiTheme theme)
{
  g_return_val_if_fail ((guint) theme < G_N_ELEMENTS (themes), &themes[0].palette);

  return &themes[theme].palette;
}

UiColor
ui_palette_head (UiTheme theme,
                 int     head)
{
  g_return_val_if_fail ((guint) theme < G_N_ELEMENTS (themes) && head >= 0, themes[0].heads[0]);

  return themes[theme].heads[head % UI_N_HEAD_COLORS];
}

UiColor
ui_color_with_alpha (UiColor color,
                     double  alpha)
{
  color.a = (guint8) lround (CLAMP (alpha, 0.0, 1.0) * 255.0);
  return color;
}

UiColor
ui_color_mix (UiColor under,
              UiColor over,
              double  alpha)
{
  return (UiColor) {
    (guint8) lround (under.r + (over.r - under.r) * alpha),
    (guint8) lround (under.g + (over.g - under.g) * alpha),
    (guint8) lround (under.b + (over.b - under.b) * alpha),
    255
  };
}

guint8
ui_palette_link_alpha (double weight)
{
  /* Called for each link of a frame, so without a call of its own. */
  return (guint8) (CLAMP (weight * UI_LINK_GAIN, 0.0, 1.0) * 255.0 + 0.5);
}
