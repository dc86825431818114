/* SPDX-License-Identifier: MIT */
/* What is said of numbers that are not plain weights of one layer. */
#include "ui/scene/base/describe.h"

#include <locale.h>
#include <string.h>

#include "engine/trace/trace-private.h"
#include "tests/support/fields.h"
#include "tests/support/made-trace.h"
#include "tests/support/measured-trace.h"
#include "tests/support/scene-case.h"
#include "tests/support/scene-trace.h"

static UiScene *
make_scene (EngTrace   *trace,
            const char *settings)
{
  static const UiSceneOptions options = { .width = 992, .view_height = 600, .text_scale = 1 };
  g_autoptr (UiDocument) document = fields_make_document (settings);

  return scene_case_new (trace, document, &options);
}

static void
test_scope (void)
{
  static const struct { const char *settings, *scope, *mean, *caption; } cases[] = {
    { "layer=1", "all 2 heads of layer 1", "mean of all 2 heads of layer 1",
      "layer 1 · all 2 heads" },
    { "heads=1", "head 1 of layer 0", "head 1 of layer 0", "layer 0 · head 1" },
    { "aggregate=max", "max of all 2 heads of layer 0", "max of all 2 heads of layer 0",
      "layer 0 · max of all 2 heads" },
    { "heads=1 aggregate=max", "head 1 of layer 0", "head 1 of layer 0", "layer 0 · head 1" },
    { "layers=mean", "all 2 heads, each its mean over all 2 layers",
      "mean of all 2 heads, each its mean over all 2 layers",
      "mean over all 2 layers · all 2 heads" },
    { "layers=max heads=0", "head 0, max over all 2 layers", "head 0, max over all 2 layers",
      "max over all 2 layers · head 0" },
    { "aggregate=mean layers=max", "mean of all 2 heads, each its max over all 2 layers",
      "mean of all 2 heads, each its max over all 2 layers",
      "max over all 2 layers · mean of all 2 heads" },
    { "measure=rollout layer=1", "rollout up to layer 1", "rollout up to layer 1",
      "rollout up to layer 1" },
    { "measure=value-norm", "all 2 heads of layer 0", "mean of all 2 heads of layer 0",
      "layer 0 · all 2 heads · weight × ‖v‖" },
  };
  g_autoptr (EngTrace) trace = measured_trace_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, cases[i].settings);
    g_autofree char *scope = ui_describe_scope (scene, FALSE);
    g_autofree char *mean = ui_describe_scope (scene, TRUE);
    g_autofree char *caption = ui_scene_caption (scene);

    g_assert_cmpstr (scope, ==, cases[i].scope);
    g_assert_cmpstr (mean, ==, cases[i].mean);
    g_assert_cmpstr (caption, ==, cases[i].caption);
  }
}

static void
test_some_heads (void)
{
  static const char *const words[] = { "a", "b", NULL };
  g_autoptr (EngTrace) trace = scene_trace_new (words, NULL, 12);
  g_autoptr (UiScene) scene = make_scene (trace, "heads=2,6,9 aggregate=mean");
  g_autofree char *scope = ui_describe_scope (scene, TRUE);

  g_assert_cmpstr (scope, ==, "mean of heads 2, 6 and 9 of layer 0");
}

static void
test_link (void)
{
  static const struct { const char *settings, *words; } cases[] = {
    { "aggregate=mean",
      "“[CLS]” (0) reads “play” (1) with weight 0.10 in the mean of all 2 heads of layer 0." },
    { "measure=rollout", "“[CLS]” (0) reads “play” (1) with rollout 0.050 up to layer 0." },
    { "measure=value-norm",
      "“[CLS]” (0) reads “play” (1) with weight × ‖v‖ 0.4 in head 0 of layer 0." },
    { "words=true",
      "“[CLS]” (0) reads “playing” (1) with weight 0.50 in head 0 of layer 0." },
    { "layers=max",
      "“[CLS]” (0) reads “play” (1) with weight 0.20 in head 0, max over all 2 layers." },
  };
  g_autoptr (EngTrace) trace = measured_trace_new ();
  UiItem item = { .type = UI_ITEM_LINK, .query = 0, .key = 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, cases[i].settings);
    g_autofree char *words = ui_scene_describe (scene, &item);

    g_assert_cmpstr (words, ==, cases[i].words);
  }
}

static void
test_legend (void)
{
  static const struct { const char *settings, *words; } cases[] = {
    { "", "Opacity = weight × 1.5, at most 1; strongest last. Links under 0.004 are not drawn." },
    { "measure=value-norm gain=3 threshold=0.02",
      "Weight × ‖v‖: the weight times the length of the value that is read. Opacity = weight × "
      "‖v‖ ÷ 10.0 (the largest of the layer) × 3, at most 1; strongest last. Links under 2 % of "
      "the largest are not drawn." },
    { "measure=rollout layer=1 threshold=0 mass=0.9",
      "Rollout up to layer 1: R = (½ mean over heads + ½ I) · R of the layer below. Opacity = "
      "rollout × 1.5, at most 1; strongest last. Of each row only the strongest are drawn that "
      "together have 90 % of it." },
    { "aggregate=max words=true threshold=0",
      "Max of all 2 heads of layer 0. Pieces of a word are put together: their sum where they "
      "are read, their mean where they read. Opacity = weight × 1.5, at most 1; strongest last." },
    { "hide-special=true threshold=0",
      "Opacity = weight × 1.5, at most 1; strongest last. Special tokens are hidden. Weights as "
      "they are, so a row need not sum to 1." },
    { "hide-special=true renormalise=true measure=value-norm threshold=0 pin=1",
      "Weight × ‖v‖: the weight times the length of the value that is read. Opacity = part of "
      "the row × 1.5, at most 1; strongest last. Special tokens are hidden. Rows renormalised: "
      "each head's row is brought back to 1 without the special tokens. Bars: weight × ‖v‖ by "
      "head, up to 1." },
    { "measure=rollout threshold=0 pin=1",
      "Rollout up to layer 0: R = (½ mean over heads + ½ I) · R of the layer below. Opacity = "
      "rollout × 1.5, at most 1; strongest last. Bars: rollout, up to 1." },
  };
  g_autoptr (EngTrace) trace = measured_trace_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, cases[i].settings);
    g_autofree char *legend = ui_scene_legend (scene);

    g_assert_cmpstr (legend, ==, cases[i].words);
  }
}

/* Of what stands for several heads nothing says "head 0". */
static void
assert_no_head (const char *text)
{
  for (const char *at = text; (at = strstr (at, "ead 0")) != NULL; at++) {
    g_test_message ("%s", text);
    g_assert_not_reached ();
  }
}

static void
test_aggregate_is_no_head (void)
{
  static const char *const settings[] = {
    "aggregate=mean", "aggregate=max words=true", "measure=rollout", "aggregate=mean layers=max",
    "aggregate=mean pin=1", "measure=rollout pin=1,2", "aggregate=max pin=k:1",
    "measure=value-norm aggregate=max pin=1,k:2",
  };
  g_autoptr (EngTrace) trace = measured_trace_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, settings[i]);
    g_autofree char *legend = ui_scene_legend (scene);
    g_autofree char *caption = ui_scene_caption (scene);
    g_autofree char *summary = ui_scene_summarise (scene);
    g_autofree char *numbers = ui_scene_numbers (scene);

    assert_no_head (legend);
    assert_no_head (caption);
    assert_no_head (summary);
    g_assert_null (strstr (numbers, "\n0\t0\t"));
    for (int type = UI_ITEM_QUERY; type <= UI_ITEM_LINK; type++) {
      for (int token = 0; token < 3; token++) {
        UiItem item = { .type = (UiItemType) type, .query = token, .key = token };
        g_autofree char *words = ui_scene_describe (scene, &item);

        assert_no_head (words);
      }
    }
  }
}

static void
test_numbers (void)
{
  g_autoptr (EngTrace) trace = measured_trace_new ();
  g_autoptr (UiScene) norms = make_scene (trace, "measure=value-norm heads=0 threshold=0.02 "
                                                 "pin=1");
  g_autoptr (UiScene) words = make_scene (trace, "words=true aggregate=mean layers=max mass=0.5 "
                                                 "threshold=0 pin=1");
  g_autofree char *of_norms = ui_scene_numbers (norms);
  g_autofree char *of_words = ui_scene_numbers (words);

  g_assert_cmpstr (of_norms, ==,
                   "layer\thead\tquery\tquery token\tkey\tkey token\tweight × ‖v‖, from 0.2\n"
                   "0\t0\t1\tplay\t0\t[CLS]\t2\n"
                   "0\t0\t1\tplay\t1\tplay\t0.6\n"
                   "0\t0\t1\tplay\t2\t##ing\t0.2\n");
  /* Largest of the two layers, the same in either head: 0.4 0.5 0.5 0.1, 0.25 0.25 1 0.25. */
  g_assert_cmpstr (of_words, ==,
                   "layer\thead\tquery\tquery word\tkey\tkey word\tweight, strongest 50 % of each "
                   "row\n"
                   "max\tmean\t1\tplaying\t1\tplaying\t1.125\n");
}

static void
test_values (void)
{
  static const struct { double unit, value; const char *words; } cases[] = {
    { 10, 0.4, "0.4" }, { 10, 0, "0" }, { 10, 0.02, "<0.1" }, { 3.1, 2.38, "2.38" },
    { 0.02, 0.0123, "0.0123" }, { 1200, 37.2, "37" }, { 1200, 0.4, "<1" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    UiWeights weights = {
      .block = { .measure = ENG_MEASURE_VALUE_NORM, .unit = cases[i].unit }
    };
    g_autofree char *words = ui_describe_value (&weights, cases[i].value);

    g_assert_cmpstr (words, ==, cases[i].words);
  }
}

static void
test_parts (void)
{
  static const struct { double part; const char *words; } cases[] = {
    { 1 / 255.0, "0.39 %" }, { 0.02, "2 %" }, { 0.055, "5.5 %" }, { 0.9, "90 %" },
    { 0.999, "99.9 %" }, { 1, "100 %" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *words = ui_describe_part (cases[i].part);

    g_assert_cmpstr (words, ==, cases[i].words);
  }
}

/* Layers 3 and 7 of a model of which nothing else was kept; whether that has more, no file need say.
 * The numbers are those of the two. */
static void
test_missing_layers (void)
{
  g_autoptr (EngTrace) trace = made_trace_new (5, 0, 2, 9);
  EngLayerTrace *layers = trace->blocks[ENG_KIND_ENCODER].layers;
  g_autoptr (UiScene) mean = NULL;
  g_autoptr (UiScene) most = NULL;
  g_autofree char *scope = NULL;
  g_autofree char *legend = NULL;

  for (int layer = 0; layer < 9; layer++)
    if (layer != 3 && layer != 7)
      g_atomic_int_set (&layers[layer].ready, FALSE);
  mean = make_scene (trace, "layers=mean heads=1");
  most = make_scene (trace, "layers=max aggregate=mean");
  scope = ui_describe_scope (mean, FALSE);
  legend = ui_scene_legend (most);
  g_assert_cmpstr (scope, ==, "head 1, mean over layers 3 and 7 of 9");
  g_assert_true (g_str_has_prefix (legend, "Mean of all 2 heads, each its max over layers 3 and 7"
                                           " of 9."));
  for (int query = 0; query < 5; query++)
    for (int key = 0; key < 5; key++)
      g_assert_cmpfloat_with_epsilon (ui_weights_get (ui_scene_get_weights (mean), 1, query, key),
                                      (made_trace_weight (5, 3, 1, query, key)
                                       + made_trace_weight (5, 7, 1, query, key)) / 2, 1e-6);
}

/* Head 0 of layer 0 is falsified: a row of it that summed to 1 has 0.87, and one has 3. */
static void
test_row_sums (void)
{
  static const struct { const char *settings, *words; } cases[] = {
    { "heads=0", " Rows sum to 0.87–3.00, not to 1." },
    { "heads=0,1", " Rows sum to 0.87–3.00, not to 1." },
    { "heads=0,1 view=matrix", " Rows sum to 0.94–2.00, not to 1." },
    { "heads=0 filter=bb", " Rows sum to 1.00–3.00, not to 1." },
    { "heads=1", NULL },
    { "heads=0 layer=1", NULL },
    { "heads=1 view=model", " Rows sum to 0.87–3.00, not to 1." },
    { "heads=0 hide-special=true renormalise=true", NULL },
    { "aggregate=max", NULL },
    { "measure=rollout", NULL },
  };
  g_autoptr (EngTrace) trace = made_trace_new (3, 3, 2, 2);

  made_trace_falsify (trace, 0, 0, 1, 1, (float) (made_trace_weight (6, 0, 0, 1, 1) - 0.13));
  made_trace_falsify (trace, 0, 0, 4, 0, (float) (made_trace_weight (6, 0, 0, 4, 0) + 2));
  made_trace_forget_vectors (trace);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, cases[i].settings);
    g_autofree char *legend = ui_scene_legend (scene);
    g_autofree char *text = g_strconcat (" ", legend, NULL);

    if (cases[i].words == NULL ? strstr (text, "ows sum to") != NULL
                               : strstr (text, cases[i].words) == NULL)
      g_error ("%s: “%s”", cases[i].settings, legend);
  }
}

/* Of a key that is read four times a row has one reading: 0.25 of it and 3 × 0.25 that are not
 * drawn. */
static void
test_sums_of_readings (void)
{
  static const char *const views[] = { "heads=0", "heads=0 view=matrix", "heads=0 view=model" };
  g_autoptr (EngTrace) trace = made_trace_new (3, 0, 1, 1);
  guint8 *readings = g_malloc (9);

  for (int query = 0; query < 3; query++)
    for (int key = 0; key < 3; key++) {
      const float part = (float) made_trace_weight (3, 0, 0, query, key);

      readings[3 * query + key] = key == 0 ? 4 : 1;
      made_trace_falsify (trace, 0, 0, query, key, key == 0 ? part / 4 : part);
    }
  eng_trace_keep (trace, readings, 0, g_free);
  trace->blocks[ENG_KIND_ENCODER].layers[0].mask = readings;
  made_trace_forget_vectors (trace);
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    g_autoptr (UiScene) scene = make_scene (trace, views[i]);
    g_autofree char *legend = ui_scene_legend (scene);

    g_test_message ("%s", legend);
    g_assert_nonnull (strstr (legend, ", not to 1: some tokens are read several times, and one"
                                      " reading is shown."));
  }
}

int
main (int    argc,
      char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/describe-numbers/scope", test_scope);
  g_test_add_func ("/scene/describe-numbers/some-heads", test_some_heads);
  g_test_add_func ("/scene/describe-numbers/link", test_link);
  g_test_add_func ("/scene/describe-numbers/legend", test_legend);
  g_test_add_func ("/scene/describe-numbers/aggregate-is-no-head", test_aggregate_is_no_head);
  g_test_add_func ("/scene/describe-numbers/numbers", test_numbers);
  g_test_add_func ("/scene/describe-numbers/values", test_values);
  g_test_add_func ("/scene/describe-numbers/parts", test_parts);
  g_test_add_func ("/scene/describe-numbers/missing-layers", test_missing_layers);
  g_test_add_func ("/scene/describe-numbers/row-sums", test_row_sums);
  g_test_add_func ("/scene/describe-numbers/sums-of-readings", test_sums_of_readings);
  return g_test_run ();
}
