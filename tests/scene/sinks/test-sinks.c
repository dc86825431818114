/* SPDX-License-Identifier: MIT */
/* The three sinks against each other, the vector files as programs of others draw them. */
#include <cairo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/fields.h"
#include "tests/support/scene-trace.h"
#include "tests/support/temporary.h"
#include "tests/support/tool.h"
#include "tests/support/traces.h"
#include "ui/scene/export/export.h"

/* Largest mean difference over the pixels that differ from the ground in either picture: design
 * rule. */
#define LARGEST_MEAN 24.0
/* At 96 dpi a pixel is about a scene unit; a figure is looked at larger. */
#define SCALE 2.0

typedef struct {
  const char *name;
  const char *settings;
  int         n_tokens; /* 0 = the real trace of 13 tokens */
  const char *fixture;  /* another trace; NULL = none */
} Case;

static const Case cases[] = {
  { "heads", "layer=0", 0 },
  { "heads-pinned-dark", "pin=2 theme=dark heads=2,6,8", 0 },
  { "heads-print-filtered", "theme=print filter=ab renormalise=true", 0 },
  { "heads-long", "font-size=6pt", 128 },
  { "neurons", "view=neuron heads=8 pin=2", 0 },
  { "neurons-stripes-dark", "view=neuron heads=8 pin=4 bands=stripes theme=dark", 0 },
  { "neurons-unpinned", "view=neuron heads=3", 0 },
  { "neurons-collapsed", "view=neuron heads=3 collapsed=true", 0 },
  { "heads-masked", "pin=3", 0, "fixtures/traces/llama.safetensors" },
  { "matrix", "view=matrix heads=8 pin=2", 0 },
  { "matrix-dark", "view=matrix theme=dark", 0 },
  { "matrix-long", "view=matrix heads=2", 128 },
  { "matrix-masked", "view=matrix heads=1", 0, "fixtures/traces/llama.safetensors" },
  { "neurons-masked-dark", "view=neuron pin=3 theme=dark", 0, "fixtures/traces/llama.safetensors" },
};

static EngTrace *
open_trace (const Case *test)
{
  if (test->n_tokens > 0)
    return scene_trace_new_long (test->n_tokens, 12);
  return traces_open (test->fixture != NULL ? test->fixture : "fixtures/scene/flies.safetensors");
}

static UiDocument *
make_document (const Case *test)
{
  UiDocument *document = fields_make_document (test->settings);

  document->png_scale = SCALE;
  return document;
}

static gboolean
is_ground (const guint8 *row,
           int           x,
           guint32       ground)
{
  return (((const guint32 *) row)[x] & 0xffffff) == ground;
}

static void
assert_same_size (cairo_surface_t *a,
                  cairo_surface_t *b)
{
  int wider = cairo_image_surface_get_width (a) - cairo_image_surface_get_width (b);
  int higher = cairo_image_surface_get_height (a) - cairo_image_surface_get_height (b);

  g_assert_cmpint (ABS (wider), <=, 2);
  g_assert_cmpint (ABS (higher), <=, 2);
}

/* Mean over the channels of the pixels that are not ground in one of the two. */
static double
compare (cairo_surface_t *a,
         cairo_surface_t *b)
{
  int width = MIN (cairo_image_surface_get_width (a), cairo_image_surface_get_width (b));
  int height = MIN (cairo_image_surface_get_height (a), cairo_image_surface_get_height (b));
  const guint8 *pixels_a = cairo_image_surface_get_data (a);
  const guint8 *pixels_b = cairo_image_surface_get_data (b);
  guint32 ground = *(const guint32 *) pixels_a & 0xffffff;
  double sum = 0;
  gsize n = 0;

  assert_same_size (a, b);
  for (int y = 0; y < height; y++) {
    const guint8 *row_a = pixels_a + (gsize) y * (gsize) cairo_image_surface_get_stride (a);
    const guint8 *row_b = pixels_b + (gsize) y * (gsize) cairo_image_surface_get_stride (b);

    for (int x = 0; x < width; x++) {
      if (is_ground (row_a, x, ground) && is_ground (row_b, x, ground))
        continue;
      for (int channel = 0; channel < 3; channel++)
        sum += abs (row_a[4 * x + channel] - row_b[4 * x + channel]) / 3.0;
      n++;
    }
  }
  g_assert_cmpuint (n, >, 1000);
  return sum / (double) n;
}

static cairo_surface_t *
load_png (const char *path)
{
  cairo_surface_t *picture = cairo_image_surface_create_from_png (path);

  g_assert_cmpint (cairo_surface_status (picture), ==, CAIRO_STATUS_SUCCESS);
  return picture;
}

static void
test_alike (gconstpointer data)
{
  const Case *test = data;
  g_autoptr (EngTrace) trace = open_trace (test);
  g_autoptr (UiDocument) document = make_document (test);
  char *folder = temporary_new ();
  g_autofree char *svg = g_build_filename (folder, "figure.svg", NULL);
  g_autofree char *pdf = g_build_filename (folder, "figure.pdf", NULL);
  g_autofree char *png = g_build_filename (folder, "figure.png", NULL);
  g_autofree char *from_svg = g_build_filename (folder, "from-svg.png", NULL);
  g_autofree char *from_pdf = g_build_filename (folder, "from-pdf", NULL);
  g_autofree char *from_pdf_png = g_strconcat (from_pdf, ".png", NULL);
  const char *draw_svg[] = { "rsvg-convert", "-d", "192", "-p", "192", "-o", from_svg, svg, NULL };
  const char *draw_pdf[] = { "pdftoppm", "-png", "-singlefile", "-r", "192", pdf, from_pdf, NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *svg_output = NULL;
  g_autofree char *pdf_output = NULL;

  g_assert_true (ui_figure_write (trace, document, svg, &error));
  g_assert_true (ui_figure_write (trace, document, pdf, &error));
  g_assert_true (ui_figure_write (trace, document, png, &error));
  svg_output = tool_run (draw_svg);
  pdf_output = svg_output != NULL ? tool_run (draw_pdf) : NULL;
  if (pdf_output != NULL) {
    cairo_surface_t *pictures[] = { load_png (png), load_png (from_svg), load_png (from_pdf_png) };
    double raster_svg = compare (pictures[0], pictures[1]);
    double raster_pdf = compare (pictures[0], pictures[2]);
    double svg_pdf = compare (pictures[1], pictures[2]);

    g_test_message ("%s: raster and SVG %.1f, raster and PDF %.1f, SVG and PDF %.1f of 255",
                    test->name, raster_svg, raster_pdf, svg_pdf);
    g_assert_cmpfloat (raster_svg, <=, LARGEST_MEAN);
    g_assert_cmpfloat (raster_pdf, <=, LARGEST_MEAN);
    g_assert_cmpfloat (svg_pdf, <=, LARGEST_MEAN);
    for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
      cairo_surface_destroy (pictures[i]);
  }
  temporary_free (folder);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/scene/sinks/", cases[i].name, NULL);

    g_test_add_data_func (path, &cases[i], test_alike);
  }
  return g_test_run ();
}
