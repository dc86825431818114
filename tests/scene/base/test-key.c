/* SPDX-License-Identifier: MIT */
/* The key of a figure: each head that is shown once, beside the colour that its links have. */
#include "ui/scene/base/key.h"

#include <locale.h>
#include <string.h>

#include "tests/support/fields.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"
#include "ui/scene/export/export.h"

/* fields: "heads=0,2 pin=1" */
static char *
draw (EngTrace   *trace,
      EngTrace   *second,
      const char *fields)
{
  g_autoptr (UiDocument) document = fields_make_document (fields);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new_for_sides (trace, second, document, &error);

  g_assert_no_error (error);
  return scene_case_print (scene, NULL);
}

/* "#aabbcc 0" for each entry of the key; empty without one. */
static char *
read_key (const char *drawing)
{
  const char *key = strstr (drawing, "group key\n");
  g_auto (GStrv) lines = g_strsplit (key != NULL ? key : "", "\n", -1);
  GString *read = g_string_new (NULL);

  for (int i = 2; lines[0] != NULL && lines[i] != NULL && lines[i][0] == ' '; i++) {
    const char *color = strchr (lines[i], '#');

    g_assert_nonnull (color);
    if (strstr (lines[i], "fill ") != NULL)
      g_string_append_printf (read, "%.7s", color);
    else
      g_string_append_printf (read, "%s;", strchr (color, ' '));
  }
  return g_string_free (read, FALSE);
}

static void
assert_key (EngTrace   *trace,
            EngTrace   *second,
            const char *fields,
            const int  *heads,
            int         n_heads)
{
  g_autofree char *drawing = draw (trace, second, fields);
  g_autofree char *key = read_key (drawing);
  g_autoptr (GString) expected = g_string_new (NULL);

  for (int i = 0; i < n_heads; i++) {
    UiColor color = ui_palette_head (UI_THEME_LIGHT, heads[i]);

    g_string_append_printf (expected, "#%02x%02x%02x %d;", color.r, color.g, color.b, heads[i]);
  }
  g_assert_cmpstr (key, ==, expected->str);
}

static void
test_heads (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 5);
  static const int all[] = { 0, 1, 2, 3, 4 }, some[] = { 1, 4 };

  assert_key (trace, NULL, "", all, 5);
  assert_key (trace, NULL, "heads=1,4", some, 2);
  assert_key (trace, NULL, "heads=1,4 no-caption=true", some, 2);
  assert_key (trace, NULL, "heads=1,4 pin=1,2", some, 2);
  assert_key (trace, NULL, "heads=3", NULL, 0);
  assert_key (trace, NULL, "aggregate=mean", NULL, 0);
  assert_key (trace, NULL, "view=matrix", NULL, 0);
}

/* Panels of one head each say in their titles which; several heads have one key for all panels. */
static void
test_panels (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 5);
  g_autoptr (EngTrace) second = scene_trace_new_exact (4, 3, 5);
  static const int heads[] = { 0, 2, 3 };

  assert_key (trace, NULL, "compare=heads panels=0.1,0.2", NULL, 0);
  assert_key (trace, second, "compare=sides heads=0,3 compare-heads=2,3", heads, 3);
  assert_key (trace, second, "compare=difference", NULL, 0);
}

/* More heads than colours. */
static void
test_colors_again (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (3, 0, UI_N_HEAD_COLORS + 2);
  g_autofree char *drawing = draw (trace, NULL, "");
  g_autofree char *key = read_key (drawing);
  g_autofree char *second = g_strdup_printf (" 1, %d;", UI_N_HEAD_COLORS + 1);
  g_auto (GStrv) entries = g_strsplit (key, ";", -1);

  g_assert_cmpint (g_strv_length (entries) - 1, ==, UI_N_HEAD_COLORS);
  g_assert_nonnull (strstr (key, second));
}

/* Several pinned rows are summed, and named; one is not. */
static void
test_bars (void)
{
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 2);
  static const struct { const char *pins, *legend; } cases[] = {
    { "pin=1", NULL },
    { "pin=1,k:2", NULL },
    { "pin=k:2", NULL },
    { "pin=1,2", "sum of the pinned rows “w1” (1) and “w2” (2)." },
    { "pin=1,2,k:4", "sum of the pinned rows “w1” (1) and “w2” (2)." },
    { "pin=k:0,k:1,k:2", "sum of the pinned columns “w0” (0), “w1” (1) and “w2” (2)." },
    { "pin=0,1,2,3,4,5,6", "sum of the pinned rows “w0” (0), “w1” (1), “w2” (2) and 4 more." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiDocument) document = ui_document_new ();
    g_autoptr (UiScene) scene = NULL;
    g_autoptr (GError) error = NULL;
    g_autofree char *legend = NULL;
    g_autofree char *drawing = NULL;

    fields_set (document, "pin", cases[i].pins + strlen ("pin="));
    scene = ui_figure_scene_new (trace, document, &error);
    g_assert_no_error (error);
    legend = ui_scene_legend (scene);
    g_assert_nonnull (strstr (legend, " Bars: weight by head, up to "));
    if (cases[i].legend != NULL)
      g_assert_nonnull (strstr (legend, cases[i].legend));
    else
      g_assert_null (strstr (legend, "sum of"));
    /* Over the column beside the bars. */
    drawing = scene_case_print (scene, NULL);
    g_assert_cmpint (strstr (drawing, " mean sum\n") != NULL, ==, cases[i].legend != NULL);
    g_assert_cmpint (strstr (drawing, " mean\n") != NULL, ==, cases[i].legend == NULL);
  }
}

/* A window has no room for a legend: it says so where it says how the picture is read. */
static void
test_bars_of_window (void)
{
  const UiSceneOptions options = { .width = 1100, .view_height = 500, .text_scale = 1 };
  const UiSceneOptions narrow = { .width = 740, .view_height = 500, .text_scale = 1 };
  g_autoptr (EngTrace) trace = scene_trace_new_exact (4, 3, 2);
  g_autoptr (UiScene) one = scene_case_new_view (trace, UI_VIEW_HEAD, "pin=1", &options);
  g_autoptr (UiScene) several = scene_case_new_view (trace, UI_VIEW_HEAD, "pin=1,2", &options);
  g_autofree char *of_one = ui_scene_explain (one);
  g_autofree char *of_several = ui_scene_explain (several);
  g_autoptr (UiScene) without = scene_case_new_view (trace, UI_VIEW_HEAD, "pin=1,2", &narrow);
  g_autofree char *of_numbers = ui_scene_explain (without);

  g_assert_null (strstr (of_one, "sum"));
  g_assert_true (g_str_has_suffix (of_several,
                                   " Bars: sum of the pinned rows “w1” (1) and “w2” (2)."));
  /* There is no room for bars. */
  g_assert_true (g_str_has_suffix (of_numbers,
                                   " Numbers: sum of the pinned rows “w1” (1) and “w2” (2)."));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/key/heads", test_heads);
  g_test_add_func ("/scene/key/panels", test_panels);
  g_test_add_func ("/scene/key/colors-again", test_colors_again);
  g_test_add_func ("/scene/key/bars", test_bars);
  g_test_add_func ("/scene/key/bars-of-window", test_bars_of_window);
  return g_test_run ();
}
