/* SPDX-License-Identifier: MIT */
#include "ui/scene/model/model-scene.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/trace/trace-private.h"
#include "tests/scene/model/model-case.h"
#include "tests/support/count.h"
#include "tests/support/golden.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/export/export.h"
#include "ui/scene/model/model-facts.h"

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
  text = scene_case_print (scene, NULL);
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
  text = scene_case_print (scene, NULL);
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
  text = scene_case_print (scene, NULL);
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
                   "Head 1 of layer 0, mostly “next”: each word reads the one after; evidence: the token"
                   " after gets the most weight in 7 of 7 rows, for example “w0” (0) reads “w1” (1)"
                   " with 0.60;"
                   " entropy 2.1 bits; 0.36 of its attention crosses.");
  g_assert_true (g_str_has_prefix (legend, "Opacity = weight × 1.5"));
  g_assert_nonnull (strstr (legend, " ⇄: share of attention that crosses between A and B."));
  g_assert_true (g_str_has_prefix (summary, "Model view: made · 3 layers × 4 heads"));
}

/* Local layers are named where they stand, in sentences and below, in a window and in a file; in a
 * dense grid there is no second line. */
static void
test_local (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  EngLayerTrace *layers = trace->blocks[ENG_KIND_ENCODER].layers;
  static const UiSceneOptions *const both[] = { &window, &file };
  static const UiSceneOptions narrow = { .width = 140, .text_scale = 1, .caption = TRUE };
  const UiItem local = make_item (2, 1), global = make_item (1, 1);

  layers[0].window = layers[2].window = 128;
  for (gsize i = 0; i < G_N_ELEMENTS (both); i++) {
    g_autoptr (UiScene) scene = create_scene (trace, "", both[i]);
    g_autofree char *text = scene_case_print (scene, NULL);
    g_autofree char *legend = ui_scene_legend (scene);
    g_autofree char *sentence = ui_scene_describe (scene, &local);
    g_autofree char *other = ui_scene_describe (scene, &global);

    g_assert_nonnull (strstr (text, "local, 128"));
    g_assert_nonnull (strstr (legend, " Local: layers 0 and 2, a token reads 128 at most."));
    g_assert_true (g_str_has_prefix (sentence, "Head 1 of layer 2 (local: 128 tokens), mostly "));
    g_assert_true (g_str_has_prefix (other, "Head 1 of layer 1, mostly "));
  }
  {
    g_autoptr (UiScene) scene = create_scene (trace, "", &narrow);
    g_autofree char *text = scene_case_print (scene, NULL);

    g_assert_null (strstr (text, "local, 128"));
  }
}

static void
test_local_of_others (void)
{
  static const UiViewKind views[] = { UI_VIEW_HEAD, UI_VIEW_MATRIX };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);

  trace->blocks[ENG_KIND_ENCODER].layers[2].window = 128;
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autoptr (UiScene) scene =
      scene_case_new_view (trace, views[i], "layer=2 heads=1", &window);
    g_autofree char *legend = ui_scene_legend (scene);

    g_assert_nonnull (strstr (legend, " The layer is local: 128 tokens at most"));
  }
}

/* What a mask hides is hatched, and the legend says so, whichever layer is chosen. */
static void
test_mask_of_another_layer (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  guint8 *mask = g_malloc (N * N);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *legend = NULL;

  memset (mask, 1, N * N);
  eng_trace_keep (trace, mask, 0, g_free);
  trace->blocks[ENG_KIND_ENCODER].layers[2].mask = mask;
  scene = create_scene (trace, "layer=0", &window);
  legend = ui_scene_legend (scene);
  g_assert_nonnull (strstr (legend, " Hatched: masked."));
}

static void
test_shared (void)
{
  static const struct {
    int         n_uses[3];
    const char *headline;
  } cases[] = {
    { { 1, 1, 1 }, "<b>12 heads</b> of 3 layers, by layer." },
    { { 3, 3, 3 }, "<b>12 heads</b> of 3 layers (one, read 3 times), by layer." },
    { { 2, 2, 1 }, "<b>12 heads</b> of 3 layers (2, some read several times), by layer." },
  };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = NULL;
    g_autofree char *headline = NULL;

    for (int layer = 0; layer < 3; layer++)
      trace->blocks[ENG_KIND_ENCODER].layers[layer].n_uses = cases[i].n_uses[layer];
    scene = create_scene (trace, "", &window);
    headline = ui_scene_headline (scene);
    g_assert_cmpstr (headline, ==, cases[i].headline);
  }
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

/* All of it crosses, which is no number of a head. */
static void
test_cross (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_two_stacks (5, 7);
  g_autoptr (UiScene) scene = create_scene (trace, "kind=cross", &window);
  const UiThumbnail *maps = ui_model_scene_get_maps ((UiModelScene *) scene, 1);
  g_autofree char *plain = ui_scene_explain (scene);
  g_autofree char *legend = ui_scene_legend (scene);
  UiItem item = make_item (1, 0);
  g_autofree char *sentence = ui_scene_describe (scene, &item);

  g_assert_cmpint (((UiModelScene *) scene)->layout.n_cells, ==, 4);
  g_assert_cmpint (maps[0].width, ==, 5);
  g_assert_cmpint (maps[0].height, ==, 7);
  g_assert_true (g_str_has_prefix (plain, "The decoder's rows read, the encoder's columns"));
  g_assert_nonnull (strstr (legend, " Number: score of the pattern."));
  g_assert_true (g_str_has_prefix (sentence, "Head 0 of layer 1 of the cross-attention, mostly “"));
  g_assert_null (strstr (sentence, "crosses"));
}

/* All heads together: a map a layer. */
static void
test_rollout (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 4, 3);
  g_autoptr (UiScene) scene = create_scene (trace, "measure=rollout", &window);
  const UiModelLayout *layout = &((UiModelScene *) scene)->layout;
  g_autofree char *text = scene_case_print (scene, NULL);
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
  g_autofree char *text = scene_case_print (scene, NULL);
  g_autofree char *plain_text = scene_case_print (plain, NULL);
  g_autofree char *legend = ui_scene_legend (scene);
  UiItem item = make_item (0, 0);
  g_autofree char *overlay = scene_case_print (scene, &item);

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

  small.width = 600;
  narrow = create_scene (largest, "", &small);
  text = scene_case_print (narrow, NULL);
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

/* What a window of 1280 × 720 leaves of its height at 150 and at 200 % shows all heads of six layers
 * with their names; of twelve layers it scrolls at the size that was asked for. */
static void
test_large_text (void)
{
  static const struct { double scale, height; } cases[] = { { 1.5, 520 }, { 2, 446 } };
  g_autoptr (EngTrace) trace = made_trace_new (N_A, N_B, 12, 6);
  g_autoptr (EngTrace) deep = made_trace_new (N_A, N_B, 12, 12);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiSceneOptions options = window;
    g_autoptr (UiScene) scene = NULL;
    g_autoptr (UiScene) near = NULL;
    g_autoptr (UiScene) long_scene = NULL;
    double height, scale;

    options.width = 1140;
    options.view_height = cases[i].height;
    options.text_scale = cases[i].scale;
    scene = create_scene (trace, "", &options);
    ui_scene_get_size (scene, NULL, &height);
    g_assert_cmpfloat (height, ==, cases[i].height);
    scale = ((UiModelScene *) scene)->layout.scale;
    g_assert_cmpfloat (scale, >=, 0.6 * cases[i].scale);
    g_assert_cmpint (((UiModelScene *) scene)->layout.has_label, ==, UI_MODEL_LABEL_NAME);

    long_scene = create_scene (deep, "", &options);
    g_assert_cmpfloat (((UiModelScene *) long_scene)->layout.scale, ==, cases[i].scale);

    options.zoom = 3;
    near = create_scene (trace, "", &options);
    g_assert_cmpfloat (((UiModelScene *) near)->layout.scale, ==, scale);
  }
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
  g_autofree char *text = scene_case_print (scene, NULL);

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
  g_test_add_func ("/scene/model/growing", test_growing);
  g_test_add_func ("/scene/model/gaps", test_gaps);
  g_test_add_func ("/scene/model/first-layer-missing", test_first_layer_missing);
  g_test_add_func ("/scene/model/describe", test_describe);
  g_test_add_func ("/scene/model/local", test_local);
  g_test_add_func ("/scene/model/local-of-others", test_local_of_others);
  g_test_add_func ("/scene/model/mask-of-another-layer", test_mask_of_another_layer);
  g_test_add_func ("/scene/model/shared", test_shared);
  g_test_add_func ("/scene/model/numbers", test_numbers);
  g_test_add_func ("/scene/model/cross", test_cross);
  g_test_add_func ("/scene/model/rollout", test_rollout);
  g_test_add_func ("/scene/model/marks", test_marks);
  g_test_add_func ("/scene/model/first-side", test_first_side);
  g_test_add_func ("/scene/model/sizes", test_sizes);
  g_test_add_func ("/scene/model/large-text", test_large_text);
  g_test_add_func ("/scene/model/svg", test_svg);
  g_test_add_func ("/scene/model/prepare", test_prepare);
  for (gsize i = 0; i < G_N_ELEMENTS (goldens); i++) {
    g_autofree char *path = g_strdup_printf ("/scene/model/golden/%s", goldens[i][0]);

    g_test_add_data_func (path, goldens[i], test_golden);
  }
  return g_test_run ();
}
