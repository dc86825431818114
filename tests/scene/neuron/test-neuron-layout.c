/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/scene/neuron/neuron-case.h"
#include "tests/support/box-sink.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/neuron/neuron-scene.h"
#include "ui/scene/sinks/raster.h"
#include "ui/scene/sinks/text.h"

/* Spans in the order from left to right; those of columns that are not there are left out. */
static void
assert_columns_apart (const UiNeuronLayout *layout)
{
  const UiRect *queries = &layout->rows->columns[UI_SIDE_QUERIES].column;
  const UiRect *keys = &layout->rows->columns[UI_SIDE_KEYS].column;
  UiSpan spans[32] = {
    { queries->x, queries->width },
    layout->bands[UI_BAND_QUERIES],
    layout->guides,
    layout->bands[UI_BAND_KEYS],
    layout->bands[UI_BAND_PRODUCTS],
  };
  int n = 5;
  double right = 0;

  for (int gauge = 0; gauge < UI_N_GAUGES; gauge++) {
    if (gauge == UI_GAUGE_SOFTMAX)
      spans[n++] = layout->mask;
    spans[n++] = layout->bars[gauge];
    spans[n++] = layout->numbers[gauge];
  }
  spans[n++] = layout->links;
  spans[n++] = layout->bands[UI_BAND_VALUES];
  spans[n++] = (UiSpan) { keys->x, keys->width };
  for (int i = 0; i < n; i++) {
    if (spans[i].width <= 0)
      continue;
    g_assert_cmpfloat (spans[i].x, >=, right - 1e-9);
    right = spans[i].x + spans[i].width;
  }
  g_assert_cmpfloat (right, <=, layout->rows->width + 1e-9);
}

static void
assert_layout (const EngTokens       *tokens,
               const UiNeuronColumns *columns,
               double                 width)
{
  static const UiPins no_pins = { 0 };
  double text_scale = width > 1800 ? 2 : 1;
  UiSceneOptions options = {
    .width = width, .view_height = width > 1200 ? 0 : 700, .text_scale = text_scale
  };
  UiSceneOptions row_options = ui_neuron_layout_get_row_options (&options, columns);
  double least = 0.4 * columns->n_dimensions * text_scale;
  UiHeadLayout rows;
  UiNeuronLayout layout;

  ui_head_layout_init (&rows, tokens, tokens, 0, &row_options, &no_pins);
  ui_neuron_layout_init (&layout, &rows, tokens, tokens, columns, &options);
  g_assert_cmpfloat (rows.width, >=, width);
  assert_columns_apart (&layout);
  g_assert_cmpfloat (layout.bands[UI_BAND_KEYS].width, >=, MAX (least, 22 * text_scale) - 1e-9);
  g_assert_cmpint (layout.bars[UI_GAUGE_MEASURE].width > 0, ==, columns->has_measure);
  g_assert_cmpint (layout.numbers[UI_GAUGE_BIAS].width > 0, ==, columns->n_biases > 0);
  g_assert_cmpint (layout.numbers[UI_GAUGE_SECOND_BIAS].width > 0, ==, columns->n_biases > 1);
  g_assert_cmpint (layout.mask.width > 0, ==, columns->has_mask);
  if (columns->n_value_dimensions > 0)
    g_assert_cmpfloat (layout.output.y + layout.output.height, <, rows.height);
  /* What a file has folds nowhere. */
  if (options.view_height <= 0 && columns->n_biases > 0)
    g_assert_cmpfloat (layout.bars[UI_GAUGE_BIAS].width, >=, 30 * text_scale);
  ui_head_layout_clear (&rows);
}

/* No column reaches into the next, at every width, with heads of every size, every choice of
 * columns and both sizes of text. */
static void
test_layout (void)
{
  static const int sizes[] = { 1, 24, 32, 64, 128 };
  g_autoptr (EngTrace) trace = open_flies ();
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++) {
    for (int choice = 0; choice < 16; choice++) {
      UiNeuronColumns columns = {
        .n_dimensions = sizes[s],
        .n_value_dimensions = choice & 1 ? sizes[s] : 0,
        .n_biases = choice / 2 % 2 * (1 + choice / 4 % 2),
        .has_mask = (choice & 4) != 0,
        .has_measure = (choice & 8) != 0,
      };

      for (double width = 300; width < 2400; width += 100)
        assert_layout (tokens, &columns, width);
    }
  }
}

/* The drawing of a window of 1280 (992 beside the inspector), of 900 (540 beside it) and of 600 does
 * not scroll sideways, with values, in heads of the usual sizes. */
static void
test_fits (void)
{
  static const double widths[] = { 992, 900, 540 };
  static const int sizes[] = { 24, 32, 64 };
  static const UiPins no_pins = { 0 };
  g_autoptr (EngTrace) trace = open_flies ();
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);

  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++) {
    for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++) {
      UiNeuronColumns columns = { .n_dimensions = sizes[s], .n_value_dimensions = sizes[s] };
      UiSceneOptions options = { .width = widths[w], .view_height = 600, .text_scale = 1 };
      UiSceneOptions row_options = ui_neuron_layout_get_row_options (&options, &columns);
      UiHeadLayout rows;
      UiNeuronLayout layout;

      ui_head_layout_init (&rows, tokens, tokens, 0, &row_options, &no_pins);
      ui_neuron_layout_init (&layout, &rows, tokens, tokens, &columns, &options);
      g_assert_cmpfloat (rows.width, <=, widths[w]);
      g_assert_cmpfloat (rows.height, <=, 600);
      ui_head_layout_clear (&rows);
    }
  }
}

/* A column has the words of an example whole. */
static void
assert_tokens_fit (const UiHeadLayout *rows,
                   const EngTokens    *tokens)
{
  for (int i = 0; i < tokens->n; i++) {
    const UiTextStyle style = { .size = rows->text_size, .italic = tokens->special[i] };

    for (int side = 0; side < 2; side++)
      g_assert_cmpfloat (rows->columns[side].column.width, >=,
                         ui_text_measure (tokens->texts[i], &style) + 20 * rows->scale - 1e-9);
  }
}

/* A window of 1280 with map and inspector leaves 740: bands that can be compared, and the letters
 * of the sentences make way for them. */
static void
test_bands (void)
{
  static const char *const a[] = { "the", "bird", "sang", "on", "the", "roof", NULL };
  static const char *const b[] = { "the", "dog", "slept", "on", "the", "grass", NULL };
  static const UiBand compared[] = { UI_BAND_QUERIES, UI_BAND_KEYS, UI_BAND_PRODUCTS };
  static const UiPins no_pins = { 0 };
  const UiNeuronColumns columns = { .n_dimensions = 24, .n_value_dimensions = 24 };
  g_autoptr (EngTrace) trace = scene_trace_new (a, b, 1);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);

  for (double width = 740; width < 1800; width += 20) {
    const UiSceneOptions options = { .width = width, .view_height = 600, .text_scale = 1 };
    const UiSceneOptions row_options = ui_neuron_layout_get_row_options (&options, &columns);
    UiHeadLayout rows;
    UiNeuronLayout layout;

    ui_head_layout_init (&rows, tokens, tokens, 0, &row_options, &no_pins);
    ui_neuron_layout_init (&layout, &rows, tokens, tokens, &columns, &options);
    g_assert_cmpfloat (rows.width, <=, width);
    g_assert_false (layout.is_tight);
    g_assert_cmpint (rows.has_letters, ==, width > 860);
    for (gsize i = 0; i < G_N_ELEMENTS (compared); i++)
      g_assert_cmpfloat (layout.bands[compared[i]].width, >=, 98 - 1e-9);
    assert_tokens_fit (&rows, tokens);
    assert_columns_apart (&layout);
    ui_head_layout_clear (&rows);
  }
}

/* A window of 420 has all columns of a small head, with words of an example. */
static void
test_phone (void)
{
  static const char *const a[] = { "the", "bird", "sang", "on", "the", "roof", NULL };
  static const char *const b[] = { "the", "dog", "slept", "on", "the", "grass", NULL };
  static const UiPins no_pins = { 0 };
  const UiNeuronColumns columns = { .n_dimensions = 24, .n_value_dimensions = 24 };
  const UiSceneOptions options = { .width = 410, .view_height = 500, .text_scale = 1 };
  const UiSceneOptions row_options = ui_neuron_layout_get_row_options (&options, &columns);
  g_autoptr (EngTrace) trace = scene_trace_new (a, b, 1);
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  UiHeadLayout rows;
  UiNeuronLayout layout;

  ui_head_layout_init (&rows, tokens, tokens, 0, &row_options, &no_pins);
  ui_neuron_layout_init (&layout, &rows, tokens, tokens, &columns, &options);
  g_assert_cmpfloat (rows.width, <=, 410);
  g_assert_true (layout.is_tight);
  g_assert_cmpfloat (layout.bands[UI_BAND_QUERIES].width, >=, 28);
  assert_tokens_fit (&rows, tokens);
  assert_columns_apart (&layout);
  ui_head_layout_clear (&rows);
}

/* The only link that is drawn, from a query to the key that it reads most, looked for in the trace
 * itself; FALSE where another is as strong. */
static gboolean
find_most_read (EngTrace *trace,
                int       query,
                int      *key,
                double   *threshold)
{
  g_autoptr (EngAttention) attention = eng_trace_dup_attention (trace, ENG_KIND_ENCODER, 0);
  const float *row = attention->weights + (HEAD * N_TOKENS + query) * N_TOKENS;
  float second = 0;

  *key = 0;
  for (int i = 1; i < N_TOKENS; i++)
    *key = row[i] > row[*key] ? i : *key;
  for (int i = 0; i < N_TOKENS; i++)
    second = i == *key ? second : MAX (second, row[i]);
  *threshold = (row[*key] + second) / 2;
  return row[*key] - second > 0.004f;
}

/* Whether a column of pixels has anything from one y to another; pixels are white where nothing
 * is drawn. */
static gboolean
has_ink (const guint32 *pixels,
         int            width,
         int            x,
         double         from,
         double         to)
{
  for (int y = (int) ceil (from); y < (int) floor (to); y++)
    if (pixels[y * width + x] != 0xffffffff)
      return TRUE;
  return FALSE;
}

/* However narrow its column is, the way from a query to a key ends at the rows of both. */
static void
assert_guide_ends (const UiScene *scene,
                   int            query,
                   int            key)
{
  const UiNeuronLayout *layout = &((const UiNeuronScene *) scene)->layout;
  const double row = layout->rows->row;
  const double y0 = layout->rows->columns[UI_SIDE_QUERIES].y[query];
  const double y1 = layout->rows->columns[UI_SIDE_KEYS].y[key];
  const int width = (int) layout->rows->width, height = (int) layout->rows->height;
  const UiRect area = { 0, 0, width, height };
  g_autofree guint32 *pixels = g_new (guint32, width * height);
  int n_columns = 0;
  UiSink *sink;

  memset (pixels, 0xff, sizeof *pixels * (gsize) (width * height));
  sink = ui_raster_sink_new ((guint8 *) pixels, width, height, width * 4, &area, 1);
  ui_scene_paint (scene, sink, &area);
  ui_raster_sink_free (sink);
  for (int x = (int) ceil (layout->guides.x); x < layout->guides.x + layout->guides.width - 1; x++) {
    g_assert_false (has_ink (pixels, width, x, layout->rows->header, MIN (y0, y1) - row / 2));
    g_assert_false (has_ink (pixels, width, x, MAX (y0, y1) + row / 2 + 1, height));
    n_columns += has_ink (pixels, width, x, MIN (y0, y1), MAX (y0, y1));
  }
  g_assert_cmpint (n_columns, >, 0);
}

static void
test_guide_ends (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  int n_steep = 0;

  for (int query = 0; query < N_TOKENS; query++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    int key;
    double threshold;

    if (!find_most_read (trace, query, &key, &threshold) || abs (query - key) < 2)
      continue;
    g_ascii_formatd (number, sizeof number, "%.3f", threshold);
    for (double width = 410; width < 1200; width += 260) {
      g_autofree char *settings = g_strdup_printf ("heads=8 gain=6 pin=%d threshold=%s", query,
                                                   number);
      g_autoptr (UiScene) scene = create_scene (trace, settings, width, 600);

      assert_guide_ends (scene, query, key);
      n_steep++;
    }
  }
  g_assert_cmpint (n_steep, >, 4);
}

/* How many of the tokens are drawn as the text. */
static int
count_drawn (EngTrace   *trace,
             double      width,
             double      text_scale,
             const char *text)
{
  const UiSceneOptions options = {
    .width = width, .view_height = 440 * text_scale, .text_scale = text_scale
  };
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);
  int n = 0;

  document->view = UI_VIEW_NEURON;
  scene = ui_scene_new (trace, document, &options, NULL);
  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++)
    n += strcmp (g_array_index (boxes, TextBox, i).text, text) == 0;
  return n;
}

/* Headings of the bands that are compared are all whole or all brief. */
static void
test_headings (void)
{
  static const double width_of_brief = 400, width_of_whole = 700;
  g_autoptr (EngTrace) trace = open_flies ();

  for (double width = 380; width < 900; width += 10) {
    const int n_whole = count_drawn (trace, width, 1, "query q");

    g_assert_cmpint (n_whole, >=, width >= width_of_whole);
    g_assert_cmpint (n_whole, <=, width > width_of_brief);
    g_assert_cmpint (count_drawn (trace, width, 1, "key k"), ==, n_whole);
    g_assert_cmpint (count_drawn (trace, width, 1, "q × k"), ==, n_whole);
    g_assert_cmpint (count_drawn (trace, width, 1, "q×k"), ==, 1 - n_whole);
  }
}

/* The note of an unknown word gives way before the drawing is wider than its window, and stays
 * where there is room: a column is as wide as its widest text. */
static void
test_unknown (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);

  tokens->typed[QUERY] = g_strdup ("слово");
  g_free (tokens->texts[QUERY]);
  tokens->texts[QUERY] = g_strdup ("[UNK]");
  g_assert_cmpint (count_drawn (trace, 700, 1, "?\u2009слово"), ==, 2);
  for (double scale = 0.8; scale < 2; scale += 0.07)
    g_assert_cmpint (count_drawn (trace, 2000 * scale, scale, "[UNK] слово"), ==, 2);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/neuron/layout", test_layout);
  g_test_add_func ("/scene/neuron/fits", test_fits);
  g_test_add_func ("/scene/neuron/bands", test_bands);
  g_test_add_func ("/scene/neuron/phone", test_phone);
  g_test_add_func ("/scene/neuron/guide-ends", test_guide_ends);
  g_test_add_func ("/scene/neuron/headings", test_headings);
  g_test_add_func ("/scene/neuron/unknown", test_unknown);
  return g_test_run ();
}
