/* SPDX-License-Identifier: MIT */
#include "ui/scene/matrix/matrix-scene.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/golden.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/base/scene-raster.h"
#include "ui/scene/export/export.h"
#include "ui/scene/numbers/mask.h"
#include "ui/scene/views/factory.h"

#define N_A 4
#define N_B 3
#define N (N_A + N_B)

static UiScene *
create_scene (EngTrace   *trace,
              const char *settings,
              double      width,
              double      zoom)
{
  const UiSceneOptions options = {
    .width = width, .view_height = 500, .text_scale = 1, .zoom = zoom
  };

  return scene_case_new_view (trace, UI_VIEW_MATRIX, settings, &options);
}

/* The fields of the table that is copied: line, column. */
static double
read_number (const char *table,
             int         line,
             int         column)
{
  g_auto (GStrv) lines = g_strsplit (table, "\n", -1);
  g_auto (GStrv) fields = g_strsplit (lines[line], "\t", -1);

  g_assert_cmpint (column, <, (int) g_strv_length (fields));
  return g_ascii_strtod (fields[column], NULL);
}

/* Every cell is the mean over the heads that are chosen; the entropy of a row and the sum of a
 * column are known by construction: each token reads one with 0.7 and is read once so. */
static void
test_numbers (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, 3);
  g_autoptr (UiScene) one = create_scene (trace, "heads=1", 900, 1);
  g_autoptr (UiScene) mean = create_scene (trace, "heads=0,2", 900, 1);
  g_autofree char *one_text = ui_scene_numbers (one);
  g_autofree char *mean_text = ui_scene_numbers (mean);
  double bits = -0.7 * log2 (0.7) - 0.3 * log2 (0.3 / (N - 1));

  for (int query = 0; query < N; query++) {
    for (int key = 0; key < N; key++) {
      double weight = scene_trace_weight (trace, ENG_KIND_ENCODER, 1, query, key);
      double average = (scene_trace_weight (trace, ENG_KIND_ENCODER, 0, query, key)
                        + scene_trace_weight (trace, ENG_KIND_ENCODER, 2, query, key)) / 2;

      g_assert_cmpfloat_with_epsilon (read_number (one_text, 2 + query, 2 + key), weight, 1e-6);
      g_assert_cmpfloat_with_epsilon (read_number (mean_text, 2 + query, 2 + key), average, 1e-6);
    }
    g_assert_cmpfloat_with_epsilon (read_number (one_text, 2 + query, 2 + N), bits, 1e-5);
    g_assert_cmpfloat_with_epsilon (read_number (one_text, 2 + N, 2 + query), 1, 1e-5);
  }
  g_assert_true (g_str_has_prefix (one_text, "weight\tis read\t0\t1\t2\t"));
}

/* Without the template's tokens a row need not sum to 1, so that it has a sum, no entropy. */
static void
test_left_out (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, 1);
  g_autoptr (UiScene) filtered = create_scene (trace, "filter=ab", 900, 1);
  g_autoptr (UiScene) hidden = create_scene (trace, "hide-special=true", 900, 1);
  const UiMatrixLayout *layout = &((UiMatrixScene *) filtered)->layout;
  g_autofree char *legend = ui_scene_legend (filtered);
  g_autofree char *hidden_legend = ui_scene_legend (hidden);
  g_autofree char *text = ui_scene_numbers (filtered);
  UiRect rect;

  g_assert_cmpint (layout->axes[UI_AXIS_ROWS].n, ==, N_A);
  g_assert_cmpint (layout->axes[UI_AXIS_COLUMNS].n, ==, N_B);
  g_assert_cmpint (((UiMatrixScene *) filtered)->note, ==, UI_NOTE_SUM);
  g_assert_nonnull (strstr (legend, "Taken out: 3 rows and 4 columns."));
  g_assert_nonnull (strstr (legend, "the sum of each row"));
  g_assert_nonnull (strstr (hidden_legend, "Taken out: 2 rows and 2 columns."));
  for (int query = 0; query < N_A; query++) {
    double sum = 0;

    for (int key = N_A; key < N; key++)
      sum += scene_trace_weight (trace, ENG_KIND_ENCODER, 0, query, key);
    g_assert_cmpfloat_with_epsilon (read_number (text, 2 + query, 2 + N_B), sum, 1e-5);
  }
  g_assert_false (ui_scene_get_rect (filtered, &(UiItem) { UI_ITEM_LINK, 0, 0, 0 }, &rect));
  g_assert_false (ui_scene_get_rect (filtered, &(UiItem) { UI_ITEM_KEY, 0, -1, 1 }, &rect));
  g_assert_true (ui_scene_get_rect (filtered, &(UiItem) { UI_ITEM_LINK, 0, 0, N_A }, &rect));
}

static void
test_nothing_left (void)
{
  static const char *const none[] = { NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (none, NULL, 1);
  g_autoptr (UiScene) scene = create_scene (trace, "hide-special=true", 900, 1);
  g_autofree char *text = scene_case_print (scene, NULL);
  UiItem item = { 0 };

  g_assert_nonnull (strstr (text, "Nothing is left to show"));
  g_assert_false (ui_scene_hit (scene, 100, 100, &item));
  g_assert_false (ui_scene_move (scene, UI_MOVE_DOWN, &item));
}

/* What a window leaves: cells grow until the drawing fills it from top to bottom or they are large,
 * and shrink to where a person still reads them; the scale of colours stays in sight. */
static void
test_fit (void)
{
  static const struct { double width, height, least, most, text; } cases[] = {
    { 1330, 860, 44, 52, 20 }, { 1330, 2000, 56, 56, 21 }, { 740, 580, 22, 30, 14 },
    { 525, 560, 22, 25, 14 },
  };
  g_autoptr (EngTrace) trace = scene_trace_new_exact (8, 7, 2);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiSceneOptions options = {
      .width = cases[i].width, .view_height = cases[i].height, .text_scale = 1
    };
    g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_MATRIX, "", &options);
    const UiMatrixLayout *layout = &((UiMatrixScene *) scene)->layout;
    double width, height;
    gboolean is_beside;

    ui_scene_get_size (scene, &width, &height);
    g_assert_cmpfloat (layout->cell, >=, cases[i].least);
    g_assert_cmpfloat (layout->cell, <=, cases[i].most);
    g_assert_cmpfloat (layout->text_size, >=, cases[i].text);
    g_assert_cmpfloat (layout->text_size, <=, 21);
    g_assert_cmpfloat (width, ==, cases[i].width);
    g_assert_cmpfloat (height, <=, cases[i].height);
    g_assert_cmpfloat (layout->colors.y + layout->colors.height, <, height);
    /* A row's height more would not have had room: each cell one unit, and a little for labels; nor
     * would the scale beside a row's width more. */
    is_beside = layout->colors.x > layout->notes.x + layout->notes.width;
    g_assert_true (layout->cell == 56 || height + 15 + 4 > cases[i].height
                   || (is_beside && layout->colors.width - 15 < 150));
  }
  {
    UiSceneOptions file = { .width = 1330, .text_scale = 1 };
    g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_MATRIX, "", &file);

    g_assert_cmpfloat (((UiMatrixScene *) scene)->layout.cell, ==, 30);
    g_assert_cmpfloat (((UiMatrixScene *) scene)->layout.text_size, ==, 14);
  }
}

/* Where not all rows have room in a window, the scale of colours is in sight beside them. */
static void
test_scale_in_sight (void)
{
  static const UiSceneOptions options = { .width = 742, .view_height = 500, .text_scale = 1 };
  g_autoptr (EngTrace) trace = scene_trace_new_exact (9, 9, 2);
  g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_MATRIX, "", &options);
  const UiMatrixLayout *layout = &((UiMatrixScene *) scene)->layout;
  double width, height;

  ui_scene_get_size (scene, &width, &height);
  g_assert_cmpfloat (height, >, options.view_height);
  g_assert_cmpfloat (width, ==, options.width);
  g_assert_cmpfloat (layout->colors.x, >, layout->notes.x);
  g_assert_cmpfloat (layout->colors.x + layout->colors.width, <=, width);
  g_assert_cmpfloat (layout->colors.y + 52, <, options.view_height);
}

/* The middle of each cell finds it, at every size of cells; labels and gaps do not. */
static void
test_hit (void)
{
  static const double zooms[] = { 0.25, 1, 3 };
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, 2);

  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++) {
    g_autoptr (UiScene) scene = create_scene (trace, "heads=1", 900, zooms[i]);
    const UiMatrixLayout *layout = &((UiMatrixScene *) scene)->layout;
    double gap = layout->axes[UI_AXIS_ROWS].starts[N_A] - 2;
    UiItem item;
    UiRect rect;

    for (int query = 0; query < N; query++) {
      for (int key = 0; key < N; key++) {
        UiItem wanted = { UI_ITEM_LINK, 1, query, key };

        g_assert_true (ui_scene_get_rect (scene, &wanted, &rect));
        g_assert_true (ui_scene_hit (scene, rect.x + rect.width / 2, rect.y + rect.height / 2,
                                     &item));
        g_assert_cmpint (item.type, ==, UI_ITEM_LINK);
        g_assert_cmpint (item.head, ==, 1);
        g_assert_cmpint (item.query, ==, query);
        g_assert_cmpint (item.key, ==, key);
      }
      g_assert_true (ui_scene_hit (scene, 20, rect.y + rect.height / 2, &item));
      g_assert_cmpint (item.type, ==, UI_ITEM_QUERY);
      g_assert_cmpint (item.query, ==, query);
    }
    g_assert_false (ui_scene_hit (scene, layout->cells.x + 2, gap, &item));
    /* Half way up a turned label. */
    g_assert_true (ui_scene_hit (scene, layout->axes[UI_AXIS_COLUMNS].starts[2] + layout->cell / 2
                                        + (layout->angle < 90
                                           ? 20 / tan (layout->angle * G_PI / 180) : 0),
                                 layout->cells.y - 20, &item));
    g_assert_cmpint (item.type, ==, UI_ITEM_KEY);
    g_assert_cmpint (item.key, ==, 2);
  }
}

static void
assert_moves (const UiScene *scene,
              UiItem        *item,
              UiMove         move,
              UiItemType     type,
              int            query,
              int            key)
{
  g_assert_true (ui_scene_move (scene, move, item));
  g_assert_cmpint (item->type, ==, type);
  if (type != UI_ITEM_KEY)
    g_assert_cmpint (item->query, ==, query);
  if (type != UI_ITEM_QUERY)
    g_assert_cmpint (item->key, ==, key);
}

static void
test_move (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, 1);
  g_autoptr (UiScene) scene = create_scene (trace, "", 900, 1);
  UiItem item = { 0 };

  assert_moves (scene, &item, UI_MOVE_RIGHT, UI_ITEM_LINK, 0, 0);
  assert_moves (scene, &item, UI_MOVE_RIGHT, UI_ITEM_LINK, 0, 1);
  assert_moves (scene, &item, UI_MOVE_DOWN, UI_ITEM_LINK, 1, 1);
  assert_moves (scene, &item, UI_MOVE_LAST, UI_ITEM_LINK, 1, N - 1);
  g_assert_false (ui_scene_move (scene, UI_MOVE_RIGHT, &item));
  assert_moves (scene, &item, UI_MOVE_FIRST, UI_ITEM_LINK, 1, 0);
  assert_moves (scene, &item, UI_MOVE_LEFT, UI_ITEM_QUERY, 1, 0);
  g_assert_false (ui_scene_move (scene, UI_MOVE_LEFT, &item));
  assert_moves (scene, &item, UI_MOVE_LAST, UI_ITEM_QUERY, N - 1, 0);
  assert_moves (scene, &item, UI_MOVE_FIRST, UI_ITEM_QUERY, 0, 0);
  assert_moves (scene, &item, UI_MOVE_RIGHT, UI_ITEM_LINK, 0, 0);
  assert_moves (scene, &item, UI_MOVE_UP, UI_ITEM_KEY, 0, 0);
  assert_moves (scene, &item, UI_MOVE_RIGHT, UI_ITEM_KEY, 0, 1);
  assert_moves (scene, &item, UI_MOVE_DOWN, UI_ITEM_LINK, 0, 1);
}

typedef struct {
  UiSink         parent;
  const UiScene *scene;
  guint8        *is_crossed;
  int            n_strokes;
} StrokeSink;

/* A stroke of the hatching lies in masked cells alone; which these are, hit tests tell. */
static void
take_line (UiSink *sink,
           double  x0,
           double  y0,
           double  x1,
           double  y1,
           double  width,
           UiColor color)
{
  StrokeSink *self = (StrokeSink *) sink;
  int n = self->scene->keys->n;

  self->n_strokes++;
  for (double part = 0.001; part < 1; part += 0.998 / 64) {
    UiItem item;

    g_assert_true (ui_scene_hit (self->scene, x0 + part * (x1 - x0), y0 + part * (y1 - y0), &item));
    g_assert_cmpint (item.type, ==, UI_ITEM_LINK);
    g_assert_true (ui_mask_hides (self->scene->attention, item.query, item.key));
    self->is_crossed[item.query * n + item.key] = TRUE;
  }
}

static void
ignore_fill (UiSink       *sink,
             const UiRect *rects,
             int           n_rects,
             UiColor       color)
{
}

static void
ignore_image (UiSink       *sink,
              const UiRect *rect,
              const guint8 *argb,
              int           width,
              int           height,
              int           stride)
{
}

static void
ignore_text (UiSink            *sink,
             double             x,
             double             baseline,
             const char        *text,
             const UiTextStyle *style,
             UiColor            color)
{
}

static void
ignore_push (UiSink     *sink,
             const char *name)
{
}

static void
ignore_pop (UiSink *sink)
{
}

static void
check_hatching (EngTrace *trace,
                double    zoom)
{
  static const UiSinkClass klass = {
    .fill_many = ignore_fill, .line = take_line, .image = ignore_image, .text = ignore_text,
    .push_group = ignore_push, .pop_group = ignore_pop
  };
  g_autoptr (UiScene) scene = create_scene (trace, "", 900, zoom);
  const UiMatrixLayout *layout = &((UiMatrixScene *) scene)->layout;
  int n = scene->keys->n;
  int n_rows = layout->axes[UI_AXIS_ROWS].n; /* those of padding are left out */
  UiMatrixSpan span = { { 0, n_rows - 1 }, { 0, n - 1 } };
  g_autofree guint8 *is_crossed = g_new0 (guint8, (gsize) n * n);
  StrokeSink sink = { { &klass }, scene, is_crossed };

  ui_matrix_paint_cells ((UiMatrixScene *) scene, &sink.parent, &span);
  g_assert_cmpint (sink.n_strokes, >, 0);
  for (int query = 0; query < n_rows && layout->cell >= 8; query++)
    for (int key = 0; key < n; key++)
      if (ui_mask_hides (scene->attention, query, key))
        g_assert_true (is_crossed[query * n + key]);
}

static void
test_hatching (void)
{
  static const SceneMask masks[] = { SCENE_MASK_CAUSAL, SCENE_MASK_LOCAL, SCENE_MASK_PADDED };

  for (gsize i = 0; i < G_N_ELEMENTS (masks); i++) {
    g_autoptr (EngTrace) trace = scene_trace_new_masked (masks[i], 9, 1);

    check_hatching (trace, 1);
    check_hatching (trace, 0.3);
    check_hatching (trace, 2.7);
  }
}

/* What an edit cut in all heads that are shown is hatched, and said; a weight of nought by itself is
 * not. */
static void
test_cut (void)
{
  static char *cuts[] = { "cut 0.1 2 5-6", "cut 0.* 0 1", "off cut 0.1 3 3", "zero 0.1", NULL };
  static const struct { const char *settings; int n; } cases[] = {
    { "heads=1", 3 }, { "heads=2", 1 }, { "heads=1,2", 1 }, { "heads=1 hide-special=true", 2 },
    { "heads=1 layers=mean", 0 }, { "heads=1 measure=rollout", 0 },
  };
  static const int noughts[][2] = { { 0, 1 }, { 2, 5 }, { 2, 6 }, { 3, 6 } };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 3, 1);

  for (int head = 0; head < 3; head++)
    for (gsize i = 0; i < G_N_ELEMENTS (noughts); i++)
      made_trace_falsify (trace, 0, head, noughts[i][0], noughts[i][1], 0);
  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_strdupv (cuts);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = create_scene (trace, cases[i].settings, 900, 1);
    const UiMatrixScene *self = ui_matrix_scene_cast (scene);
    g_autofree char *legend = ui_scene_legend (scene);
    g_autofree char *plain = ui_scene_explain (scene);
    int n = 0;

    for (int row = 0; row < self->layout.axes[UI_AXIS_ROWS].n; row++)
      for (int column = 0; column < self->layout.axes[UI_AXIS_COLUMNS].n; column++)
        n += ui_matrix_get_state (self, row, column) == UI_CELL_CUT;
    g_assert_cmpint (n, ==, cases[i].n);
    g_assert_cmpint (strstr (legend, "cut by an edit") != NULL, ==, n > 0);
    g_assert_cmpint (g_str_has_suffix (plain, " Hatched: cut by an edit."), ==, n > 0);
  }
}

static void
test_words (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, 3);
  g_autoptr (UiScene) one = create_scene (trace, "heads=1 gain=2", 900, 1);
  g_autoptr (UiScene) mean = create_scene (trace, "", 900, 1);
  UiItem cell = { UI_ITEM_LINK, 1, 0, 1 };
  UiItem cell_of_mean = { UI_ITEM_LINK, 0, 0, 1 };
  g_autofree char *sentence = ui_scene_describe (one, &cell);
  g_autofree char *sentence_of_mean = ui_scene_describe (mean, &cell_of_mean);
  g_autofree char *legend = ui_scene_legend (one);
  g_autofree char *legend_of_mean = ui_scene_legend (mean);

  g_assert_cmpstr (sentence, ==, "“w0” (0) reads “w1” (1) with weight 0.70 in head 1 of layer 0.");
  g_assert_nonnull (strstr (sentence_of_mean, "mean of all 3 heads"));
  g_assert_nonnull (strstr (legend, "weight × 2"));
  g_assert_nonnull (strstr (legend, "entropy of each row in bits"));
  g_assert_nonnull (strstr (legend_of_mean, "ean of all 3 heads"));
}

static void
test_goldens (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (N_A, N_B, 2);
  g_autoptr (EngTrace) causal = scene_trace_new_masked (SCENE_MASK_CAUSAL, 5, 1);
  g_autoptr (UiScene) plain = create_scene (trace, "heads=1", 700, 1);
  g_autoptr (UiScene) pinned = create_scene (trace, "heads=1 pin=2,k:3 theme=dark", 700, 1);
  g_autoptr (UiScene) masked = create_scene (causal, "heads=0", 400, 0.25);
  UiItem hover = { UI_ITEM_LINK, 1, 2, 3 };
  g_autofree char *plain_text = scene_case_print (plain, NULL);
  g_autofree char *hover_text = scene_case_print (plain, &hover);
  g_autofree char *pinned_text = scene_case_print (pinned, NULL);
  g_autofree char *masked_text = scene_case_print (masked, NULL);

  golden_assert_equal ("matrix-pair.scene", plain_text);
  golden_assert_equal ("matrix-pair-hover.scene", hover_text);
  golden_assert_equal ("matrix-pinned-dark.scene", pinned_text);
  golden_assert_equal ("matrix-causal-small.scene", masked_text);
}

/* What a tile shows does not depend on where tiles are cut. */
static void
test_tiles (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_long (96, 1);
  g_autoptr (UiScene) scene = create_scene (trace, "pin=5", 700, 2);
  UiRect all = { 0 };
  UiRect tile = { 200, 300, 128, 128 };
  cairo_surface_t *whole, *part;

  ui_scene_get_size (scene, &all.width, &all.height);
  whole = ui_scene_render (scene, &all, 1);
  part = ui_scene_render (scene, &tile, 1);
  for (int y = 0; y < 128; y++) {
    const guint8 *a = cairo_image_surface_get_data (whole)
                      + (y + 300) * cairo_image_surface_get_stride (whole) + 4 * 200;
    const guint8 *b = cairo_image_surface_get_data (part)
                      + y * cairo_image_surface_get_stride (part);

    for (int i = 0; i < 4 * 128; i++)
      g_assert_cmpint (ABS (a[i] - b[i]), <=, 1);
  }
  cairo_surface_destroy (whole);
  cairo_surface_destroy (part);
}

/* However many tokens there are, a figure is some thousand operations and a picture. */
static void
test_large (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_masked (SCENE_MASK_CAUSAL, 512, 2);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) svg = NULL;

  document->view = UI_VIEW_MATRIX;
  svg = ui_figure_to_bytes (trace, document, UI_FIGURE_SVG, &error);
  g_assert_no_error (error);
  g_test_message ("SVG of 512 × 512 cells: %zu bytes", g_bytes_get_size (svg));
  g_assert_cmpuint (g_bytes_get_size (svg), <, 3000000);
}

/* What a window of 1280 × 720 leaves of its height at 150 and at 200 % shows 15 tokens, each with
 * its label; of 24 tokens it scrolls at the size that was asked for, and half of its width, as of
 * two sides, has the labels, too. */
static void
test_large_text (void)
{
  static const struct { double scale, height; } cases[] = { { 1.5, 520 }, { 2, 446 } };
  g_autoptr (EngTrace) pair = scene_trace_new_exact (8, 7, 1);
  g_autoptr (EngTrace) text = scene_trace_new_exact (24, 0, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiSceneOptions options = {
      .width = 1140, .view_height = cases[i].height, .text_scale = cases[i].scale, .zoom = 1
    };
    g_autoptr (UiScene) scene = scene_case_new_view (pair, UI_VIEW_MATRIX, "", &options);
    g_autoptr (UiScene) near = NULL;
    g_autoptr (UiScene) half = NULL;
    g_autoptr (UiScene) scrolled = scene_case_new_view (text, UI_VIEW_MATRIX, "", &options);
    const UiMatrixLayout *layout = &((UiMatrixScene *) scene)->layout;

    g_assert_cmpfloat (layout->height, <=, cases[i].height);
    g_assert_cmpint (layout->step, ==, 1);
    g_assert_cmpfloat (layout->text_size, >=, 12);
    g_assert_cmpfloat (((UiMatrixScene *) scrolled)->layout.scale, ==, cases[i].scale);

    options.zoom = 3;
    near = scene_case_new_view (pair, UI_VIEW_MATRIX, "", &options);
    g_assert_cmpfloat (((UiMatrixScene *) near)->layout.scale, ==, layout->scale);

    options.zoom = 1;
    options.width = 540;
    options.view_height = 360;
    half = scene_case_new_view (pair, UI_VIEW_MATRIX, "", &options);
    g_assert_cmpint (((UiMatrixScene *) half)->layout.step, ==, 1);
  }
}

/* Half a window, as of two sides, scrolls before its labels are too small to read; the name of the
 * row that is pointed at is no higher than its row, and the cursor's frame ends with the cells. */
static void
test_readable (void)
{
  static const double scales[] = { 0.75, 1, 1.5 };
  g_autoptr (EngTrace) trace = scene_trace_new_exact (16, 14, 1);

  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++) {
    UiSceneOptions options = {
      .width = 357, .view_height = 560, .text_scale = scales[i], .zoom = 1
    };
    g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_MATRIX, "pin=2", &options);
    const UiMatrixLayout *layout = &((UiMatrixScene *) scene)->layout;
    UiItem row = { .type = UI_ITEM_QUERY, .query = 2 };
    g_autofree char *drawn = scene_case_print (scene, &row);
    const char *plate = strstr (drawn, "group crosshair");
    double height = 0;
    UiRect rect;

    g_assert_cmpfloat (layout->text_size, >=, 11);
    g_assert_cmpint (layout->step, ==, 1);
    g_assert_true (ui_scene_get_rect (scene, &row, &rect));
    g_assert_cmpfloat (rect.x + rect.width, <=, layout->cells.x + layout->cells.width);
    plate = strstr (plate, "  fill ");
    g_assert_nonnull (plate);
    /* Its place, width and height; with a point in every locale. */
    plate += strlen ("  fill ");
    for (int number = 0; number < 4; number++) {
      char *end;

      height = g_ascii_strtod (plate, &end);
      g_assert_true (end != plate);
      plate = end;
    }
    g_assert_cmpfloat (height, <=, layout->cell + 0.05);
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/matrix/numbers", test_numbers);
  g_test_add_func ("/scene/matrix/left-out", test_left_out);
  g_test_add_func ("/scene/matrix/nothing-left", test_nothing_left);
  g_test_add_func ("/scene/matrix/fit", test_fit);
  g_test_add_func ("/scene/matrix/scale-in-sight", test_scale_in_sight);
  g_test_add_func ("/scene/matrix/hit", test_hit);
  g_test_add_func ("/scene/matrix/move", test_move);
  g_test_add_func ("/scene/matrix/hatching", test_hatching);
  g_test_add_func ("/scene/matrix/cut", test_cut);
  g_test_add_func ("/scene/matrix/words", test_words);
  g_test_add_func ("/scene/matrix/goldens", test_goldens);
  g_test_add_func ("/scene/matrix/tiles", test_tiles);
  g_test_add_func ("/scene/matrix/large", test_large);
  g_test_add_func ("/scene/matrix/large-text", test_large_text);
  g_test_add_func ("/scene/matrix/readable", test_readable);
  return g_test_run ();
}
