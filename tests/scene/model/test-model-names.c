/* SPDX-License-Identifier: MIT */
/* Short names of patterns below the maps of a window: there at every usual width, never over each
 * other, and said in plain words. */
#include "ui/scene/model/model-scene.h"

#include <locale.h>
#include <string.h>

#include "tests/support/box-sink.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-case.h"
#include "ui/scene/export/export.h"
#include "ui/scene/model/model-facts.h"

#define N_LAYERS 6
#define N_HEADS 12
#define NARROWEST 400
#define WIDEST 1600
#define TOUCH 0.5 /* what round edges of letters may share */

static UiScene *
create_scene (EngTrace *trace,
              double    width)
{
  const UiSceneOptions options = { .width = width, .view_height = 500, .text_scale = 1 };

  return scene_case_new_view (trace, UI_VIEW_MODEL, "", &options);
}

static const UiModelScene *
model (const UiScene *scene)
{
  return (const UiModelScene *) scene;
}

static const char *
get_name (const UiScene *scene,
          EngPattern     label)
{
  return model (scene)->layout.has_label == UI_MODEL_LABEL_CODE ? model (scene)->codes[label]
                                                                : eng_pattern_get_short (label);
}

static GArray *
collect_boxes (const UiScene *scene)
{
  GArray *boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);

  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  return boxes;
}

static void
assert_apart (GArray *boxes)
{
  for (guint i = 0; i < boxes->len; i++)
    for (guint j = i + 1; j < boxes->len; j++) {
      const TextBox *first = &g_array_index (boxes, TextBox, i);
      const TextBox *second = &g_array_index (boxes, TextBox, j);

      if (box_sink_overlap (first, second) > TOUCH)
        g_error ("“%s” lies over “%s”", first->text, second->text);
    }
}

static int
count_texts (GArray     *boxes,
             const char *text)
{
  int n = 0;

  for (guint i = 0; i < boxes->len; i++)
    n += g_str_equal (g_array_index (boxes, TextBox, i).text, text);
  return n;
}

static void
count_labels (const UiScene *scene,
              int           *counts)
{
  for (int layer = 0; layer < N_LAYERS; layer++) {
    const EngHeadFacts *facts = ui_model_scene_get_facts (model (scene), layer);

    for (int head = 0; head < N_HEADS; head++)
      counts[facts[head].label]++;
  }
}

static void
test_widths (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, N_HEADS, N_LAYERS);
  int n_codes = 0, n_names = 0;

  for (double width = NARROWEST; width <= WIDEST; width += 20) {
    g_autoptr (UiScene) scene = create_scene (trace, width);
    g_autoptr (GArray) boxes = collect_boxes (scene);
    const gboolean has_codes = model (scene)->layout.has_label == UI_MODEL_LABEL_CODE;
    int counts[ENG_N_PATTERNS] = { 0 };

    n_codes += has_codes;
    n_names += !has_codes;
    assert_apart (boxes);
    count_labels (scene, counts);
    for (int label = 0; label < ENG_N_LABELS; label++)
      if (counts[label] > 0)
        g_assert_cmpint (count_texts (boxes, get_name (scene, label)), ==, counts[label]);
  }
  g_assert_cmpint (n_codes, >, 0);
  g_assert_cmpint (n_names, >, 0);
}

static gboolean
has_box (GArray        *boxes,
         const TextBox *wanted)
{
  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *box = &g_array_index (boxes, TextBox, i);

    if (g_str_equal (box->text, wanted->text) && box->ink.x == wanted->ink.x
        && box->ink.y == wanted->ink.y)
      return TRUE;
  }
  return FALSE;
}

/* A window is painted in tiles: names that are wider than their maps are whole where two meet. */
static void
test_tiles (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, N_HEADS, N_LAYERS);
  const UiSceneOptions options = { .width = 1900, .view_height = 700, .text_scale = 2 };
  g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_MODEL, "", &options);
  g_autoptr (GArray) boxes = collect_boxes (scene);
  int n_wide = 0;

  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *box = &g_array_index (boxes, TextBox, i);
    const UiRect end = { box->ink.x + box->ink.width - 1, box->ink.y, 1, box->ink.height };
    g_autoptr (GArray) part = box_sink_new_array ();
    UiSink *sink = box_sink_new (part);

    ui_scene_paint (scene, sink, &end);
    box_sink_free (sink);
    g_assert_true (has_box (part, box));
    n_wide += box->ink.width > model (scene)->layout.cell;
  }
  g_assert_cmpint (n_wide, >, 0);
}

/* (transfer full) "own = its own sentence", as names are in that scene. */
static char *
create_rule (const UiScene *scene,
             int            label)
{
  g_auto (GStrv) words = g_strsplit (get_name (scene, label), " ", -1);
  g_autofree char *unbroken = g_strjoinv ("\u00a0", words);

  return g_strdup_printf ("%s = %s", unbroken, eng_pattern_get_title (label));
}

static void
assert_explained (EngTrace *trace,
                  double    width)
{
  g_autoptr (UiScene) scene = create_scene (trace, width);
  g_autofree char *before = ui_scene_legend (scene);
  g_autofree char *after = NULL;
  int counts[ENG_N_PATTERNS] = { 0 };

  count_labels (scene, counts);
  after = ui_scene_legend (scene);
  g_assert_nonnull (strstr (after, " Names: "));
  for (int label = 0; label < ENG_N_LABELS; label++) {
    g_autofree char *rule = create_rule (scene, label);

    /* A word that explains itself. */
    if (g_str_equal (get_name (scene, label), eng_pattern_get_title (label))) {
      g_assert_null (strstr (before, rule));
      continue;
    }
    /* Before heads were measured all may occur. */
    g_assert_nonnull (strstr (before, rule));
    g_assert_true ((strstr (after, rule) != NULL) == (counts[label] > 0));
  }
}

static void
test_legend (void)
{
  g_autoptr (EngTrace) narrow = made_trace_new (8, 7, N_HEADS, N_LAYERS);
  g_autoptr (EngTrace) wide = made_trace_new (8, 7, N_HEADS, N_LAYERS);

  assert_explained (narrow, 420);
  assert_explained (wide, 1000);
}

static void
test_sentence (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, N_HEADS, N_LAYERS);
  const UiItem item = { .type = UI_ITEM_HEAD, .layer = 1, .head = 2 };

  for (double width = 420; width <= 1000; width += 580) {
    g_autoptr (UiScene) scene = create_scene (trace, width);
    const EngPattern label = ui_model_scene_get_facts (model (scene), item.layer)[item.head].label;
    g_autofree char *sentence = ui_scene_describe (scene, &item);
    g_autofree char *begin = g_strdup_printf ("Head 2 of layer 1, mostly “%s”: %s; ",
                                              get_name (scene, label),
                                              eng_pattern_get_clause (label));

    g_assert_true (g_str_has_prefix (sentence, begin));
  }
}

/* Letters that a key explains are said there alone. */
static void
test_figure (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, N_HEADS, N_LAYERS);
  g_autoptr (UiDocument) document = ui_document_new ();
  int n_keys = 0, n_said = 0;

  document->view = UI_VIEW_MODEL;
  document->font_pt = 8;
  for (document->width_cm = 8; document->width_cm <= 30; document->width_cm += 2) {
    g_autoptr (UiScene) scene = ui_figure_scene_new (trace, document, NULL);
    const gboolean has_key = model (scene)->layout.has_label == UI_MODEL_LABEL_CODE;
    g_autofree char *legend = ui_scene_legend (scene);

    g_assert_true ((strstr (legend, " Names: ") != NULL) == !has_key);
    n_keys += has_key;
    n_said += !has_key;
  }
  g_assert_cmpint (n_keys, >, 0);
  g_assert_cmpint (n_said, >, 0);
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/model/names/widths", test_widths);
  g_test_add_func ("/scene/model/names/tiles", test_tiles);
  g_test_add_func ("/scene/model/names/legend", test_legend);
  g_test_add_func ("/scene/model/names/sentence", test_sentence);
  g_test_add_func ("/scene/model/names/figure", test_figure);
  return g_test_run ();
}
