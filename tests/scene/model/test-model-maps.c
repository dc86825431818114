/* SPDX-License-Identifier: MIT */
/* The maps of heads: their pixels, when they are made, and by which thread. */
#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/scene/base/pixel-share.h"
#include "tests/scene/model/model-case.h"
#include "tests/support/count.h"
#include "tests/support/scene-trace.h"
#include "tests/support/text-sink.h"
#include "ui/scene/base/scene-raster.h"

/* An opacity between two of 256 may be rounded to either. */
static void
assert_pixel (guint32 pixel,
              UiColor color)
{
  g_assert_cmphex (pixel >> 24, ==, 0xff);
  g_assert_cmpint (ABS ((int) (pixel >> 16 & 0xff) - color.r), <=, 1);
  g_assert_cmpint (ABS ((int) (pixel >> 8 & 0xff) - color.g), <=, 1);
  g_assert_cmpint (ABS ((int) (pixel & 0xff) - color.b), <=, 1);
}

static UiColor
get_plate (UiTheme theme)
{
  const UiPalette *palette = ui_palette_get (theme);

  return ui_color_mix (palette->ground, palette->plate, palette->plate.a / 255.0);
}

/* A pixel a token, as opaque as 0.6 and the gain of 1.5 say. */
static void
test_pixels (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 2);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  const UiThumbnail *maps = ui_model_scene_get_maps ((UiModelScene *) scene, 1);
  const UiThumbnail *map = &maps[1];
  const guint32 *pixels = (const guint32 *) map->pixels;
  UiColor color = ui_palette_head (UI_THEME_LIGHT, 1);

  g_assert_cmpint (map->width, ==, N);
  g_assert_cmpint (map->height, ==, N);
  for (int query = 0; query < N; query++)
    for (int key = 0; key < N; key++) {
      double weight = made_trace_weight (N, 1, 1, query, key);
      double alpha = lround (weight * UI_LINK_GAIN * 255) / 255.0;

      assert_pixel (pixels[query * N + key],
                    ui_color_mix (get_plate (UI_THEME_LIGHT), color, alpha));
    }
}

/* What the filter and the threshold leave out is plate. */
static void
test_left_out (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 1);
  g_autoptr (UiScene) scene = create_scene (trace, "filter=ab threshold=0.2", &window);
  const UiThumbnail *maps = ui_model_scene_get_maps ((UiModelScene *) scene, 0);
  const guint32 *pixels = (const guint32 *) maps[1].pixels;
  int n_drawn = 0;

  for (int query = 0; query < N; query++)
    for (int key = 0; key < N; key++) {
      gboolean is_drawn = query < N_A && key >= N_A && key == (query + 1) % N;

      n_drawn += is_drawn;
      if (!is_drawn)
        assert_pixel (pixels[query * N + key], get_plate (UI_THEME_LIGHT));
      else
        g_assert_cmphex (pixels[query * N + key], !=, pixels[0]);
    }
  g_assert_cmpint (n_drawn, ==, 1);
}

/* Of a line that each token reads most, about as much as in the text: part of it lies in the pixels
 * beside it. What all read adds up. */
static void
test_pooling (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (100, 0, 1, 1);
  g_autoptr (UiDocument) document = ui_document_new ();
  UiColor color = ui_palette_head (UI_THEME_DARK, 0);
  const double weak = 0.4 / 99 * 100 / 30;
  UiThumbnail map;
  UiWeights weights;

  g_assert_true (ui_weights_init (&weights, trace, document, ENG_KIND_ENCODER, 0, NULL,
                                  NULL));
  ui_thumbnail_init (&map, &weights, 0, UI_THEME_DARK, 30);
  g_assert_cmpint (map.width, ==, 30);
  g_assert_cmpint (map.height, ==, 30);
  for (int i = 0; i < 30; i++) {
    double on_line = 0;

    for (int query = 0; query < 100; query++)
      on_line += pixel_share (i, 30, query, 100) * 0.3 * pixel_share (i, 30, query, 100);
    g_assert_cmpfloat (on_line, >, 0.8);
    assert_pixel (((guint32 *) map.pixels)[i * 30 + i],
                  ui_color_mix (get_plate (UI_THEME_DARK), color,
                                MIN (((STRONG - 0.4 / 99) * on_line + weak) * UI_LINK_GAIN, 1)));
  }
  assert_pixel (((guint32 *) map.pixels)[29],
                ui_color_mix (get_plate (UI_THEME_DARK), color, weak * UI_LINK_GAIN));
  ui_thumbnail_enlarge (&map, 90);
  for (int i = 0; i < 90; i++)
    g_assert_cmphex (((guint32 *) map.pixels)[i * 90 + i], ==,
                     ((guint32 *) map.pixels)[i / 3 * 3 * 90 + i / 3 * 3]);
  ui_thumbnail_clear (&map);
  ui_weights_clear (&weights);
}

/* Strokes above the diagonal of a causal mask, and nowhere else. */
static void
test_hatching (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_masked (SCENE_MASK_CAUSAL, 6, 2);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  const UiThumbnail *maps = ui_model_scene_get_maps ((UiModelScene *) scene, 0);
  int size = maps[0].width;
  const guint32 *pixels = (const guint32 *) maps[0].pixels;
  const UiPalette *palette = ui_palette_get (UI_THEME_LIGHT);
  UiColor stroke = ui_color_mix (get_plate (UI_THEME_LIGHT), palette->hatch,
                                 palette->hatch.a / 255.0);
  guint32 hatched = 0xff000000u | (guint32) stroke.r << 16 | (guint32) stroke.g << 8 | stroke.b;
  int n_strokes[2] = { 0, 0 };
  g_autofree char *legend = ui_scene_legend (scene);

  g_assert_cmpint (size, ==, (int) ((UiModelScene *) scene)->layout.cell);
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      if (pixels[row * size + column] == hatched)
        n_strokes[column * 6 / size > row * 6 / size]++;
  g_assert_cmpint (n_strokes[0], ==, 0);
  g_assert_cmpint (n_strokes[1], >, size);
  g_assert_nonnull (strstr (legend, " Hatched: masked."));
}

static guint32
get_first_pixel (const UiScene *scene,
                 int            layer)
{
  const UiThumbnail *maps = ui_model_scene_get_maps ((const UiModelScene *) scene, layer);

  return *(const guint32 *) maps[0].pixels;
}

/* Building a scene makes no map, painting a part of it makes those of the part, once. */
static void
test_lazy (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 2);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  g_autoptr (UiScene) reference = create_scene (trace, "", &window);
  guint32 strong = get_first_pixel (reference, 0), weak = get_first_pixel (reference, 1);
  UiItem item = make_item (0, 0);
  GString *text = g_string_new (NULL);
  UiSink *sink = text_sink_new (text);
  UiRect rect;

  made_trace_falsify (trace, 0, 0, 0, 0, (float) made_trace_weight (N, 1, 0, 0, 0));
  g_assert_true (ui_scene_get_rect (scene, &item, &rect));
  ui_scene_paint (scene, sink, &rect);
  made_trace_falsify (trace, 0, 0, 0, 0, STRONG);
  made_trace_falsify (trace, 1, 0, 0, 0, STRONG);
  g_assert_cmphex (get_first_pixel (scene, 0), ==, weak);
  g_assert_cmphex (get_first_pixel (scene, 1), ==, strong);
  text_sink_free (sink);
  g_string_free (text, TRUE);
}

/* Many numbers are taken at once: the map must still hold what single ones say is drawn. */
static void
test_pooled_as_drawn (gconstpointer edits)
{
  enum { SIZE = 20, N_TOKENS = 50 };

  g_autoptr (EngTrace) trace = scene_trace_new_long (N_TOKENS, 3);
  g_autoptr (UiScene) scene = create_scene (trace, edits, &window);
  const UiWeights *weights = ui_scene_get_weights (scene);
  UiColor color = ui_palette_head (UI_THEME_LIGHT, 2);
  UiThumbnail map;

  ui_thumbnail_init (&map, weights, 2, UI_THEME_LIGHT, SIZE);
  for (int row = 0; row < SIZE; row++)
    for (int column = 0; column < SIZE; column++) {
      double sum = 0, n = 0;

      for (int query = 0; query < N_TOKENS; query++) {
        const double part = pixel_share (row, SIZE, query, N_TOKENS);

        n += weights->query_passes[query] ? part : 0;
        for (int key = 0; key < N_TOKENS; key++) {
          double value = ui_weights_get (weights, 2, query, key);

          if (ui_weights_draws (weights, 2, query, value))
            sum += part * pixel_share (column, SIZE, key, N_TOKENS) * value;
        }
      }
      assert_pixel (((guint32 *) map.pixels)[row * SIZE + column],
                    ui_color_mix (get_plate (UI_THEME_LIGHT), color,
                                  ui_weights_get_alpha (weights, n > 0 ? sum / n : 0) / 255.0));
    }
  ui_thumbnail_clear (&map);
}

/* The preview has the maps and all that does not need heads to be measured. */
static void
test_preview (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 2);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  g_autofree char *full = scene_case_print (scene, NULL);
  g_autofree char *preview = scene_case_print_preview (scene);
  g_auto (GStrv) lines = g_strsplit (preview, "\n", -1);
  gsize n_lines = 0;

  for (; lines[n_lines] != NULL; n_lines++)
    g_assert_nonnull (strstr (full, lines[n_lines]));
  g_assert_cmpuint (n_lines, >, 4);
  g_assert_cmpint (count (preview, "image "), ==, 4);
  g_assert_cmpint (count (full, "image "), ==, 4);
  g_assert_cmpint (count (full, "text "), ==, count (preview, "text ") + 2 * 4);
}

static gpointer
paint_in_thread (gpointer scene)
{
  UiRect all = { 0, 0 };

  ui_scene_get_size (scene, &all.width, &all.height);
  return ui_scene_render (scene, &all, 1);
}

/* Several threads that paint one scene paint the same picture. */
static void
test_threads (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 6, 6);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  g_autoptr (UiScene) other = create_scene (trace, "", &window);
  cairo_surface_t *expected = paint_in_thread (other);
  gsize size = (gsize) cairo_image_surface_get_stride (expected) *
               cairo_image_surface_get_height (expected);
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new ("paint", paint_in_thread, scene);
  for (int i = 0; i < 4; i++) {
    cairo_surface_t *picture = g_thread_join (threads[i]);

    g_assert_cmpmem (cairo_image_surface_get_data (picture), size,
                     cairo_image_surface_get_data (expected), size);
    cairo_surface_destroy (picture);
  }
  cairo_surface_destroy (expected);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/model/pixels", test_pixels);
  g_test_add_func ("/scene/model/left-out", test_left_out);
  g_test_add_func ("/scene/model/pooling", test_pooling);
  g_test_add_func ("/scene/model/hatching", test_hatching);
  g_test_add_func ("/scene/model/lazy", test_lazy);
  g_test_add_data_func ("/scene/model/pooled-as-drawn", "", test_pooled_as_drawn);
  g_test_add_data_func ("/scene/model/pooled-as-drawn/threshold", "threshold=0.2",
                        test_pooled_as_drawn);
  g_test_add_data_func ("/scene/model/pooled-as-drawn/mass", "mass=0.5 filter=ab",
                        test_pooled_as_drawn);
  g_test_add_data_func ("/scene/model/pooled-as-drawn/renormalised",
                        "mass=0.5 filter=ab renormalise=true", test_pooled_as_drawn);
  g_test_add_func ("/scene/model/preview", test_preview);
  g_test_add_func ("/scene/model/threads", test_threads);
  return g_test_run ();
}
