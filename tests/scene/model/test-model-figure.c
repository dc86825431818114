/* SPDX-License-Identifier: MIT */
/* The grid of all heads on paper: short names where there is no room for long ones, each explained
 * once, and maps whose cells are rectangles. */
#include "ui/scene/model/model-scene.h"

#include <locale.h>
#include <string.h>

#include "tests/support/box-sink.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/export/export.h"
#include "ui/scene/model/model-facts.h"

static UiScene *
create_figure (EngTrace   *trace,
               double      width_cm,
               const char *order)
{
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (GError) error = NULL;
  UiScene *scene;

  document->view = UI_VIEW_MODEL;
  document->width_cm = width_cm;
  document->font_pt = 8;
  fields_set (document, "order", order);
  scene = ui_figure_scene_new (trace, document, &error);
  g_assert_no_error (error);
  return scene;
}

static const UiModelScene *
model (const UiScene *scene)
{
  return (const UiModelScene *) scene;
}

/* Texts that stand in the figure. */
static GHashTable *
collect_texts (const UiScene *scene)
{
  g_autoptr (GArray) boxes = box_sink_new_array ();
  GHashTable *texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  UiSink *sink = box_sink_new (boxes);

  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++)
    g_hash_table_add (texts, g_strdup (g_array_index (boxes, TextBox, i).text));
  return texts;
}

/* At every width each head's pattern is named: in full, or by letters of which a key says what they
 * stand for. */
static void
test_names (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, 12, 6);
  int n_codes = 0, n_names = 0;

  for (double width = 6; width <= 30; width += 0.5) {
    g_autoptr (UiScene) scene = create_figure (trace, width, "layer");
    g_autoptr (GHashTable) texts = collect_texts (scene);
    gboolean has_codes = model (scene)->layout.has_label == UI_MODEL_LABEL_CODE;

    g_assert_true (ui_model_layout_has_names (&model (scene)->layout));
    n_codes += has_codes;
    n_names += !has_codes;
    for (int layer = 0; layer < 6; layer++) {
      const EngHeadFacts *facts = ui_model_scene_get_facts (model (scene), layer);

      for (int head = 0; head < 12; head++) {
        EngPattern label = facts[head].label;

        g_assert_true (g_hash_table_contains (texts, has_codes ? model (scene)->codes[label]
                                                               : eng_pattern_get_short (label)));
        if (has_codes)
          g_assert_true (g_hash_table_contains (texts, eng_pattern_get_title (label)));
      }
    }
  }
  g_assert_cmpint (n_codes, >, 0);
  g_assert_cmpint (n_names, >, 0);
}

/* No two patterns share a short name. */
static void
test_codes (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 2, 1);
  g_autoptr (UiScene) scene = create_figure (trace, 8, "layer");
  g_autoptr (GHashTable) codes = g_hash_table_new (g_str_hash, g_str_equal);
  int n = 0;

  for (int pattern = 0; pattern < ENG_N_PATTERNS; pattern++) {
    const char *code = model (scene)->codes[pattern];

    if (code == NULL)
      continue;
    n++;
    g_assert_cmpint (g_utf8_strlen (code, -1), ==, 2);
    g_assert_true (g_hash_table_add (codes, (gpointer) code));
  }
  g_assert_cmpint (n, >, 1);
}

/* Cells of a flow say where a head is, whatever the width. */
static void
test_flow (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, 16, 12);

  for (double width = 6; width <= 30; width += 4) {
    g_autoptr (UiScene) scene = create_figure (trace, width, "entropy");
    g_autoptr (GHashTable) texts = collect_texts (scene);

    for (int layer = 0; layer < 12; layer++)
      for (int head = 0; head < 16; head++) {
        g_autofree char *place = g_strdup_printf ("%d.%d", layer, head);

        g_assert_true (g_hash_table_contains (texts, place));
      }
  }
}

static int
count (GBytes     *bytes,
       const char *word)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  int n = 0;

  for (const char *at = text; (at = g_strstr_len (at, text + size - at, word)) != NULL; at++)
    n++;
  return n;
}

/* A cell a token as long as these are few; else as many pixels as an inch of a PNG has. */
static void
test_cells (void)
{
  static const struct { int n; gboolean is_vector; } cases[] = {
    { 15, TRUE }, { 32, TRUE }, { 33, FALSE }, { 128, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (EngTrace) trace = made_trace_new (cases[i].n, 0, 12, 2);
    g_autoptr (UiScene) scene = create_figure (trace, 8.5, "layer");
    g_autoptr (GBytes) svg = ui_figure_scene_to_bytes (scene, UI_FIGURE_SVG, NULL);
    const UiThumbnail *maps = ui_model_scene_get_maps (model (scene), 0);
    double width, height, n_pixels;

    ui_scene_get_size (scene, &width, &height);
    n_pixels = model (scene)->layout.cell / width * 8.5 / 2.54 * 192;
    g_assert_cmpint (maps[0].width, ==,
                     cases[i].is_vector ? cases[i].n : MIN (cases[i].n, (int) n_pixels));
    g_assert_cmpint (count (svg, "crispEdges"), ==, cases[i].is_vector ? 24 : 0);
    g_assert_cmpint (count (svg, "<image"), ==, cases[i].is_vector ? 0 : 24);
  }
}

/* What is masked is hatched with strokes over cells that are sharp, too. */
static void
test_masked (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_masked (SCENE_MASK_CAUSAL, 10, 2);
  g_autoptr (UiScene) scene = create_figure (trace, 8.5, "layer");
  g_autoptr (GBytes) svg = ui_figure_scene_to_bytes (scene, UI_FIGURE_SVG, NULL);
  const UiThumbnail *maps = ui_model_scene_get_maps (model (scene), 0);

  g_assert_cmpint (maps[0].width, ==, 10);
  g_assert_cmpint (count (svg, "crispEdges"), ==, 2);
  /* A path for each row but the last. */
  g_assert_cmpint (count (svg, "<path stroke="), ==, 2 * 9);
  for (int query = 0; query < 10; query++)
    for (int key = 0; key < 10; key++)
      g_assert_cmpint (maps[0].masked[query * 10 + key], ==, key > query);
}

/* On paper no layer is the one that other views have. */
static void
test_headings (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 12, 6);
  g_autoptr (UiScene) scene = create_figure (trace, 16, "layer");
  g_autofree char *text = scene_case_print (scene, NULL);
  const char *color = NULL;

  for (int layer = 0; layer < 6; layer++) {
    g_autofree char *ending = g_strdup_printf (" layer %d\n", layer);
    const char *at = strstr (text, ending);

    g_assert_nonnull (at);
    g_assert_cmpint (at[-7], ==, '#');
    if (color != NULL)
      g_assert_cmpmem (at - 7, 7, color, 7);
    color = at - 7;
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/model-figure/names", test_names);
  g_test_add_func ("/scene/model-figure/codes", test_codes);
  g_test_add_func ("/scene/model-figure/flow", test_flow);
  g_test_add_func ("/scene/model-figure/cells", test_cells);
  g_test_add_func ("/scene/model-figure/masked", test_masked);
  g_test_add_func ("/scene/model-figure/headings", test_headings);
  return g_test_run ();
}
