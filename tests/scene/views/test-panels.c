/* SPDX-License-Identifier: MIT */
/* Several scenes in one drawing: what a panel draws is what its scene alone draws, moved. */
#include "ui/scene/views/panels.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "tests/support/box-sink.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "tests/support/text-sink.h"
#include "ui/scene/export/export.h"
#include "ui/scene/sinks/shift-sink.h"

#define N_A 5
#define N_B 3
#define N_HEADS 4
#define N_LAYERS 3

static UiDocument *
make_document (const char *view,
               const char *panels)
{
  UiDocument *document = ui_document_new ();

  fields_set (document, "view", view);
  document->compare = UI_COMPARE_HEADS;
  fields_set (document, "panels", panels);
  return document;
}

static UiScene *
make_panels (EngTrace   *trace,
             const char *panels,
             double      width,
             gboolean    caption)
{
  g_autoptr (UiDocument) document = make_document ("head", panels);
  UiSceneOptions options = { .width = width, .text_scale = 1, .caption = caption };
  g_autoptr (GError) error = NULL;
  UiScene *scene = ui_panels_scene_new_for_heads (trace, document, &options, &error);

  g_assert_no_error (error);
  return scene;
}

static UiScene *
make_head (EngTrace *trace,
           int       layer,
           int       head,
           double    width)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  UiSceneOptions options = { .width = width, .text_scale = 1 };

  document->layer = layer;
  ui_head_set_only (&document->heads, head);
  return scene_case_new (trace, document, &options);
}

/* What a scene draws, moved; without the indentation of groups. (transfer full) */
static char *
draw (const UiScene *scene,
      double         dx,
      double         dy)
{
  g_autoptr (GString) text = g_string_new (NULL);
  UiSink *sink = text_sink_new (text);
  g_auto (GStrv) lines = NULL;
  UiShiftSink shifted;

  ui_shift_sink_init (&shifted, sink, dx, dy);
  ui_scene_paint (scene, &shifted.parent, NULL);
  text_sink_free (sink);
  lines = g_strsplit (text->str, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    g_strstrip (lines[i]);
  return g_strjoinv ("\n", lines);
}

/* Where the panel's query 0 stands, less where it stands in the scene alone. */
static void
find_shift (const UiScene *panels,
            int            panel,
            const UiScene *alone,
            double        *dx,
            double        *dy)
{
  UiItem item = { .type = UI_ITEM_QUERY };
  UiRect inner, outer;

  g_assert_true (ui_scene_get_rect (alone, &item, &inner));
  item.panel = panel;
  g_assert_true (ui_scene_get_rect (panels, &item, &outer));
  g_assert_cmpfloat (outer.width, ==, inner.width);
  *dx = outer.x - inner.x;
  *dy = outer.y - inner.y;
}

/* Every operation of the scene alone stands among the panels', moved. */
static void
test_same_drawing (void)
{
  static const UiCell cells[] = { { 2, 1 }, { 0, 3 } };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiScene) panels = make_panels (trace, "2.1,0.3", 1000, FALSE);
  g_autofree char *drawn = draw (panels, 0, 0);

  for (int i = 0; i < 2; i++) {
    g_autoptr (UiScene) alone = make_head (trace, cells[i].layer, cells[i].head, (1000 - 28) / 2.0);
    g_autofree char *expected = NULL;
    double dx, dy, width;

    ui_scene_get_size (alone, &width, NULL);
    find_shift (panels, i, alone, &dx, &dy);
    g_assert_cmpfloat (fabs (dx - i * (width + 28)), <, 1e-9);
    expected = draw (alone, dx, dy);
    /* Behind the ground, which a panel has not of its own. */
    g_assert_nonnull (strstr (drawn, strchr (expected, '\n') + 1));
  }
}

static void
test_items (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiScene) panels = make_panels (trace, "2.1,0.3", 1000, FALSE);
  UiItem item = { .type = UI_ITEM_QUERY, .query = 3, .panel = 1 };
  g_autofree char *sentence = ui_scene_describe (panels, &item);
  UiItem found, absent = { .type = UI_ITEM_QUERY, .panel = 2 };
  UiRect rect;

  g_assert_nonnull (strstr (sentence, "head 3 of layer 0"));
  /* Of two panels the other one's token is described, too. */
  g_assert_nonnull (strstr (sentence, " Head 1 of layer 2: "));
  g_assert_nonnull (strstr (strstr (sentence, " Head 1 of layer 2: "), "head 1 of layer 2"));
  g_assert_true (ui_scene_get_rect (panels, &item, &rect));
  g_assert_true (ui_scene_hit (panels, rect.x + rect.width / 2, rect.y + rect.height / 2, &found));
  g_assert_cmpint (found.panel, ==, 1);
  g_assert_cmpint (found.query, ==, 3);
  g_assert_false (ui_scene_get_rect (panels, &absent, &rect));
  g_assert_false (ui_scene_hit (panels, 1000, 0, &found));
}

static void
test_move (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiScene) panels = make_panels (trace, "2.1,0.3", 1000, FALSE);
  UiItem item = { 0 };
  int n_steps = 0;

  while (ui_scene_move (panels, UI_MOVE_RIGHT, &item) && n_steps++ < 100)
    ;
  g_assert_cmpint (n_steps, <, 100);
  g_assert_cmpint (item.panel, ==, 1);
  while (item.panel > 0 && ui_scene_move (panels, UI_MOVE_LEFT, &item))
    ;
  g_assert_cmpint (item.panel, ==, 0);
}

/* As many columns as can be read, in even rows. */
static void
test_columns (void)
{
  static const struct { double width; int n_columns; } cases[] = {
    { 300, 1 }, { 700, 2 }, { 1100, 2 }, { 1500, 4 },
  };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = make_panels (trace, "0.0,0.1,0.2,0.3", cases[i].width, FALSE);
    UiItem item = { .type = UI_ITEM_QUERY };
    UiRect first, other;
    int n = 1;

    ui_scene_get_rect (scene, &item, &first);
    for (item.panel = 1; item.panel < 4; item.panel++) {
      ui_scene_get_rect (scene, &item, &other);
      n += other.y == first.y;
    }
    g_assert_cmpint (n, ==, cases[i].n_columns);
  }
}

/* In a window texts of different lengths have rows of one height, and all fit below a title of
 * several lines. */
static void
test_rows_alike (void)
{
  static const char *const views[] = { "head", "matrix" };
  g_autoptr (EngTrace) longer = made_trace_new (N_A, N_B + 4, N_HEADS, N_LAYERS);
  g_autoptr (EngTrace) shorter = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    UiSceneOptions options = { .width = 900, .view_height = 640, .text_scale = 1 };
    const UiPanel panels[] = { { shorter, document }, { longer, document } };
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) scene = NULL;
    double heights[2], width, height;

    fields_set (document, "view", views[i]);
    fields_set (document, "heads", "1");
    document->compare = UI_COMPARE_SIDES;
    scene = ui_panels_scene_new (panels, 2, &options, &error);
    g_assert_no_error (error);
    ui_scene_get_size (scene, &width, &height);
    g_assert_cmpfloat (height, <=, options.view_height);
    for (int panel = 0; panel < 2; panel++) {
      UiItem item = { .type = UI_ITEM_QUERY, .panel = panel };
      UiRect first, second;

      g_assert_true (ui_scene_get_rect (scene, &item, &first));
      item.query = 1;
      g_assert_true (ui_scene_get_rect (scene, &item, &second));
      heights[panel] = second.y - first.y;
    }
    g_assert_cmpfloat (fabs (heights[0] - heights[1]), <, 0.01);
  }
}

/* Letters of both sides are of one size, whichever has the longer words. */
static void
test_letters_alike (void)
{
  static const char *const short_words[] = { "cat", "sat", NULL };
  static const char *const long_words[] = { "cat", "lighthouse", NULL };
  g_autoptr (EngTrace) shorter = scene_trace_new (short_words, NULL, 1);
  g_autoptr (EngTrace) longer = scene_trace_new (long_words, NULL, 1);
  g_autoptr (UiDocument) document = ui_document_new ();
  const UiPanel panels[] = { { shorter, document }, { longer, document } };
  double least = G_MAXDOUBLE, most = 0;

  for (int width = 380; width < 1100; width += 10) {
    UiSceneOptions options = { .width = width, .view_height = 560, .text_scale = 1 };
    g_autoptr (GError) error = NULL;
    g_autoptr (UiScene) scene = ui_panels_scene_new (panels, 2, &options, &error);
    double sizes[2];

    g_assert_no_error (error);
    for (int i = 0; i < 2; i++)
      sizes[i] = ui_scene_get_text_size (
        ui_scene_get_part (scene, &(UiItem) { .type = UI_ITEM_QUERY, .panel = i }));
    g_assert_cmpfloat (sizes[0], ==, sizes[1]);
    least = MIN (least, sizes[1]);
    most = MAX (most, sizes[1]);
  }
  /* The long word has made them smaller where there is little room. */
  g_assert_cmpfloat (least, <, 0.95 * most);
}

/* Two sides of the first pair do not scroll for some units: they fit a window, or lack much. */
static void
test_fits_width (void)
{
  static const char *const views[] = { "head", "matrix" };
  static const char *const pins[] = { "", "2" };
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, N_HEADS, N_LAYERS);

  for (double width = 736; width < 790; width += 3) {
    for (int i = 0; i < 4; i++) {
      g_autoptr (UiDocument) document = ui_document_new ();
      UiSceneOptions options = { .width = width, .view_height = 560, .text_scale = 1 };
      const UiPanel panels[] = { { trace, document }, { trace, document } };
      g_autoptr (GError) error = NULL;
      g_autoptr (UiScene) scene = NULL;
      double found;

      fields_set (document, "view", views[i % 2]);
      fields_set (document, "heads", "1");
      fields_set (document, "pin", pins[i / 2]);
      document->compare = UI_COMPARE_SIDES;
      scene = ui_panels_scene_new (panels, 2, &options, &error);
      g_assert_no_error (error);
      ui_scene_get_size (scene, &found, NULL);
      g_assert_cmpfloat (found, <=, width);
    }
  }
}

/* The side that needs more than half gets what the other has to spare: under Fit both are whole,
 * with rows of one height, whichever it is. Where there is not the room, the drawing scrolls and
 * both titles are in sight. */
static void
test_shares_room (void)
{
  g_autoptr (EngTrace) longer = made_trace_new (10, 8, N_HEADS, N_LAYERS);
  g_autoptr (EngTrace) shorter = made_trace_new (8, 7, N_HEADS, N_LAYERS);

  for (double view = 560; view <= 880; view += 16) {
    for (int i = 0; i < 4; i++) {
      g_autoptr (UiDocument) document = ui_document_new ();
      UiSceneOptions options = { .width = view, .view_height = 560, .text_scale = 1 };
      UiPanel panels[] = { { shorter, document }, { longer, document } };
      g_autoptr (GArray) boxes = box_sink_new_array ();
      UiSink *sink = box_sink_new (boxes);
      g_autoptr (UiScene) scene = NULL;
      double width, heights[2];

      if (i % 2 == 1)
        panels[0].trace = longer, panels[1].trace = shorter;
      fields_set (document, "view", "matrix");
      fields_set (document, "heads", "1");
      fields_set (document, "pin", i / 2 == 1 ? "2" : "");
      document->compare = UI_COMPARE_SIDES;
      scene = ui_panels_scene_new (panels, 2, &options, NULL);
      ui_scene_get_size (scene, &width, NULL);
      g_assert_true (view < 736 || width <= view);
      g_assert_true (view > 700 || width > view);

      for (int panel = 0; panel < 2; panel++) {
        UiItem item = { .type = UI_ITEM_QUERY, .panel = panel };
        UiRect first, second;

        g_assert_true (ui_scene_get_rect (scene, &item, &first));
        item.query = 1;
        g_assert_true (ui_scene_get_rect (scene, &item, &second));
        heights[panel] = second.y - first.y;
      }
      g_assert_cmpfloat (heights[0], ==, heights[1]);
      ui_scene_paint (scene, sink, NULL);
      box_sink_free (sink);
      for (guint j = 0; j < boxes->len; j++) {
        const TextBox *box = &g_array_index (boxes, TextBox, j);

        if (strstr (box->text, "head 1") == NULL)
          continue;
        g_assert_cmpfloat (box->ink.x + box->ink.width, <=, view);
        /* The frame that says where the keys are is above it. */
        g_assert_cmpfloat (box->ink.y, >, 6);
      }
    }
  }
}

static void
test_caption (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiScene) plain = make_panels (trace, "2.1,0.3", 1000, FALSE);
  g_autoptr (UiScene) scene = make_panels (trace, "2.1,0.3", 1000, TRUE);
  g_autofree char *caption = ui_scene_caption (scene);
  g_autofree char *legend = ui_scene_legend (scene);
  g_autoptr (UiScene) alone = make_head (trace, 2, 1, 500);
  g_autofree char *alone_legend = ui_scene_legend (alone);
  double height, plain_height;

  g_assert_nonnull (strstr (caption, " · head 1 of layer 2; head 3 of layer 0"));
  g_assert_cmpstr (legend, ==, alone_legend);
  ui_scene_get_size (scene, NULL, &height);
  ui_scene_get_size (plain, NULL, &plain_height);
  g_assert_cmpfloat (height, >, plain_height);
}

/* What the two have in common is said once, what they have not, of each. */
static void
test_legend_of_sides (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiDocument) first = ui_document_new ();
  g_autoptr (UiDocument) second = NULL;
  UiSceneOptions options = { .width = 1000, .text_scale = 1 };
  g_autoptr (UiScene) scene = NULL;
  g_autoptr (UiScene) unequal = NULL;
  g_autofree char *legend = NULL;
  g_autofree char *unequal_legend = NULL;

  first->view = UI_VIEW_MATRIX;
  first->compare = UI_COMPARE_SIDES;
  second = ui_document_copy (first);
  second->layer = 2;
  scene = ui_panels_scene_new ((UiPanel[]) { { trace, first }, { trace, second } }, 2, &options,
                               NULL);
  legend = ui_scene_legend (scene);
  g_assert_cmpstr (legend, ==,
                   "This: Mean of all 4 heads of layer 0. Other: Mean of all 4 heads of layer 2."
                   " Opacity = weight × 1.5, at most 1. Cells under 0.004 are not drawn."
                   " Right: entropy of each row in bits; below: sums of columns.");

  second->measure = ENG_MEASURE_ROLLOUT;
  unequal = ui_panels_scene_new ((UiPanel[]) { { trace, first }, { trace, second } }, 2, &options,
                                 NULL);
  unequal_legend = ui_scene_legend (unequal);
  g_assert_nonnull (strstr (unequal_legend,
                            "Other: Rollout up to layer 2: R = (½ mean over heads"));
}

static void
assert_headline (UiScene    *scene,
                 const char *expected)
{
  g_autofree char *headline = ui_scene_headline (scene);

  g_assert_cmpstr (headline, ==, expected);
  ui_scene_unref (scene);
}

static UiScene *
make_sides (EngTrace *trace,
            double    width)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  const UiPanel panels[] = { { trace, document }, { trace, document } };
  UiSceneOptions options = { .width = width, .text_scale = 1 };

  document->compare = UI_COMPARE_SIDES;
  ui_head_set_only (&document->heads, 1);
  return ui_panels_scene_new (panels, G_N_ELEMENTS (panels), &options, NULL);
}

/* What stands below is not in sight at once: the words say where it is. */
static void
test_headline (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);

  assert_headline (make_panels (trace, "0.1,2.3", 2000, FALSE),
                   "<b>Head 1 of layer 0</b> beside <b>head 3 of layer 2</b>.");
  assert_headline (make_panels (trace, "0.1,2.3", 300, FALSE),
                   "<b>Head 1 of layer 0</b> above <b>head 3 of layer 2</b>.");
  assert_headline (make_panels (trace, "0.1,2.3,1.0", 2000, FALSE),
                   "<b>3 heads</b> side by side.");
  assert_headline (make_panels (trace, "0.1,2.3,1.0", 300, FALSE),
                   "<b>3 heads</b> below each other.");
  assert_headline (make_sides (trace, 2000), "<b>Head 1 of layer 0</b> on both sides.");
  assert_headline (make_sides (trace, 300),
                   "<b>Head 1 of layer 0</b> on both sides, Other below This.");
}

static void
test_numbers (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiScene) scene = make_panels (trace, "2.1,0.3", 1000, FALSE);
  g_autofree char *numbers = ui_scene_numbers (scene);
  g_auto (GStrv) lines = g_strsplit (numbers, "\n", -1);
  int n = N_A + N_B;

  g_assert_true (g_str_has_prefix (lines[0], "panel\tlayer\thead\t"));
  g_assert_cmpint (g_strv_length (lines), ==, 1 + 2 * n * n + 1);
  g_assert_true (g_str_has_prefix (lines[1], "a\t2\t1\t"));
  g_assert_true (g_str_has_prefix (lines[1 + n * n], "b\t0\t3\t"));
}

static void
test_refused (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiDocument) document = make_document ("head", "0.0,7.1");
  UiSceneOptions options = { .width = 800, .text_scale = 1 };
  g_autoptr (GError) error = NULL;

  g_assert_null (ui_panels_scene_new_for_heads (trace, document, &options, &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
  g_assert_true (g_str_has_prefix (error->message, "Panel 2: Layer 7"));
  g_clear_error (&error);
  ui_cells_clear (&document->panels);
  g_assert_null (ui_panels_scene_new_for_heads (trace, document, &options, &error));
  g_assert_error (error, UI_ERROR, UI_ERROR_RANGE);
  g_assert_true (g_str_has_prefix (error->message, "No head was collected"));
}

/* A figure is made of panels where heads were collected; the model view only marks them. */
static void
test_figure (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, N_HEADS, N_LAYERS);
  g_autoptr (UiDocument) document = make_document ("head", "2.1,0.3");
  g_autoptr (UiDocument) model = make_document ("model", "2.1,0.3");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) svg = ui_figure_to_bytes (trace, document, UI_FIGURE_SVG, &error);
  g_autoptr (GBytes) marked = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg),
                                  "head 3 of layer 0"));
  marked = ui_figure_to_bytes (trace, model, UI_FIGURE_SVG, &error);
  g_assert_no_error (error);
  g_assert_null (g_strstr_len (g_bytes_get_data (marked, NULL),
                               (gssize) g_bytes_get_size (marked), "head 3 of layer 0"));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/scene/panels/same-drawing", test_same_drawing);
  g_test_add_func ("/scene/panels/items", test_items);
  g_test_add_func ("/scene/panels/move", test_move);
  g_test_add_func ("/scene/panels/columns", test_columns);
  g_test_add_func ("/scene/panels/rows-alike", test_rows_alike);
  g_test_add_func ("/scene/panels/fits-width", test_fits_width);
  g_test_add_func ("/scene/panels/letters-alike", test_letters_alike);
  g_test_add_func ("/scene/panels/shares-room", test_shares_room);
  g_test_add_func ("/scene/panels/caption", test_caption);
  g_test_add_func ("/scene/panels/legend-of-sides", test_legend_of_sides);
  g_test_add_func ("/scene/panels/headline", test_headline);
  g_test_add_func ("/scene/panels/numbers", test_numbers);
  g_test_add_func ("/scene/panels/refused", test_refused);
  g_test_add_func ("/scene/panels/figure", test_figure);

  return g_test_run ();
}
