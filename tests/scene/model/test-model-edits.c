/* SPDX-License-Identifier: MIT */
/* Heads that were edited are marked in their maps, in window and figures, and nothing moves. */
#include "ui/scene/model/model-scene.h"

#include <locale.h>
#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-case.h"
#include "ui/scene/export/export.h"
#include "ui/scene/views/factory.h"

#define LAYER 1
#define HEAD 2

static const UiSceneOptions window = { .width = 700, .view_height = 500, .text_scale = 1 };
static const UiSceneOptions narrow = { .width = 420, .view_height = 500, .text_scale = 1.5 };
static const char *const zeroed[] = { "zero 1.2", NULL };

static UiDocument *
create_document (const char *order)
{
  UiDocument *document = ui_document_new ();

  document->view = UI_VIEW_MODEL;
  fields_set (document, "order", order);
  return document;
}

static UiScene *
create_scene (EngTrace             *trace,
              const char           *order,
              const UiSceneOptions *options)
{
  g_autoptr (UiDocument) document = create_document (order);

  return scene_case_new (trace, document, options);
}

static void
edit (EngTrace           *trace,
      const char *const  *edits)
{
  g_strfreev (trace->edit_texts);
  trace->edit_texts = g_strdupv ((char **) edits);
}

static char **
paint (const UiScene *scene)
{
  g_autofree char *text = scene_case_print (scene, NULL);

  return g_strsplit (text, "\n", -1);
}

static gboolean
is_inside (const char   *line,
           const UiRect *map)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  for (int end = 0; end < 2; end++) {
    const double x = g_ascii_strtod (words[1 + 2 * end], NULL);
    const double y = g_ascii_strtod (words[2 + 2 * end], NULL);

    if (x <= map->x || x >= map->x + map->width || y <= map->y || y >= map->y + map->height)
      return FALSE;
  }
  return TRUE;
}

/* The strokes are all that comes, within the map of the head. */
static void
assert_marked (const char           *order,
               const UiSceneOptions *options)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 4, 4, 3);
  g_autoptr (UiScene) plain = create_scene (trace, order, options);
  g_auto (GStrv) before = paint (plain);
  g_autoptr (UiScene) edited = NULL;
  g_auto (GStrv) after = NULL;
  const UiModelLayout *layout;
  UiRect map;
  guint n = 0, n_strokes = 0;

  edit (trace, zeroed);
  edited = create_scene (trace, order, options);
  after = paint (edited);
  layout = &((UiModelScene *) edited)->layout;
  map = ui_model_layout_get_map (layout, ui_model_layout_find (layout, LAYER, HEAD));
  for (guint i = 0; after[i] != NULL; i++) {
    if (g_strcmp0 (after[i], before[n]) == 0) {
      n++;
      continue;
    }
    g_assert_true (g_str_has_prefix (g_strchug (after[i]), "line "));
    g_assert_true (is_inside (after[i], &map));
    n_strokes++;
  }
  g_assert_null (before[n]);
  /* A casing and what it encloses. */
  g_assert_cmpuint (n_strokes, ==, 2);
}

static void
test_marked (void)
{
  const UiSceneOptions options[] = { window, narrow };
  static const char *const orders[] = { "layer", "pattern", "entropy" };

  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    for (gsize order = 0; order < G_N_ELEMENTS (orders); order++)
      assert_marked (orders[order], &options[i]);
}

static int
count_strokes (EngTrace *trace)
{
  g_autoptr (UiDocument) document = create_document ("layer");
  const UiColor color = ui_palette_get (document->theme)->warning;
  g_autofree char *stroke = g_strdup_printf ("stroke=\"#%02x%02x%02x\"", color.r, color.g, color.b);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new (trace, document, &error);
  g_autoptr (GBytes) svg = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  svg = ui_figure_scene_to_bytes (scene, UI_FIGURE_SVG, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
  parts = g_strsplit (text, stroke, -1);
  return (int) g_strv_length (parts) - 1;
}

static void
test_figure (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 4, 4, 3);

  g_assert_cmpint (count_strokes (trace), ==, 0);
  edit (trace, zeroed);
  g_assert_cmpint (count_strokes (trace), ==, 1);
}

static void
assert_words (const UiScene *scene,
              gboolean       is_said,
              gboolean       is_head_said)
{
  const UiItem head = { .type = UI_ITEM_HEAD, .layer = LAYER, .head = HEAD };
  const UiItem other = { .type = UI_ITEM_HEAD, .layer = LAYER, .head = HEAD + 1 };
  g_autofree char *legend = ui_scene_legend (scene);
  g_autofree char *explanation = ui_scene_explain (scene);
  g_autofree char *sentence = ui_scene_describe (scene, &head);
  g_autofree char *other_sentence = NULL;

  g_assert_true ((strstr (legend, " Struck through: heads that are edited.") != NULL) == is_said);
  g_assert_true ((strstr (explanation, " Struck through: an edited head.") != NULL) == is_said);
  g_assert_true ((strstr (sentence, "layer 1, edited, ") != NULL) == is_head_said);
  if (!is_head_said)
    return;
  other_sentence = ui_scene_describe (scene, &other);
  g_assert_null (strstr (other_sentence, "edited"));
}

static void
test_words (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 4, 4, 3);
  g_autoptr (UiScene) plain = create_scene (trace, "layer", &window);
  g_autoptr (UiScene) edited = NULL;

  assert_words (plain, FALSE, FALSE);
  edit (trace, zeroed);
  edited = create_scene (trace, "layer", &window);
  assert_words (edited, TRUE, TRUE);
}

/* A map of a rollout is of no head. */
static void
test_rollout (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 4, 4, 3);
  g_autoptr (UiDocument) document = create_document ("layer");
  g_autoptr (UiScene) scene = NULL;
  g_auto (GStrv) lines = NULL;

  edit (trace, (const char *const[]) { "zero 1.0", NULL });
  document->measure = ENG_MEASURE_ROLLOUT;
  scene = ui_scene_new (trace, document, &window, NULL);
  g_assert_nonnull (scene);
  assert_words (scene, FALSE, FALSE);
  lines = paint (scene);
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_false (g_str_has_prefix (g_strchug (lines[i]), "line "));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/model/edits/marked", test_marked);
  g_test_add_func ("/scene/model/edits/figure", test_figure);
  g_test_add_func ("/scene/model/edits/words", test_words);
  g_test_add_func ("/scene/model/edits/rollout", test_rollout);
  return g_test_run ();
}
