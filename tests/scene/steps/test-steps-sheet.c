/* SPDX-License-Identifier: MIT */
/* All steps in a file stand in columns on a sheet of a poster's proportion, in reading order, with
 * text as large as was asked for; in a window they are one column, and a web page has them one by
 * one. */
#include <math.h>
#include <string.h>

#include "tests/scene/steps/steps-case.h"
#include "tests/support/box-sink.h"
#include "ui/scene/export/export.h"

#define MOST_OVERLAP 0.3
/* Steps are not cut, so that a sheet comes near to its proportion and seldom meets it. */
#define MOST_OFF 1.15

static const UiStepsRow *
get_row (const UiStepsLayout *layout,
         guint                index)
{
  return &g_array_index (layout->rows, UiStepsRow, index);
}

static gboolean
holds (const UiRect *outer,
       const UiRect *inner)
{
  return inner->x >= outer->x - 0.5 && inner->y >= outer->y - 0.5
         && inner->x + inner->width <= outer->x + outer->width + 0.5
         && inner->y + inner->height <= outer->y + outer->height + 0.5;
}

static int
count_holding (const UiStepsLayout *layout,
               const UiRect        *rect)
{
  int n = 0;

  for (guint i = 0; i < layout->rows->len; i++)
    n += holds (&get_row (layout, i)->rect, rect);
  return n;
}

/* Down, then to the top of the next column; what a step shows stays within it. Returns how many
 * columns there are. */
static int
assert_columns (const UiScene *scene)
{
  const UiStepsLayout *layout = &ui_steps_scene_cast (scene)->layout;
  const double top = get_row (layout, 0)->rect.y;
  const UiRect sheet = { 0, layout->diagram_height, layout->width,
                         layout->height - layout->diagram_height };
  int n = 1;

  for (guint i = 0; i < layout->rows->len; i++) {
    const UiRect *rect = &get_row (layout, i)->rect;
    const UiRect *before = i > 0 ? &get_row (layout, i - 1)->rect : NULL;

    g_assert_cmpint (get_row (layout, i)->first, ==, (int) i);
    g_assert_true (holds (&sheet, rect));
    g_assert_true (holds (rect, &(UiRect) { rect->x, get_row (layout, i)->middle, 1, 1 }));
    if (before == NULL)
      continue;
    if (rect->x == before->x) {
      g_assert_cmpfloat_with_epsilon (rect->y, before->y + before->height, 0.01);
    } else {
      g_assert_cmpfloat (rect->x, >, before->x + before->width);
      g_assert_cmpfloat_with_epsilon (rect->y, top, 0.01);
      n++;
    }
  }
  for (guint i = 0; i < layout->runs->len; i++) {
    const UiRect rect = ui_steps_run_get_rect (&g_array_index (layout->runs, UiStepsRun, i));

    g_assert_cmpint (count_holding (layout, &rect), ==, 1);
  }
  for (guint i = 0; i < layout->frames->len; i++)
    g_assert_cmpint (count_holding (layout, &g_array_index (layout->frames, UiRect, i)), ==, 1);
  return n;
}

static void
assert_apart (const UiScene *scene)
{
  g_autoptr (GArray) boxes = box_sink_new_array ();
  UiSink *sink = box_sink_new (boxes);

  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  for (guint i = 0; i < boxes->len; i++)
    for (guint j = 0; j < i; j++)
      g_assert_cmpfloat (box_sink_overlap (&g_array_index (boxes, TextBox, i),
                                           &g_array_index (boxes, TextBox, j)), <=, MOST_OVERLAP);
}

static void
check_models (void (*check) (EngTrace *trace, const char *settings))
{
  static const char *const kinds[] = { "encoder", "decoder", "cross" };
  g_autoptr (EngTrace) pairs = make_bundled ("headlight-mini", "The cat sat on the mat.");
  g_autoptr (EngTrace) writer = make_bundled ("headlight-causal", "The cat sat.");
  g_autoptr (EngTrace) translator = make_bundled ("headlight-en-fr", "The old cat sat.");

  check (pairs, "step=all layer=3");
  check (writer, "step=all layer=0");
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *settings = g_strdup_printf ("step=all layer=1 kind=%s", kinds[i]);

    check (translator, settings);
  }
}

static void
check_layout (EngTrace   *trace,
              const char *settings)
{
  static const double widths[] = { 420, 760, 850, 1500, 4000 };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, settings, widths[i], 1);
    double width, height, off;

    g_assert_cmpint (assert_columns (scene), >=, 2);
    ui_scene_get_size (scene, &width, &height);
    off = height / width / G_SQRT2;
    g_assert_cmpfloat (MAX (off, 1 / off), <, MOST_OFF);
    assert_apart (scene);
  }
}

static void
test_layout (void)
{
  check_models (check_layout);
}

static UiScene *
make_figure (EngTrace   *trace,
             const char *settings,
             double      width_cm)
{
  g_autoptr (UiScene) asked = make_scene (trace, settings, 700, 1);
  g_autoptr (UiDocument) document = ui_document_copy (ui_scene_get_document (asked));
  g_autoptr (GError) error = NULL;
  UiScene *scene;

  document->width_cm = width_cm;
  scene = ui_figure_scene_new (trace, document, &error);
  g_assert_no_error (error);
  return scene;
}

/* The width in cm that a file says. */
static double
read_width (const UiScene  *scene,
            UiFigureFormat  format)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = ui_figure_scene_to_bytes (scene, format, &error);
  g_autofree char *text = NULL;
  const char *width;

  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  width = strstr (text, "<svg");
  width = width != NULL ? strstr (width, " width=\"") : NULL;
  g_assert_nonnull (width);
  return g_ascii_strtod (width + strlen (" width=\""), NULL);
}

/* As wide as it needs to be for text of that size, and as was asked for where that is wider. */
static void
check_figure (EngTrace   *trace,
              const char *settings)
{
  static const double widths[] = { 8.5, 16, 90 };

  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    g_autoptr (UiScene) scene = make_figure (trace, settings, widths[i]);
    const double asked_points = ui_scene_get_document (scene)->font_pt;
    const double width = ui_figure_get_width_cm (scene);

    g_assert_cmpfloat (ui_figure_get_text_points (scene), >, asked_points - 0.01);
    g_assert_cmpfloat_with_epsilon (read_width (scene, UI_FIGURE_SVG), width, 0.01);
    g_assert_cmpfloat_with_epsilon (read_width (scene, UI_FIGURE_HTML), widths[i], 0.01);
    if (widths[i] < 20)
      g_assert_cmpfloat (width, >, 1.5 * widths[i]);
    else
      g_assert_cmpfloat_with_epsilon (width, widths[i], 0.01);
  }
}

static void
test_figure (void)
{
  check_models (check_figure);
}

/* Scrolled through. */
static void
check_window (EngTrace   *trace,
              const char *settings)
{
  const UiSceneOptions options = {
    .width = 760, .view_height = 500, .text_scale = 1, .zoom = 1
  };
  g_autoptr (UiScene) scene = scene_case_new_view (trace, UI_VIEW_STEPS, settings, &options);
  double width;

  ui_scene_get_size (scene, &width, NULL);
  g_assert_cmpfloat (width, ==, options.width);
  g_assert_cmpint (assert_columns (scene), ==, 1);
}

static void
test_window (void)
{
  check_models (check_window);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steps-sheet/layout", test_layout);
  g_test_add_func ("/steps-sheet/figure", test_figure);
  g_test_add_func ("/steps-sheet/window", test_window);
  return g_test_run ();
}
