/* SPDX-License-Identifier: MIT */
/* Pictures whose pixels are cells stay sharp in every file: few of them are rectangles, of more the
 * picture has so many pixels that smoothing is not seen. */
#include "ui/scene/sinks/cells.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "ui/scene/sinks/pdf-sink.h"
#include "ui/scene/sinks/raster.h"
#include "ui/scene/sinks/svg-sink.h"

#define EDGE 32 /* EDGE × EDGE cells are the most that are rectangles */

/* Three colours, as if at random. (transfer full) */
static guint32 *
create_pixels (int width,
               int height)
{
  static const guint32 colors[] = { 0xffffffff, 0xff112233, 0xffee0011 };
  guint32 *pixels = g_new (guint32, (gsize) width * height);
  GRand *random = g_rand_new_with_seed (7);

  for (int i = 0; i < width * height; i++)
    pixels[i] = colors[g_rand_int_range (random, 0, 3)];
  g_rand_free (random);
  return pixels;
}

static char *
write_svg (const guint32 *pixels,
           int            width,
           int            height,
           const UiRect  *rect)
{
  GString *svg = g_string_new (NULL);
  UiSink *sink = ui_svg_sink_new (svg, 400, 400, 0.5, "", "title", "description");

  sink->klass->image (sink, rect, (const guint8 *) pixels, width, height, width * 4);
  ui_svg_sink_finish (sink);
  return g_string_free (svg, FALSE);
}

/* Fills what "M1 2h3v1h-3z…" says, as a reader of the file does. */
static void
fill_path (const char *path,
           guint32     color,
           guint32    *pixels,
           int         width)
{
  int x, y, across, down, length;

  while (sscanf (path, "M%d %dh%dv%dh-%*dz%n", &x, &y, &across, &down, &length) == 4) {
    for (int row = y; row < y + down; row++)
      for (int column = x; column < x + across; column++)
        pixels[row * width + column] = color;
    path += length;
  }
  g_assert_cmpint (*path, ==, '"');
}

static void
test_vector (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 2, 1 }, { 15, 15 }, { 7, 20 }, { EDGE, EDGE } };
  const UiRect rect = { 10, 20, 60, 40 };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const int width = sizes[i][0], height = sizes[i][1];
    g_autofree guint32 *pixels = create_pixels (width, height);
    g_autofree guint32 *read = g_new0 (guint32, (gsize) width * height);
    g_autofree char *svg = write_svg (pixels, width, height, &rect);
    char across[G_ASCII_DTOSTR_BUF_SIZE], down[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *place =
      g_strdup_printf ("translate(10 20)scale(%s %s)",
                       g_ascii_formatd (across, sizeof across, "%.6g", 60.0 / width),
                       g_ascii_formatd (down, sizeof down, "%.6g", 40.0 / height));

    g_assert_null (strstr (svg, "<image"));
    g_assert_nonnull (strstr (svg, place));
    for (const char *path = svg; (path = strstr (path, "<path fill=\"#")) != NULL; path++) {
      guint32 color = (guint32) g_ascii_strtoull (path + strlen ("<path fill=\"#"), NULL, 16);

      fill_path (strstr (path, "d=\"") + strlen ("d=\""), 0xff000000 | color, read, width);
    }
    g_assert_cmpmem (read, (gsize) width * height * 4, pixels, (gsize) width * height * 4);
  }
}

/* One more, or one that is seen through. */
static void
test_picture (void)
{
  const UiRect rect = { 0, 0, 330, 320 };
  g_autofree guint32 *pixels = create_pixels (EDGE + 1, EDGE);
  g_autofree char *large = write_svg (pixels, EDGE + 1, EDGE, &rect);
  g_autofree char *clear = NULL;

  g_assert_nonnull (strstr (large, "<image"));
  g_assert_null (strstr (large, "<path"));
  pixels[5] = 0x80000000;
  clear = write_svg (pixels, 4, 4, &rect);
  g_assert_nonnull (strstr (clear, "<image"));
}

static void
test_enlarge (void)
{
  g_autofree guint32 *pixels = create_pixels (40, 30);
  g_autofree guint8 *large = ui_cells_enlarge ((const guint8 *) pixels, 20, 30, 40 * 4, 3);
  const UiRect rect = { 0, 0, 100, 100 }, huge = { 0, 0, 1e6, 1e6 };

  for (int y = 0; y < 90; y++)
    for (int x = 0; x < 60; x++)
      g_assert_cmphex (((guint32 *) large)[y * 60 + x], ==, pixels[y / 3 * 40 + x / 3]);
  /* Two pixels a unit and two a cell, but no more than some millions, and no fewer than cells. */
  g_assert_cmpint (ui_cells_find_factor (&rect, 50, 50), ==, 4);
  g_assert_cmpint (ui_cells_find_factor (&rect, 99, 99), ==, 3);
  g_assert_cmpint (ui_cells_find_factor (&rect, 400, 400), ==, 2);
  g_assert_cmpint (ui_cells_find_factor (&rect, 3000, 3000), ==, 1);
  g_assert_cmpint (ui_cells_find_factor (&huge, 1000, 1000), ==, 2);
}

static gboolean
pdf_has_image (int edge)
{
  const UiRect rect = { 0, 0, 100, 100 };
  g_autoptr (GByteArray) pdf = g_byte_array_new ();
  UiSink *sink = ui_pdf_sink_new (pdf, 100, 100, 1, "title");
  g_autofree guint32 *pixels = create_pixels (edge, edge);

  sink->klass->image (sink, &rect, (const guint8 *) pixels, edge, edge, edge * 4);
  g_assert_true (ui_pdf_sink_finish (sink, NULL));
  return memmem (pdf->data, pdf->len, "/Image", strlen ("/Image")) != NULL;
}

static void
test_pdf (void)
{
  g_assert_false (pdf_has_image (EDGE));
  g_assert_true (pdf_has_image (EDGE + 1));
}

static int
count_colors (double scale)
{
  const UiRect rect = { 0, 0, 64, 64 };
  const int edge = (int) (64 * scale);
  g_autofree guint32 *pixels = g_new (guint32, 64 * 64);
  g_autofree guint32 *drawn = g_new0 (guint32, (gsize) edge * edge);
  g_autoptr (GHashTable) colors = g_hash_table_new (NULL, NULL);
  UiSink *sink = ui_raster_sink_new ((guint8 *) drawn, edge, edge, edge * 4, &rect, scale);

  for (int i = 0; i < 64 * 64; i++)
    pixels[i] = i == 64 * 33 + 33 ? 0xff000000 : 0xffffffff;
  sink->klass->image (sink, &rect, (const guint8 *) pixels, 64, 64, 64 * 4);
  ui_raster_sink_free (sink);
  for (int i = 0; i < edge * edge; i++)
    g_hash_table_add (colors, GUINT_TO_POINTER (drawn[i]));
  return (int) g_hash_table_size (colors);
}

/* Larger, a lone cell has sharp edges: no third colour. Smaller, it is still there. */
static void
test_raster (void)
{
  static const double larger[] = { 1, 1.5, 2.25, 3 }, smaller[] = { 0.75, 0.5, 0.25 };

  for (gsize i = 0; i < G_N_ELEMENTS (larger); i++)
    g_assert_cmpint (count_colors (larger[i]), ==, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (smaller); i++)
    g_assert_cmpint (count_colors (smaller[i]), >=, 2);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/cells/vector", test_vector);
  g_test_add_func ("/scene/cells/picture", test_picture);
  g_test_add_func ("/scene/cells/enlarge", test_enlarge);
  g_test_add_func ("/scene/cells/pdf", test_pdf);
  g_test_add_func ("/scene/cells/raster", test_raster);
  return g_test_run ();
}
