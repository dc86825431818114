/* SPDX-License-Identifier: MIT */
/* What holds of every kind of scene: another size shares its numbers, and larger is larger. */
#include "ui/scene/base/scene.h"

#include <string.h>

#include "tests/support/count.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"

#define N_A 7
#define N_B 6

static const UiSceneOptions small = {
  .theme = UI_THEME_LIGHT, .width = 900, .view_height = 500, .text_scale = 1, .zoom = 1
};
static const UiSceneOptions large = {
  .theme = UI_THEME_DARK, .width = 1300, .view_height = 700, .text_scale = 1.3, .zoom = 2
};

static UiDocument *
create_document (UiViewKind view)
{
  UiDocument *document = ui_document_new ();

  document->view = view;
  document->words = view == UI_VIEW_MATRIX;
  if (view != UI_VIEW_MODEL)
    ui_pins_click (&document->pins, FALSE, 2, FALSE);
  return document;
}

/* Also after the scene that the numbers were made for is gone, and from one to the next. */
static void
test_resized (gconstpointer data)
{
  EngTrace *trace = made_trace_new (N_A, N_B, 4, 2);
  g_autoptr (UiDocument) document = create_document (GPOINTER_TO_INT (data));
  UiScene *first = scene_case_new (trace, document, &small);
  UiScene *second = ui_scene_new_resized (first, document, &large);
  g_autoptr (UiScene) expected = scene_case_new (trace, document, &large);
  g_autoptr (UiScene) third = NULL;
  g_autofree char *wanted = scene_case_print (expected, NULL);
  g_autofree char *numbers = ui_scene_numbers (expected);
  g_autofree char *found = NULL;
  g_autofree char *found_numbers = NULL;

  g_assert_true (ui_scene_get_weights (first)->attention ==
                 ui_scene_get_weights (second)->attention);
  ui_scene_unref (first);
  third = ui_scene_new_resized (second, document, &large);
  ui_scene_unref (second);
  eng_trace_unref (trace);

  found = scene_case_print (third, NULL);
  found_numbers = ui_scene_numbers (third);
  g_assert_cmpstr (found, ==, wanted);
  g_assert_cmpstr (found_numbers, ==, numbers);
}

/* No row is placed anew by a zoom. The columns of a head view stay within the window's width as long
 * as they fit it, and need no more than the whole drawing enlarged. */
static void
test_zoom (gconstpointer data)
{
  static const double zooms[] = { 0.25, 0.5, 3, 8 };
  EngTrace *trace = made_trace_new (N_A, N_B, 4, 2);
  g_autoptr (UiDocument) document = create_document (GPOINTER_TO_INT (data));
  g_autoptr (UiScene) normal = scene_case_new (trace, document, &small);
  double width, height;

  ui_scene_get_size (normal, &width, &height);
  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++) {
    UiSceneOptions options = small;
    g_autoptr (UiScene) scene = NULL;
    double zoomed_width, zoomed_height;

    options.zoom = zooms[i];
    scene = ui_scene_new_resized (normal, document, &options);
    ui_scene_get_size (scene, &zoomed_width, &zoomed_height);
    if (GPOINTER_TO_INT (data) == UI_VIEW_HEAD && zooms[i] > 1) {
      g_assert_cmpfloat (zoomed_width, >=, width);
      g_assert_cmpfloat (zoomed_width, <, zooms[i] * width);
    } else {
      g_assert_cmpfloat_with_epsilon (zoomed_width, zooms[i] * width, 0.5);
    }
    g_assert_cmpfloat_with_epsilon (zoomed_height, zooms[i] * height, 0.5);
    for (int token = 0; token < N_A + N_B; token++) {
      const UiItem item = { .type = UI_ITEM_QUERY, .query = token };
      UiRect rect, zoomed;

      g_assert_true (ui_scene_get_rect (normal, &item, &rect));
      g_assert_true (ui_scene_get_rect (scene, &item, &zoomed));
      g_assert_cmpfloat_with_epsilon (zoomed.y, zooms[i] * rect.y, 0.1);
      g_assert_cmpfloat_with_epsilon (zoomed.height, zooms[i] * rect.height, 0.1);
    }
  }
  eng_trace_unref (trace);
}

/* Two presses of + leave both columns in sight, with all of their words. */
static void
test_zoom_keeps_columns (void)
{
  EngTrace *trace = made_trace_new (N_A, N_B, 4, 2);
  g_autoptr (UiDocument) document = create_document (UI_VIEW_HEAD);
  g_autoptr (UiScene) normal = scene_case_new (trace, document, &small);
  const UiItem query = { .type = UI_ITEM_QUERY }, key = { .type = UI_ITEM_KEY };
  double text_size = ui_scene_get_text_size (normal);

  for (double zoom = 1.25; zoom < 1.6; zoom *= 1.25) {
    UiSceneOptions options = small;
    g_autoptr (UiScene) scene = NULL;
    UiRect left, right;
    double width;

    options.zoom = zoom;
    scene = ui_scene_new_resized (normal, document, &options);
    ui_scene_get_size (scene, &width, NULL);
    g_assert_cmpfloat (width, ==, small.width);
    g_assert_cmpfloat_with_epsilon (ui_scene_get_text_size (scene), zoom * text_size, 0.1);
    g_assert_true (ui_scene_get_rect (scene, &query, &left));
    g_assert_true (ui_scene_get_rect (scene, &key, &right));
    g_assert_cmpfloat (left.x, >=, 0);
    g_assert_cmpfloat (right.x - left.x - left.width, >, 2 * text_size);
    g_assert_cmpfloat (right.x + right.width, <=, width);
  }
  eng_trace_unref (trace);
}

/* In each head a row has one strong link; the others are under the preview's bound. */
static void
test_preview (void)
{
  EngTrace *trace = scene_trace_new_exact (N_A, N_B, 3);
  g_autoptr (UiDocument) document = ui_document_new ();
  g_autoptr (UiScene) scene = scene_case_new (trace, document, &small);
  g_autofree char *full = scene_case_print (scene, NULL);
  g_autofree char *preview = scene_case_print_preview (scene);
  const int n = N_A + N_B;

  g_assert_cmpint (count (full, "link "), ==, 3 * n * n);
  g_assert_cmpint (count (preview, "link "), ==, 3 * n);
  g_assert_cmpint (count (preview, "text "), ==, count (full, "text "));
  eng_trace_unref (trace);
}

static void
test_light (void)
{
  static const struct { int n_tokens; gboolean is_light; } cases[] = {
    { 20, TRUE }, { 40, TRUE }, { 41, FALSE }, { 128, FALSE }
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    EngTrace *trace = scene_trace_new_long (cases[i].n_tokens, 12);
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = scene_case_new (trace, document, &small);

    g_assert_cmpint (ui_scene_is_light (scene), ==, cases[i].is_light);
    eng_trace_unref (trace);
  }
}

int
main (int    argc,
      char **argv)
{
  static const char *const views[] = { "head", "neuron", "model", "matrix" };

  g_test_init (&argc, &argv, NULL);
  for (int view = 0; view < (int) G_N_ELEMENTS (views); view++) {
    g_autofree char *path = g_strconcat ("/scene/resized/", views[view], NULL);

    g_test_add_data_func (path, GINT_TO_POINTER (view), test_resized);
  }
  g_test_add_data_func ("/scene/zoom/head", GINT_TO_POINTER (UI_VIEW_HEAD), test_zoom);
  g_test_add_func ("/scene/zoom/columns", test_zoom_keeps_columns);
  g_test_add_data_func ("/scene/zoom/neuron", GINT_TO_POINTER (UI_VIEW_NEURON), test_zoom);
  g_test_add_func ("/scene/preview", test_preview);
  g_test_add_func ("/scene/light", test_light);
  return g_test_run ();
}
