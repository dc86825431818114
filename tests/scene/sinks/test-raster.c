/* SPDX-License-Identifier: MIT */
#include "ui/scene/sinks/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/fields.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/scene/base/thumbnail.h"
#include "ui/scene/head/head-scene.h"
#include "ui/scene/sinks/cairo-sink.h"
#include "ui/scene/sinks/raster-kernels.h"
#include "ui/scene/sinks/raster-links.h"

#define WHITE 0xffffffffu

static UiScene *
make_scene (EngTrace   *trace,
            const char *heads,
            UiTheme     theme)
{
  UiSceneOptions options = { .theme = theme, .width = 900, .view_height = 500, .text_scale = 1 };
  g_autoptr (UiDocument) document = ui_document_new ();

  fields_set (document, "heads", heads);
  return scene_case_new (trace, document, &options);
}

/* A picture is n pixels in rows of width. */
typedef struct {
  guint32 *pixels;
  int      width;
  int      height;
} Picture;

static Picture
picture_new (int width,
             int height)
{
  Picture picture = { g_new (guint32, (gsize) width * height), width, height };

  for (gsize i = 0; i < (gsize) width * height; i++)
    picture.pixels[i] = WHITE;
  return picture;
}

static void
paint (const UiScene *scene,
       Picture       *picture,
       int            x,
       int            y,
       int            width,
       int            height,
       double         scale)
{
  UiRect area = { x / scale, y / scale, width / scale, height / scale };
  guint8 *corner = (guint8 *) (picture->pixels + (gsize) y * picture->width + x);
  UiSink *sink = ui_raster_sink_new (corner, width, height, picture->width * 4, &area, scale);

  ui_scene_paint (scene, sink, &area);
  ui_raster_sink_free (sink);
}

static int
get_difference (guint32 a,
                guint32 b)
{
  int most = 0;

  for (int shift = 0; shift < 32; shift += 8)
    most = MAX (most, abs ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff)));
  return most;
}

/* Halves beside and under each other give the picture of the whole, in few links and in many. */
static void
test_tiles (void)
{
  static const struct { int n; double scale; } cases[] = {
    { 12, 1 }, { 12, 1.5 }, { 70, 1 }, { 70, 2 }
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (EngTrace) trace = scene_trace_new_long (cases[c].n, 12);
    g_autoptr (UiScene) scene = make_scene (trace, "all", UI_THEME_LIGHT);
    double units_x, units_y;
    int width, height;
    Picture whole, tiled;
    int most = 0, n_glyph = 0;

    ui_scene_get_size (scene, &units_x, &units_y);
    width = (int) (units_x * cases[c].scale);
    height = (int) (MIN (units_y, 700) * cases[c].scale);
    whole = picture_new (width, height);
    tiled = picture_new (width, height);
    paint (scene, &whole, 0, 0, width, height, cases[c].scale);
    for (int i = 0; i < 4; i++) {
      int split_x = 437, split_y = 211;

      paint (scene, &tiled, i & 1 ? split_x : 0, i & 2 ? split_y : 0,
             i & 1 ? width - split_x : split_x, i & 2 ? height - split_y : split_y, cases[c].scale);
    }
    for (gsize i = 0; i < (gsize) width * height; i++) {
      int difference = get_difference (whole.pixels[i], tiled.pixels[i]);

      most = MAX (most, difference);
      n_glyph += difference > 1;
    }
    g_test_message ("%d tokens at %.1f: largest difference %d, %d pixels above 1", cases[c].n,
                    cases[c].scale, most, n_glyph);
    /* cairo 1.18 places glyphs by quarters of a pixel, and rounds one that lies between two. */
    g_assert_cmpint (most, <=, cairo_version () < CAIRO_VERSION_ENCODE (1, 17, 0) ? 1 : 32);
    g_assert_cmpint (n_glyph, <, width * height / 1000);
    g_free (whole.pixels);
    g_free (tiled.pixels);
  }
}

static void
stroke (const UiLink *link,
        gpointer      data)
{
  ui_cairo_sink_curve (data, link);
}

/* The same links in the same order, each one stroked by cairo. */
static Picture
stroke_with_cairo (const UiLinkField *field,
                   int                width,
                   int                height)
{
  Picture picture = picture_new (width, height);
  cairo_surface_t *surface =
    cairo_image_surface_create_for_data ((guint8 *) picture.pixels, CAIRO_FORMAT_ARGB32,
                                         width, height, width * 4);
  UiCairoSink sink = { .cr = cairo_create (surface) };

  cairo_translate (sink.cr, -field->bounds.x, -field->bounds.y);
  field->foreach (field, &field->bounds, stroke, &sink);
  cairo_destroy (sink.cr);
  cairo_surface_destroy (surface);
  return picture;
}

static int
get_channel (guint32 pixel,
             int     shift)
{
  return pixel >> shift & 0xff;
}

/* Mean over the pixels that differ from the ground in either picture, of 255. */
static double
compare (const Picture *a,
         const Picture *b)
{
  double sum = 0;
  gsize n = 0;

  for (gsize i = 0; i < (gsize) a->width * a->height; i++) {
    if (a->pixels[i] == WHITE && b->pixels[i] == WHITE)
      continue;
    for (int shift = 0; shift < 24; shift += 8)
      sum += abs (get_channel (a->pixels[i], shift) - get_channel (b->pixels[i], shift)) / 3.0;
    n++;
  }
  return sum / MAX (n, 1);
}

static void
test_like_cairo (void)
{
  static const struct { int n; const char *heads; double most; } cases[] = {
    { 12, "2", 3 }, { 15, "all", 4 }, { 45, "all", 8 }
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autoptr (EngTrace) trace = scene_trace_new_long (cases[c].n, 12);
    g_autoptr (UiScene) scene = make_scene (trace, cases[c].heads, UI_THEME_LIGHT);
    UiHeadField field;
    Picture ours, cairo;
    UiPixelRect clip = { 0 };
    double difference;

    ui_head_field_init_for (&field, (const UiHeadScene *) scene, NULL);
    clip.width = (int) ceil (field.field.bounds.width);
    clip.height = (int) ceil (field.field.bounds.height);
    ours = picture_new (clip.width, clip.height);
    ui_raster_links_paint (&field.field, (guint8 *) ours.pixels, clip.width * 4,
                           field.field.bounds.x, field.field.bounds.y, 1, &clip);
    cairo = stroke_with_cairo (&field.field, clip.width, clip.height);
    difference = compare (&ours, &cairo);
    g_test_message ("%d tokens, heads %s: mean difference %.2f of 255",
                    cases[c].n, cases[c].heads, difference);
    g_assert_cmpfloat (difference, <=, cases[c].most);
    g_free (ours.pixels);
    g_free (cairo.pixels);
    ui_head_field_clear (&field);
  }
}

/* Fields made of given links. */
typedef struct {
  UiLinkField   field;
  const UiLink *links;
  int           n;
} GivenField;

static void
foreach_given (const UiLinkField *field,
               const UiRect      *clip,
               UiLinkFunc         func,
               gpointer           data)
{
  const GivenField *self = (const GivenField *) field;

  for (int i = 0; i < self->n; i++)
    func (&self->links[i], data);
}

static Picture
paint_given (const UiLink      *links,
             int                n,
             guint32            ground,
             const UiPixelRect *clip)
{
  GivenField field = { { foreach_given, { 0, 0, 100, 60 } }, links, n };
  Picture picture = picture_new (100, 60);

  for (int i = 0; i < 100 * 60; i++)
    picture.pixels[i] = ground;
  ui_raster_links_paint (&field.field, (guint8 *) picture.pixels, 400, 0, 0, 1, clip);
  return picture;
}

static const UiPixelRect all = { 0, 0, 100, 60 };

/* A level stroke of width 4 covers four rows wholly: the colour is the mix that its alpha says. */
static void
test_opacity (void)
{
  UiLink link = { 10, 30, 90, 30, 4, { 200, 40, 0, 128 }, 0 };
  Picture picture = paint_given (&link, 1, WHITE, &all);
  guint32 expected = 0xff000000u | 227u << 16 | 147u << 8 | 127; /* 255 + (c - 255) × 128/255 */

  for (int x = 10; x < 90; x++) {
    for (int y = 28; y < 32; y++)
      g_assert_cmpint (get_difference (picture.pixels[y * 100 + x], expected), <=, 1);
    g_assert_cmpuint (picture.pixels[27 * 100 + x], ==, WHITE);
    g_assert_cmpuint (picture.pixels[32 * 100 + x], ==, WHITE);
  }
  g_assert_cmpuint (picture.pixels[30 * 100 + 9], ==, WHITE);
  g_assert_cmpuint (picture.pixels[30 * 100 + 90], ==, WHITE);
  g_free (picture.pixels);
}

/* Seven on and five off from the left end on; what has no dashes is drawn as without them. */
static void
test_dashes (void)
{
  const UiLink links[] = {
    { 10, 15, 90, 15, 4, { 0, 0, 0, 255 }, 0, 0 },
    { 10, 45, 90, 45, 4, { 0, 0, 0, 255 }, 1, 12 },
  };
  GivenField field = { { foreach_given, { 0, 0, 100, 60 }, .dashed = TRUE }, links, 2 };
  Picture picture = picture_new (100, 60);
  UiRect area = { 0, 0, 100, 60 };
  UiSink *sink;

  for (int i = 0; i < 100 * 60; i++)
    picture.pixels[i] = WHITE;
  sink = ui_raster_sink_new ((guint8 *) picture.pixels, 100, 60, 400, &area, 1);
  sink->klass->links (sink, &field.field);
  ui_raster_sink_free (sink);
  for (int x = 10; x < 90; x++) {
    g_assert_cmphex (picture.pixels[15 * 100 + x], ==, 0xff000000);
    g_assert_cmphex (picture.pixels[45 * 100 + x], ==, (x - 10) % 12 < 7 ? 0xff000000 : WHITE);
  }
  g_free (picture.pixels);
}

/* The stroke's area of ink is its length times its width, whatever its slope and however thin it
 * is. */
static void
test_ink (void)
{
  static const double widths[] = { 0.5, 1.1, 2.4, 3.7 };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    UiLink links[] = {
      { 10, 20.3, 90, 20.3, widths[i], { 0, 0, 0, 255 }, 0 },
      { 10, 10.3, 90, 50.8, widths[i], { 0, 0, 0, 255 }, 0 },
    };
    double lengths[2] = { 80, 0 };

    /* The curve's length, in a thousand straight pieces of the Bézier form itself. */
    for (int step = 0; step < 1000; step++) {
      double x[2], y[2];

      for (int end = 0; end < 2; end++) {
        double t = (step + end) / 1000.0, s = 1 - t;

        x[end] = 80 * (3 * s * s * t * 0.38 + 3 * s * t * t * 0.62 + t * t * t);
        y[end] = 40.5 * (3 * s * t * t + t * t * t);
      }
      lengths[1] += hypot (x[1] - x[0], y[1] - y[0]);
    }
    for (int j = 0; j < 2; j++) {
      Picture picture = paint_given (&links[j], 1, WHITE, &all);
      double ink = 0;

      for (int k = 0; k < 100 * 60; k++)
        ink += 1 - (picture.pixels[k] & 0xff) / 255.0;
      g_assert_cmpfloat_with_epsilon (ink, lengths[j] * widths[i], 0.02 * lengths[j] * widths[i]);
      g_free (picture.pixels);
    }
  }
}

/* Three hundred links of 1/255 give what the formula says and keep their hue; 8 bits would lose
 * both. */
static void
test_faint_links_add_up (void)
{
  enum { n = 300 };
  UiLink links[n];
  Picture picture;
  double through = pow (1 - 1 / 255.0, n);

  for (int i = 0; i < n; i++)
    links[i] = (UiLink) { 10, 30, 90, 30, 4, { 200, 10, 90, 1 }, 0 };
  picture = paint_given (links, n, 0, &all);
  for (int x = 20; x < 80; x++) {
    guint32 pixel = picture.pixels[30 * 100 + x];

    g_assert_cmpfloat_with_epsilon (pixel >> 24, 255 * (1 - through), 1);
    g_assert_cmpfloat_with_epsilon (pixel >> 16 & 0xff, 200 * (1 - through), 1);
    g_assert_cmpfloat_with_epsilon (pixel >> 8 & 0xff, 10 * (1 - through), 1);
    g_assert_cmpfloat_with_epsilon (pixel & 0xff, 90 * (1 - through), 1);
  }
  g_free (picture.pixels);
}

/* The later of two opaque links lies on top. */
static void
test_order (void)
{
  UiLink links[] = {
    { 10, 30, 90, 30, 4, { 255, 0, 0, 255 }, 0 },
    { 10, 30, 90, 30, 4, { 0, 0, 255, 255 }, 1 },
    { 10, 10, 90, 10, 4, { 255, 0, 0, 255 }, 0 },
  };
  Picture picture = paint_given (links, 3, WHITE, &all);

  g_assert_cmpuint (picture.pixels[30 * 100 + 50], ==, 0xff0000ffu);
  g_assert_cmpuint (picture.pixels[10 * 100 + 50], ==, 0xffff0000u);
  g_free (picture.pixels);
}

static void
test_clip (void)
{
  UiLink link = { 0, 5, 100, 55, 8, { 0, 0, 0, 255 }, 0 };
  UiPixelRect clip = { 30, 20, 41, 17 };
  Picture whole = paint_given (&link, 1, WHITE, &all);
  Picture picture = paint_given (&link, 1, WHITE, &clip);
  int n_painted = 0;

  for (int y = 0; y < 60; y++) {
    for (int x = 0; x < 100; x++) {
      gboolean inside = x >= 30 && x < 71 && y >= 20 && y < 37;
      guint32 pixel = picture.pixels[y * 100 + x];

      if (inside)
        g_assert_cmpint (get_difference (pixel, whole.pixels[y * 100 + x]), <=, 1);
      else
        g_assert_cmpuint (pixel, ==, WHITE);
      n_painted += pixel != WHITE;
    }
  }
  g_assert_cmpint (n_painted, >, 100);
  g_free (whole.pixels);
  g_free (picture.pixels);
}

/* The clip of a sink holds for links as for everything else. */
static void
test_sink_clip (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (12, 12);
  g_autoptr (UiScene) scene = make_scene (trace, "all", UI_THEME_LIGHT);
  Picture picture = picture_new (900, 300);
  UiRect area = { 0, 0, 900, 300 }, clip = { 400, 100, 50, 60 };
  UiSink *sink = ui_raster_sink_new ((guint8 *) picture.pixels, 900, 300, 3600, &area, 1);
  int n_painted = 0;

  sink->klass->push_clip (sink, &clip);
  ui_scene_paint (scene, sink, NULL);
  sink->klass->pop_clip (sink);
  ui_raster_sink_free (sink);
  for (int i = 0; i < 900 * 300; i++) {
    if (picture.pixels[i] == WHITE)
      continue;
    n_painted++;
    g_assert_true (i % 900 >= 400 && i % 900 < 450 && i / 900 >= 100 && i / 900 < 160);
  }
  g_assert_cmpint (n_painted, >, 1000);
  g_free (picture.pixels);
}

/* An overlay on nothing: no channel is over its alpha. */
static void
test_premultiplied (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (60, 12);
  g_autoptr (UiScene) scene = make_scene (trace, "all", UI_THEME_DARK);
  UiHeadField field;
  UiPixelRect clip = { 0, 0, 400, 600 };
  Picture picture = picture_new (400, 600);

  memset (picture.pixels, 0, 400 * 600 * 4);
  ui_head_field_init_for (&field, (const UiHeadScene *) scene, NULL);
  ui_raster_links_paint (&field.field, (guint8 *) picture.pixels, 1600, field.field.bounds.x, 0, 1,
                         &clip);
  ui_head_field_clear (&field);
  for (int i = 0; i < 400 * 600; i++) {
    guint32 pixel = picture.pixels[i];

    for (int shift = 0; shift < 24; shift += 8)
      g_assert_cmpint (get_channel (pixel, shift), <=, get_channel (pixel, 24));
  }
  g_free (picture.pixels);
}

/* A haze is another way to the same picture. */
static void
test_haze (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (128, 12);
  g_autoptr (UiScene) scene = make_scene (trace, "all", UI_THEME_LIGHT);
  UiPixelRect clip = { 0, 0, 350, 800 };
  Picture coarse = picture_new (clip.width, clip.height);
  Picture exact = picture_new (clip.width, clip.height);
  UiHeadField field;
  double difference, x;

  ui_head_field_init_for (&field, (const UiHeadScene *) scene, NULL);
  g_assert_true (field.field.dense);
  x = field.field.bounds.x;
  ui_raster_links_paint (&field.field, (guint8 *) coarse.pixels, clip.width * 4, x, 500, 1, &clip);
  field.field.dense = FALSE;
  ui_raster_links_paint (&field.field, (guint8 *) exact.pixels, clip.width * 4, x, 500, 1, &clip);
  ui_head_field_clear (&field);
  difference = compare (&coarse, &exact);
  g_test_message ("mean difference %.2f of 255", difference);
  g_assert_cmpfloat (difference, >, 0);
  g_assert_cmpfloat (difference, <=, 2);
  g_free (coarse.pixels);
  g_free (exact.pixels);
}

/* The kernels of this machine against the plain ones. */
static void
test_kernels (void)
{
  enum { n = 500, height = 203, padded = height + UI_COLUMN_PADDING };
  const UiRasterKernels *kernels[2] = { ui_raster_kernels_get (), ui_raster_kernels_get_plain () };
  float y[n + 8] = { 0 }, climb[n + 8] = { 0 }, width[n + 8] = { 0 }, alpha[n + 8] = { 0 };
  UiLinkStrokes strokes = { y, climb, width, alpha };
  float columns[2][padded], sums[2][4 * padded];
  const float rgb[3] = { 0.2f, 0.5f, 0.9f };
  UiRowRange rows[2];
  GRand *rand = g_rand_new_with_seed (7);

  for (int i = 0; i < n; i++) {
    y[i] = (float) g_rand_double_range (rand, -150, 350);
    climb[i] = (float) g_rand_double_range (rand, -400, 400);
    width[i] = (float) g_rand_double_range (rand, 0.3, 5);
    alpha[i] = i % 50 == 0 ? 1 : (float) g_rand_double_range (rand, 0, 0.05);
  }
  g_rand_free (rand);
  for (int breadth = 1; breadth <= 8; breadth += 7) {
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < padded; i++)
        columns[k][i] = 1;
      memset (sums[k], 0, sizeof sums[k]);
      kernels[k]->stroke (columns[k], height, &strokes, 3, n - 6, 0.3f, 0.01f, breadth, &rows[k]);
      for (int i = 0; i < height; i++)
        g_assert_true (columns[k][i] == 1 || (i >= rows[k].first && i < rows[k].end));
    }
    for (int i = 0; i < height; i++)
      g_assert_cmpfloat_with_epsilon (columns[0][i], columns[1][i], 1e-5);
    for (int k = 0; k < 2; k++) {
      kernels[k]->composite (columns[k], height, &rows[k], rgb, 0.8f, sums[k]);
      for (int i = 0; i < height; i++)
        g_assert_cmpfloat (columns[k][i], ==, 1);
    }
    for (int i = 0; i < 4 * padded; i++) {
      if (i % padded < height)
        g_assert_cmpfloat_with_epsilon (sums[0][i], sums[1][i], 1e-5);
    }
  }
}

static void
test_render (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (12, 12);
  g_autoptr (UiScene) scene = make_scene (trace, "all", UI_THEME_DARK);
  UiRect area = { 0, 0, 900, 300 };
  cairo_surface_t *surface = ui_scene_render (scene, &area, 1.5);
  const guint32 *pixels = (const guint32 *) cairo_image_surface_get_data (surface);

  g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 1350);
  g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 450);
  g_assert_cmpuint (pixels[0], ==, 0xff1e1e1eu);
  cairo_surface_destroy (surface);
}

/* Opacities are those of links of the same weights; of cells that share a pixel a line stays one. */
static void
test_thumbnail (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (5, 5, 3);
  g_autoptr (EngTrace) large = scene_trace_new_exact (100, 100, 2);
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  g_autoptr (EngAttention) large_attention = eng_trace_dup_attention (large, ENG_KIND_ENCODER, 0);
  guint8 small[10 * 10], pooled[56 * 56];

  ui_thumbnail_pool (attention, 2, 10, 10, small);
  for (int query = 0; query < 10; query++)
    for (int key = 0; key < 10; key++)
      g_assert_cmpint (small[query * 10 + key], ==,
                       ui_palette_link_alpha (attention->weights[(2 * 10 + query) * 10 + key]));
  /* Row 3 of 10 reads column 5: 0.7 × 1.5 is opaque. */
  g_assert_cmpint (small[3 * 10 + 5], ==, 255);
  /* Of 200 × 200 cells: the diagonal is unbroken. */
  ui_thumbnail_pool (large_attention, 1, 56, 56, pooled);
  for (int i = 0; i < 56; i++)
    g_assert_cmpint (pooled[i * 56 + i], >, 100);
  g_assert_cmpint (pooled[40 * 56 + 5], <, 10);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/raster/tiles", test_tiles);
  g_test_add_func ("/scene/raster/like-cairo", test_like_cairo);
  g_test_add_func ("/scene/raster/opacity", test_opacity);
  g_test_add_func ("/scene/raster/dashes", test_dashes);
  g_test_add_func ("/scene/raster/ink", test_ink);
  g_test_add_func ("/scene/raster/faint-links-add-up", test_faint_links_add_up);
  g_test_add_func ("/scene/raster/order", test_order);
  g_test_add_func ("/scene/raster/clip", test_clip);
  g_test_add_func ("/scene/raster/sink-clip", test_sink_clip);
  g_test_add_func ("/scene/raster/premultiplied", test_premultiplied);
  g_test_add_func ("/scene/raster/haze", test_haze);
  g_test_add_func ("/scene/raster/kernels", test_kernels);
  g_test_add_func ("/scene/raster/render", test_render);
  g_test_add_func ("/scene/raster/thumbnail", test_thumbnail);
  return g_test_run ();
}
