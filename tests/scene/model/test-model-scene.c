/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-scene.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/trace/trace-file.h"
#include "engine/trace/trace-private.h"
#include "tests/support/box-sink.h"
#include "tests/support/golden.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-trace.h"
#include "tests/support/text-sink.h"
#include "tests/support/traces.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/scene/export/export.h"
#include "ui/scene/model/model-facts.h"
#include "ui/scene/views/factory.h"

#define N_A 4
#define N_B 4
#define N (N_A + N_B)
#define STRONG 0.6 /* of made-trace.h */

static const UiSceneOptions window = { .width = 700, .view_height = 500, .text_scale = 1 };
static const UiSceneOptions file = { .width = 500, .text_scale = 1, .caption = TRUE };

/* settings: "order=entropy filter=ab", fields of the document. */
static UiScene *
create_scene (EngTrace             *trace,
              const char           *settings,
              const UiSceneOptions *options)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = g_strsplit (settings, " ", -1);
  UiSceneOptions themed = *options;
  UiScene *scene;

  document->view = UI_VIEW_MODEL;
  for (int i = 0; parts[i] != NULL && *parts[i] != '\0'; i++) {
    g_auto (GStrv) pair = g_strsplit (parts[i], "=", 2);

    ui_document_set (document, ui_fields_find (pair[0]), pair[1], &error);
    g_assert_no_error (error);
  }
  themed.theme = document->theme;
  scene = ui_scene_new (trace, document, &themed, &error);
  g_assert_no_error (error);
  return scene;
}

static char *
print_scene (const UiScene *scene,
             const UiItem  *hover)
{
  GString *text = g_string_new (NULL);
  UiSink *sink = text_sink_new (text);

  if (hover == NULL)
    ui_scene_paint (scene, sink, NULL);
  else
    ui_scene_paint_overlay (scene, hover, sink, NULL);
  text_sink_free (sink);
  return g_string_free (text, FALSE);
}

static int
count (const char *text,
       const char *word)
{
  int n = 0;

  for (; (text = strstr (text, word)) != NULL; text += strlen (word))
    n++;
  return n;
}

static UiItem
make_item (int layer,
           int head)
{
  return (UiItem) { .type = UI_ITEM_HEAD, .layer = layer, .head = head };
}

static void
assert_item (const UiItem *item,
             int           layer,
             int           head)
{
  g_assert_cmpint (item->type, ==, UI_ITEM_HEAD);
  g_assert_cmpint (item->layer, ==, layer);
  g_assert_cmpint (item->head, ==, head);
}

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

/* Every head has a place of its own, where it is hit. */
static void
test_grid (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  double width, height;

  ui_scene_get_size (scene, &width, &height);
  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 12);
  for (int layer = 0; layer < 3; layer++) {
    for (int head = 0; head < 4; head++) {
      UiItem item = make_item (layer, head), hit, other;
      UiRect rect;

      g_assert_true (ui_scene_get_rect (scene, &item, &rect));
      g_assert_cmpfloat (rect.x, >, 0);
      g_assert_cmpfloat (rect.y, >=, ui_scene_get_header (scene));
      g_assert_cmpfloat (rect.x + rect.width, <, width);
      g_assert_cmpfloat (rect.y + rect.height, <, height);
      g_assert_true (ui_scene_hit (scene, rect.x + 1, rect.y + 1, &hit));
      assert_item (&hit, layer, head);
      g_assert_true (ui_scene_hit (scene, rect.x + rect.width - 1, rect.y + rect.height - 1, &hit));
      assert_item (&hit, layer, head);
      g_assert_false (ui_scene_hit (scene, rect.x - 2, rect.y + 1, &other));
    }
  }
}

static void
test_strange_items (void)
{
  static const UiItem strange[] = {
    { .type = UI_ITEM_HEAD, .layer = 3 }, { .type = UI_ITEM_HEAD, .layer = -1 },
    { .type = UI_ITEM_HEAD, .head = 4 },  { .type = UI_ITEM_HEAD, .head = -1 },
    { .type = UI_ITEM_QUERY, .query = 1 }, { .type = UI_ITEM_LINK, .query = 1, .key = 2 },
    { .type = UI_ITEM_NONE },
  };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) heads = ui_scene_new (trace, document, &window, NULL);
  UiItem known = make_item (1, 1);
  UiRect rect;

  for (gsize i = 0; i < G_N_ELEMENTS (strange); i++) {
    g_autofree char *sentence = ui_scene_describe (scene, &strange[i]);
    g_autofree char *overlay = print_scene (scene, &strange[i]);

    g_assert_false (ui_scene_get_rect (scene, &strange[i], &rect));
    g_assert_cmpstr (sentence, ==, "");
    g_assert_cmpstr (overlay, ==, "");
  }
  g_assert_false (ui_scene_get_rect (heads, &known, &rect));
}

static void
test_moves (void)
{
  static const struct {
    UiMove move;
    int    layer, head; /* -1 = the end */
  } steps[] = {
    { UI_MOVE_RIGHT, 1, 2 }, /* the marked head is where it begins */
    { UI_MOVE_RIGHT, 1, 3 }, { UI_MOVE_RIGHT, -1, -1 }, { UI_MOVE_DOWN, 2, 3 },
    { UI_MOVE_DOWN, -1, -1 }, { UI_MOVE_FIRST, 0, 0 }, { UI_MOVE_UP, -1, -1 },
    { UI_MOVE_LEFT, -1, -1 }, { UI_MOVE_DOWN, 1, 0 }, { UI_MOVE_LAST, 2, 3 },
  };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "layer=1 heads=2", &window);
  UiItem item = { .type = UI_ITEM_NONE };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    UiItem before = item;

    g_assert_cmpint (ui_scene_move (scene, steps[i].move, &item), ==, steps[i].layer >= 0);
    if (steps[i].layer >= 0)
      assert_item (&item, steps[i].layer, steps[i].head);
    else
      assert_item (&item, before.layer, before.head);
  }
}

/* In a flow left and right go on in the next row, up and down to what stands there. */
static void
test_moves_in_flow (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 8);
  g_autoptr (UiScene) scene = create_scene (trace, "order=entropy", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  UiItem item = make_item (layout->cells[0].layer, layout->cells[0].head);
  int n_rows = layout->cells[layout->n_cells - 1].row + 1;

  g_assert_cmpint (layout->n_cells, ==, 32);
  g_assert_cmpint (n_rows, >, 1);
  for (int i = 1; i < layout->n_cells; i++) {
    g_assert_true (ui_scene_move (scene, UI_MOVE_RIGHT, &item));
    assert_item (&item, layout->cells[i].layer, layout->cells[i].head);
  }
  g_assert_false (ui_scene_move (scene, UI_MOVE_RIGHT, &item));
  for (int row = n_rows - 2; row >= 0; row--) {
    g_assert_true (ui_scene_move (scene, UI_MOVE_UP, &item));
    g_assert_cmpint (layout->cells[ui_model_layout_find (layout, item.layer, item.head)].row, ==,
                     row);
  }
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

/* A lone strong weight among many tokens is as strong in a small map. */
static void
test_pooling (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (100, 0, 1, 1);
  g_autoptr (UiDocument) document = ui_document_new ();
  UiColor color = ui_palette_head (UI_THEME_DARK, 0);
  UiColor strong = ui_color_mix (get_plate (UI_THEME_DARK), color,
                                 lround (STRONG * UI_LINK_GAIN * 255) / 255.0);
  UiThumbnail map;
  UiWeights weights;

  g_assert_true (ui_weights_init (&weights, trace, document, ENG_KIND_ENCODER, 0, NULL,
                                  NULL));
  ui_thumbnail_init (&map, &weights, 0, UI_THEME_DARK, 30);
  g_assert_cmpint (map.width, ==, 30);
  g_assert_cmpint (map.height, ==, 30);
  for (int i = 0; i < 30; i++)
    assert_pixel (((guint32 *) map.pixels)[i * 30 + i], strong);
  assert_pixel (((guint32 *) map.pixels)[29],
                ui_color_mix (get_plate (UI_THEME_DARK), color,
                              lround (0.4 / 99 * UI_LINK_GAIN * 255) / 255.0));
  ui_thumbnail_enlarge (&map, 90);
  for (int i = 0; i < 90; i++)
    assert_pixel (((guint32 *) map.pixels)[i * 90 + i], strong);
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
      double strongest = 0;

      for (int query = row * N_TOKENS / SIZE;
           query < ((row + 1) * N_TOKENS + SIZE - 1) / SIZE; query++)
        for (int key = column * N_TOKENS / SIZE;
             key < ((column + 1) * N_TOKENS + SIZE - 1) / SIZE; key++) {
          double value = ui_weights_get (weights, 2, query, key);

          if (ui_weights_draws (weights, 2, query, value))
            strongest = MAX (strongest, value);
        }
      assert_pixel (((guint32 *) map.pixels)[row * SIZE + column],
                    ui_color_mix (get_plate (UI_THEME_LIGHT), color,
                                  ui_weights_get_alpha (weights, (float) strongest) / 255.0));
    }
  ui_thumbnail_clear (&map);
}

/* The preview has the maps and all that does not need heads to be measured. */
static void
test_preview (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 2);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  g_autofree char *full = print_scene (scene, NULL);
  GString *text = g_string_new (NULL);
  UiSink *sink = text_sink_new (text);
  g_auto (GStrv) lines = NULL;
  gsize n_lines = 0;

  g_assert_true (ui_scene_paint_preview (scene, sink, NULL));
  text_sink_free (sink);
  lines = g_strsplit (text->str, "\n", -1);
  for (; lines[n_lines] != NULL; n_lines++)
    g_assert_nonnull (strstr (full, lines[n_lines]));
  g_assert_cmpuint (n_lines, >, 4);
  g_assert_cmpint (count (text->str, "image "), ==, 4);
  g_assert_cmpint (count (full, "image "), ==, 4);
  g_assert_cmpint (count (full, "text "), ==, count (text->str, "text ") + 2 * 4);
  g_string_free (text, TRUE);
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

/* A layer that is not there yet leaves frames, also when it comes while the scene is shown. */
static void
test_growing (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 3);
  EngLayerTrace *last = &trace->blocks[ENG_KIND_ENCODER].layers[2];
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *text = NULL;
  g_autofree char *sentence = NULL;
  UiItem item = make_item (2, 1);

  g_atomic_int_set (&last->ready, FALSE);
  g_atomic_int_set (&trace->complete, FALSE);
  scene = create_scene (trace, "", &window);
  g_assert_false (ui_model_has_grown (scene));
  sentence = ui_scene_describe (scene, &item);
  g_assert_cmpstr (sentence, ==, "Layer 2 is still being computed.");
  g_atomic_int_set (&last->ready, TRUE);
  g_assert_true (ui_model_has_grown (scene));
  text = print_scene (scene, NULL);
  g_assert_cmpint (count (text, "frame "), ==, 2);
  g_assert_cmpint (count (text, "image "), ==, 4);
  g_assert_null (ui_model_scene_get_maps ((UiModelScene *) scene, 2));
  g_assert_nonnull (ui_model_scene_get_maps ((UiModelScene *) scene, 1));
}

/* A file may hold some layers alone. */
static void
test_gaps (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 6);
  EngLayerTrace *layers = trace->blocks[ENG_KIND_ENCODER].layers;
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (UiScene) sorted = NULL;
  g_autofree char *text = NULL;
  g_autofree char *caption = NULL;
  g_autofree char *legend = NULL;
  UiItem item = make_item (0, 1);

  g_atomic_int_set (&layers[1].ready, FALSE);
  g_atomic_int_set (&layers[2].ready, FALSE);
  g_atomic_int_set (&layers[4].ready, FALSE);
  scene = create_scene (trace, "", &window);
  text = print_scene (scene, NULL);
  caption = ui_scene_caption (scene);
  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 6);
  g_assert_nonnull (strstr (text, "layers 1 to 2 are not in this trace"));
  g_assert_nonnull (strstr (text, "layer 4 is not in this trace"));
  g_assert_nonnull (strstr (caption, "3 of 6 layers × 2 heads"));
  g_assert_true (ui_scene_move (scene, UI_MOVE_DOWN, &item));
  assert_item (&item, 3, 1);
  sorted = create_scene (trace, "order=traffic", &window);
  g_assert_cmpint (((UiModelScene *) sorted)->layout.n_cells, ==, 6);
  legend = ui_scene_legend (sorted);
  g_assert_nonnull (strstr (legend, " The trace holds layers 0, 3 and 5 alone."));
}

/* Without layer 0, which a document has unless somebody chose. */
static void
test_first_layer_missing (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 4);
  g_autoptr (UiDocument) rollout = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_atomic_int_set (&trace->blocks[ENG_KIND_ENCODER].layers[0].ready, FALSE);
  scene = create_scene (trace, "", &window);
  text = print_scene (scene, NULL);
  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 6);
  g_assert_nonnull (strstr (text, "layer 0 is not in this trace"));
  rollout->view = UI_VIEW_MODEL;
  rollout->measure = ENG_MEASURE_ROLLOUT;
  g_assert_null (ui_scene_new (trace, rollout, &window, &error));
  g_assert_error (error, ENG_ERROR, ENG_ERROR_MISSING);
  g_assert_cmpstr (error->message, ==, "rollout: up to layer 1 needs every layer from 0 on, but the"
                                       " encoder has no layer 0");
}

/* Entropy of 0.6 and seven times 0.4 / 7 is 2.09 bits. In head 1 of layer 0 three rows of each
 * sentence give 4 × 0.4 / 7 to the other, one gives 0.6 + 3 × 0.4 / 7: 0.36 in the mean. */
static void
test_describe (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  UiItem item = make_item (0, 1);
  g_autofree char *sentence = ui_scene_describe (scene, &item);
  g_autofree char *legend = ui_scene_legend (scene);
  g_autofree char *summary = ui_scene_summarise (scene);

  g_assert_cmpstr (sentence, ==,
                   "Head 1 of layer 0, mostly: each word reads the one after; evidence: the token"
                   " after gets the most weight in 7 of 7 rows, for example “w0” (0) reads “w1” (1)"
                   " with 0.60;"
                   " entropy 2.1 bits; 0.36 of its attention crosses.");
  g_assert_true (g_str_has_prefix (legend, "Opacity = weight × 1.5"));
  g_assert_true (g_str_has_suffix (legend, " Rows read, columns are read."));
  g_assert_nonnull (strstr (legend, " ⇄: share of attention that crosses between A and B."));
  g_assert_true (g_str_has_prefix (summary, "Model view: made · 3 layers × 4 heads"));
}

/* Patterns that came later stand behind those of the tables that people have. */
static void
test_numbers (void)
{
  static const char *const patterns[] = {
    "previous", "next", "same-token", "same-word", "first", "separator", "punctuation", "broad",
    "aa", "ab", "ba", "bb", "two-back", "two-on", "same-word-anywhere", "own-sentence",
  };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "", &window);
  g_autofree char *text = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) heading = g_strsplit (lines[0], "\t", -1);
  double crossing = (2 * (STRONG + 3 * 0.4 / 7) + 6 * 4 * 0.4 / 7) / 8;
  double entropy = -STRONG * log2 (STRONG) - 0.4 * log2 (0.4 / 7);

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    g_assert_cmpstr (heading[7 + i], ==, patterns[i]);
  g_assert_cmpint (g_strv_length (lines), ==, 1 + 12 + 1);
  for (int i = 0; i < 12; i++) {
    g_auto (GStrv) columns = g_strsplit (lines[1 + i], "\t", -1);

    g_assert_cmpint (g_strv_length (columns), ==, g_strv_length (heading));
    g_assert_cmpint (atoi (columns[0]), ==, i / 4);
    g_assert_cmpint (atoi (columns[1]), ==, i % 4);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (columns[3], NULL), entropy, 1e-4);
    if (i == 1) {
      g_assert_cmpstr (columns[2], ==, "next");
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (columns[4], NULL), crossing, 1e-4);
    }
  }
}

static EngTrace *
open_bert (void)
{
  g_autofree char *path = traces_get_path ("shared/bert-base-uncased.cat-mat.safetensors");
  g_autoptr (GError) error = NULL;
  EngTrace *trace;

  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("the trace of bert-base-uncased is not here");
    return NULL;
  }
  trace = eng_trace_file_open (path, &error);
  g_assert_no_error (error);
  return trace;
}

/* The first head of a group, and its neighbour, as measured without our code. */
static void
test_order_by_pattern (void)
{
  g_autoptr (EngTrace) trace = open_bert ();
  g_autoptr (UiScene) scene = NULL;
  const UiModelLayout *layout;
  int next;

  if (trace == NULL)
    return;
  scene = create_scene (trace, "order=pattern", &file);
  layout = &((UiModelScene *) scene)->layout;
  g_assert_cmpint (layout->n_cells, ==, 144);
  g_assert_cmpint (layout->cells[0].layer, ==, 3);
  g_assert_cmpint (layout->cells[0].head, ==, 5);
  next = ui_model_layout_find (layout, 2, 0);
  g_assert_cmpint (layout->cells[next + 1].layer, ==, 2);
  g_assert_cmpint (layout->cells[next + 1].head, ==, 9);
  g_assert_cmpint (layout->cells[next - 1].group, !=, layout->cells[next].group);
  for (int i = 1; i < layout->n_cells; i++)
    if (layout->cells[i].group == ENG_PATTERN_SEPARATOR &&
        layout->cells[i - 1].group != ENG_PATTERN_SEPARATOR) {
      g_assert_cmpint (layout->cells[i].layer, ==, 7);
      g_assert_cmpint (layout->cells[i].head, ==, 7);
    }
}

static double
get_score (const UiModelScene *self,
           const UiModelCell  *cell)
{
  const EngHeadFacts *facts = ui_model_scene_get_facts (self, cell->layer) + cell->head;

  g_assert_cmpint (cell->group, ==, facts->label);
  return facts->scores[facts->label];
}

/* Of each group the clearest heads, as many as the cell behind them says less than all. */
static void
assert_groups (const UiModelScene *self,
               int                 n_heads)
{
  const UiModelLayout *layout = &self->layout;
  int n_seen = 0;

  for (int group = 0; group < ENG_N_LABELS; group++) {
    int opener = ui_model_layout_find_opener (layout, group);
    double worst = 2, best_hidden = -1;
    int n_hidden = 0;

    for (int i = 0; i < layout->n_cells; i++) {
      const UiModelCell *cell = &layout->cells[i];

      if (cell->group != group || cell->head < 0)
        continue;
      n_seen++;
      n_hidden += cell->row < 0;
      if (cell->row < 0)
        best_hidden = MAX (best_hidden, get_score (self, cell));
      else if (!cell->is_kept)
        worst = MIN (worst, get_score (self, cell));
    }
    g_assert_cmpfloat (best_hidden, <=, worst);
    g_assert_cmpint (opener >= 0 ? layout->cells[opener].n_more : 0, ==, n_hidden);
  }
  g_assert_cmpint (n_seen, ==, n_heads);
}

/* No two texts of a window meet, and none leaves it. */
static void
assert_texts_apart (const UiScene *scene)
{
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);
  double width;

  ui_scene_get_size (scene, &width, NULL);
  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *box = &g_array_index (boxes, TextBox, i);

    for (int corner = 0; corner < 4; corner++) {
      g_assert_cmpfloat (box->corners[corner][0], >=, 0);
      g_assert_cmpfloat (box->corners[corner][0], <=, width);
    }
    for (guint j = 0; j < i; j++) {
      const TextBox *other = &g_array_index (boxes, TextBox, j);

      if (box_sink_overlap (other, box) > 0.3)
        g_error ("%g wide: “%s” and “%s” overlap", width, other->text, box->text);
    }
  }
}

static void
test_groups_of_window (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 16, 24);

  for (double width = 280; width <= 1700; width += 118)
    for (double scale = 1; scale <= 2; scale += 0.5)
      for (int open = 0; open < 2; open++) {
        const UiSceneOptions options = {
          .width = width, .view_height = 620, .text_scale = scale,
          .open_groups = open ? 1u << ENG_PATTERN_NEXT : 0,
        };
        g_autoptr (UiScene) scene = create_scene (trace, "order=pattern", &options);

        assert_groups ((UiModelScene *) scene, 24 * 16);
        assert_texts_apart (scene);
      }
}

/* With room for all of them nothing has to be opened. */
static void
test_groups_with_room (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 8);
  UiSceneOptions large = window;
  g_autoptr (UiScene) scene = NULL;

  large.view_height = 4000;
  scene = create_scene (trace, "order=pattern", &large);
  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 32);
  assert_groups ((UiModelScene *) scene, 32);
}

static const UiModelCell *
find_hidden (const UiModelLayout *layout)
{
  for (int i = 0; i < layout->n_cells; i++)
    if (layout->cells[i].row < 0)
      return &layout->cells[i];
  g_assert_not_reached ();
}

/* What opens a group is hit, moved to and named; a head that is not in sight has no place, and comes
 * there once it is marked, collected, or its group is open. */
static void
test_open_group (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 16, 24);
  UiSceneOptions options = window;
  g_autoptr (UiScene) scene = create_scene (trace, "order=pattern", &options);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  UiModelCell hidden = *find_hidden (layout);
  UiItem head = make_item (hidden.layer, hidden.head);
  UiItem opener = { .type = UI_ITEM_GROUP, .pattern = hidden.group };
  int cell = ui_model_layout_find_opener (layout, hidden.group);
  g_autofree char *more = g_strdup_printf ("+%d", layout->cells[cell].n_more);
  g_autofree char *text = print_scene (scene, NULL);
  g_autofree char *sentence = ui_scene_describe (scene, &opener);
  g_autofree char *settings = g_strdup_printf ("order=pattern layer=%d heads=%d", hidden.layer,
                                               hidden.head);
  g_autofree char *collected = g_strdup_printf ("order=pattern panels=%d.%d", hidden.layer,
                                                hidden.head);
  g_autoptr (UiScene) marked = create_scene (trace, settings, &options);
  g_autoptr (UiScene) lettered = create_scene (trace, collected, &options);
  g_autoptr (UiScene) open = NULL;
  UiItem hit, item = opener;
  UiRect rect;

  g_assert_nonnull (strstr (text, more));
  g_assert_true (g_str_has_prefix (sentence, "Shows "));
  g_assert_false (ui_scene_get_rect (scene, &head, &rect));
  g_assert_true (ui_scene_get_rect (scene, &opener, &rect));
  g_assert_true (ui_scene_hit (scene, rect.x + 5, rect.y + 5, &hit));
  g_assert_cmpint (hit.type, ==, UI_ITEM_GROUP);
  g_assert_cmpint (hit.pattern, ==, hidden.group);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LEFT, &item));
  assert_item (&item, layout->cells[cell - 1].layer, layout->cells[cell - 1].head);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_GROUP);

  g_assert_true (ui_scene_get_rect (marked, &head, &rect));
  g_assert_true (ui_scene_get_rect (lettered, &head, &rect));
  options.open_groups = 1u << hidden.group;
  open = create_scene (trace, "order=pattern", &options);
  g_assert_true (ui_scene_get_rect (open, &head, &rect));
  assert_groups ((UiModelScene *) open, 24 * 16);
}

/* Page Up and Page Down go to the first head of each group, Home and End to its ends. */
static void
test_moves_by_group (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 16, 24);
  g_autoptr (UiScene) scene = create_scene (trace, "order=pattern", &window);
  g_autoptr (UiScene) grid = create_scene (trace, "", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  UiItem item = make_item (layout->cells[0].layer, layout->cells[0].head);
  int group = layout->cells[0].group, n_groups = 1;

  g_assert_false (ui_scene_move (scene, UI_MOVE_GROUP_BEFORE, &item));
  for (int i = 1; i < layout->n_cells; i++) {
    if (layout->cells[i].group == group)
      continue;
    group = layout->cells[i].group;
    n_groups++;
    ui_scene_move (scene, UI_MOVE_LAST, &item);
    g_assert_true (ui_scene_move (scene, UI_MOVE_GROUP_AFTER, &item));
    assert_item (&item, layout->cells[i].layer, layout->cells[i].head);
  }
  g_assert_cmpint (n_groups, >, 2);
  g_assert_false (ui_scene_move (scene, UI_MOVE_GROUP_AFTER, &item));
  for (int i = 1; i < n_groups; i++)
    g_assert_true (ui_scene_move (scene, UI_MOVE_GROUP_BEFORE, &item));
  assert_item (&item, layout->cells[0].layer, layout->cells[0].head);
  g_assert_true (ui_scene_move (scene, UI_MOVE_LAST, &item));
  g_assert_true (ui_scene_move (scene, UI_MOVE_FIRST, &item));
  assert_item (&item, layout->cells[0].layer, layout->cells[0].head);
  g_assert_false (ui_scene_move (grid, UI_MOVE_GROUP_AFTER, &item));
}

/* Mean entropy of the rows, or mean weight of the rows of A on B. */
static double
measure_cell (EngTrace          *trace,
              const UiModelCell *cell,
              gboolean           entropy)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER,
                                                                cell->layer);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  const float *weights = attention->weights + (gsize) cell->head * tokens->n * tokens->n;
  double sum = 0;
  int n = 0;

  for (int query = 0; query < tokens->n; query++) {
    if (!entropy && tokens->segments[query] != 0)
      continue;
    n++;
    for (int key = 0; key < tokens->n; key++) {
      double weight = weights[query * tokens->n + key];

      if (entropy)
        sum -= weight > 0 ? weight * log2 (weight) : 0;
      else if (tokens->segments[key] == 1)
        sum += weight;
    }
  }
  return sum / n;
}

static void
test_order_by_number (gconstpointer data)
{
  gboolean entropy = GPOINTER_TO_INT (data);
  g_autoptr (EngTrace) trace = open_bert ();
  g_autoptr (UiScene) scene = NULL;
  const UiModelLayout *layout;

  if (trace == NULL)
    return;
  scene = create_scene (trace, entropy ? "order=entropy" : "order=traffic", &window);
  layout = &((UiModelScene *) scene)->layout;
  g_assert_cmpint (layout->n_cells, ==, 144);
  for (int i = 1; i < layout->n_cells; i++) {
    double before = measure_cell (trace, &layout->cells[i - 1], entropy);
    double here = measure_cell (trace, &layout->cells[i], entropy);

    if (entropy)
      g_assert_cmpfloat (before, <=, here + 1e-6);
    else
      g_assert_cmpfloat (before, >=, here - 1e-6);
  }
}

/* Without two sentences there is nothing to sort traffic by: all heads are there, by layer. */
static void
test_order_without_numbers (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N, 0, 3, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "order=traffic", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  g_autofree char *legend = ui_scene_legend (scene);

  g_assert_cmpint (layout->n_cells, ==, 9);
  for (int i = 0; i < 9; i++)
    g_assert_cmpint (layout->cells[i].layer * 3 + layout->cells[i].head, ==, i);
  g_assert_nonnull (strstr (legend, "There are no two sentences to sort by."));
}

/* All of it crosses, which is no number of a head. */
static void
test_cross (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_two_stacks (5, 7);
  g_autoptr (UiScene) scene = create_scene (trace, "kind=cross", &window);
  const UiThumbnail *maps = ui_model_scene_get_maps ((UiModelScene *) scene, 1);
  g_autofree char *legend = ui_scene_legend (scene);
  UiItem item = make_item (1, 0);
  g_autofree char *sentence = ui_scene_describe (scene, &item);

  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 4);
  g_assert_cmpint (maps[0].width, ==, 5);
  g_assert_cmpint (maps[0].height, ==, 7);
  g_assert_nonnull (strstr (legend, " The decoder's rows read, the encoder's columns"));
  g_assert_nonnull (strstr (legend, " Number: score of the pattern."));
  g_assert_true (g_str_has_prefix (sentence, "Head 0 of layer 1 of the cross-attention, mostly: "));
  g_assert_null (strstr (sentence, "crosses"));
}

/* All heads together: a map a layer. */
static void
test_rollout (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "measure=rollout", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  g_autofree char *text = print_scene (scene, NULL);
  g_autofree char *legend = ui_scene_legend (scene);
  UiItem item = make_item (2, 0);
  g_autofree char *sentence = ui_scene_describe (scene, &item);

  g_assert_cmpint (layout->n_cells, ==, 3);
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (layout->cells[i].layer, ==, i);
  g_assert_nonnull (strstr (text, "layer 2"));
  g_assert_nonnull (strstr (legend, "Rollout up to each layer: R = "));
  g_assert_true (g_str_has_prefix (sentence, "Rollout up to layer 2: "));
}

/* Frames and letters of what the document marks. */
static void
test_marks (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) plain = create_scene (trace, "layer=1", &window);
  g_autoptr (UiScene) scene = create_scene (trace, "layer=1 heads=2,3 panels=0.1,2.0", &window);
  g_autofree char *text = print_scene (scene, NULL);
  g_autofree char *plain_text = print_scene (plain, NULL);
  g_autofree char *legend = ui_scene_legend (scene);
  UiItem item = make_item (0, 0);
  g_autofree char *overlay = print_scene (scene, &item);

  g_assert_cmpint (count (plain_text, "frame "), ==, 0);
  g_assert_cmpint (count (text, "frame "), ==, 2);
  g_assert_cmpint (count (overlay, "frame "), ==, 1);
  g_assert_nonnull (strstr (text, " a\n"));
  g_assert_nonnull (strstr (text, " b\n"));
  g_assert_nonnull (strstr (legend, " Framed: heads 2 and 3 of layer 1. Letters: the heads that"));
}

/* The grid has no second side, which it says where a document has one. */
static void
test_first_side (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) plain = create_scene (trace, "compare=heads", &window);
  g_autoptr (UiScene) scene = create_scene (trace, "compare=difference", &window);
  g_autofree char *plain_legend = ui_scene_legend (plain);
  g_autofree char *legend = ui_scene_legend (scene);

  g_assert_null (strstr (plain_legend, "of This"));
  g_assert_nonnull (strstr (legend, " All heads are those of This."));
}

/* The grid of a large model fits into the width; labels go where they cannot be read. */
static void
test_sizes (void)
{
  g_autoptr (EngTrace) large = made_trace_new (N_A, N_B, 16, 24);
  g_autoptr (EngTrace) largest = made_trace_new (2, 0, 32, 48);
  UiSceneOptions small = window, zoomed = window;
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (UiScene) narrow = NULL;
  g_autoptr (UiScene) near = NULL;
  g_autofree char *text = NULL;
  g_autofree char *legend = NULL;
  double width;

  small.width = 970;
  scene = create_scene (large, "", &small);
  ui_scene_get_size (scene, &width, NULL);
  g_assert_cmpfloat (width, ==, 970);
  g_assert_cmpint (((UiModelScene *) scene)->layout.has_label, !=, UI_MODEL_LABEL_NONE);

  narrow = create_scene (largest, "", &small);
  text = print_scene (narrow, NULL);
  g_assert_cmpint (((UiModelScene *) narrow)->layout.has_label, ==, UI_MODEL_LABEL_NONE);
  g_assert_cmpint (count (text, "image "), ==, 48 * 32);
  g_assert_cmpint (count (text, "text "), ==, 48 + 32);
  legend = ui_scene_legend (narrow);
  g_assert_null (strstr (legend, "umber"));

  zoomed.zoom = 4;
  near = create_scene (largest, "", &zoomed);
  ui_scene_get_size (near, &width, NULL);
  g_assert_cmpfloat (width, >, 4 * 500);
  g_assert_cmpint (((UiModelScene *) near)->layout.has_label, !=, UI_MODEL_LABEL_NONE);
}

/* A file has every label as text and stays small. */
static void
test_svg (void)
{
  g_autoptr (EngTrace) trace = open_bert ();
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *svg = NULL;

  if (trace == NULL)
    return;
  document->view = UI_VIEW_MODEL;
  document->width_cm = 24;
  bytes = ui_figure_to_bytes (trace, document, UI_FIGURE_SVG, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_bytes_get_size (bytes), <, 3 << 20);
  svg = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_cmpint (count (svg, "<image"), ==, 0);
  g_assert_cmpint (count (svg, "crispEdges"), ==, 144);
  g_assert_cmpint (count (svg, ">sep.<"), >, 20);
  g_assert_cmpint (count (svg, ">layer 11<"), ==, 1);
}

static gboolean
stop_at_once (gint *cancel)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 2);

  return ui_model_prepare (trace, ENG_KIND_ENCODER, cancel, NULL, NULL);
}

static void
note_progress (int      done,
               int      n,
               gpointer last)
{
  g_assert_cmpint (done, ==, *(int *) last + 1);
  g_assert_cmpint (n, ==, 5);
  *(int *) last = done;
}

static void
test_prepare (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 2, 5);
  gint cancel = 1;
  int last = 0;

  g_assert_false (stop_at_once (&cancel));
  g_assert_true (ui_model_prepare (trace, ENG_KIND_ENCODER, NULL, note_progress, &last));
  g_assert_cmpint (last, ==, 5);
}

static void
test_golden (gconstpointer data)
{
  const char *const *golden = data;
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 3, 2);
  g_autoptr (UiScene) scene = create_scene (trace, golden[1], &file);
  g_autofree char *text = print_scene (scene, NULL);

  golden_assert_equal (golden[0], text);
}

int
main (int    argc,
      char **argv)
{
  static const char *const goldens[][2] = {
    { "model-grid.scene", "layer=1 heads=2 panels=0.1" },
    { "model-pattern-dark.scene", "order=pattern theme=dark" },
  };

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/model/grid", test_grid);
  g_test_add_func ("/scene/model/strange-items", test_strange_items);
  g_test_add_func ("/scene/model/moves", test_moves);
  g_test_add_func ("/scene/model/moves-in-flow", test_moves_in_flow);
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
  g_test_add_func ("/scene/model/growing", test_growing);
  g_test_add_func ("/scene/model/gaps", test_gaps);
  g_test_add_func ("/scene/model/first-layer-missing", test_first_layer_missing);
  g_test_add_func ("/scene/model/describe", test_describe);
  g_test_add_func ("/scene/model/numbers", test_numbers);
  g_test_add_func ("/scene/model/order-by-pattern", test_order_by_pattern);
  g_test_add_func ("/scene/model/groups-of-window", test_groups_of_window);
  g_test_add_func ("/scene/model/groups-with-room", test_groups_with_room);
  g_test_add_func ("/scene/model/open-group", test_open_group);
  g_test_add_func ("/scene/model/moves-by-group", test_moves_by_group);
  g_test_add_data_func ("/scene/model/order-by-entropy", GINT_TO_POINTER (TRUE),
                        test_order_by_number);
  g_test_add_data_func ("/scene/model/order-by-traffic", GINT_TO_POINTER (FALSE),
                        test_order_by_number);
  g_test_add_func ("/scene/model/order-without-numbers", test_order_without_numbers);
  g_test_add_func ("/scene/model/cross", test_cross);
  g_test_add_func ("/scene/model/rollout", test_rollout);
  g_test_add_func ("/scene/model/marks", test_marks);
  g_test_add_func ("/scene/model/first-side", test_first_side);
  g_test_add_func ("/scene/model/sizes", test_sizes);
  g_test_add_func ("/scene/model/svg", test_svg);
  g_test_add_func ("/scene/model/prepare", test_prepare);
  for (gsize i = 0; i < G_N_ELEMENTS (goldens); i++) {
    g_autofree char *path = g_strdup_printf ("/scene/model/golden/%s", goldens[i][0]);

    g_test_add_data_func (path, goldens[i], test_golden);
  }
  return g_test_run ();
}
