/* SPDX-License-Identifier: MIT */
#include "ui/scene/neuron-scene.h"

#include <locale.h>
#include <string.h>

#include "engine/json.h"
#include "engine/trace/trace-file.h"
#include "tests/support/golden.h"
#include "tests/support/made-trace.h"
#include "tests/support/text-sink.h"

#define HEAD 8
#define QUERY 2
#define N_TOKENS 13
#define N_DIMENSIONS 32

static char *
find_fixture (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "fixtures", name, NULL);
}

static EngTrace *
open_flies (void)
{
  g_autofree char *path = find_fixture ("scene/flies.safetensors");
  g_autoptr (GError) error = NULL;
  EngTrace *trace = eng_trace_file_open (path, &error);

  g_assert_no_error (error);
  return trace;
}

static cJSON *
read_expected (void)
{
  g_autofree char *path = find_fixture ("scene/flies.json");
  g_autoptr (GError) error = NULL;
  cJSON *json = eng_json_read (path, 1 << 20, 8, &error);

  g_assert_no_error (error);
  return json;
}

/* settings: "pin=2 sort=true", fields of the document. */
static UiScene *
create_scene (EngTrace   *trace,
              const char *settings,
              double      width,
              double      view_height)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) parts = g_strsplit (settings, " ", -1);
  UiSceneOptions options = { .width = width, .view_height = view_height, .text_scale = 1 };
  UiScene *scene;

  document->view = UI_VIEW_NEURON;
  for (int i = 0; parts[i] != NULL && *parts[i] != '\0'; i++) {
    g_auto (GStrv) pair = g_strsplit (parts[i], "=", 2);

    ui_document_set (document, ui_fields_find (pair[0]), pair[1], &error);
    g_assert_no_error (error);
  }
  options.theme = document->theme;
  scene = ui_scene_new (trace, document, &options, &error);
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

/* Every number of the comparison against what torch gave. */
static void
test_numbers (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2", 1000, 600);
  g_autoptr (cJSON) expected = read_expected ();
  g_autofree char *text = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double worst = 0;

  g_assert_cmpint (g_strv_length (lines), ==, 1 + 3 * N_TOKENS + 1);
  g_assert_true (g_str_has_prefix (lines[0], "vector\ttoken\ttext\t0\t1\t2\t"));
  g_assert_true (g_str_has_suffix (lines[0], "\t31\tq·k\tscore\tweight"));
  for (int key = 0; key < N_TOKENS; key++) {
    static const char *const names[] = { "products", "scores", "weights" };
    g_auto (GStrv) columns = g_strsplit (lines[1 + 2 * N_TOKENS + key], "\t", -1);
    double sum = 0;

    g_assert_cmpint (g_strv_length (columns), ==, 3 + N_DIMENSIONS + 3);
    for (int i = 0; i < 3; i++) {
      const cJSON *list = eng_json_find (expected, names[i]);
      double number = g_ascii_strtod (columns[3 + N_DIMENSIONS + i], NULL);

      worst = MAX (worst, ABS (number - cJSON_GetArrayItem (list, key)->valuedouble));
    }
    for (int i = 0; i < N_DIMENSIONS; i++)
      sum += g_ascii_strtod (columns[3 + i], NULL);
    g_assert_cmpfloat_with_epsilon (sum, g_ascii_strtod (columns[3 + N_DIMENSIONS], NULL), 1e-4);
  }
  g_test_message ("largest difference to torch: %.2g", worst);
  g_assert_cmpfloat (worst, <, 1e-5);
}

static void
test_sorted_dimensions (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2 sort=true", 1000, 600);
  g_autoptr (UiScene) unpinned = create_scene (trace, "heads=8 sort=true", 1000, 600);
  g_autoptr (cJSON) expected = read_expected ();
  const cJSON *order = eng_json_find (expected, "order");
  g_autofree char *legend = ui_scene_legend (scene);
  g_autofree char *legend_of_all = ui_scene_legend (unpinned);

  for (int i = 0; i < N_DIMENSIONS; i++) {
    int dimension = ((UiNeuronScene *) scene)->order[i];

    g_assert_cmpint (dimension, ==, cJSON_GetArrayItem (order, i)->valueint);
  }
  g_assert_nonnull (strstr (legend, "Dimensions by Σ |q × k| over all keys and the pinned query, "
                            "largest first: 10, 16, 24,"));
  g_assert_nonnull (strstr (legend_of_all, "over all keys and all queries, largest first: "));
}

static void
test_describe (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2", 1000, 600);
  static const struct { UiItem item; const char *sentence; } cases[] = {
    { { UI_ITEM_QUERY_CELL, HEAD, 2, -1, 10 },
      "Dimension 10 of the query of “flies” (2) is +1.57." },
    { { UI_ITEM_KEY_CELL, HEAD, 2, 8, 10 }, "Dimension 10 of the key of “flies” (8) is +1.30." },
    { { UI_ITEM_PRODUCT_CELL, HEAD, 2, 8, 10 },
      "Dimension 10, query of “flies” (2) × key of “flies” (8): +1.57 × +1.30 = +2.05." },
    { { UI_ITEM_SCORE, HEAD, 2, 8, 0 },
      "q·k = +11.49, q·k ÷ √32 = +2.03. “flies” (2) reads “flies” (8) with weight 0.14 in "
      "head 8 of layer 0." },
    { { UI_ITEM_SOFTMAX, HEAD, 2, 4, 0 },
      "q·k = −1.00, q·k ÷ √32 = −0.18. “flies” (2) reads “an” (4) with weight 0.015 in "
      "head 8 of layer 0." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *sentence = ui_scene_describe (scene, &cases[i].item);

    g_assert_cmpstr (sentence, ==, cases[i].sentence);
  }
}

/* An item of another head, layer or text may come too late: it is not shown, and no memory is
 * read. */
static void
test_strange_items (void)
{
  static const UiItem items[] = {
    { UI_ITEM_QUERY_CELL, HEAD, 2, -1, N_DIMENSIONS },
    { UI_ITEM_KEY_CELL, HEAD, 2, 3, -1 },
    { UI_ITEM_PRODUCT_CELL, HEAD, 2, 3, 1000 },
    { UI_ITEM_PRODUCT_CELL, HEAD, N_TOKENS, 3, 0 },
    { UI_ITEM_SOFTMAX, HEAD, -1, 3, 0 },
    { UI_ITEM_KEY, HEAD, 0, N_TOKENS, 0 },
  };
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, "heads=8 pin=2", 1000, 600);

  for (gsize i = 0; i < G_N_ELEMENTS (items); i++) {
    g_autofree char *sentence = ui_scene_describe (scene, &items[i]);
    g_autofree char *drawing = print_scene (scene, &items[i]);
    UiRect rect;

    g_assert_cmpstr (sentence, ==, "");
    g_assert_cmpstr (drawing, ==, "");
    g_assert_false (ui_scene_get_rect (scene, &items[i], &rect));
  }
}

static gboolean
belongs_to_query (UiItemType type)
{
  return type == UI_ITEM_QUERY || type == UI_ITEM_QUERY_CELL;
}

static gboolean
belongs_to_pin (UiItemType type)
{
  return type == UI_ITEM_PRODUCT_CELL || type == UI_ITEM_SCORE || type == UI_ITEM_SOFTMAX;
}

static void
assert_hit (const UiScene *scene,
            const UiItem  *item)
{
  UiItem found;
  UiRect rect;

  g_assert_true (ui_scene_get_rect (scene, item, &rect));
  g_assert_true (ui_scene_hit (scene, rect.x + rect.width / 2, rect.y + rect.height / 2, &found));
  g_assert_cmpint (found.type, ==, item->type);
  g_assert_cmpint (found.query, ==, item->query);
  g_assert_cmpint (found.key, ==, item->key);
  if (item->type == UI_ITEM_QUERY_CELL || item->type == UI_ITEM_KEY_CELL
      || item->type == UI_ITEM_PRODUCT_CELL)
    g_assert_cmpint (found.dimension, ==, item->dimension);
}

/* What is hit in the middle of an item's rectangle is the item. */
static void
test_hits (void)
{
  static const char *const settings[] = {
    "heads=8 pin=2", "heads=8 pin=2 sort=true bands=stripes", "heads=8"
  };
  static const UiItemType types[] = {
    UI_ITEM_QUERY, UI_ITEM_QUERY_CELL, UI_ITEM_KEY_CELL, UI_ITEM_PRODUCT_CELL,
    UI_ITEM_SCORE, UI_ITEM_SOFTMAX,    UI_ITEM_KEY
  };
  g_autoptr (EngTrace) trace = open_flies ();

  for (gsize s = 0; s < G_N_ELEMENTS (settings); s++) {
    g_autoptr (UiScene) scene = create_scene (trace, settings[s], 1000, 600);
    int pinned = strstr (settings[s], "pin") != NULL ? QUERY : -1;

    for (gsize t = 0; t < G_N_ELEMENTS (types); t++) {
      for (int token = 0; token < N_TOKENS; token++) {
        gboolean of_query = belongs_to_query (types[t]);
        UiItem item = { types[t], HEAD, of_query ? token : pinned, of_query ? -1 : token, 0 };
        UiRect rect;

        item.dimension = token * 7 % N_DIMENSIONS;
        if (belongs_to_pin (types[t]) && pinned < 0)
          g_assert_false (ui_scene_get_rect (scene, &item, &rect));
        else
          assert_hit (scene, &item);
      }
    }
  }
}

/* The cursor walks from the first token over every cell to the last column and back. */
static void
test_moves (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) pinned = create_scene (trace, "heads=8 pin=2", 1000, 600);
  g_autoptr (UiScene) unpinned = create_scene (trace, "heads=8", 1000, 600);
  UiItem item = { 0 };
  int steps = 0;

  g_assert_true (ui_scene_move (pinned, UI_MOVE_DOWN, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (item.query, ==, 0);
  g_assert_false (ui_scene_move (pinned, UI_MOVE_UP, &item));
  while (ui_scene_move (pinned, UI_MOVE_RIGHT, &item))
    steps++;
  g_assert_cmpint (steps, ==, 3 * N_DIMENSIONS + 3);
  g_assert_cmpint (item.type, ==, UI_ITEM_KEY);
  while (ui_scene_move (pinned, UI_MOVE_DOWN, &item))
    steps++;
  g_assert_cmpint (item.key, ==, N_TOKENS - 1);
  while (ui_scene_move (pinned, UI_MOVE_LEFT, &item))
    steps--;
  g_assert_cmpint (steps, ==, N_TOKENS - 1);
  g_assert_cmpint (item.type, ==, UI_ITEM_QUERY);
  g_assert_cmpint (item.query, ==, N_TOKENS - 1);
  g_assert_true (ui_scene_move (pinned, UI_MOVE_LAST, &item));
  g_assert_cmpint (item.type, ==, UI_ITEM_KEY);

  item = (UiItem) { 0 };
  ui_scene_move (unpinned, UI_MOVE_DOWN, &item);
  for (steps = 0; ui_scene_move (unpinned, UI_MOVE_RIGHT, &item); steps++)
    ;
  g_assert_cmpint (steps, ==, 2 * N_DIMENSIONS + 1);
}

static void
assert_apart (UiSpan left,
              double right)
{
  g_assert_cmpfloat (left.width, >, 0);
  g_assert_cmpfloat (left.x + left.width, <=, right + 1e-9);
}

static void
assert_columns_apart (const UiNeuronLayout *layout)
{
  const UiHeadLayout *rows = layout->rows;
  const UiRect *queries = &rows->columns[UI_SIDE_QUERIES].column;
  const UiRect *keys = &rows->columns[UI_SIDE_KEYS].column;
  const UiSpan spans[] = {
    { 0, queries->x },
    { queries->x, queries->width },
    layout->bands[UI_BAND_QUERIES],
    layout->guides,
    layout->bands[UI_BAND_KEYS],
    layout->bands[UI_BAND_PRODUCTS],
    layout->score_bars,
    layout->score_numbers,
    layout->softmax_bars,
    layout->softmax_numbers,
    layout->links,
    { keys->x, keys->width },
    { rows->width, 0 },
  };

  for (gsize i = 0; i + 1 < G_N_ELEMENTS (spans); i++)
    assert_apart (spans[i], spans[i + 1].x);
}

/* No column reaches into the next, at every width, with heads of every size and at both sizes of
 * text. */
static void
test_layout (void)
{
  static const int sizes[] = { 1, 24, 32, 64, 128 };
  static const UiPins no_pins = { 0 };
  g_autoptr (EngTrace) trace = open_flies ();
  const EngTokens *tokens = eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++) {
    for (double width = 300; width < 2400; width += 100) {
      UiSceneOptions options = { .width = width, .view_height = 700, .text_scale = 1 };
      UiSceneOptions row_options;
      UiHeadLayout rows;
      UiNeuronLayout layout;

      options.view_height = width > 1200 ? 0 : 700;
      options.text_scale = width > 1800 ? 2 : 1;
      row_options = ui_neuron_layout_get_row_options (&options);
      ui_head_layout_init (&rows, tokens, tokens, &row_options, &no_pins);
      ui_neuron_layout_init (&layout, &rows, tokens, tokens, sizes[s], &options);
      g_assert_cmpfloat (rows.width, >=, width);
      assert_columns_apart (&layout);
      g_assert_cmpfloat (layout.bands[UI_BAND_KEYS].width, >=, 1.5 * sizes[s] * options.text_scale);
      if (options.view_height > 0)
        g_assert_cmpfloat (layout.bands[UI_BAND_KEYS].width, >=, 140);
      ui_head_layout_clear (&rows);
    }
  }
}

/* Pinned, a token under the pointer changes no number; unpinned, it shows its comparison. */
static void
test_hover (void)
{
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) pinned = create_scene (trace, "heads=8 pin=2", 1000, 600);
  g_autoptr (UiScene) unpinned = create_scene (trace, "heads=8", 1000, 600);
  UiItem hover = { UI_ITEM_QUERY, HEAD, QUERY, -1, 0 };
  g_autofree char *over_pinned = print_scene (pinned, &hover);
  g_autofree char *preview = print_scene (unpinned, &hover);
  g_autofree char *without = print_scene (unpinned, NULL);

  g_assert_null (strstr (over_pinned, "text"));
  g_assert_nonnull (strstr (preview, "+2.91"));
  g_assert_nonnull (strstr (preview, "0.338"));
  g_assert_nonnull (strstr (without, "Click a token to pin its query"));
  g_assert_null (strstr (without, "0.338"));
}

static void
test_masked (void)
{
  g_autofree char *path = find_fixture ("traces/llama.safetensors");
  g_autoptr (GError) error = NULL;
  g_autoptr (EngTrace) causal = eng_trace_file_open (path, &error);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *sentence = NULL;
  g_autofree char *legend = NULL;
  g_autofree char *drawing = NULL;
  UiItem item = { UI_ITEM_SCORE, 0, 1, 2, 0 };

  g_assert_no_error (error);
  scene = create_scene (causal, "pin=1 heads=0", 1000, 600);
  sentence = ui_scene_describe (scene, &item);
  legend = ui_scene_legend (scene);
  drawing = print_scene (scene, NULL);
  g_assert_nonnull (strstr (sentence, "the model masks it"));
  g_assert_nonnull (strstr (legend, "Hatched: masked"));
  g_assert_nonnull (strstr (drawing, "hatch"));
  g_assert_nonnull (strstr (drawing, "masked"));
}

/* Without queries and keys, and when asked for, only the links of the one head are left. */
static void
test_collapsed (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (3, 3, 4, 2);
  const char *settings = "collapsed=true heads=2 filter=ab layer=1";
  g_autoptr (UiScene) asked = create_scene (trace, settings, 1000, 600);
  g_autoptr (UiScene) forced = NULL;
  g_autofree char *legend = ui_scene_legend (asked);
  g_autofree char *caption = ui_scene_caption (asked);
  g_autofree char *numbers = ui_scene_numbers (asked);
  g_autofree char *reason = NULL;

  g_assert_null (strstr (legend, "no queries and keys"));
  g_assert_null (strstr (legend, "A→B"));
  g_assert_nonnull (strstr (caption, "head 2"));
  g_assert_null (strstr (numbers, "\n1\t3\t"));
  g_assert_nonnull (strstr (numbers, "\n1\t2\t"));

  made_trace_forget_vectors (trace);
  forced = create_scene (trace, "heads=2 layer=1", 1000, 600);
  reason = ui_scene_legend (forced);
  g_assert_true (g_str_has_prefix (reason, "The trace holds no queries and keys of this layer"));
}

/* The formula in the heading and in words, whatever the scale and the bias. */
static void
test_score_formula (void)
{
  static const struct { double scale; gboolean bias; const char *formula; } cases[] = {
    { 0.17677669529663687, FALSE, "q·k ÷ √32" },
    { 1, FALSE, "q·k" },
    { 1, TRUE, "q·k + bias" },
    { 0.125, TRUE, "q·k × 0.125 + bias" },
  };
  static const float bias[1] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiNeuronScene scene = {
      .layout = { .n_dimensions = N_DIMENSIONS },
      .scale = cases[i].scale,
      .bias = { .data = cases[i].bias ? bias : NULL },
    };
    g_autofree char *formula = ui_neuron_describe_score (&scene);

    g_assert_cmpstr (formula, ==, cases[i].formula);
  }
}

static void
test_describe_number (void)
{
  static const struct { double number; const char *text; } cases[] = {
    { 1.314, "+1.31" }, { -0.8, "−0.80" },     { 0, "0.00" },
    { -0.004, "0.00" }, { 123.45, "+123.5" }, { -99.996, "−100.0" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = ui_neuron_describe_number (cases[i].number);

    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

static void
test_golden (gconstpointer data)
{
  const char *const *golden = data;
  g_autoptr (EngTrace) trace = open_flies ();
  g_autoptr (UiScene) scene = create_scene (trace, golden[1], 1000, 600);
  g_autofree char *text = print_scene (scene, NULL);

  golden_assert_equal (golden[0], text);
}

int
main (int    argc,
      char **argv)
{
  static const char *const goldens[][2] = {
    { "neuron-pinned.scene", "heads=8 pin=2" },
    { "neuron-stripes-dark.scene", "heads=8 pin=2 bands=stripes theme=dark sort=true" },
    { "neuron-unpinned.scene", "heads=8" },
  };

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/neuron/numbers", test_numbers);
  g_test_add_func ("/scene/neuron/sorted-dimensions", test_sorted_dimensions);
  g_test_add_func ("/scene/neuron/describe", test_describe);
  g_test_add_func ("/scene/neuron/strange-items", test_strange_items);
  g_test_add_func ("/scene/neuron/hits", test_hits);
  g_test_add_func ("/scene/neuron/moves", test_moves);
  g_test_add_func ("/scene/neuron/layout", test_layout);
  g_test_add_func ("/scene/neuron/hover", test_hover);
  g_test_add_func ("/scene/neuron/masked", test_masked);
  g_test_add_func ("/scene/neuron/collapsed", test_collapsed);
  g_test_add_func ("/scene/neuron/score-formula", test_score_formula);
  g_test_add_func ("/scene/neuron/describe-number", test_describe_number);
  for (gsize i = 0; i < G_N_ELEMENTS (goldens); i++) {
    g_autofree char *path = g_strconcat ("/scene/neuron/golden/", goldens[i][0], NULL);

    g_test_add_data_func (path, goldens[i], test_golden);
  }
  return g_test_run ();
}
