/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/indexed-png.h"

#include <cairo.h>
#include <string.h>

typedef struct {
  const GByteArray *png;
  gsize             at;
} Reader;

static cairo_status_t
read_bytes (gpointer       closure,
            unsigned char *data,
            unsigned int   length)
{
  Reader *self = closure;

  if (length > self->png->len - self->at)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (data, self->png->data + self->at, length);
  self->at += length;
  return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t
count_bytes (gpointer             closure,
             const unsigned char *data,
             unsigned int         length)
{
  *(gsize *) closure += length;
  return CAIRO_STATUS_SUCCESS;
}

/* libpng, which checks every sum of the file, reads the same pixels out of it. */
static void
assert_reads_back (const GByteArray *png,
                   const guint32    *pixels,
                   int               width,
                   int               height,
                   int               n_across)
{
  Reader reader = { png, 0 };
  cairo_surface_t *image = cairo_image_surface_create_from_png_stream (read_bytes, &reader);
  const guint8 *found = cairo_image_surface_get_data (image);

  g_assert_cmpint (cairo_surface_status (image), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpuint (reader.at, ==, png->len);
  g_assert_cmpint (cairo_image_surface_get_width (image), ==, width);
  g_assert_cmpint (cairo_image_surface_get_height (image), ==, height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      guint32 pixel;

      memcpy (&pixel, found + (gsize) y * cairo_image_surface_get_stride (image) + 4 * x,
              sizeof pixel);
      g_assert_cmphex (pixel | 0xff000000u, ==, pixels[y * n_across + x]);
    }
  cairo_surface_destroy (image);
}

/* Noise of so many colours, each of which is there. The first width of every n_across pixels are
 * the picture's. */
static guint32 *
make_noise (int n_across,
            int height,
            int n_colors)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint32 *pixels = g_new (guint32, n_across * height);

  for (int i = 0; i < n_across * height; i++) {
    guint32 color = (guint32) (i < n_colors ? i : g_rand_int_range (random, 0, n_colors));

    pixels[i] = 0xff000000u | (color * 0x010307u & 0xffffffu);
  }
  return pixels;
}

static void
test_reads_back (void)
{
  static const struct { int width, height, n_across, n_colors; } cases[] = {
    { 1, 1, 1, 1 }, { 5, 3, 8, 2 }, { 16, 16, 16, 256 }, { 49, 49, 49, 200 }, { 300, 2, 300, 256 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree guint32 *pixels = make_noise (cases[i].n_across, cases[i].height,
                                             cases[i].n_colors);
    g_autoptr (GByteArray) png = ui_indexed_png_new ((const guint8 *) pixels, cases[i].width,
                                                     cases[i].height, 4 * cases[i].n_across);

    g_assert_nonnull (png);
    assert_reads_back (png, pixels, cases[i].width, cases[i].height, cases[i].n_across);
  }
}

/* Rows that are like the ones above them are no longer file for that. */
static void
test_rows_again (void)
{
  enum { N = 60, TIMES = 12 };

  g_autofree guint32 *pixels = make_noise (N, N, 128);
  g_autofree guint32 *again = g_new (guint32, N * N * TIMES);
  g_autoptr (GByteArray) once = ui_indexed_png_new ((const guint8 *) pixels, N, N, 4 * N);
  g_autoptr (GByteArray) png = NULL;

  for (int row = 0; row < N * TIMES; row++)
    memcpy (again + row * N, pixels + row / TIMES * N, 4 * N);
  png = ui_indexed_png_new ((const guint8 *) again, N, N * TIMES, 4 * N);
  assert_reads_back (png, again, N, N * TIMES, N);
  g_assert_cmpuint (png->len, <, once->len * 3 / 2);
}

static void
test_refuses (void)
{
  g_autofree guint32 *many = make_noise (257, 1, 257);
  guint32 glass[2] = { 0xff102030u, 0x80102030u };

  g_assert_null (ui_indexed_png_new ((const guint8 *) many, 257, 1, 4 * 257));
  g_assert_null (ui_indexed_png_new ((const guint8 *) glass, 2, 1, 8));
}

/* What it is there for. */
static void
test_is_smaller (void)
{
  g_autofree guint32 *pixels = make_noise (49, 49, 128);
  g_autoptr (GByteArray) png = ui_indexed_png_new ((const guint8 *) pixels, 49, 49, 4 * 49);
  cairo_surface_t *image = cairo_image_surface_create_for_data ((guint8 *) pixels,
                                                                CAIRO_FORMAT_ARGB32, 49, 49,
                                                                4 * 49);
  gsize size = 0;

  cairo_surface_write_to_png_stream (image, count_bytes, &size);
  cairo_surface_destroy (image);
  g_assert_cmpuint (png->len, <, size * 6 / 10);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/indexed-png/reads-back", test_reads_back);
  g_test_add_func ("/scene/indexed-png/rows-again", test_rows_again);
  g_test_add_func ("/scene/indexed-png/refuses", test_refuses);
  g_test_add_func ("/scene/indexed-png/is-smaller", test_is_smaller);
  return g_test_run ();
}
