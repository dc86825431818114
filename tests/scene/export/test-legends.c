/* SPDX-License-Identifier: MIT */
/* Figures of every view, measure, aggregate and comparison, and what they say of their numbers. */
#include "ui/scene/export/export.h"

#include <locale.h>
#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/made-trace.h"

#define N 5
#define N_HEADS 2
#define N_LAYERS 2

/* Of each key, with a length behind the output projection. */
static const float values[N_HEADS][N][2] = {
  { { 3, 4 }, { 0, 2 }, { 1, 0 }, { 1, 1 }, { 0, 3 } },
  { { 6, 8 }, { 0, 4 }, { 2, 0 }, { 2, 2 }, { 0, 6 } },
};
static const float norms[N_HEADS][N] = { { 1, 2, 3, 4, 5 }, { 5, 4, 3, 2, 1 } };

/* What a reader looks for, in small letters. A view of one head has no rollout and says so. */
static const char *const measure_words[][ENG_N_MEASURES] = {
  [UI_VIEW_HEAD] = { "weight", "weight × ‖v‖", "‖α v w_o‖", "rollout up to layer 0" },
  [UI_VIEW_NEURON] = { "weight", "weight × length of the value, α‖v‖", "α‖v w_o‖",
                       "a rollout is of all heads together: of this one, weights are shown" },
  [UI_VIEW_MODEL] = { "weight", "weight × ‖v‖", "‖α v w_o‖", "rollout up to each layer" },
  [UI_VIEW_MATRIX] = { "weight", "weight × ‖v‖", "‖α v w_o‖", "rollout" },
};
static const char *const aggregate_words[][2] = {
  [UI_AGGREGATE_MEAN] = { "mean of all 2 heads", "mean over all 2 layers" },
  [UI_AGGREGATE_MAX] = { "max of all 2 heads", "max over all 2 layers" },
};

static EngTrace *
create_trace (void)
{
  EngTrace *trace = made_trace_new (3, 2, N_HEADS, N_LAYERS);
  EngBlockTrace *block = &trace->blocks[ENG_KIND_ENCODER];

  block->value_size = 2;
  for (int layer = 0; layer < N_LAYERS; layer++) {
    block->layers[layer].values = (EngHeadRows) { &values[0][0][0], N * 2, 2 };
    block->layers[layer].value_output_norms = &norms[0][0];
  }
  return trace;
}

static void
take_text (GMarkupParseContext  *context,
           const char           *text,
           gsize                 length,
           gpointer              data,
           GError              **error)
{
  GString *words = data;

  /* Between the lines there is a line feed alone. */
  if (*text != '\n')
    g_string_append_printf (words, "%s%.*s", words->len > 0 ? " " : "", (int) length, text);
}

static void
end_group (GMarkupParseContext  *context,
           const char           *element,
           gpointer              data,
           GError              **error)
{
  if (g_str_equal (element, "g"))
    g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "the end");
}

/* The lines below the drawing, read from the file as any reader of XML does. */
static char *
read_caption (GBytes *figure)
{
  static const GMarkupParser parser = { .text = take_text, .end_element = end_group };
  GString *words = g_string_new (NULL);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, words, NULL);
  gsize size;
  const char *file = g_bytes_get_data (figure, &size);
  const char *start = g_strstr_len (file, (gssize) size, "caption\">");

  g_assert_nonnull (start);
  while (*start != '<')
    start--;
  g_assert_false (g_markup_parse_context_parse (context, start, (gssize) (file + size - start),
                                                NULL));
  return g_string_free (words, FALSE);
}

static gboolean
is_of_chosen_heads (const UiDocument *document)
{
  return (document->view == UI_VIEW_HEAD || document->view == UI_VIEW_MATRIX)
         && document->compare != UI_COMPARE_HEADS && document->measure != ENG_MEASURE_ROLLOUT;
}

static void
assert_says (const UiDocument *document,
             const char       *legend,
             const char       *words)
{
  if (strstr (legend, words) == NULL)
    g_error ("view %d, measure %d, aggregates %d and %d, comparison %d: “%s” does not say “%s”",
             document->view, document->measure, document->aggregate, document->layers,
             document->compare, legend, words);
}

static void
check_legend (const UiDocument *document,
              const char       *legend)
{
  g_autofree char *small = g_utf8_strdown (legend, -1);
  /* A difference is a matrix, whatever the view. */
  gboolean is_difference = document->compare == UI_COMPARE_DIFFERENCE
                           && document->view != UI_VIEW_MODEL;
  UiViewKind view = is_difference ? UI_VIEW_MATRIX : document->view;

  assert_says (document, small, measure_words[view][document->measure]);
  assert_says (document, small, "opacity = ");
  if (!is_of_chosen_heads (document))
    return;
  if (document->aggregate != UI_AGGREGATE_EACH)
    assert_says (document, small, aggregate_words[document->aggregate][0]);
  else if (document->view == UI_VIEW_MATRIX)
    assert_says (document, small, aggregate_words[UI_AGGREGATE_MEAN][0]);
  if (document->layers != UI_AGGREGATE_EACH)
    assert_says (document, small, aggregate_words[document->layers][1]);
  if (document->compare == UI_COMPARE_DIFFERENCE && document->layers == UI_AGGREGATE_EACH) {
    assert_says (document, small, "this minus other. this: ");
    assert_says (document, small, "of layer 0; other: ");
    assert_says (document, small, "of layer 1. ");
  }
}

/* The file has all of the caption and of the legend, in this order. */
static void
check_figure (const UiScene    *scene,
              const UiDocument *document,
              UiFigureFormat    format)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) figure = ui_figure_scene_to_bytes (scene, format, &error);
  g_autofree char *caption = ui_scene_caption (scene);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = read_caption (figure);
  g_assert_true (g_str_has_prefix (text, caption));
  check_legend (document, text + strlen (caption));
}

static void
check_document (EngTrace         *trace,
                const UiDocument *document)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new_for_sides (trace, trace, document, &error);

  g_assert_no_error (error);
  check_figure (scene, document, UI_FIGURE_SVG);
  check_figure (scene, document, UI_FIGURE_HTML);
}

static void
test_all (gconstpointer data)
{
  const UiViewKind view = (UiViewKind) GPOINTER_TO_INT (data);
  g_autoptr (EngTrace) trace = create_trace ();
  g_autoptr (UiDocument) document = ui_document_new ();

  g_assert_true (ui_document_set (document, ui_fields_find ("panels"), "0.0,1.1", NULL));
  g_assert_true (ui_document_set (document, ui_fields_find ("compare-layer"), "1", NULL));
  document->view = view;
  for (int measure = 0; measure < ENG_N_MEASURES; measure++)
    for (int heads = UI_AGGREGATE_EACH; heads <= UI_AGGREGATE_MAX; heads++)
      for (int layers = UI_AGGREGATE_EACH; layers <= UI_AGGREGATE_MAX; layers++)
        for (int compare = UI_COMPARE_OFF; compare <= UI_COMPARE_DIFFERENCE; compare++) {
          document->measure = (EngMeasure) measure;
          document->aggregate = (UiAggregate) heads;
          document->layers = (UiAggregate) layers;
          document->compare = (UiCompare) compare;
          check_document (trace, document);
        }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/scene/legends/head", GINT_TO_POINTER (UI_VIEW_HEAD), test_all);
  g_test_add_data_func ("/scene/legends/neuron", GINT_TO_POINTER (UI_VIEW_NEURON), test_all);
  g_test_add_data_func ("/scene/legends/model", GINT_TO_POINTER (UI_VIEW_MODEL), test_all);
  g_test_add_data_func ("/scene/legends/matrix", GINT_TO_POINTER (UI_VIEW_MATRIX), test_all);

  return g_test_run ();
}
