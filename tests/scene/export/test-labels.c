/* SPDX-License-Identifier: MIT */
/* Texts of a figure never lie over each other, whatever its width, its size of text, its view and
 * what it shows: no two of their boxes meet. Beyond the paper there are none either. */
#include "ui/scene/export/export.h"

#include <locale.h>

#include "tests/support/box-sink.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-trace.h"
#include "tests/support/traces.h"

#define MOST_OVERLAP 0.3 /* units; what rounding and slanted letters make of texts that touch */

static const char *const widths[] = { "6cm", "8.5cm", "12cm", "17cm", "30cm" };
static const char *const sizes[] = { "6pt", "8pt", "10pt", "14pt" };

/* "view=model order=pattern" */
static const char *const drawings[] = {
  "view=head",
  "view=head pin=1,2",
  "view=head heads=0 pin=k:3",
  "view=head heads=0,1,2 pin=k:3,k:4",
  "view=model",
  "view=model no-caption=true",
  "view=model order=pattern",
  "view=model order=entropy",
  "view=model order=traffic",
  "view=model measure=rollout",
  "view=matrix",
  "view=matrix pin=1,2,k:3,k:4",
  "view=head compare=heads panels=0.0,1.1,1.0",
  "view=matrix compare=heads panels=0.0,1.1,1.0",
  "view=model compare=heads panels=0.0,1.1,1.0",
};

static const char *const pairs[] = {
  "view=matrix filter=ab",
  "view=head filter=ba",
};

static const char *const neurons[] = {
  "view=neuron",
  "view=neuron pin=2",
  "view=neuron pin=2 bands=stripes",
  "view=neuron collapsed=true pin=1",
  "view=neuron compare=heads panels=0.0,1.1",
};

static const char *const comparisons[] = {
  "view=head compare=sides",
  "view=matrix compare=sides",
  "view=head compare=sides pin=1,2 compare-heads=0,1",
  "view=matrix compare=difference",
};

static void
assert_apart (const GArray     *boxes,
              const UiDocument *document,
              const char       *fields)
{
  for (guint i = 0; i < boxes->len; i++)
    for (guint j = 0; j < i; j++) {
      const TextBox *first = &g_array_index (boxes, TextBox, j);
      const TextBox *second = &g_array_index (boxes, TextBox, i);
      double overlap = box_sink_overlap (first, second);

      if (overlap > MOST_OVERLAP)
        g_error ("%s, %g cm at %g pt: “%s” and “%s” overlap by %.1f units", fields,
                 document->width_cm, document->font_pt, first->text, second->text, overlap);
    }
}

static void
assert_on_paper (const GArray     *boxes,
                 const UiScene    *scene,
                 const UiDocument *document,
                 const char       *fields)
{
  double width, height;

  ui_scene_get_size (scene, &width, &height);
  for (guint i = 0; i < boxes->len; i++) {
    const TextBox *box = &g_array_index (boxes, TextBox, i);

    for (int corner = 0; corner < 4; corner++)
      if (box->corners[corner][0] < -MOST_OVERLAP || box->corners[corner][0] > width + MOST_OVERLAP
          || box->corners[corner][1] < -MOST_OVERLAP
          || box->corners[corner][1] > height + MOST_OVERLAP)
        g_error ("%s, %g cm at %g pt: “%s” reaches over the edge", fields, document->width_cm,
                 document->font_pt, box->text);
  }
}

static void
assert_figure (EngTrace         *first,
               EngTrace         *second,
               const UiDocument *document,
               const char       *fields)
{
  g_autoptr (GArray) boxes = box_sink_new_array ();
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new_for_sides (first, second, document, &error);
  UiSink *sink = box_sink_new (boxes);

  g_assert_no_error (error);
  ui_scene_paint (scene, sink, NULL);
  box_sink_free (sink);
  g_assert_cmpuint (boxes->len, >, 0);
  assert_apart (boxes, document, fields);
  assert_on_paper (boxes, scene, document, fields);
}

static void
assert_figures (EngTrace          *first,
                EngTrace          *second,
                const char *const *all_fields,
                gsize              n_fields)
{
  for (gsize i = 0; i < n_fields; i++)
    for (gsize width = 0; width < G_N_ELEMENTS (widths); width++)
      for (gsize size = 0; size < G_N_ELEMENTS (sizes); size++) {
        g_autoptr (UiDocument) document = fields_make_document (all_fields[i]);

        fields_set (document, "width", widths[width]);
        fields_set (document, "font-size", sizes[size]);
        assert_figure (first, second, document, all_fields[i]);
      }
}

static void
test_pair (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, 12, 6);

  assert_figures (trace, NULL, drawings, G_N_ELEMENTS (drawings));
  assert_figures (trace, NULL, neurons, G_N_ELEMENTS (neurons));
  assert_figures (trace, NULL, pairs, G_N_ELEMENTS (pairs));
}

static void
test_single (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (5, 0, 3, 3);

  assert_figures (trace, NULL, drawings, G_N_ELEMENTS (drawings));
  assert_figures (trace, NULL, neurons, G_N_ELEMENTS (neurons));
}

static void
test_large (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (12, 8, 16, 24);

  assert_figures (trace, NULL, drawings, G_N_ELEMENTS (drawings));
}

static void
test_long (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (70, 58, 4, 2);
  g_autoptr (EngTrace) shorter = made_trace_new (70, 40, 4, 2);

  assert_figures (trace, NULL, drawings, G_N_ELEMENTS (drawings));
  assert_figures (trace, NULL, neurons, 2);
  assert_figures (trace, shorter, comparisons, G_N_ELEMENTS (comparisons));
}

static void
test_comparisons (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (8, 7, 12, 2);
  g_autoptr (EngTrace) shorter = made_trace_new (6, 4, 12, 2);

  assert_figures (trace, trace, comparisons, G_N_ELEMENTS (comparisons));
  assert_figures (trace, shorter, comparisons, G_N_ELEMENTS (comparisons));
}

/* Traces of real models, with two stacks, too. */
static void
test_real (void)
{
  static const char *const names[] = {
    "bert-base-uncased.cat-mat", "gpt2.fox", "opus-mt-en-de.elephant",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *name = g_strdup_printf ("shared/%s.safetensors", names[i]);
    g_autoptr (EngTrace) trace = traces_open (name);

    if (trace == NULL)
      return;
    assert_figures (trace, NULL, drawings, G_N_ELEMENTS (drawings));
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/labels/pair", test_pair);
  g_test_add_func ("/scene/labels/single", test_single);
  g_test_add_func ("/scene/labels/large", test_large);
  g_test_add_func ("/scene/labels/long", test_long);
  g_test_add_func ("/scene/labels/comparisons", test_comparisons);
  g_test_add_func ("/scene/labels/real", test_real);
  return g_test_run ();
}
