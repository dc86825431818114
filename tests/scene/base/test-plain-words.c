/* SPDX-License-Identifier: MIT */
/* What a scene says in plain words: how it is read, what is seen in it, what was edited. */
#include "ui/scene/base/scene.h"

#include <locale.h>
#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/count.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/scene-trace.h"
#include "tests/support/text-sink.h"
#include "ui/scene/export/export.h"
#include "ui/scene/sinks/text.h"
#include "ui/scene/views/comparison.h"

#define LINE "A line runs from the word that reads to the word that is read. "
#define CELLS "Rows read, columns are read. "

/* In head h token i reads token i + h. edit: nullable. */
static EngTrace *
create_trace (const char *edit)
{
  EngTrace *trace = scene_trace_new_exact (5, 4, 5);

  if (edit != NULL) {
    g_strfreev (trace->edit_texts);
    trace->edit_texts = g_strdupv ((char *[]) { (char *) edit, NULL });
  }
  return trace;
}

/* fields: "heads=0,2 pin=1" */
static UiScene *
create_scene (EngTrace   *trace,
              const char *fields)
{
  static const UiSceneOptions options = { .width = 992, .view_height = 600, .text_scale = 1 };
  g_autoptr (UiDocument) document = fields_make_document (fields);
  g_autoptr (GError) error = NULL;
  UiScene *scene = ui_comparison_new (trace, trace, document, &options, &error);

  g_assert_no_error (error);
  return scene;
}

static const struct { const char *fields, *edit, *explained, *headline; } cases[] = {
  { "heads=1", NULL, LINE "<b>Bolder line = more attention.</b>",
    "<b>Head 1 of layer 0</b> lets each word read the one after." },
  { "heads=0", NULL, LINE "<b>Bolder line = more attention.</b>",
    "<b>Head 0 of layer 0</b> lets each word read itself." },
  { "heads=1", "zero 0.1",
    LINE "<b>Bolder line = more attention.</b> Dashed: this head is edited.",
    "<b>Head 1 of layer 0</b>, edited, lets each word read the one after." },
  { "heads=1", "zero 0.2", LINE "<b>Bolder line = more attention.</b>",
    "<b>Head 1 of layer 0</b> lets each word read the one after." },
  { "heads=1,2", "zero 0.2", LINE "<b>Bolder line = more attention.</b> Dashed: an edited head.",
    "<b>Heads 1 and 2 of layer 0</b>, head 2 edited, each in its colour." },
  { "", "zero 0.*", LINE "<b>Bolder line = more attention.</b> Dashed: an edited head.",
    "<b>All 5 heads of layer 0</b>, heads 0, 1, 2, 3 and 4 edited, each in its colour." },
  { "threshold=0.2", NULL,
    LINE "<b>Bolder line = more attention.</b> Links under 0.20 are not drawn.",
    "<b>All 5 heads of layer 0</b>, each in its colour." },
  { "measure=rollout", NULL, LINE "<b>Bolder line = more attention through the layers.</b>",
    "<b>Rollout up to layer 0</b>." },
  { "view=matrix heads=1", "zero 0.1", CELLS "<b>Stronger colour = more attention.</b>",
    "<b>Head 1 of layer 0</b>, edited, lets each word read the one after." },
  { "view=matrix", NULL, CELLS "<b>Stronger colour = more attention.</b>",
    "<b>Mean of all 5 heads of layer 0</b>." },
  { "view=model", NULL, CELLS "<b>Stronger colour = more attention.</b>",
    "<b>5 heads</b> of 1 layer, by layer." },
  { "view=model order=pattern", NULL,
    CELLS "<b>Stronger colour = more attention.</b> Number: how clearly the head follows the"
    " pattern.",
    "<b>5 heads</b>, grouped by what they read, the clearest first." },
  { "compare=heads panels=0.1,0.3", "zero 0.3",
    LINE "<b>Bolder line = more attention.</b> Dashed: this head is edited.",
    "<b>Head 1 of layer 0</b> beside <b>head 3 of layer 0</b>." },
  { "heads=1 compare=difference compare-heads=2", NULL,
    CELLS "<b>Warm: more on This. Cool: more on Other.</b>",
    "<b>Head 1 of layer 0</b> minus <b>head 2 of layer 0</b>." },
};

static void
test_cases (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (EngTrace) trace = create_trace (cases[i].edit);
    g_autoptr (UiScene) scene = create_scene (trace, cases[i].fields);
    g_autofree char *explained = ui_scene_explain (scene);
    g_autofree char *headline = ui_scene_headline (scene);

    g_assert_cmpstr (explained, ==, cases[i].explained);
    g_assert_cmpstr (headline, ==, cases[i].headline);
  }
}

/* Words that name a color wear it. */
static void
assert_colored (const char *markup,
                UiColor     color,
                const char *words)
{
  g_autofree char *span = g_strdup_printf ("\"#%02x%02x%02x\">%s<", color.r, color.g, color.b,
                                           words);

  g_assert_nonnull (strstr (markup, span));
}

/* A word that stands in several places is said with its own. */
static void
test_same_words (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (7, 0, 3, 2);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *headline = NULL;
  g_autofree char *legend = NULL;

  g_free (tokens->texts[3]);
  tokens->texts[3] = g_strdup ("w0");
  scene = create_scene (trace, "view=neuron layer=1 heads=2");
  headline = ui_scene_headline (scene);
  legend = ui_scene_legend (scene);
  g_assert_cmpstr (headline, ==,
                   "Why <b>“w0” (0)</b> reads <b>“w0” (3)</b>: <b>head 2 of layer 1</b>.");
  g_assert_nonnull (strstr (legend, "the strongest link, “w0” (0), is compared."));
}

/* Of the made trace head 2 of layer 1 reads three places on. */
static void
test_neurons (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 3, 2);
  g_autoptr (UiScene) unpinned = create_scene (trace, "view=neuron layer=1 heads=2");
  g_autoptr (UiScene) pinned = create_scene (trace, "view=neuron layer=1 heads=2 pin=2");
  g_autofree char *before = ui_scene_headline (unpinned);
  g_autofree char *headline = ui_scene_headline (pinned);
  g_autofree char *explained = ui_scene_explain (pinned);
  g_autofree char *legend = ui_scene_legend (pinned);
  g_autofree char *plain = NULL;

  g_assert_cmpstr (before, ==, "Why <b>“w1”</b> reads <b>“w4”</b> in the other sentence: "
                               "<b>head 2 of layer 1</b>.");
  g_assert_cmpstr (headline, ==, "Why <b>“w2”</b> reads <b>“w5”</b> in the other sentence: "
                                 "<b>head 2 of layer 1</b>.");
  plain = ui_text_strip_markup (explained);
  g_assert_cmpstr (plain, ==,
                   "Up, warm: positive. Down, cool: negative. A long bar in q × k decides.");
  assert_colored (explained, ui_palette_get (UI_THEME_LIGHT)->positive, "Up, warm");
  assert_colored (explained, ui_palette_get (UI_THEME_LIGHT)->negative, "Down, cool");
  /* A figure has both, one below the other. */
  g_assert_null (strstr (legend, "positive"));
}

/* An unknown word is named by what was typed. */
static void
test_unknown (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 3, 2);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *headline = NULL;

  tokens->typed[2] = g_strdup ("слово");
  tokens->typed[5] = g_strdup ("سجادة");
  scene = create_scene (trace, "view=neuron layer=1 heads=2 pin=2");
  headline = ui_scene_headline (scene);
  g_assert_true (g_str_has_prefix (headline, "Why <b>“w2 \u2068слово\u2069”</b> reads "
                                             "<b>“w5 \u2068سجادة\u2069”</b> in "));
}

/* What a token is spelt with is no markup. */
static void
test_escaped (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (4, 3, 3, 2);
  EngTokens *tokens = (EngTokens *) eng_trace_get_query_tokens (trace, ENG_KIND_ENCODER);
  g_autoptr (UiScene) scene = NULL;
  g_autofree char *headline = NULL;

  g_free (tokens->texts[2]);
  tokens->texts[2] = g_strdup ("<b>&");
  scene = create_scene (trace, "view=neuron layer=1 heads=2 pin=2");
  headline = ui_scene_headline (scene);
  g_assert_true (g_str_has_prefix (headline, "Why <b>“&lt;b&gt;&amp;”</b> reads "));
}

static char *
draw_figure (EngTrace       *trace,
             const char     *fields,
             UiFigureFormat  format)
{
  g_autoptr (UiDocument) document = fields_make_document (fields);
  g_autoptr (GError) error = NULL;
  g_autoptr (UiScene) scene = ui_figure_scene_new_for_sides (trace, NULL, document, &error);
  g_autoptr (GBytes) bytes = NULL;

  g_assert_no_error (error);
  bytes = ui_figure_scene_to_bytes (scene, format, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* Of nine tokens each reads one with 0.7 and the others with 0.0375: faint ones are no dashes. */
static void
test_dashes (void)
{
  g_autoptr (EngTrace) plain = create_trace (NULL);
  g_autoptr (EngTrace) edited = create_trace ("zero 0.2");
  g_autofree char *none = draw_figure (plain, "heads=1,2", UI_FIGURE_SVG);
  g_autofree char *one = draw_figure (edited, "heads=1,2", UI_FIGURE_SVG);
  g_autofree char *other = draw_figure (edited, "heads=1", UI_FIGURE_SVG);
  /* What the page draws under a pointer has the dashes of the picture. */
  g_autofree char *page = draw_figure (edited, "heads=1,2", UI_FIGURE_HTML);

  g_assert_nonnull (strstr (page, "\"dashes\":[\"\",\"7.00 5.00\"]"));
  g_assert_cmpint (count (none, "stroke-dasharray"), ==, 0);
  g_assert_cmpint (count (one, "stroke-dasharray=\"7 5\""), ==, 1);
  g_assert_cmpint (count (other, "stroke-dasharray"), ==, 0);
  /* Nothing moves. */
  g_assert_cmpint (count (one, "<path"), ==, count (none, "<path"));
  g_assert_nonnull (strstr (one, ">2 (edited)<"));
  g_assert_null (strstr (one, ">1 (edited)<"));
}

/* The plain sentence stands before the exact rule. */
static void
test_figure (void)
{
  g_autoptr (EngTrace) trace = create_trace (NULL);
  g_autofree char *svg = draw_figure (trace, "heads=1", UI_FIGURE_SVG);
  const char *plain = strstr (svg, "A line runs from the word that reads");
  const char *rule = strstr (svg, "Opacity = weight × 1.5");

  g_assert_nonnull (plain);
  g_assert_nonnull (rule);
  g_assert_true (plain < rule);
  g_assert_null (strstr (svg, "&lt;b&gt;"));
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/plain-words/cases", test_cases);
  g_test_add_func ("/scene/plain-words/neurons", test_neurons);
  g_test_add_func ("/scene/plain-words/unknown", test_unknown);
  g_test_add_func ("/scene/plain-words/escaped", test_escaped);
  g_test_add_func ("/scene/plain-words/dashes", test_dashes);
  g_test_add_func ("/scene/plain-words/figure", test_figure);
  g_test_add_func ("/scene/plain-words/same-words", test_same_words);
  return g_test_run ();
}
