/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/palette.h"

#include <math.h>

static const UiTheme themes[] = {
  UI_THEME_LIGHT, UI_THEME_DARK, UI_THEME_PRINT, UI_THEME_LIGHT_CONTRAST, UI_THEME_DARK_CONTRAST
};

/* WCAG 2's relative luminance and contrast. */
static double
to_linear (guint8 value)
{
  double v = value / 255.0;

  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
get_luminance (UiColor color)
{
  return 0.2126 * to_linear (color.r) + 0.7152 * to_linear (color.g) + 0.0722 * to_linear (color.b);
}

static double
get_contrast (UiColor a,
              UiColor b)
{
  double first = get_luminance (a), second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

static UiColor
put_over (UiColor over,
          UiColor ground)
{
  double alpha = over.a / 255.0;

  return (UiColor) {
    (guint8) round (over.r * alpha + ground.r * (1 - alpha)),
    (guint8) round (over.g * alpha + ground.g * (1 - alpha)),
    (guint8) round (over.b * alpha + ground.b * (1 - alpha)),
    255
  };
}

static void
test_links_can_be_seen (void)
{
  for (gsize t = 0; t < G_N_ELEMENTS (themes); t++) {
    UiColor ground = ui_palette_get (themes[t])->ground;

    for (int head = 0; head < UI_N_HEAD_COLORS; head++) {
      UiColor opaque = ui_palette_head (themes[t], head);
      UiColor half = opaque;

      half.a = ui_palette_link_alpha (0.5);
      g_assert_cmpfloat (get_contrast (opaque, ground), >=, 2.9);
      g_assert_cmpfloat (get_contrast (put_over (half, ground), ground), >=, 2.0);
    }
  }
}

static void
test_words_can_be_read (void)
{
  for (gsize t = 0; t < G_N_ELEMENTS (themes); t++) {
    const UiPalette *palette = ui_palette_get (themes[t]);
    UiColor plate = put_over (palette->plate, palette->ground);

    g_assert_cmpfloat (get_contrast (palette->text, plate), >=, 7);
    g_assert_cmpfloat (get_contrast (palette->dim, plate), >=, 4.5);
    g_assert_cmpfloat (get_contrast (palette->accent_text, palette->accent), >=, 4.5);
    g_assert_cmpfloat (get_contrast (palette->warning, palette->ground), >=, 4.5);
    g_assert_cmpfloat (get_contrast (palette->side[0], palette->ground), >=, 4.5);
    g_assert_cmpfloat (get_contrast (palette->side[1], palette->ground), >=, 4.5);
    /* What is put aside is still there, and fainter than what is dim. */
    g_assert_cmpfloat (get_contrast (palette->faint, plate), >=, 1.8);
    g_assert_cmpfloat (get_contrast (palette->faint, plate), <, get_contrast (palette->dim, plate));
  }
}

typedef struct { double l, a, b; } Lab;

/* OKLab of linear RGB: B. Ottosson, "A perceptual color space for image processing", 2020. */
static Lab
to_oklab (const double rgb[3])
{
  double l = cbrt (0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]);
  double m = cbrt (0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]);
  double s = cbrt (0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]);

  return (Lab) {
    0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
  };
}

/* Full protanopia, deuteranopia and tritanopia on linear RGB: Machado, Oliveira and Fernandes 2009,
 * severity 1. */
static const double visions[][3][3] = {
  { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  { { 0.152286, 1.052583, -0.204868 },
    { 0.114503, 0.786281, 0.099216 },
    { -0.003882, -0.048116, 1.051998 } },
  { { 0.367322, 0.860646, -0.227968 },
    { 0.280085, 0.672501, 0.047413 },
    { -0.011820, 0.042940, 0.968881 } },
  { { 1.255528, -0.076749, -0.178779 },
    { -0.078411, 0.930809, 0.147602 },
    { 0.004733, 0.691367, 0.303900 } },
};

static Lab
look (UiColor color,
      int     vision)
{
  double linear[3] = { to_linear (color.r), to_linear (color.g), to_linear (color.b) };
  double seen[3] = { 0 };

  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      seen[i] += visions[vision][i][j] * linear[j];
    seen[i] = CLAMP (seen[i], 0, 1);
  }
  return to_oklab (seen);
}

static double
find_least_distance (UiTheme theme,
                     int     vision)
{
  double least = G_MAXDOUBLE;

  for (int i = 0; i < UI_N_HEAD_COLORS; i++) {
    for (int j = 0; j < i; j++) {
      Lab a = look (ui_palette_head (theme, i), vision);
      Lab b = look (ui_palette_head (theme, j), vision);

      least = MIN (least, hypot (a.l - b.l, hypot (a.a - b.a, a.b - b.b)));
    }
  }
  return least;
}

static void
test_heads_are_told_apart (void)
{
  static const double least[] = { 0.11, 0.08, 0.08, 0.07 };

  for (int vision = 0; vision < 4; vision++) {
    for (int t = 0; t < 2; t++) {
      double distance = find_least_distance (themes[t], vision);

      g_test_message ("theme %d vision %d: %.3f", themes[t], vision, distance);
      g_assert_cmpfloat (distance, >=, least[vision]);
    }
  }
}

/* CIE lightness, 0 to 100: what a grey copy leaves of a colour. */
static double
get_lightness (UiColor color)
{
  return 116 * cbrt (get_luminance (color)) - 16;
}

static void
test_print_works_in_grey (void)
{
  const UiPalette *palette = ui_palette_get (UI_THEME_PRINT);

  for (int i = 0; i < UI_N_HEAD_COLORS; i++) {
    double own = get_lightness (ui_palette_head (UI_THEME_PRINT, i));

    for (int j = 0; j < i; j++) {
      double other = get_lightness (ui_palette_head (UI_THEME_PRINT, j));

      g_assert_cmpfloat (fabs (own - other), >=, j == i - 1 ? 10 : 2);
    }
  }
  g_assert_cmpfloat (fabs (get_lightness (palette->positive) -
                           get_lightness (palette->negative)), >=, 20);
  g_assert_cmpfloat (fabs (get_lightness (palette->sentence[0]) -
                           get_lightness (palette->sentence[1])), >=, 20);
}

static void
test_link_alpha (void)
{
  g_assert_cmpint (ui_palette_link_alpha (0), ==, 0);
  g_assert_cmpint (ui_palette_link_alpha (0.2), ==, 77); /* 0.2 × 1.5 × 255 = 76.5 */
  g_assert_cmpint (ui_palette_link_alpha (0.5), ==, 191);
  g_assert_cmpint (ui_palette_link_alpha (0.7), ==, 255);
  g_assert_cmpint (ui_palette_link_alpha (1), ==, 255);
  /* The default threshold is drawn. */
  g_assert_cmpint (ui_palette_link_alpha (1 / 255.0), >, 0);
}

static void
test_colors_repeat (void)
{
  UiColor first = ui_palette_head (UI_THEME_DARK, 3);
  UiColor again = ui_palette_head (UI_THEME_DARK, 3 + UI_N_HEAD_COLORS);
  UiColor under = { 0, 100, 200, 255 }, over = { 100, 0, 200, 255 };
  UiColor mixed = ui_color_mix (under, over, 0.25);

  g_assert_true (first.r == again.r && first.g == again.g && first.b == again.b);
  g_assert_true (mixed.r == 25 && mixed.g == 75 && mixed.b == 200 && mixed.a == 255);
  g_assert_cmpint (ui_color_with_alpha (first, 0.5).a, ==, 128);
}

/* High contrast: what is quiet elsewhere can be read like text, 7 : 1, and what is put aside 4.5. */
static void
test_high_contrast (void)
{
  static const UiTheme contrasts[] = { UI_THEME_LIGHT_CONTRAST, UI_THEME_DARK_CONTRAST };

  for (gsize t = 0; t < G_N_ELEMENTS (contrasts); t++) {
    const UiPalette *palette = ui_palette_get (contrasts[t]);
    UiColor plate = put_over (palette->plate, palette->ground);

    g_assert_cmpfloat (get_contrast (palette->dim, plate), >=, 7);
    g_assert_cmpfloat (get_contrast (palette->sentence[0], palette->ground), >=, 7);
    g_assert_cmpfloat (get_contrast (palette->sentence[1], palette->ground), >=, 7);
    g_assert_cmpfloat (get_contrast (palette->side[0], palette->ground), >=, 7);
    g_assert_cmpfloat (get_contrast (palette->side[1], palette->ground), >=, 7);
    g_assert_cmpfloat (get_contrast (palette->faint, palette->ground), >=, 4.5);
    g_assert_cmpfloat (get_contrast (palette->rule, palette->ground), >=, 3);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/palette/links-can-be-seen", test_links_can_be_seen);
  g_test_add_func ("/scene/palette/words-can-be-read", test_words_can_be_read);
  g_test_add_func ("/scene/palette/heads-are-told-apart", test_heads_are_told_apart);
  g_test_add_func ("/scene/palette/print-works-in-grey", test_print_works_in_grey);
  g_test_add_func ("/scene/palette/link-alpha", test_link_alpha);
  g_test_add_func ("/scene/palette/colors-repeat", test_colors_repeat);
  g_test_add_func ("/scene/palette/high-contrast", test_high_contrast);
  return g_test_run ();
}
